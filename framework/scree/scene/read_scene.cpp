#include "scree/scene/read_scene.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "scree/base/error.hpp"
#include "scree/base/utf8.hpp"
#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

/// Throws all faults as one error, in the order of the file.
void report(std::vector<Fault> faults, const Scene::Positions& positions) {
  if (faults.empty()) return;
  const auto place = [&](const Fault& fault) {
    const TextPosition at = positions.position(fault.pointer, fault.at_key);
    return std::tuple(at.line, at.column);
  };
  std::stable_sort(faults.begin(), faults.end(), [&](const Fault& a, const Fault& b) { return place(a) < place(b); });
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(faults.size(), kMost); ++i) {
    const Fault& fault = faults[i];
    text += (i ? "\n" : "") + (fault.at_key ? positions.where_key(fault.pointer) : positions.where(fault.pointer)) +
            ": " + fault.message;
  }
  if (faults.size() > kMost) text += "\n... and " + std::to_string(faults.size() - kMost) + " more.";
  throw InputError(text);
}

std::string default_name(const std::string& file) {
  const fs::path path = fs::absolute(file).lexically_normal();
  const bool plain = path.stem() == "scene" && !path.parent_path().filename().empty();
  const std::string name = plain ? path.parent_path().filename().string() : path.stem().string();
  return file_name_fault(name).empty() ? name : "scene";
}

/// \throws InputError for a folder that is not there
void require_folders(const std::vector<std::string>& folders) {
  std::error_code ignored;
  for (const std::string& folder : folders)
    if (!fs::is_directory(folder, ignored)) throw InputError("--allow-path " + folder + ": no such folder.");
}

/// Whether a file named in the scene can be written down as an absolute one.
void require_utf8(const std::string& folder) {
  if (!is_utf8(folder))
    throw InputError(folder + ": the name of the scene's folder is no UTF-8 text. Rename the folder.");
}

/// FNV-1a over the document without what may differ between a run and its continuation.
std::uint64_t fingerprint(Json document, const std::vector<NamedFile>& files) {
  for (const NamedFile& file : files) document[Json::json_pointer(file.pointer)] = "";
  for (const char* key : {"$schema", "name", "description", "output", "plugins"}) document.erase(key);
  document["run"].erase("duration");
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : document.dump()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

/// What depends on the scene itself, so that no schema can say it.
void fill_derived_defaults(const std::string& file, Json& document) {
  if (!document.contains("name")) document["name"] = default_name(file);
  Json& bodies = document["bodies"];
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].contains("name")) bodies[i]["name"] = "bodies" + std::to_string(i);
}

}  // namespace

Scene parse_scene(const std::string& file, std::string_view text, const SceneInputs& inputs) {
  const auto parsed = scene_schema_of(inputs.schema.empty() ? scene_envelope_schema() : inputs.schema);
  const Json& schema = parsed->json();
  require_folders(inputs.allow_paths);
  const auto document = std::make_shared<Json>(parse_json(file, text));
  auto positions = std::make_shared<Scene::Positions>(scan_positions(file, text));
  for (const std::string& set : inputs.sets) apply_set(schema, set, *document, *positions);
  expand_short_forms(*document);
  report(validate(*parsed, *document, inputs.unloaded), *positions);
  fill_defaults(schema, *document);
  report(validate(*parsed, *document, inputs.unloaded), *positions);  // a default may name a plugin that is not there
  report(check_formats(schema, *document), *positions);
  report(cross_check(*document), *positions);

  Scene scene;
  scene.file = file;
  scene.folder = fs::absolute(file).lexically_normal().parent_path().string();
  scene.positions = std::move(positions);
  fill_derived_defaults(file, *document);
  require_utf8(scene.folder);
  make_paths_absolute(schema, scene.folder, *document);
  scene.resolved = document->dump(2) + "\n";
  std::vector<std::string> readable = inputs.allow_paths;
  readable.insert(readable.begin(), scene.folder);
  const std::string out =
      inputs.out.empty() ? (fs::path("out") / document->at("name").get<std::string>()).string() : inputs.out;
  report(check_places(schema, readable, out, *document), *scene.positions);
  scene.files = named_files(schema, *document);
  scene.fingerprint = fingerprint(*document, scene.files);
  build_scene(schema, document, scene);
  return scene;
}

Scene read_scene(const std::string& file, const SceneInputs& inputs) {
  return parse_scene(file, read_text_file(file), inputs);
}

}  // namespace scree
