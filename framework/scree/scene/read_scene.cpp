#include "scree/scene/read_scene.hpp"

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "scree/base/error.hpp"
#include "scree/base/utf8.hpp"
#include "scree/scene/detail/reading.hpp"
#include "scree/scene/detail/staged_document.hpp"

namespace scree {

namespace fs = std::filesystem;

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

namespace {

std::string default_name(const std::string& file) {
  const fs::path path = fs::absolute(file).lexically_normal();
  const bool plain = path.stem() == "scene" && !path.parent_path().filename().empty();
  const std::string name = plain ? path.parent_path().filename().string() : path.stem().string();
  const std::string plainly = as_name(name);
  return file_name_fault(plainly).empty() ? plainly : "scene";
}

/// Checks folders. \throws InputError for a missing folder
void require_folders(const std::vector<std::string>& folders) {
  std::error_code ignored;
  for (const std::string& folder : folders)
    if (!fs::is_directory(folder, ignored)) throw InputError("--allow-path " + folder + ": no such folder.");
}

/// Checks that a file named in the scene can be written as an absolute path.
void require_utf8(const std::string& folder) {
  if (!is_utf8(folder))
    throw InputError(folder + ": the name of the scene's folder is no UTF-8 text. Rename the folder.");
}

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return hash;
}

/// Returns the document without keys that may differ between a run and its continuation. A ledger keeps columns and
/// metrics.
Json decisive(Json document, const std::vector<NamedFile>& files) {
  for (const NamedFile& file : files) document[Json::json_pointer(file.pointer)] = "";
  const bool ledger = document.at("output").value("energy_ledger", false);
  for (const char* key : {"$schema", "name", "description", "output", "plugins"}) document.erase(key);
  if (ledger) document["output"]["energy_ledger"] = true;
  document["run"].erase("duration");
  return document;
}

/// Fills in defaults that depend on the scene itself, which no schema can express.
void fill_derived_defaults(const std::string& file, Json& document) {
  if (!document.contains("name")) document["name"] = default_name(file);
  Json& bodies = document["bodies"];
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (!bodies[i].contains("name")) bodies[i]["name"] = "bodies" + std::to_string(i);
}

/// Makes scenes from documents of one file.
class SceneReader {
 public:
  SceneReader(const std::string& file, const SceneSchema& parsed, const SceneInputs& inputs)
      : file_(file),
        parsed_(parsed),
        inputs_(inputs),
        folder_(fs::absolute(file).lexically_normal().parent_path().string()) {
    require_folders(inputs.allow_paths);
  }

  /// Makes a scene. \param document  without stages, its short forms expanded
  Scene scene(const Json& from, std::shared_ptr<const Scene::Positions> positions) const {
    const auto document = std::make_shared<Json>(from);
    const Json& schema = parsed_.json();
    report(validate(parsed_, *document, inputs_.unloaded), *positions);
    fill_defaults(schema, *document);
    report(validate(parsed_, *document, inputs_.unloaded),
           *positions);  // a default may name something that does not exist
    report(check_formats(schema, *document), *positions);
    report(cross_check(*document), *positions);

    Scene scene;
    scene.file = file_;
    scene.folder = folder_;
    scene.positions = std::move(positions);
    fill_derived_defaults(file_, *document);
    require_utf8(scene.folder);
    make_paths_absolute(schema, scene.folder, *document);
    scene.resolved = document->dump(2) + "\n";
    std::vector<std::string> readable = inputs_.allow_paths;
    readable.insert(readable.begin(), scene.folder);
    const std::string out =
        inputs_.out.empty() ? (fs::path("out") / document->at("name").get<std::string>()).string() : inputs_.out;
    report(check_places(schema, readable, out, *document), *scene.positions);
    report(check_code(schema, inputs_.allow_code, *document), *scene.positions);
    scene.files = named_files(schema, *document);
    scene.decisive = decisive(*document, scene.files).dump();
    scene.fingerprint = fnv1a(scene.decisive);
    build_scene(schema, document, scene);
    return scene;
  }

 private:
  const std::string& file_;
  const SceneSchema& parsed_;
  const SceneInputs& inputs_;
  std::string folder_;
};

}  // namespace

Scene parse_scene(const std::string& file, std::string_view text, const SceneInputs& inputs) {
  const auto parsed = scene_schema_of(inputs.schema.empty() ? scene_envelope_schema() : inputs.schema);
  const SceneReader reader(file, *parsed, inputs);
  Json document = parse_json(file, text);
  const auto positions = std::make_shared<Scene::Positions>(scan_positions(file, text));
  for (const std::string& set : inputs.sets) apply_set(parsed->json(), set, document, *positions);
  expand_short_forms(document);
  if (!document.contains("stages")) return reader.scene(document, positions);

  report(validate(*parsed, document, inputs.unloaded), *positions);
  report(check_stages(document), *positions);
  const StagedDocument staged(std::move(document), positions);
  Scene scene = reader.scene(staged.base(), positions);
  scene.stages = staged.read([&](const Json& of_stage, auto of_values) { return reader.scene(of_stage, of_values); });
  scene.resolved = staged.resolved(scene).dump(2) + "\n";
  scene.fingerprint = fnv1a(staged.decisive(scene).dump());
  return scene;
}

Scene read_scene(const std::string& file, const SceneInputs& inputs) {
  return parse_scene(file, read_text_file(file), inputs);
}

}  // namespace scree
