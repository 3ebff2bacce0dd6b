// Loads and wear of triangles: sums are those of the body, wear is that of the formulas.
#include "mesh_wear.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::mesh;
using scree::test::TemporaryFolder;

namespace {

/// A plate z = 0 of 2 x 2 x n x n triangles, as `vertices` and `faces` of a scene.
std::string plate(int n) {
  std::string vertices, faces;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i)
      vertices += fmt::format("{}[{}, {}, 0]", vertices.empty() ? "" : ", ", -1 + 2.0 * i / n, -1 + 2.0 * j / n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + n + 1;
      faces += fmt::format("{}[{}, {}, {}], [{}, {}, {}]", faces.empty() ? "" : ", ", a, a + 1, b + 1, a, b + 1, b);
    }
  return fmt::format(R"("vertices": [{}], "faces": [{}])", vertices, faces);
}

constexpr double kMass = 2500 * 4e-6 / 3 * 3.14159265358979323846, kStiffness = 1e4;

std::string wear_scene(const std::string& bodies, double friction, const std::string& hook, const std::string& gravity,
                       double duration) {
  return fmt::format(
      R"({{"dimension": 3, "gravity": [0, 0, {}], "materials": {{"m": {{"density": 2500}}, "w": {{}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}, "plate": {{"type": "mesh", {}}}}},
"bodies": [{}, {{"name": "plate", "shape": "plate", "material": "w", "fixed": true}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {}, "restitution": 0.5, "friction": {}}}}}],
"hooks": [{{"type": "mesh-wear", "bodies": ["plate"], {}}}],
"integrator": {{"type": "velocity-verlet", "dt": 2e-5}}, "run": {{"duration": {}}}, "output": {{"writers": []}}}})",
      gravity, plate(8), bodies, kStiffness, friction, hook, duration);
}

/// Numbers of an array of a file, whose base64 begins with a size of 8 bytes.
std::vector<double> array_of(const std::filesystem::path& file, const std::string& name) {
  std::stringstream all;
  all << std::ifstream(file).rdbuf();
  const std::string text = all.str();
  const std::size_t at = text.find("Name=\"" + name + "\"");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = text.find('\n', at) + 1, end = text.find('\n', begin);
  std::vector<unsigned char> bytes;
  std::uint32_t word = 0;
  int bits = 0;
  for (const char c : text.substr(begin, end - begin)) {
    if (c == '=') break;
    const int digit = c >= 'a' ? c - 'a' + 26 : c >= 'A' ? c - 'A' : c >= '0' ? c - '0' + 52 : c == '+' ? 62 : 63;
    word = word << 6 | static_cast<std::uint32_t>(digit), bits += 6;
    if (bits >= 8) bits -= 8, bytes.push_back(static_cast<unsigned char>(word >> bits));
  }
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), 8);
  REQUIRE(bytes.size() == 8 + size);
  std::vector<double> values(size / 8);
  std::memcpy(values.data(), bytes.data() + 8, size);
  return values;
}

double total(const std::vector<double>& values, std::size_t from = 0, std::size_t step = 1) {
  double sum = 0;
  for (std::size_t k = from; k < values.size(); k += step) sum += values[k];
  return sum;
}

void run(const std::string& scene, double until, const TemporaryFolder& folder) {
  Simulation run = Simulation::from_text(scene, {.out = (folder / "out").string()});
  run.run_until(until);
  run.close();
}

}  // namespace

TEST_CASE("a ball that slides without friction wears k F s / H off the plate, along its way") {
  const TemporaryFolder folder;
  const double weight = kMass * 9.81, speed = 1.5;
  run(wear_scene(
          fmt::format(
              R"({{"shape": "ball", "material": "m", "position": [-0.5, 0.1, {:.17g}], "velocity": [{}, 0.3, 0]}})",
              0.01 - weight / kStiffness, speed),
          0, R"("start": 0.1, "interval": 1e-4, "every": 1000, "archard": {"coefficient": 1e-3, "hardness": 2e9})",
          "-9.81", 0.5),
      0.5, folder);
  const auto file = folder / "out" / "wear" / "wear_004000.vtp";
  const double way = std::hypot(speed, 0.3) * 0.4;
  CHECK(total(array_of(file, "archard_volume")) / (1e-3 * weight * way / 2e9) == Approx(1).epsilon(1e-9));
  CHECK(total(array_of(file, "normal_force")) == Approx(weight).epsilon(1e-9));
  CHECK(total(array_of(file, "force"), 2, 3) == Approx(-weight).epsilon(1e-9));
  CHECK(total(array_of(file, "pressure")) == Approx(weight / (0.25 * 0.25 / 2)).epsilon(1e-9));
  // Triangles off the way are whole.
  int worn = 0;
  for (const double depth : array_of(file, "archard_depth")) worn += depth > 0;
  CHECK(worn > 3);
  CHECK(worn < 12);
  std::ifstream list(folder / "out" / "wear.pvd");
  std::stringstream text;
  text << list.rdbuf();
  CHECK(text.str().find("timestep=\"0.5\" part=\"0\" file=\"wear/wear_004000.vtp\"") != std::string::npos);
}

TEST_CASE("impacts wear off what Finnie's formula has, at shallow and at steep angles, once each") {
  for (const double degrees : {10.0, 25.0, 60.0}) {
    const TemporaryFolder folder;
    const double angle = degrees * std::numbers::pi / 180, speed = 2;
    run(wear_scene(
            fmt::format(
                R"({{"shape": "ball", "material": "m", "position": [-0.5, 0.1, 0.0101], "velocity": [{}, 0, {}]}})",
                speed * std::cos(angle), -speed * std::sin(angle)),
            0, R"("interval": 2e-5, "every": 500, "finnie": {"flow_stress": 1e9})", "0", 0.02),
        0.02, folder);
    const auto file = folder / "out" / "wear" / "wear_001000.vtp";
    // Q = m v^2 / (p psi K) (sin 2a - 6/K sin^2 a) to tan a = K/6, then K cos^2 a / 6; psi = K = 2
    const double s = std::sin(angle), c = std::cos(angle),
                 part = std::tan(angle) < 1.0 / 3 ? std::sin(2 * angle) - 3 * s * s : c * c / 3;
    CHECK(total(array_of(file, "finnie_volume")) / (kMass * speed * speed / 4e9 * part) == Approx(1).epsilon(5e-3));
    CHECK(total(array_of(file, "impacts")) == Approx(1));
  }
}

TEST_CASE("by work: twice speed times force times time while the grain comes nearer, and nothing as it leaves") {
  const double angle = std::atan(0.25);  // shallow: below K/6
  for (const double sign : {-1.0, 1.0}) {
    const std::string ball = fmt::format(
        R"({{"name": "ball", "shape": "ball", "material": "m", "position": [0.1, 0.1, 0.01], "velocity": [0.4, 0, {}],
             "angular_velocity": [0, 30, 0]}})",
        sign * 0.1);
    Simulation sim = Simulation::from_text(wear_scene(ball, 0, R"("interval": 1e-3)", "0", 1));
    const TemporaryFolder folder;
    MeshWear wear(Options::parse(
        R"({"name": "wear", "bodies": ["plate"], "every": 2, "finnie": {"flow_stress": 1e9, "chip_ratio": 2, "force_ratio": 2, "by": "work"}})"));
    wear.begin(sim.world());
    wear.open(folder.path().string());
    const ContactView contacts = {{0, 1, 0, 0, 1e-4, {0, 0, -1}, {0.1, 0.1, 0}, {0, 0.4, -3}}};
    for (std::uint64_t k = 0; k < 3; ++k) wear.observe(sim.world(), &contacts, {k, k, 0.1 * static_cast<double>(k)});
    const double energy = 2 * std::hypot(0.4, 0.1) * std::hypot(0.4, 3) * 0.2,
                 part = std::sin(2 * angle) - 3 * std::sin(angle) * std::sin(angle);
    CHECK(total(array_of(folder / "wear" / "wear_000002.vtp", "finnie_volume")) ==
          Approx(sign < 0 ? energy / 4e9 * part : 0).epsilon(1e-12));
  }
}

TEST_CASE("forces of triangles sum up to the force of the body, also at edges and corners") {
  const TemporaryFolder folder;
  const std::string bodies =
      R"({"shape": "ball", "material": "m", "packing": {"type": "lattice", "lower": [-0.5, -0.5, 0.00999], "counts": [11, 11, 1], "spacing": 0.1},
          "velocity": [0.1, 0.05, 0]},
         {"shape": "ball", "material": "m", "position": [0.25, 0.25, 0.00998]})";
  Simulation run = Simulation::from_text(wear_scene(bodies, 0.4, R"("interval": 0.002)", "-9.81", 0.01),
                                         {.out = (folder / "out").string()});
  run.run_until(0.01);
  double expected[3] = {};
  for (const auto& [name, value] : run.metrics())
    for (int k = 0; k < 3; ++k)
      if (name == fmt::format("plate_force_{}_N", "xyz"[k])) expected[k] = value;
  run.close();
  const auto force = array_of(folder / "out" / "wear" / "wear_000005.vtp", "force");
  REQUIRE(expected[2] < -1);
  for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(total(force, k, 3) - expected[k]) < 1e-12 * std::abs(expected[2]));
}

TEST_CASE("wear is kept in checkpoints, and bodies that are no meshes are refused") {
  const std::string ball = R"({"name": "ball", "shape": "ball", "material": "m", "position": [0.1, 0.1, 0.01]})";
  Simulation sim = Simulation::from_text(wear_scene(ball, 0, R"("interval": 1e-3)", "-9.81", 1));
  const World& world = sim.world();
  const auto options = [](const std::string& body) {
    return Options::parse(fmt::format(
        R"({{"name": "wear", "bodies": ["{}"], "every": 2, "archard": {{"coefficient": 1, "hardness": 1}}}})", body));
  };
  const TemporaryFolder folder;
  MeshWear a(options("plate")), b(options("plate")), c(options("plate"));
  for (MeshWear* w : {&a, &b, &c}) w->begin(world);
  a.open(folder.path().string());
  ContactView contacts = {{0, 1, 0, 0, 1e-4, {0, 0, -1}, {0.1, 0.1, 0}, {0, 0.2, -3}}};
  for (std::uint64_t k = 0; k < 3; ++k) a.observe(world, &contacts, {k, k, 0.1 * static_cast<double>(k)});
  const auto state = a.save();
  REQUIRE(std::filesystem::exists(folder / "wear" / "wear_000002.vtp"));
  MeshWear next(options("plate"));  // a new run in the same folder takes the earlier one's files away
  next.begin(world);
  next.open(folder.path().string());
  CHECK(!std::filesystem::exists(folder / "wear" / "wear_000002.vtp"));
  b.load(state);
  CHECK(b.save() == state);
  CHECK(b.save() != c.save());
  for (const std::size_t size : {std::size_t{0}, std::size_t{40}, state.size() - 1, state.size() - 16})
    CHECK_THROWS_WITH(c.load({state.begin(), state.begin() + static_cast<std::ptrdiff_t>(size)}),
                      Catch::Contains("the state of mesh-wear in the checkpoint has another size"));
  MeshWear wrong(options("ball"));
  CHECK_THROWS_WITH(wrong.begin(world),
                    Catch::Contains("body 0 is no mesh; mesh-wear follows bodies of shape \"mesh\""));
}
