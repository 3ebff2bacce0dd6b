// Whole runs with --device cuda-host against the engine of the processors, and against themselves.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "skip.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr const char* kLinear =
    R"({"type": "linear", "normal_stiffness": 2e4, "restitution": 0.6, "friction": 0.4,
        "rolling": {"model": "elastic-plastic", "friction": 0.1}})";
/// With dashpots that do not depend on mass: on devices the contacts of a pair do not share it as they do on the host.
constexpr const char* kAlike =
    R"({"type": "linear", "normal_stiffness": 2e4, "normal_damping": 4, "friction": 0.4, "tangential_damping": 1,
        "rolling": {"model": "elastic-plastic", "friction": 0.1, "damping": 0}})";
constexpr const char* kHertz = R"({"type": "hertz-mindlin", "youngs_modulus": 5e7, "poisson_ratio": 0.25,
        "restitution": 0.5, "friction": 0.5, "tangential_damping": 1})";

std::string scene(int dimension, const std::string& gravity, const std::string& shapes, const std::string& bodies,
                  const std::string& law, const std::string& integrator, double dt, const std::string& more = "") {
  return fmt::format(R"({{"dimension": {}, "gravity": {}, "materials": {{"glass": {{"density": 2500}}, "wall": {{}}}},
"shapes": {{{}}}, "bodies": [{}], "interactions": [{{"between": ["*", "*"], "law": {}}}],
"integrator": {{"type": "{}", "dt": {}}}, "run": {{"duration": 1}}, "output": {{"writers": []}}{}}})",
                     dimension, gravity, shapes, bodies, law, integrator, dt, more);
}

constexpr const char* kStill = R"({"shape": "box", "material": "wall", "fixed": true, "position": [0, 0, 0]})";

/// Spheres of two sizes fly about in a box, in Hertzian contact.
std::string box_of_spheres(const std::string& more = "") {
  constexpr const char* kElastic = R"({"type": "hertz-mindlin", "youngs_modulus": 5e7, "poisson_ratio": 0.25,
        "restitution": 1, "friction": 0.5})";  // in its corners several contacts belong to one pair
  return scene(3, "[0, 0, -9.81]",
               R"("bead": {"type": "sphere", "radius": 0.01}, "box": {"type": "box", "half_sizes": [0.05, 0.05, 0.06],
               "inside": true})",
               std::string(R"({"shape": "bead", "material": "glass", "seed": 7, "random_speed": 1.5,
               "packing": {"type": "lattice", "lower": [-0.04, -0.04, -0.05], "counts": [4, 4, 4],
               "spacing": 0.0205}}, )") +
                   kStill,
               kElastic, "velocity-verlet", 2e-5, more);
}

/// A drum that turns, with a floor across it and a bar that swings.
std::string drum(const std::string& integrator = "symplectic-euler") {
  return scene(
      3, "[0, -9.81, 0]",
      R"("bead": {"type": "sphere", "radius": 0.01}, "drum": {"type": "cylinder", "radius": 0.06, "length": 0.08,
               "inside": true}, "bar": {"type": "box", "half_sizes": [0.01, 0.02, 0.03]})",
      R"({"shape": "bead", "material": "glass", "seed": 3, "random_speed": 1,
               "packing": {"type": "lattice", "lower": [-0.03, -0.034, -0.028], "counts": [4, 2, 3],
               "spacing": 0.0199}},
               {"shape": "drum", "material": "wall", "position": [0, 0, 0],
                "motion": {"angular_velocity": [0, 0, 12]}},
               {"shape": "bar", "material": "wall", "position": [0, 0.02, 0],
                "motion": {"amplitude": [0.002, 0, 0], "frequency": 200}})",
      kLinear, integrator, 1e-5);
}

/// Discs on a slope of fixed discs, some of which swing, between half-planes.
std::string plane_of_discs() {
  return scene(2, "[0, -9.81]",
               R"("disc": {"type": "sphere", "radius": 0.01}, "floor": {"type": "half-plane", "normal": [0.2, 1]},
               "wall": {"type": "box", "half_sizes": [0.2, 0.2], "inside": true})",
               R"({"shape": "disc", "material": "glass", "seed": 5, "random_speed": 0.8,
               "packing": {"type": "lattice", "lower": [-0.1, 0.04], "counts": [9, 5], "spacing": 0.0204}},
               {"shape": "disc", "material": "wall", "fixed": true, "position": [-0.1, 0.0195]},
               {"shape": "disc", "material": "wall", "position": [0.03, 0.018],
                "motion": {"amplitude": [0.003, 0], "frequency": 100}},
               {"shape": "floor", "material": "wall", "fixed": true, "position": [0, 0]},
               {"shape": "wall", "material": "wall", "fixed": true, "position": [0, 0.19]})",
               kLinear, "symplectic-euler", 2e-5, R"(, "damping": {"linear": 0.001, "local": 0.02})");
}

/// Spheres that leave a periodic cell in two directions, over a floor.
std::string periodic_spheres() {
  return scene(3, "[3, 0, -9.81]", R"("bead": {"type": "sphere", "radius": 0.01}, "floor": {"type": "half-space"})",
               R"({"shape": "bead", "material": "glass", "seed": 11, "random_speed": 1.5,
               "packing": {"type": "lattice", "lower": [-0.04, -0.03, 0.0102], "counts": [4, 3, 3],
               "spacing": 0.0199}},
               {"shape": "floor", "material": "wall", "fixed": true, "position": [0, 0, 0]})",
               kHertz, "symplectic-euler", 2e-5, R"(, "periodic": {"x": [-0.042, 0.042], "y": [-0.032, 0.032]})");
}

/// Clumps of three spheres in a box.
std::string box_of_clumps() {
  return scene(3, "[0, 0, -9.81]",
               R"("clump": {"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.01},
               {"position": [0.012, 0, 0], "radius": 0.008}, {"position": [0, 0.011, 0], "radius": 0.007}]},
               "box": {"type": "box", "half_sizes": [0.075, 0.075, 0.075], "inside": true})",
               std::string(R"({"shape": "clump", "material": "glass", "seed": 7, "random_speed": 4,
               "orientation": "random", "packing": {"type": "lattice", "lower": [-0.056, -0.056, -0.056],
               "counts": [4, 4, 4], "spacing": 0.037}}, )") +
                   kStill,
               kAlike, "velocity-verlet", 2e-5);
}

constexpr const char* kStars =
    R"("cross": {"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.0092, "thickness": 0.01},
       "pear": {"type": "star", "coefficients": {"a0": 5.1, "cos": {"1": 2, "2": 2}, "sin": {"1": -1}}, "radius": 0.0088,
                "nodes": 140, "thickness": 0.01})";

/// Crosses and pears, whose centre of mass is not that of their outline, fall onto a floor between walls.
std::string box_of_stars() {
  return scene(2, "[0, -300]", std::string(kStars) + R"(, "floor": {"type": "half-plane", "normal": [0.1, 1]},
               "wall": {"type": "box", "half_sizes": [0.072, 0.2], "inside": true})",
               R"({"shape": ["cross", "pear"], "material": "glass", "seed": 5, "random_speed": 0.3,
               "orientation": "random", "packing": {"type": "lattice", "lower": [-0.055, 0.012], "counts": [7, 5],
               "spacing": 0.0185}}, {"shape": "cross", "material": "wall", "fixed": true, "position": [0.0093, -0.0125]},
               {"shape": "floor", "material": "wall", "fixed": true, "position": [0, -0.01]},
               {"shape": "wall", "material": "wall", "position": [0, 0.16],
                "motion": {"angular_velocity": 2}})",
               kAlike, "velocity-verlet", 2e-5, R"(, "damping": {"angular": 1e-7})");
}

/// Stars that leave a periodic cell.
std::string periodic_stars() {
  return scene(2, "[0, 0]", kStars,
               R"({"shape": ["cross", "pear"], "material": "glass", "seed": 5, "random_speed": 2,
               "orientation": "random", "packing": {"type": "lattice", "lower": [-0.055, -0.055], "counts": [6, 6],
               "spacing": 0.0185}})",
               kAlike, "symplectic-euler", 2e-5, R"(, "periodic": {"x": [-0.0555, 0.0555], "y": [-0.0555, 0.0555]})");
}

/// Stars fall onto solid boxes and a circle, one of which turns.
std::string stars_on_solids() {
  return scene(2, "[0, -100]", std::string(kStars) + R"(, "bar": {"type": "box", "half_sizes": [0.02, 0.004]},
               "post": {"type": "circle", "radius": 0.01},
               "wall": {"type": "box", "half_sizes": [0.07, 0.2], "inside": true})",
               R"({"shape": ["cross", "pear"], "material": "glass", "seed": 5, "random_speed": 0.3,
               "orientation": "random", "packing": {"type": "lattice", "lower": [-0.055, 0.02], "counts": [7, 2],
               "spacing": 0.0185}},
               {"shape": "bar", "material": "wall", "position": [-0.03, 0], "motion": {"angular_velocity": 5}},
               {"shape": "post", "material": "wall", "fixed": true, "position": [0.03, -0.005]},
               {"shape": "wall", "material": "wall", "fixed": true, "position": [0, 0.18]})",
               kAlike, "velocity-verlet", 2e-5);
}

/// Stars of several sizes.
std::string sized_stars() {
  return scene(2, "[0, -200]",
               std::string(kStars) + R"(, "wall": {"type": "box", "half_sizes": [0.07, 0.2], "inside": true})",
               R"({"shape": ["cross", "pear"], "material": "glass", "seed": 5, "random_speed": 0.3,
               "orientation": "random", "scale": {"type": "uniform", "lower": 0.7, "upper": 1},
               "packing": {"type": "lattice", "lower": [-0.055, 0.0], "counts": [7, 5], "spacing": 0.0185}},
               {"shape": "wall", "material": "wall", "fixed": true, "position": [0, 0.18]})",
               kAlike, "symplectic-euler", 2e-5);
}

/// Corners of a regular polygon, whose contacts have shares: corner_shares().
std::string coin() {
  constexpr int kCorners = 90;
  std::string text;
  for (int k = 0; k < kCorners; ++k)
    text += fmt::format("{}[{}, {}]", k ? ", " : "", 0.005 * std::cos(2 * std::numbers::pi * k / kCorners),
                        0.005 * std::sin(2 * std::numbers::pi * k / kCorners));
  return text;
}

/// Polygons, convex and not, coarse and fine, chains and discs are pressed into a box.
std::string box_of_polygons() {
  return scene(
      2, "[0, -300]",
      R"("coin": {"type": "spheropolygon", "vertices": [)" + coin() +
          R"(], "radius": 0.001, "thickness": 0.01}, "ell": {"type": "spheropolygon", "vertices": [[0, 0], [0.012, 0], [0.012, 0.004], [0.004, 0.004],
               [0.004, 0.012], [0, 0.012]], "radius": 0.001, "thickness": 0.01},
               "slab": {"type": "spheropolygon", "vertices": [[-0.006, -0.003], [0.006, -0.003], [0.006, 0.003],
               [-0.006, 0.003]], "radius": 0.0007, "thickness": 0.01},
               "hook": {"type": "chain", "vertices": [[-0.05, 0.004], [0.01, 0], [0.05, 0.006]], "radius": 0.0012},
               "disc": {"type": "sphere", "radius": 0.006, "thickness": 0.01},
               "wall": {"type": "box", "half_sizes": [0.072, 0.2], "inside": true})",
      R"({"shape": ["ell", "slab", "disc", "coin"], "material": "glass", "seed": 5, "random_speed": 0.3,
               "orientation": "random", "scale": {"type": "uniform", "lower": 0.8, "upper": 1}, "packing": {"type": "lattice",
               "lower": [-0.055, 0.012], "counts": [6, 6], "spacing": 0.0205}},
               {"shape": "hook", "material": "wall", "fixed": true, "position": [0, -0.01]},
               {"shape": "wall", "material": "wall", "fixed": true, "position": [0, 0.18]})",
      kAlike, "velocity-verlet", 1e-5);
}

/// Rows of slabs lie flat on each other, so that a pair has several contacts and a tile of pairs more than it has
/// pairs.
std::string pile_of_slabs() {
  std::string rows;
  for (int k = 0; k < 6; ++k)
    rows += fmt::format(R"({{"shape": "slab", "material": "glass", "seed": {}, "random_speed": 0.02, "packing":
               {{"type": "lattice", "lower": [{}, {}], "counts": [10, 1], "spacing": 0.0139}}}}, )",
                        k, -0.07 + 0.0003 * k, -0.196 + 0.00795 * k);
  return scene(2, "[0, -100]", R"("slab": {"type": "spheropolygon", "vertices": [[-0.006, -0.003], [0.006, -0.003],
               [0.006, 0.003], [-0.006, 0.003]], "radius": 0.001, "thickness": 0.01},
               "wall": {"type": "box", "half_sizes": [0.08, 0.2], "inside": true})",
               rows + R"({"shape": "wall", "material": "wall", "fixed": true, "position": [0, 0]})", kAlike,
               "velocity-verlet", 5e-6, R"(, "grid": {"skin": 0.0003})");
}

/// Beads that lie on a floor which swings below them.
std::string swinging_floor(const std::string& integrator) {
  return scene(3, "[0, 0, -9.81]", R"("bead": {"type": "sphere", "radius": 0.01}, "floor": {"type": "half-space"})",
               R"({"shape": "bead", "material": "glass", "packing": {"type": "lattice", "lower": [0, 0, 0.00999],
               "counts": [4, 4, 1], "spacing": 0.0199}},
               {"shape": "floor", "material": "wall", "position": [0.02, 0, 0],
                "motion": {"amplitude": [0.002, 0.001, 0], "frequency": 80}})",
               kLinear, integrator, 2e-5);
}

/// Two squares with their diagonals in one line, overlapping by 0.1 mm, without friction. \param k  stiffness [N/m]
std::string corner_on_corner(double k) {
  const double apart = 2 * 0.005 + (2 * 0.001 - 1e-4) / std::sqrt(2.0);  // along x and y [m]
  return scene(
      2, "[0, 0]",
      R"("square": {"type": "spheropolygon", "vertices": [[-0.005, -0.005], [0.005, -0.005], [0.005, 0.005],
               [-0.005, 0.005]], "radius": 0.001, "thickness": 0.01})",
      fmt::format(R"({{"shape": "square", "material": "glass", "position": [0, 0]}},
               {{"shape": "square", "material": "glass", "position": [{0}, {0}]}})",
                  apart),
      fmt::format(R"({{"type": "linear", "normal_stiffness": {}, "normal_damping": 0, "tangential": "none"}})", k),
      "velocity-verlet", 1e-7);
}

/// A disc pressed on a floor whose position is 70 mm beside it.
std::string bead_beside_reference_point() {
  return scene(2, "[0, -9.81]",
               R"("disc": {"type": "sphere", "radius": 0.01}, "floor": {"type": "half-plane", "normal": [0, 1]})",
               R"({"shape": "disc", "material": "glass", "position": [0.03, 0.0099]},
               {"name": "floor", "shape": "floor", "material": "wall", "fixed": true, "position": [0.1, 0]})",
               R"({"type": "linear", "normal_stiffness": 2e4, "normal_damping": 0, "friction": 0})", "velocity-verlet",
               1e-6);
}

Simulation make(const std::string& json, const std::string& device) {
  SimulationOptions options;
  options.device = device;
  return Simulation::from_text(json, options);
}

/// The largest difference of a column, relative to the largest entry.
template <class T>
double difference(const Column<T>& a, const Column<T>& b) {
  double most = 0, scale = 1e-300;
  const auto x = a.read(), y = b.read();
  REQUIRE(x.size() == y.size());
  const std::size_t count = x.size() * sizeof(T) / sizeof(double);
  const auto *p = reinterpret_cast<const double*>(x.data()), *r = reinterpret_cast<const double*>(y.data());
  for (std::size_t i = 0; i < count; ++i) {
    most = std::max(most, std::abs(p[i] - r[i]));
    scale = std::max(scale, std::abs(p[i]));
  }
  return most / scale;
}

/// The largest distance between the places of a body in two runs, relative to the farthest body. Each engine puts
/// bodies back into a periodic cell in its own time.
double way_apart(const World& a, const World& b) {
  double most = 0, scale = 1e-300;
  const auto x = a.position.read(), y = b.position.read();
  REQUIRE(x.size() == y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vec3 apart = x[i] - y[i];
    for (int k = 0; k < 3; ++k)
      if (a.cell.periodic(k)) apart[k] -= a.cell.length(k) * std::round(apart[k] / a.cell.length(k));
    most = std::max(most, apart.norm());
    scale = std::max(scale, x[i].norm());
  }
  return most / scale;
}

/// Rows of both in the order of ids.
void sort_rows(World& world) {
  std::vector<std::uint32_t> order(world.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto id = world.id.read();
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return id[i]; });
  world.reorder(order);
}

std::map<std::string, double> figures(Simulation& run) {
  std::map<std::string, double> values;
  for (const auto& [name, value] : run.metrics()) values[name] = value;
  return values;
}

struct Parity {
  std::uint64_t steps = 100;
  std::size_t least_contacts = 10;
  std::string device = "cuda-host";
  double tolerance = 1e-12;
};

void check_parity(const std::string& json, const Parity& parity = {}) {
  const auto& [steps, least_contacts, engine, tolerance] = parity;
  Simulation host = make(json, "cpu"), device = make(json, engine);
  host.step(steps);
  device.step(steps);
  const ContactView there = device.contacts(), here = host.contacts();
  CHECK(here.size() >= least_contacts);
  REQUIRE(there.size() == here.size());
  double deepest = 0, strongest = 0, farthest = 0;
  for (const ContactRecord& c : here) {
    deepest = std::max(deepest, c.overlap);
    strongest = std::max(strongest, c.force.norm());
    farthest = std::max(farthest, c.point.norm());
  }
  for (std::size_t i = 0; i < here.size(); ++i) {
    CHECK((there[i].a == here[i].a && there[i].b == here[i].b && there[i].feature == here[i].feature));
    CHECK(std::abs(there[i].overlap - here[i].overlap) <= 10 * tolerance * deepest);
    // Overlaps are a thousandth of the distances that they are differences of, and forces are of overlaps.
    CHECK((there[i].force - here[i].force).norm() < 1e3 * tolerance * strongest);
    CHECK((there[i].point - here[i].point).norm() < 1e3 * tolerance * farthest);
    CHECK((there[i].normal - here[i].normal).norm() < 1e3 * tolerance);
  }
  std::map<std::string, double> of_host = figures(host), of_device = figures(device);
  for (const auto& [name, value] : of_host) {
    INFO(name);
    const double apart = std::abs(of_device.at(name) - value);
    if (name.ends_with("_N")) CHECK(apart <= 1e3 * tolerance * strongest);
    if (name.ends_with("_N_m")) CHECK(apart <= 1e3 * tolerance * strongest * farthest);
  }
  for (const char* const name : {"elastic_energy_J", "kinetic_energy_J"})
    if (of_host.contains(name)) CHECK(of_device.at(name) == Approx(of_host.at(name)).epsilon(10 * tolerance));
  sort_rows(host.world());
  sort_rows(device.world());
  const World &a = host.world(), &b = device.world();
  // Sums of forces are in another order: rounding, which 100 steps with some collisions make grow.
  CHECK(way_apart(a, b) < tolerance);
  CHECK(difference(a.orientation, b.orientation) < tolerance);
  CHECK(difference(a.velocity, b.velocity) < tolerance);
  CHECK(difference(a.angular_velocity, b.angular_velocity) < tolerance);
}

/// Fields that are tables on a device: overlaps differ by up to 1e-4 of the bounding radius, and so do trajectories,
/// more with each collision.
void check_near(const std::string& json, std::uint64_t steps) {
  Simulation host = make(json, "cpu"), device = make(json, "cuda-host");
  host.step(steps);
  device.step(steps);
  const auto here = static_cast<double>(host.contacts().size()), there = static_cast<double>(device.contacts().size());
  CHECK(here > 3);
  CHECK(std::abs(here - there) <= 2);
  sort_rows(host.world());
  sort_rows(device.world());
  CHECK(difference(host.world().position, device.world().position) < 2e-3);
  CHECK(difference(host.world().velocity, device.world().velocity) < 0.1);
  double table_error = 0;
  for (const auto& [name, value] : device.metrics())
    if (name.starts_with("table_error_")) table_error = std::max(table_error, value);
  CHECK(table_error > 0);
  CHECK(table_error < 1e-4);
}

std::uint64_t hash_after(const std::string& json, std::uint64_t steps, const char* order = nullptr, int threads = 0) {
  if (order) setenv("SCREE_DEVICE_ORDER", order, 1);
  SimulationOptions options;
  options.device = "cuda-host";
  options.threads = threads;
  Simulation run = Simulation::from_text(json, options);
  unsetenv("SCREE_DEVICE_ORDER");
  run.step(steps);
  return state_hash(run.world());
}

std::string refusal(const std::string& json) {
  try {
    make(json, "cuda-host");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("spheres in a box, hertz-mindlin, velocity-verlet: the trajectories of the host's engine to 1e-12") {
  check_parity(box_of_spheres());
}
TEST_CASE("spheres in a turning drum with a swinging bar: the trajectories of the host's engine to 1e-12") {
  check_parity(drum());
  check_parity(drum("velocity-verlet"));
}
TEST_CASE("discs among half-planes and fixed discs, in the plane: the trajectories of the host's engine to 1e-12") {
  check_parity(plane_of_discs());
}
TEST_CASE("spheres in a periodic cell: the trajectories of the host's engine to 1e-12") {
  check_parity(periodic_spheres());
}
TEST_CASE("clumps in a box: the trajectories of the host's engine to 1e-12") { check_parity(box_of_clumps()); }

TEST_CASE("stars between walls, and in a periodic cell: the trajectories of the host's engine to 1e-12") {
  check_parity(box_of_stars(), {.steps = 800});
  check_parity(periodic_stars(), {.steps = 600, .least_contacts = 1});
}

TEST_CASE("stars of many sizes, pairs by taubin: the trajectories of the host's engine to 1e-12") {
  check_parity(sized_stars(), {.steps = 900});
}

TEST_CASE("stars on solid boxes and circles, and stars of many sizes: the host's trajectories to the tables' error") {
  check_near(stars_on_solids(), 1000);
  std::string by_nodes = sized_stars();
  const std::string_view any = R"("between": ["*", "*"], )";
  by_nodes.insert(by_nodes.find(any) + any.size(), R"("detector": "nodes-to-surface", )");
  check_near(by_nodes, 900);
}

TEST_CASE("more contacts than pairs: the trajectories of the host's engine to 1e-12") {
  check_parity(pile_of_slabs(), {.steps = 200, .least_contacts = 160});
  Simulation run = make(pile_of_slabs(), "cuda-host");
  run.step(1);
  const auto contacts = static_cast<double>(run.contacts().size());
  for (const auto& [name, value] : run.metrics())
    if (name == "candidate_pairs") CHECK(contacts > value);
}

TEST_CASE("polygons, chains and discs in a box: the trajectories of the host's engine to 1e-12") {
  check_parity(box_of_polygons(), {.steps = 1800});
}

TEST_CASE("beads on a floor that swings, with springs of friction: the trajectories of the host's engine to 1e-12") {
  for (const char* const integrator : {"symplectic-euler", "velocity-verlet"}) {
    check_parity(swinging_floor(integrator), {.steps = 200});
    // With rates of the start of each step the springs would be off by half a step of the floor's acceleration.
    Simulation run = make(swinging_floor(integrator), "cuda-host");
    run.step(200);
    CHECK(run.world().velocity.read()[0].norm() > 1e-3);
  }
}

TEST_CASE("two squares corner on corner count double: force 2 k d, energy k d^2") {
  // Both vertices are felt by two edges of the other, which makes four terms, of which two are taken back.
  constexpr double k = 2e4;  // [N/m]
  for (const char* const engine : {"cpu", "cuda-host"}) {
    INFO(engine);
    Simulation run = make(corner_on_corner(k), engine);
    run.step(1);
    const ContactView contacts = run.contacts();
    REQUIRE(contacts.size() == 1);
    const double d = contacts[0].overlap;
    CHECK(d == Approx(1e-4).epsilon(1e-3));  // they have hardly moved
    CHECK(contacts[0].force.norm() == Approx(2 * k * d).epsilon(1e-12));
    CHECK(figures(run).at("elastic_energy_J") == Approx(k * d * d).epsilon(1e-12));
  }
}

TEST_CASE("the torque on a wall is about its own position, wherever that is") {
  for (const char* const engine : {"cpu", "cuda-host"}) {
    INFO(engine);
    Simulation run = make(bead_beside_reference_point(), engine);
    run.step(1);
    const ContactView contacts = run.contacts();
    REQUIRE(contacts.size() == 1);
    const std::map<std::string, double> of_run = figures(run);
    const double force = of_run.at("floor_force_y_N");
    CHECK(force < 0);
    CHECK(of_run.at("floor_torque_z_N_m") == Approx((0.03 - 0.1) * force).epsilon(1e-9));
  }
}

TEST_CASE("on a GPU: the trajectories of the host's engine to 1e-6 in 100 steps, and the same bits twice",
          "[optional]") {
  try {
    make(drum(), "cuda");
  } catch (const InputError& e) {
    const std::string why = e.what();
    if (why.find("--device cuda:") == std::string::npos) throw;  // the machine is not to blame
    return skip_without_gpu(why);
  }
  for (const std::string& json : {box_of_spheres(), drum(), plane_of_discs(), periodic_spheres(), box_of_clumps(),
                                  box_of_stars(), periodic_stars(), box_of_polygons()}) {
    check_parity(json, {.least_contacts = 0, .device = "cuda", .tolerance = 1e-6});
    Simulation once = make(json, "cuda"), again = make(json, "cuda");
    once.step(500), again.step(500);
    CHECK(state_hash(once.world()) == state_hash(again.world()));
  }
}

TEST_CASE("bodies that come, go and are moved between steps: as with the host's engine") {
  Simulation host = make(box_of_spheres(), "cpu"), device = make(box_of_spheres(), "cuda-host");
  for (Simulation* run : {&host, &device}) {
    run->step(120);
    World& world = run->world();
    const Id gone[] = {3, 40}, pushed[] = {17};
    BodySpec spec;
    spec.position = {0, 0, 0.045};
    spec.velocity = {0.1, 0.2, -1};
    world.remove(gone);
    world.add({&spec, 1});
    world.velocity.write()[*world.row(17)] += Vec3(0.5, 0, 0);
    world.mark_moved(pushed);
    run->step(120);
  }
  REQUIRE(device.world().size() == host.world().size());
  sort_rows(host.world());
  sort_rows(device.world());
  // Contacts keep their springs over the edit. Rounding grows over 240 steps of collisions.
  CHECK(difference(host.world().position, device.world().position) < 1e-11);
  CHECK(difference(host.world().angular_velocity, device.world().angular_velocity) < 1e-11);
}

TEST_CASE("external forces that come in mid-run act as with the host's engine, in space and in the plane") {
  for (const std::string& json : {box_of_spheres(), box_of_stars()}) {
    Simulation host = make(json, "cpu"), device = make(json, "cuda-host");
    for (Simulation* run : {&host, &device}) {
      World& world = run->world();
      for (const double sign : {0.0, 1.0, -2.0}) {
        if (sign != 0) {
          auto [forces, torques] = world.external_wrenches();
          const auto force = forces.write(), torque = torques.write();
          for (std::size_t i = 0; i < world.size(); ++i) {
            const double own = sign * static_cast<double>(world.id[i] % 5);
            force[i] = own * Vec3(0.01, 0.02, -0.03);
            torque[i] = own * Vec3(1e-5, -2e-5, 1e-5);
          }
        }
        run->step(40);
      }
    }
    sort_rows(host.world());
    sort_rows(device.world());
    CHECK(way_apart(host.world(), device.world()) < 1e-11);
    CHECK(difference(host.world().velocity, device.world().velocity) < 1e-11);
    CHECK(difference(host.world().angular_velocity, device.world().angular_velocity) < 1e-11);
  }
}

TEST_CASE("same bits: blocks and warps forward, reversed and shuffled, one thread and three") {
  for (const std::string& json : {drum(), box_of_stars(), box_of_polygons(), stars_on_solids()}) {
    const std::uint64_t forward = hash_after(json, 300);
    CHECK(hash_after(json, 300, "reversed") == forward);
    CHECK(hash_after(json, 300, "shuffled") == forward);
    CHECK(hash_after(json, 300, nullptr, 1) == forward);
    CHECK(hash_after(json, 300, nullptr, 3) == forward);
  }
}

TEST_CASE("a run that is stopped and resumed has the bits of one that goes on") {
  for (const std::string& json : {drum(), box_of_spheres(), box_of_clumps(), periodic_spheres(), box_of_stars(),
                                  periodic_stars(), box_of_polygons(), pile_of_slabs()}) {
    const TemporaryFolder folder;
    const std::string file = (folder / "half.h5").string();
    Simulation whole = make(json, "cuda-host"), first = make(json, "cuda-host"), second = make(json, "cuda-host");
    whole.step(400);
    first.step(217);
    first.save(file);
    second.load(file);
    second.step(183);
    CHECK(state_hash(second.world()) == state_hash(whole.world()));
    const std::vector<std::pair<std::string, double>> figures = whole.metrics();
    CHECK(second.metrics() == figures);
  }
}

TEST_CASE("what a device does not run is refused by name, with what it does run") {
  CHECK(refusal(scene(3, "[0, 0, 0]", R"("bead": {"type": "sphere", "radius": 0.01})",
                      R"({"shape": "bead", "material": "glass", "position": [0, 0, 0]},
                         {"shape": "bead", "material": "glass", "position": [0.1, 0, 0]})",
                      R"({"type": "linear", "normal_stiffness": 1e4, "friction": 0})", "rk4", 1e-5)) ==
        "this device does not run integrator \"rk4\". Choose \"symplectic-euler\" or \"velocity-verlet\", or "
        "use --device cpu.");
  CHECK(refusal(scene(3, "[0, 0, 0]", R"("bead": {"type": "sphere", "radius": 0.01})",
                      R"({"shape": "bead", "material": "glass", "position": [0, 0, 0]},
                         {"shape": "bead", "material": "glass", "position": [0.1, 0, 0]})",
                      R"({"type": "power-law", "stiffness": 1e4, "exponent": 2})", "symplectic-euler", 1e-5)) ==
        "this device does not run law \"power-law\" of interaction *-*. Choose \"linear\" or \"hertz-mindlin\", or use "
        "--device cpu.");
}

TEST_CASE("stars that pass through each other end the run, in the words of the host") {
  const std::string json =
      scene(2, "[0, 0]", kStars,
            R"({"shape": "cross", "material": "glass", "position": [0, 0], "velocity": [40, 0]},
               {"shape": "pear", "material": "glass", "position": [0.05, 0]})",
            R"({"type": "linear", "normal_stiffness": 100, "friction": 0})", "velocity-verlet", 2e-5);
  const auto failure = [&](const std::string& device) {
    try {
      make(json, device).step(1000);
    } catch (const NumericalError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  const std::string there = failure("cuda-host"), here = failure("cpu");
  const std::string words = "bodies 0 and 1: the outline of body 0 has reached the centre of body 1";
  CHECK(here.find(words) != std::string::npos);
  CHECK(there.find(words) != std::string::npos);
  CHECK(there.find(" In step ") != std::string::npos);
  setenv("SCREE_DEVICE_BATCH", "1", 1);
  CHECK(failure("cuda-host") == there);
  unsetenv("SCREE_DEVICE_BATCH");
}

TEST_CASE("a device that runs out of memory, or is lost in mid-run, says so") {
  setenv("SCREE_DEVICE_MEMORY", "20000", 1);
  std::string text;
  try {
    make(drum(), "cuda-host").step(1);
  } catch (const InputError& e) {
    text = e.what();
  }
  unsetenv("SCREE_DEVICE_MEMORY");
  CHECK(text.find("the device is out of memory: this run has ") != std::string::npos);
  CHECK(text.find("Use fewer bodies") != std::string::npos);

  setenv("SCREE_DEVICE_LOST", "2000", 1);
  Simulation run = make(drum(), "cuda-host");
  unsetenv("SCREE_DEVICE_LOST");
  text = "";
  try {
    run.step(1000);
  } catch (const NumericalError& e) {
    text = e.what();
  }
  CHECK(text.find("the device was lost (the host's processors; injected, during ") != std::string::npos);
  CHECK(text.find("resume from that one") != std::string::npos);
}
