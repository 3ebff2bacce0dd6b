#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

constexpr std::size_t kMostSceneBytes = std::size_t{32} << 20;

/// Returns the library's message after its own position: "syntax error while parsing value - invalid literal; last
/// read: 'Na'".
std::string reason_of(const std::string& what) {
  const std::string mark = "syntax error ";
  const std::size_t at = what.find(mark);
  return at == std::string::npos ? what : what.substr(at + mark.size());
}

std::string hint_of(std::string_view text, std::size_t byte) {
  const std::size_t start = byte < 12 ? 0 : byte - 12;
  const std::string_view around = text.substr(start, 24);
  for (const char* word : {"nan", "NaN", "inf", "Inf"})
    if (around.find(word) != std::string_view::npos) return " JSON has no NaN and no infinity.";
  if (around.find("//") != std::string_view::npos || around.find("/*") != std::string_view::npos)
    return " JSON has no comments: use \"description\".";
  return " Look for a missing or extra comma, quote or bracket here or just before.";
}

}  // namespace

std::string read_text_file(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) throw InputError(file + ": no such file.");
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(file + ": is a folder; name the scene file in it, e.g. " +
                     (std::filesystem::path(file) / "scene.json").string() + ".");
  // Input that is typed in or comes through a pipe of the shell is meant; any other pipe or device may never end.
  const bool standard_input = file == "/dev/stdin" || file.starts_with("/dev/fd/");
  if (!standard_input && !std::filesystem::is_regular_file(file, ignored))
    throw InputError(file + ": is no regular file, but a pipe, device or socket. Name the scene's file.");
  std::ifstream stream(file, std::ios::binary);
  std::string text;
  for (std::vector<char> part(1 << 16); stream && text.size() <= kMostSceneBytes;) {
    stream.read(part.data(), static_cast<std::streamsize>(part.size()));
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > kMostSceneBytes)
    throw InputError(file + ": is larger than " + std::to_string(kMostSceneBytes >> 20) +
                     " MiB, the most a scene may have. Give many bodies as a packing, for instance \"csv\" with a file "
                     "of their places.");
  if (!stream.eof()) throw InputError(file + ": cannot be read: " + std::strerror(errno) + ".");
  return text;
}

Json parse_json(const std::string& file, std::string_view text) {
  if (const std::string fault = extent_fault(text, false); !fault.empty()) throw InputError(file + ": " + fault + ".");
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& e) {
    const std::size_t byte = std::min(e.byte == 0 ? 0 : e.byte - 1, text.size());
    const TextPosition at = position_of(text, byte);
    throw InputError(file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                     ": not JSON: " + reason_of(e.what()) + "." + hint_of(text, byte));
  } catch (const Json::out_of_range& e) {
    scan_positions(file, text);  // finds the number and throws
    throw InputError(file + ": " + e.what());
  }
}

}  // namespace scree
