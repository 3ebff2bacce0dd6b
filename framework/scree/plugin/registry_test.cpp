#include "scree/plugin/registry.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "scree/base/error.hpp"

using namespace scree;

namespace {

const char* const kSchemas = R"({
  "shape/circle": {
    "type": "object",
    "description": "A circle.",
    "properties": {
      "radius": {"$ref": "#/definitions/length", "description": "Radius [m]."},
      "waves": {"type": "object", "default": {}, "description": "Amplitudes.", "additionalProperties": false,
                "patternProperties": {"^[0-9]+$": {"type": "number", "description": "Amplitude [m]."}}},
      "file": {"type": "string", "format": "path", "default": "", "description": "Outline file."}
    },
    "required": ["radius"],
    "definitions": {"length": {"type": "number", "exclusiveMinimum": 0}}
  },
  "law/linear": {
    "type": "object",
    "description": "Spring.",
    "properties": {
      "normal_stiffness": {"type": "number", "exclusiveMinimum": 0, "description": "Stiffness [N/m]."},
      "friction": {"type": "number", "minimum": 0, "default": 0.5, "description": "Coefficient of friction [-]."},
      "tangential": {"enum": ["none", "spring"], "default": "none", "description": "Tangential force."}
    },
    "required": ["normal_stiffness"]
  },
  "integrator/euler": {"type": "object", "description": "Euler."},
  "detector/taubin": {"type": "object", "description": "Taubin distance.",
    "properties": {"nodes": {"type": "integer", "default": 64, "description": "Nodes [-]."}}},
  "modifier/cull": {"type": "object", "description": "Culls."},
  "observer/vtk": {"type": "object", "description": "Writes."}
})";

void register_factories(Registrar& registrar) {
  registrar.schemas(kSchemas);
  registrar.shape("circle", [](const Options&) { return nullptr; });
  registrar.law("linear", [](const Options&, const LawContext&) { return nullptr; });
  registrar.integrator("euler", [](const Options&) { return nullptr; });
  registrar.detector("taubin", [](const Options&) { return nullptr; });
  registrar.modifier("cull", [](const Options&) { return nullptr; });
  registrar.observer("vtk", [](const Options&) { return nullptr; });
}

const std::string kScene = R"({
  "dimension": 2,
  "materials": {"plastic": {"density": 1180}},
  "shapes": {"disc": {"type": "circle", "radius": 0.1, "file": "a/b.csv"}},
  "bodies": [{"shape": "disc", "material": "plastic"}],
  "interactions": [{"between": ["*", "*"], "detector": "taubin", "law": {"type": "linear", "normal_stiffness": 1000}}],
  "integrator": {"type": "euler", "dt": 1e-4},
  "hooks": [{"type": "cull", "interval": 0.1}, {"type": "vtk"}],
  "output": {"writers": [{"type": "vtk"}]},
  "run": {"duration": 4}
})";

Scene read(const Registry& registry, const std::string& text) {
  return parse_scene("/data/scene.json", text, {registry.scene_schema(), {}, "Not loaded: x.so: broken."});
}

std::string message(const std::string& from, const std::string& to) {
  Registry registry;
  registry.add("test", "1", "test.so", register_factories);
  std::string text = kScene;
  text.replace(text.find(from), from.size(), to);
  try {
    read(registry, text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

std::string add_message(const char* schemas, const std::function<void(Registrar&)>& register_more) {
  Registry registry;
  try {
    registry.add("test", "1", "/lib/test.so", [&](Registrar& registrar) {
      registrar.schemas(schemas);
      register_more(registrar);
    });
  } catch (const InputError& e) {
    CHECK(registry.list().empty());
    return e.what();
  }
  return "no error";
}

void add_law(Registrar& registrar) {
  registrar.law("a", [](const Options&, const LawContext&) { return nullptr; });
}

}  // namespace

TEST_CASE("a scene gets the defaults of the plugins' schemas") {
  Registry registry;
  registry.add("test", "1", "test.so", register_factories);
  const Scene scene = read(registry, kScene);
  CHECK(scene.interactions[0].law.options.number("friction") == 0.5);
  CHECK(scene.interactions[0].law.options.text("tangential") == "none");
  CHECK(scene.interactions[0].detector.options.integer("nodes") == 64);
  CHECK(scene.shapes[0].object.options.text("file") == "/data/a/b.csv");
  REQUIRE(scene.modifiers.size() == 1);
  CHECK(scene.modifiers[0].interval == 0.1);
  REQUIRE(scene.observers.size() == 2);
  CHECK_FALSE(scene.observers[0].writer);
  CHECK(scene.observers[1].writer);
  CHECK(read(registry, scene.resolved).resolved == scene.resolved);
}

TEST_CASE("options of plugins are checked against their schemas") {
  CHECK(message("\"circle\"", "\"circel\"") ==
        "/data/scene.json:4:31 /shapes/disc/type: unknown \"circel\". Did you mean \"circle\"? Loaded: circle.\n"
        "Not loaded: x.so: broken.");
  CHECK(message("\"taubin\"", "\"taubim\"") ==
        "/data/scene.json:6:56 /interactions/0/detector/type: unknown \"taubim\". Did you mean \"taubin\"? Loaded: "
        "taubin.\n"
        "Not loaded: x.so: broken.");
  CHECK(message("0.1,", "-0.1,") ==
        "/data/scene.json:4:51 /shapes/disc/radius: -0.1 is out of range; must be greater than 0. Radius [m].");
  CHECK(message("\"radius\"", "\"radios\"") ==
        "/data/scene.json:4:22 /shapes/disc: missing key \"radius\". Radius [m].\n"
        "/data/scene.json:4:41 /shapes/disc/radios: unknown key. Did you mean \"radius\"? Known: file, radius, type, "
        "waves.");
  CHECK(message("\"a/b.csv\"", "3") ==
        "/data/scene.json:4:64 /shapes/disc/file: expected a string, got 3 (number). Outline file.");
  CHECK(message("0.1,", "0.1, \"waves\": {\"3\": \"x\", \"k\": 1},") ==
        "/data/scene.json:4:71 /shapes/disc/waves/3: expected a number, got \"x\" (string). Amplitude [m].\n"
        "/data/scene.json:4:76 /shapes/disc/waves/k: unknown key. Allowed by pattern: ^[0-9]+$.");
  CHECK(message("1000}", "1000, \"tangential\": \"sprung\"}") ==
        "/data/scene.json:6:132 /interactions/0/law/tangential: unknown \"sprung\". Did you mean \"spring\"? Allowed: "
        "none, "
        "spring.");
  CHECK(
      message("{\"type\": \"linear\", \"normal_stiffness\": 1000}", "3") ==
      "/data/scene.json:6:73 /interactions/0/law: expected \"none\" or an object, got 3 (number). What a contact does; "
      "\"none\": the two never touch.");
}

TEST_CASE("the complete schema completes names and options") {
  Registry registry;
  registry.add("test", "1", "test.so", register_factories);
  const auto schema = nlohmann::json::parse(registry.scene_schema());
  CHECK(schema["definitions"]["shape"]["properties"]["type"]["enum"] == nlohmann::json{"circle"});
  CHECK(schema["definitions"]["hook"]["properties"]["type"]["enum"] == nlohmann::json{"cull", "vtk"});
  const auto& circle = schema["definitions"]["shape/circle"];
  CHECK(circle["properties"]["radius"]["$ref"] == "#/definitions/shape~1circle/definitions/length");
  CHECK(circle["properties"]["type"]["const"] == "circle");
  CHECK(schema["definitions"]["integrator/euler"]["properties"].contains("dt"));
}

TEST_CASE("a plugin's schema may refer to definitions of the scene's, and gets the defaults in them") {
  Registry registry;
  auto schemas = nlohmann::json::parse(kSchemas);
  schemas["modifier/drain"] =
      nlohmann::json::parse(R"({"type": "object", "description": "Drains.", "required": ["region"],
        "properties": {"region": {"$ref": "#/definitions/region", "description": "Where."},
                       "way": {"$ref": "#/definitions/way", "default": 1, "description": "Own."}},
        "definitions": {"way": {"type": "number"}}})");
  registry.add("test", "1", "test.so", [&](Registrar& registrar) {
    register_factories(registrar);
    registrar.schemas(schemas.dump().c_str());
    registrar.modifier("drain", [](const Options&) { return nullptr; });
  });
  std::string text = kScene;
  text.replace(text.find("{\"type\": \"cull\""), 15,
               R"({"type": "drain", "region": {"type": "box", "lower": [0, 0], "upper": [1, 1]}}, {"type": "cull")");
  const Options options = read(registry, text).modifiers[0].object.options;
  CHECK(options.object("region").boolean("outside") == false);
  CHECK(options.number("way") == 1);
  text.replace(text.find("[0, 0]"), 6, "[0]");
  CHECK_THROWS_WITH(read(registry, text), Catch::Matchers::ContainsSubstring("/hooks/0/region/lower"));
}

TEST_CASE("a factory that is not there is told with the nearest name") {
  Registry registry;
  registry.add("test", "1", "test.so", register_factories);
  CHECK_THROWS_WITH(registry.detector("taubim"),
                    "unknown detector \"taubim\". Did you mean \"taubin\"? Loaded: taubin.");
  CHECK_THROWS_WITH(registry.packing("grid"), "unknown packing \"grid\". Loaded: none.");
}

TEST_CASE("a plugin whose schemas are incomplete is refused") {
  CHECK(add_message("{}", add_law) ==
        "test.so: no schema for \"law/a\". Add that key to the plugin's schema.json. (/lib/test.so)");
  CHECK(add_message(R"({"law/a": {}})", add_law) ==
        "test.so: schema \"law/a\" has no \"description\". Say in a sentence what it is. (/lib/test.so)");
  CHECK(
      add_message(R"({"law/a": {"description": "x", "properties": {"k": {}}}})", add_law) ==
      "test.so: schema \"law/a\", option \"k\": has no \"description\". Say what it is, with its unit. (/lib/test.so)");
  CHECK(add_message(R"({"law/a": {"description": "x", "properties": {"k": {"description": "k [m]"}}}})", add_law) ==
        "test.so: schema \"law/a\", option \"k\": has no \"default\" and is not \"required\". Give it one, or say "
        "\"Default: "
        "...\" in the description. (/lib/test.so)");
  CHECK(add_message(R"({"law/a": {"description": "x"}, "law/b": {"description": "x"}})", add_law) ==
        "test.so: schema \"law/b\" has no factory of that kind and name. Register it, or remove the schema. "
        "(/lib/test.so)");
  CHECK(add_message("{", add_law).substr(0, 9) == "test.so: ");
  // Each of these made every scene fail, whatever it used.
  CHECK(
      add_message(
          R"({"law/a": {"description": "x", "properties": {"k": {"type": "reel", "description": "k", "default": 1}}}})",
          add_law)
          .starts_with("test.so: schema \"law/a\" is no JSON Schema (draft-07): "));
  CHECK(
      add_message(R"({"law/a": {"description": "x", "properties": {"k": {"$ref": "#/definitions/n", "description": "k",
                        "default": "one"}}, "definitions": {"n": {"type": "number"}}}})",
                  add_law)
          .starts_with("test.so: schema \"law/a\", option \"k\": its \"default\" \"one\" (string) is not valid: "));
}

TEST_CASE("a plugin that throws what is no std::exception, or registers no function, is refused by name") {
  const char* const schema = R"({"law/a": {"description": "x"}, "shape/a": {"description": "x"}})";
  CHECK(add_message(schema, [](Registrar&) { throw 42; }) ==
        "test.so: throws what is no std::exception when its methods are registered. (/lib/test.so)");
  CHECK(add_message(schema, [](Registrar& registrar) { registrar.law("a", nullptr); }) ==
        "test.so: the law \"a\" is registered without a factory. (/lib/test.so)");
  CHECK(add_message(schema, [](Registrar& registrar) { registrar.shape("a", ShapeFactory()); }) ==
        "test.so: the shape \"a\" is registered without a factory. (/lib/test.so)");
}

TEST_CASE("whatever is thrown while methods are registered is told with the library") {
  CHECK(add_message("{}", [](Registrar&) { throw 42; }) ==
        "test.so: throws what is no std::exception when its methods are registered. (/lib/test.so)");
}

TEST_CASE("modifiers and observers share the scene's hooks, hence their names") {
  const auto register_both = [](Registrar& registrar) {
    registrar.modifier("a", [](const Options&) { return nullptr; });
    registrar.observer("a", [](const Options&) { return nullptr; });
  };
  CHECK(add_message(R"({"modifier/a": {"description": "x"}, "observer/a": {"description": "x"}})", register_both) ==
        "test.so: registers the observer \"a\" twice. Choose another name for one of the two. (/lib/test.so)");
}
