/// \file What `scree schema` prints, seen by a JSON Schema library that scree itself does not use: what an editor sees.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

namespace {

const Json& printed_schema() {
  static const Json schema = [] {
    const Outcome printed = scree_program("schema");
    INFO(printed.err);
    REQUIRE(printed.exit_code == 0);
    return Json::parse(printed.out);
  }();
  return schema;
}

/// The faults of a scene, one per line; empty when it is valid.
std::string faults_of(const Json& scene) {
  static const valijson::Schema& compiled = *[] {
    auto* schema = new valijson::Schema;
    valijson::SchemaParser(valijson::SchemaParser::kDraft7).populateSchema(Adapter(printed_schema()), *schema);
    return schema;
  }();
  valijson::ValidationResults results;
  valijson::Validator().validate(compiled, Adapter(scene), &results);
  std::string text;
  for (valijson::ValidationResults::Error error; results.popError(error);)
    text += fmt::format("{}: {}\n", fmt::join(error.context, ""), error.description);
  return text;
}

/// Scenes of scree's own methods. A folder with a build of its own is a third party's: its plugin is not loaded here.
std::vector<fs::path> example_scenes() {
  std::vector<fs::path> scenes;
  for (const auto& folder : fs::directory_iterator(SCREE_EXAMPLES))
    if (fs::exists(folder.path() / "scene.json") && !fs::exists(folder.path() / "CMakeLists.txt"))
      scenes.push_back(folder.path() / "scene.json");
  std::sort(scenes.begin(), scenes.end());
  return scenes;
}

/// The first block of JSON in the README.
std::string readme_scene() {
  const std::string readme = slurp(fs::path(SCREE_EXAMPLES).parent_path() / "README.md"), fence = "```json\n";
  const std::size_t begin = readme.find(fence) + fence.size();
  return readme.substr(begin, readme.find("```", begin) - begin);
}

Json star_packing() { return Json::parse(slurp(fs::path(SCREE_EXAMPLES) / "star_packing" / "scene.json")); }

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

bool is_number(const Json& property) {
  const std::string type = property.value("type", "");
  if (type == "array" && property.contains("items")) return is_number(property["items"]);
  return type == "number" || type == "integer";
}

/// An option that is told: what it is, its unit where it is a number, and its default unless it is required.
void check_option(const std::string& place, const std::string& key, const Json& property, bool required) {
  INFO(place << ", option " << key << ": " << property.dump());
  const std::string description = property.value("description", "");
  CHECK_FALSE(description.empty());
  if (is_number(property)) CHECK((contains(description, "[") && contains(description, "]")));
  if (!required) CHECK((property.contains("default") || contains(description, "Default:")));
}

}  // namespace

TEST_CASE("the printed schema accepts every example") {
  const std::vector<fs::path> scenes = example_scenes();
  REQUIRE(scenes.size() >= 4);
  for (const fs::path& file : scenes) {
    INFO(file);
    CHECK(faults_of(Json::parse(slurp(file))) == "");
  }
}

TEST_CASE("the scene in the README is valid and its parts fit together") {
  const TemporaryFolder folder;
  spit(folder / "bowl.json", readme_scene());
  CHECK(faults_of(Json::parse(readme_scene())) == "");
  const Outcome checked = scree_program("check " + (folder / "bowl.json").string());
  INFO(checked.err);
  CHECK(checked.exit_code == 0);
  CHECK(contains(checked.out, "42 moving bodies"));  // the README says forty-two
}

TEST_CASE("the printed schema refuses what the program refuses, options of plugins included") {
  const std::pair<const char*, Json> mistakes[] = {
      {"/gravty", Json::array({0, -9.81})},          // unknown key
      {"/run/duration", "4 s"},                      // wrong type
      {"/shapes/cross/type", "starr"},               // no such shape
      {"/shapes/cross/radius", -0.004},              // out of the range in a plugin's schema
      {"/shapes/cross/coefficients/a0", "2"},        // wrong type within a plugin's options
      {"/shapes/floor/radius", 0.1},                 // an option of another shape
      {"/bodies/0/packing/spacng", 0.01},            // unknown option of a packing
      {"/interactions/0/law/tangential", "sticky"},  // not among the choices
      {"/interactions/1/detector", "taubinn"},       // no such detector
      {"/integrator/dt", 0},                         // the bound is exclusive
      {"/output/writers/0", {{"type", "vtk"}, {"contacts", 1}}},
  };
  for (const auto& [pointer, value] : mistakes) {
    Json scene = star_packing();
    scene[Json::json_pointer(pointer)] = value;
    INFO(pointer << " = " << value.dump());
    CHECK(faults_of(scene) != "");
  }
  Json incomplete = star_packing();
  incomplete["interactions"][0]["law"].erase("normal_stiffness");
  CHECK(faults_of(incomplete) != "");
}

TEST_CASE("the options of every loaded method stand in the printed schema, with description, unit and default") {
  const Outcome listed = scree_program("plugins --json");
  REQUIRE(listed.exit_code == 0);
  const Json methods = Json::parse(listed.out);
  REQUIRE_FALSE(methods.empty());
  for (const Json& method : methods) {
    const std::string name = method["kind"].get<std::string>() + "/" + method["name"].get<std::string>();
    REQUIRE(printed_schema()["definitions"].contains(name));
    const Json& printed = printed_schema()["definitions"][name];
    CHECK_FALSE(printed.value("description", "").empty());
    const Json& own = method["schema"];
    const Json required = own.value("required", Json::array()), options = own.value("properties", Json::object());
    for (const auto& [key, option] : options.items()) {
      CHECK(printed["properties"].contains(key));
      check_option(name, key, option, std::find(required.begin(), required.end(), key) != required.end());
    }
  }
}
