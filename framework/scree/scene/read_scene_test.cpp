#include "scree/scene/read_scene.hpp"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "scree/base/error.hpp"

using namespace scree;

namespace {

const std::string kScene = R"({
  "name": "test",
  "dimension": 2,
  "gravity": [0, -9.81],
  "materials": {"plastic": {"density": 1180}, "wall": {}},
  "shapes": {
    "disc": {"type": "circle", "radius": 0.1},
    "floor": {"type": "half-plane", "normal": [0, 1]}
  },
  "bodies": [
    {"name": "grains", "shape": "disc", "material": "plastic", "orientation": "random", "position": [0, 1]},
    {"name": "floor", "shape": "floor", "material": "wall", "fixed": true, "position": [0, 0.01], "remove_at": 0.4},
    {"shape": "disc", "material": "wall", "motion": {"angular_velocity": 5, "centre": [0.3, 0.3]}, "orientation": 1.5}
  ],
  "interactions": [
    {"between": ["plastic", "plastic"], "law": {"type": "linear", "normal_stiffness": 1000}},
    {"between": ["plastic", "*"], "detector": "taubin", "law": "none"}
  ],
  "integrator": {"type": "euler", "dt": 1e-4},
  "output": {"interval": 0.02, "writers": [{"type": "vtk"}]},
  "run": {"duration": 4}
}
)";

Scene read(const std::string& text, const std::vector<std::string>& sets = {}) {
  return parse_scene("scene.json", text, {"", sets, ""});
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// The message for the scene with one piece of its text replaced.
std::string message(const std::string& from, const std::string& to) {
  try {
    read(with(kScene, from, to));
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

std::string set_message(const std::string& set) {
  try {
    read(kScene, {set});
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a scene becomes plain data") {
  const Scene scene = read(kScene);
  CHECK(scene.name == "test");
  CHECK(scene.dimension == 2);
  CHECK(scene.gravity == Vec3(0, -9.81, 0));
  REQUIRE(scene.materials.size() == 2);
  CHECK(scene.materials[0].name == "plastic");
  CHECK(scene.materials[0].density == 1180);
  REQUIRE(scene.shapes.size() == 2);
  CHECK(scene.shapes[1].name == "floor");
  CHECK(scene.shapes[1].object.type == "half-plane");
  CHECK(scene.shapes[1].object.options.vector("normal") == Vec3(0, 1, 0));
  REQUIRE(scene.bodies.size() == 3);
  CHECK(scene.bodies[0].random_orientation);
  CHECK(scene.bodies[1].fixed);
  CHECK(scene.bodies[1].remove_at == 0.4);
  CHECK(scene.bodies[2].name == "bodies2");
  REQUIRE(scene.bodies[2].motions.size() == 1);
  CHECK(scene.bodies[2].motions[0].angular_velocity == Vec3(0, 0, 5));
  CHECK(scene.bodies[2].motions[0].centre == Vec3(0.3, 0.3, 0));
  CHECK(scene.bodies[2].orientation.angularDistance(Quat(std::cos(0.75), 0, 0, std::sin(0.75))) < 1e-12);
  CHECK(scene.bodies[0].seed == 1);
  REQUIRE(scene.interactions.size() == 2);
  CHECK(scene.interactions[0].detector.type == "auto");
  CHECK(scene.interactions[1].detector.type == "taubin");
  CHECK(scene.interactions[1].law.type == "none");
  CHECK(scene.dt == 1e-4);
  CHECK(scene.integrator.type == "euler");
  REQUIRE(scene.observers.size() == 1);
  CHECK(scene.observers[0].writer);
  CHECK(scene.observers[0].interval == 0.02);
  CHECK(scene.max_initial_overlap == 0.05);
  CHECK(scene.where("/integrator/dt") == "scene.json:19:41 /integrator/dt");
  CHECK(scene.where("/interactions/1/law/friction") == "scene.json:17:64 /interactions/1/law/friction");
}

TEST_CASE("gravity that varies and every kind of damping become plain data") {
  const Scene scene = read(with(kScene, "[0, -9.81],", R"({
    "vector": [0, -9.81],
    "oscillation": {"amplitude": [1, 0], "frequency": 50},
    "table": [{"time": 0, "vector": [0, 0]}, {"time": 0.5, "vector": [2, 3]}]
  }, "damping": {"linear": 0.1, "angular": 0.2, "fluid_velocity": [1, 2], "mass_proportional": 3, "local": 0.7},)"));
  CHECK(scene.gravity == Vec3(0, -9.81, 0));
  CHECK(scene.gravity_variation.amplitude == Vec3(1, 0, 0));
  CHECK(scene.gravity_variation.frequency == 50);
  CHECK(scene.gravity_variation.phase == 0);
  REQUIRE(scene.gravity_variation.table.size() == 2);
  CHECK(scene.gravity_variation.table[1].time == 0.5);
  CHECK(scene.gravity_variation.table[1].vector == Vec3(2, 3, 0));
  CHECK(scene.linear_damping == 0.1);
  CHECK(scene.angular_damping == 0.2);
  CHECK(scene.fluid_velocity == Vec3(1, 2, 0));
  CHECK(scene.mass_damping == 3);
  CHECK(scene.local_damping == 0.7);
}

TEST_CASE("faults in gravity and damping are told with place and remedy") {
  CHECK(message("[0, -9.81]", R"({"table": [{"time": 0.5, "vector": [0, 1]}, {"time": 0.5, "vector": [0, 0]}]})") ==
        "scene.json:4:67 /gravity/table/1/time: 0.5 s is not after the 0.5 s of the row before. Give the rows in order "
        "of time, each time once.");
  CHECK(message("[0, -9.81]", R"({"table": [{"time": 0, "vector": [0, 1, 2]}]})") ==
        "scene.json:4:47 /gravity/table/0/vector: a scene of dimension 2 needs 2 numbers here, got [0,1,2] (array).");
  CHECK(message("[0, -9.81]", R"({"oscillation": {"amplitude": [0, 1]}})") ==
        "scene.json:4:30 /gravity/oscillation: missing key \"frequency\". Frequency [Hz].");
  CHECK(message("[0, -9.81]", R"({"vectr": [0, 1]})") ==
        "scene.json:4:15 /gravity/vectr: unknown key. Did you mean \"vector\"? Known: oscillation, table, vector.");
  CHECK(
      message("[0, -9.81]", "9.81") ==
      "scene.json:4:14 /gravity: expected an array or an object, got 9.81 (number). Acceleration of gravity [m/s^2]: a "
      "vector, or an object where it varies in time. Default: none.");
  CHECK(message("[0, -9.81],", R"([0, 1], "damping": {"fluid_velocity": [1, 0]},)") ==
        "scene.json:4:52 /damping/fluid_velocity: the fluid drags nothing while \"linear\" is 0. Give \"linear\", the "
        "drag per velocity [N s/m], or remove \"fluid_velocity\".");
  CHECK_THAT(
      message("[0, -9.81],", R"([0, 1], "damping": {"local": 1},)"),
      Catch::Matchers::ContainsSubstring(
          "scene.json:4:43 /damping/local: 1 is out of range; must be at least 0 and less than 1. Local damping"));
}

TEST_CASE("what a scene gets wrong is told with place, finding, choice and remedy") {
  CHECK(message("\"gravity\"", "\"gravty\"") ==
        "scene.json:4:3 /gravty: unknown key. Did you mean \"gravity\"? Known: $schema, bodies, bonds, damping, "
        "description, "
        "dimension, domain, gravity, grid, hooks, integrator, interactions, materials, name, output, "
        "periodic, plugins, run, shapes, stages.");
  CHECK(message("4}\n", "\"4 s\"}\n") ==
        "scene.json:21:23 /run/duration: expected a number, got \"4 s\" (string). Simulated time [s].");
  CHECK(message("1e-4", "0") ==
        "scene.json:19:41 /integrator/dt: 0 is out of range; must be greater than 0. Time step [s].");
  CHECK(message("1180", "-1180") ==
        "scene.json:5:40 /materials/plastic/density: -1180 is out of range; must be greater than 0. Density [kg/m^3]. "
        "Needed where a body of this material moves freely.");
  CHECK(message(", \"dt\": 1e-4", "") == "scene.json:19:17 /integrator: missing key \"dt\". Time step [s].");
  CHECK(message("\"dimension\": 2", "\"dimension\": 4") == "scene.json:3:16 /dimension: unknown 4. Allowed: 2, 3.");
  CHECK(message("\"random\"", "\"randm\"") ==
        "scene.json:11:79 /bodies/0/orientation: expected \"random\", got \"randm\" (string). Orientation: an angle "
        "[rad] "
        "in 2D, a quaternion [w, x, y, z] in 3D, or \"random\" (uniform, from the seed).");
  CHECK(
      message("[0, -9.81]", "[-9.81]") ==
      "scene.json:4:14 /gravity: has 1 item; must have 2 to 3. Acceleration of gravity [m/s^2]: a vector, or an object "
      "where it varies in time. Default: none.");
  CHECK(message("[0, -9.81]", "[0, 0, -9.81]") ==
        "scene.json:4:14 /gravity: a scene of dimension 2 needs 2 numbers here, got [0,0,-9.81] (array).");
  CHECK(message("\"shape\": \"disc\"", "\"shape\": \"disk\"") ==
        "scene.json:11:33 /bodies/0/shape: unknown shape \"disk\". Did you mean \"disc\"? Defined: disc, floor.");
  CHECK(
      message("\"material\": \"plastic\"", "\"material\": \"wall\"") ==
      "scene.json:11:53 /bodies/0/material: material \"wall\" has no density, but bodies that move freely need a mass. "
      "Give /materials/wall a density [kg/m^3], or make the body \"fixed\".");
  CHECK(message("\"plastic\", \"*\"", "\"plastic\", \"plastic\"") ==
        "scene.json:17:17 /interactions/1/between: fits the materials \"plastic\" and \"plastic\" as well as "
        "/interactions/0 does. Remove one, or name both materials in one of them.");
  CHECK(message("\"remove_at\": 0.4", "\"motion\": {}") ==
        "scene.json:12:109 /bodies/1/motion: a body cannot be \"fixed\" and have a \"motion\". Remove one.");
  CHECK(message("\"name\": \"floor\"", "\"name\": \"grains\"") ==
        "scene.json:12:5 /bodies/1: the name \"grains\" is taken by /bodies/0. Every entry needs its own name.");
}

TEST_CASE("all faults are told at once, in the order of the file") {
  const std::string text = with(with(kScene, "4}\n", "-4}\n"), "\"density\"", "\"densty\"");
  try {
    read(text);
    FAIL("must throw");
  } catch (const InputError& e) {
    CHECK(std::string(e.what()) ==
          "scene.json:5:29 /materials/plastic/densty: unknown key. Did you mean \"density\"? Known: density, "
          "poisson_ratio, youngs_modulus.\n"
          "scene.json:21:23 /run/duration: -4 is out of range; must be at least 0. Simulated time [s].");
  }
}

TEST_CASE("text that is not JSON is told with line and column") {
  CHECK(message("\"dimension\": 2,", "\"dimension\": 2").substr(0, 25) == "scene.json:4:11: not JSON");
  CHECK(message("-9.81", "NaN") ==
        "scene.json:4:18: not JSON: while parsing value - invalid literal; last read: '0, N'. JSON has no NaN and no "
        "infinity.");
  CHECK(message("1180", "1e999") ==
        "scene.json:5:40 /materials/plastic/density: the number 1e999 is too large; at most 1.8e308 can be stored.");
  CHECK(message("\"dimension\": 2", "\"dimension\": 2, \"dimension\": 2") ==
        "scene.json:3:19 /dimension: this key stands twice in the same object. Remove one.");
}

TEST_CASE("values from --set replace those of the file before validation and are named in messages") {
  const Scene scene =
      read(kScene, {"/run/duration=2.5", "/grid/skin=0.001", "/name=other", "/bodies/0/position=[1, 2]"});
  CHECK(scene.duration == 2.5);
  CHECK(scene.skin == 0.001);
  CHECK(scene.name == "other");
  CHECK(scene.bodies[0].position == Vec3(1, 2, 0));
  CHECK(set_message("/run/duration=-1") ==
        "--set /run/duration: -1 is out of range; must be at least 0. Simulated time [s].");
  CHECK(set_message("/run/duratoin=1") ==
        "--set /run/duratoin: unknown key. Did you mean \"duration\"? Known: accept_long_dt, duration, "
        "max_initial_overlap.");
  CHECK(set_message("/shapes/disk/radius=1") ==
        "--set /shapes/disk/radius: the scene has no /shapes/disk. Did you mean \"disc\"? There are: disc, floor.");
  CHECK(set_message("/bodies/3/seed=1") ==
        "--set /bodies/3/seed: /bodies is an array without item \"3\"; give an index from 0 to 2.");
  CHECK(set_message("/run/duration/x=1") == "--set /run/duration/x: /run/duration is 4 (number) and has no members.");
  CHECK(set_message("run=1") ==
        "--set \"run=1\": must have the form /pointer=value, e.g. --set /run/duration=2, or be an object of changes "
        "like that of a stage.");
}

TEST_CASE("the resolved scene reads as the same scene, from any folder") {
  const std::string text = with(kScene, "\"name\": \"test\",", "\"$schema\": \"../s.json\",");
  const Scene scene = parse_scene("/data/pile/scene.json", text, {});
  CHECK(scene.name == "pile");
  const Scene again = parse_scene("/elsewhere/scene.json", scene.resolved, {});
  CHECK(again.resolved == scene.resolved);
  CHECK(again.name == "pile");
  CHECK(nlohmann::json::parse(scene.resolved)["$schema"] == "/data/s.json");
  CHECK(nlohmann::json::parse(scene.resolved)["bodies"][0]["seed"] == 1);
}

TEST_CASE("a scene that cannot be read is told by name") {
  const auto text = [](const std::string& file) {
    try {
      read_scene(file, {});
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  CHECK(text("/no/such.json") == "/no/such.json: no such file.");
  CHECK(text("/tmp") == "/tmp: is a folder; name the scene file in it, e.g. /tmp/scene.json.");
}

TEST_CASE("an array of arrays is read item by item, and an item that is none says so") {
  const Options options = Options::parse(R"({"points": [[0, 1.5], [2]], "words": ["a"]})");
  CHECK(options.objects("points")[0].as_numbers() == std::vector<double>{0, 1.5});
  CHECK(options.objects("points")[1].as_numbers() == std::vector<double>{2});
  CHECK_THROWS_WITH(options.objects("words")[0].as_numbers(), "expected an array of numbers, got \"a\" (string).");
}
