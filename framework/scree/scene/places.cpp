#include <algorithm>
#include <filesystem>

#include "scree/base/utf8.hpp"
#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

/// Returns the target of a path, links followed, as far as it exists; nothing if that is unknown.
std::optional<fs::path> real(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) return std::nullopt;
  // An empty last part, of a name that ends in '/', is no step.
  return found.filename().empty() && found.has_parent_path() ? found.parent_path() : found;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  const auto inside = real(path), outside = real(folder);
  if (!inside || !outside) return false;
  return std::mismatch(outside->begin(), outside->end(), inside->begin(), inside->end()).first == outside->end();
}

std::string quoted(const std::string& text) { return "\"" + shortened(text) + "\""; }

}  // namespace

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0 || is_control(text.substr(0, length)) || text[0] == '\n' || text[0] == '\t') return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string file_name_fault(const std::string& name) {
  constexpr std::size_t kLongest = 200;  // file systems take 255 bytes, and names get endings
  if (name.empty()) return "is empty";
  if (name == "." || name == "..") return "is a step between folders";
  if (name.find('/') != std::string::npos) return "holds a \"/\"";
  if (!is_printable(name)) return "holds characters that are not printable";
  if (name.size() > kLongest) return "is longer than " + std::to_string(kLongest) + " bytes";
  return "";
}

std::vector<Fault> check_places(const Json& schema, const std::vector<std::string>& readable, const std::string& out,
                                Json& document) {
  std::vector<Fault> faults;
  const auto check_file = [&](const std::string& pointer, const std::string& file) {
    if (!is_printable(file)) {
      faults.push_back({pointer, quoted(file) + " holds characters that are not printable. Rename the file."});
      return;
    }
    for (const std::string& folder : readable)
      if (lies_in(file, folder)) return;
    faults.push_back(
        {pointer, quoted(file) + " lies outside of the scene's folder, " + quoted(readable.front()) +
                      ", where a scene reads files. Copy it there, or allow its folder with --allow-path " +
                      quoted(fs::path(file).parent_path().string()) + "."});
  };
  const auto check_folder = [&](const std::string& pointer, Json& folder) {
    const std::string given = folder.get<std::string>();
    const fs::path place = fs::absolute(fs::path(out) / given).lexically_normal();
    if (!is_printable(given) || !lies_in(place, out))
      faults.push_back({pointer, quoted(given) + " lies outside of the output folder, " + quoted(out) +
                                     ", where a scene writes. Give a folder in it by its name, such as \"problems\"."});
    else
      folder = place.string();
  };
  walk(schema, document, [&](const std::string& pointer, Json& value, const Schemas& schemas) {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) return;
    for (const Json* applied : schemas) {
      const auto format = applied->find("format");
      if (format == applied->end()) continue;
      if (*format == "path") check_file(pointer, value.get<std::string>());
      if (*format == "output-path") check_folder(pointer, value);
      return;
    }
  });
  return faults;
}

std::vector<Fault> check_code(const Json& schema, const std::vector<std::string>& allowed, Json& document) {
  std::vector<Fault> faults;
  walk(schema, document, [&](const std::string& pointer, Json& value, const Schemas& schemas) {
    for (const Json* applied : schemas) {
      const auto code = applied->find("x-scree-code");
      if (code == applied->end() || !value.is_string()) continue;
      const std::string language = code->get<std::string>();
      if (std::ranges::find(allowed, language) != allowed.end()) return;
      faults.push_back({pointer, quoted(value.get<std::string>()) +
                                     " is code, which may do whatever you may, such as delete files. It runs only if "
                                     "you allow it: read it, then add --allow-" +
                                     language + " (in Python: allow_" + language + "=True)."});
      return;
    }
  });
  return faults;
}

}  // namespace scree
