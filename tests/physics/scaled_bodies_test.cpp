/// \file Bodies of another size than their shape behave as bodies of a shape of that size do.

#include <fmt/format.h>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// The two bodies of a collision, the second one perhaps fixed: shapes, and what follows "shape" in their entries.
struct Parties {
  std::string shape_a, shape_b, more_a, more_b;
};

std::string collision(int dimension, const Parties& p, const std::string& law) {
  const bool plane = dimension == 2;
  return fmt::format(R"({{"dimension": {0},
    "materials": {{"m": {{"density": 1000, "youngs_modulus": 1e7, "poisson_ratio": 0.3}}}},
    "shapes": {{"a": {1}, "b": {2}}},
    "bodies": [
      {{"shape": "a", "material": "m", "position": {5}, "velocity": {6}, "angular_velocity": {7}{3}}},
      {{"shape": "b", "material": "m", "position": {8}, "orientation": {9}{4}}}],
    "interactions": [{{"between": ["m", "m"], "law": {10}}}],
    "integrator": {{"type": "velocity-verlet", "dt": 1e-5}},
    "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     dimension, p.shape_a, p.shape_b, p.more_a, p.more_b,
                     plane ? "[-0.27, 0.03]" : "[-0.27, 0.03, 0.02]", plane ? "[1, 0]" : "[1, 0, 0]",
                     plane ? "3" : "[1, 2, 3]", plane ? "[0, 0]" : "[0, 0, 0]", plane ? "0.7" : "[0.9, 0.1, 0.4, 0.2]",
                     law);
}

const std::string kLinear = R"({"type": "linear", "normal_stiffness": 1e5, "normal_damping": 20,
  "tangential": "spring", "tangential_stiffness": 5e4, "friction": 0.4})";
const std::string kHertz = R"({"type": "hertz-mindlin", "restitution": 0.6, "friction": 0.4,
  "rolling": {"model": "elastic-plastic", "friction": 0.1}})";

/// Largest difference of positions [m] and velocities [m/s] of two runs over a collision.
struct Difference {
  double position = 0, velocity = 0, mass = 0;
  double turned = 0;  ///< by how much the collision changed the velocity: it must have taken place
};

Difference difference(const std::string& one, const std::string& other) {
  Running a(one), b(other);
  const Vec3 before = a.world().velocity.read()[*a.world().row(0)];
  Difference d;
  for (const Id id : {0, 1}) {
    const std::size_t i = *a.world().row(id), j = *b.world().row(id);
    d.mass = std::max(d.mass, std::abs(a.world().mass.read()[i] / b.world().mass.read()[j] - 1));
  }
  for (int k = 0; k < 40; ++k) {
    a.steps(500);
    b.steps(500);
    for (const Id id : {0, 1}) {
      const std::size_t i = *a.world().row(id), j = *b.world().row(id);
      const auto far = [&](const Column<Vec3>& x, const Column<Vec3>& y) { return (x.read()[i] - y.read()[j]).norm(); };
      d.position = std::max(d.position, far(a.world().position, b.world().position));
      d.velocity = std::max(d.velocity, far(a.world().velocity, b.world().velocity));
    }
  }
  d.turned = (a.world().velocity.read()[*a.world().row(0)] - before).norm();
  return d;
}

std::string sphere(double radius) {
  return fmt::format(R"({{"type": "sphere", "radius": {}, "thickness": 0.001}})", radius);
}

std::string refusal(const std::string& scene, const std::vector<std::string>& sets = {}) {
  try {
    Running run(scene, sets);
    return "no error";
  } catch (const InputError& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("two spheres of one shape and different scale collide as spheres of two shapes do, bit by bit") {
  // Scales that are powers of two round nothing: all the arithmetic must be the same.
  for (const int dimension : {2, 3})
    for (const std::string& law : {kLinear, kHertz}) {
      const Difference d =
          difference(collision(dimension, {sphere(0.1), sphere(0.1), R"(, "scale": 2)", R"(, "scale": 0.5)"}, law),
                     collision(dimension, {sphere(0.2), sphere(0.05), "", ""}, law));
      INFO(dimension << "D " << law);
      CHECK(d.turned > 0.01);
      CHECK(d.mass == 0);
      CHECK(d.position == 0);
      CHECK(d.velocity == 0);
    }
}

TEST_CASE("scales that are no powers of two, clumps and obstacles of other size: equal but for rounding") {
  const std::string tetrapod = R"({{"type": "clump", "template": "tetrapod", "scale": {}}})";
  const std::string cross = R"({{"type": "clump", "template": "cross-9", "scale": {}, "thickness": 0.001}})";
  const auto scaled = [](double s) { return fmt::format(R"(, "scale": {})", s); };
  struct Case {
    int dimension;
    Parties one, other;
  };
  const std::string fixed = R"(, "fixed": true)";
  const Case cases[] = {
      {2, {sphere(0.3), sphere(0.1), scaled(0.7), scaled(0.37)}, {sphere(0.21), sphere(0.037), "", ""}},
      {3, {sphere(0.3), sphere(0.1), scaled(0.7), scaled(0.37)}, {sphere(0.21), sphere(0.037), "", ""}},
      {2,
       {fmt::format(fmt::runtime(cross), 0.3), sphere(0.1), scaled(0.7), ""},
       {fmt::format(fmt::runtime(cross), 0.21), sphere(0.1), "", ""}},
      {3,
       {fmt::format(fmt::runtime(tetrapod), 0.3), fmt::format(fmt::runtime(tetrapod), 0.1), scaled(0.7), scaled(0.9)},
       {fmt::format(fmt::runtime(tetrapod), 0.21), fmt::format(fmt::runtime(tetrapod), 0.09), "", ""}},
      {3,
       {sphere(0.3), R"({"type": "cylinder", "radius": 0.1, "length": 1})", scaled(0.5), scaled(0.7) + fixed},
       {sphere(0.15), R"({"type": "cylinder", "radius": 0.07, "length": 0.7})", "", fixed}},
      {2,
       {sphere(0.3), R"({"type": "box", "half_sizes": [0.1, 0.05]})", scaled(0.6), scaled(0.7) + fixed},
       {sphere(0.18), R"({"type": "box", "half_sizes": [0.07, 0.035]})", "", fixed}},
      {3,
       {fmt::format(fmt::runtime(tetrapod), 0.3), R"({"type": "box", "half_sizes": [0.1, 0.05, 0.1]})", scaled(0.7),
        scaled(0.7) + fixed},
       {fmt::format(fmt::runtime(tetrapod), 0.21), R"({"type": "box", "half_sizes": [0.07, 0.035, 0.07]})", "",
        fixed}}};
  for (const Case& c : cases) {
    const Difference d = difference(collision(c.dimension, c.one, kHertz), collision(c.dimension, c.other, kHertz));
    INFO(fmt::format("{}D {} and {}: {:.3g} m, {:.3g} m/s", c.dimension, c.one.shape_a, c.one.shape_b, d.position,
                     d.velocity));
    CHECK(d.turned > 5e-3);
    CHECK(d.mass < 1e-14);
    // Two spheres meet once: rounding, 1e-16. Bodies with corners and several spheres turn and meet again, which makes
    // much of it: measured 1e-13 m and 3e-12 m/s.
    const bool spheres = c.one.shape_a + c.one.shape_b == sphere(0.3) + sphere(0.1);
    CHECK(d.position < (spheres ? 1e-14 : 1e-12));
    CHECK(d.velocity < (spheres ? 1e-14 : 3e-11));
  }
}

TEST_CASE("stars and polygons of ten sizes collide as shapes of those sizes do") {
  const auto star = [](double r) {
    return fmt::format(
        R"({{"type": "star", "coefficients": {{"a0": 2, "sin": {{"4": 1}}}}, "radius": {}, "nodes": 200, "thickness": 0.001}})",
        r);
  };
  const auto polygon = [](double r) {
    return fmt::format(
        R"({{"type": "spheropolygon", "vertices": [[{1}, {1}], [{0}, {1}], [{2}, 0], [{0}, {0}], [{1}, {0}]],
      "radius": {3}, "thickness": 0.001}})",
        0.7 * r, -0.7 * r, 0.2 * r, 0.2 * r);
  };
  const auto scaled = [](double s) { return fmt::format(R"(, "scale": {})", s); };
  for (int k = 1; k <= 10; ++k) {
    const double p = 0.4 + 0.1 * k, q = 1.45 - 0.1 * k;
    INFO("scales " << p << " and " << q);
    for (const std::string detector : {"taubin", "nodes-to-surface", "vertex-edge"}) {
      INFO(detector);
      const auto shape = [&](double r) { return detector == "vertex-edge" ? polygon(r) : star(r); };
      const std::string law = kLinear + fmt::format(R"(, "detector": "{}")", detector);
      const Difference d = difference(collision(2, {shape(0.07), shape(0.09), scaled(p), scaled(q)}, law),
                                      collision(2, {shape(0.07 * p), shape(0.09 * q), "", ""}, law));
      CHECK(d.turned > 5e-3);
      CHECK(d.mass < 1e-13);
      CHECK(d.position < 1e-11);  // rounding, made larger by a turn and a second meeting
      CHECK(d.velocity < 1e-10);
    }
  }
}

TEST_CASE("a scaled body has mass and moments of its size, in 2D by the square and in 3D by the cube") {
  for (const int dimension : {2, 3}) {
    Running run(collision(dimension, {sphere(0.1), sphere(0.1), R"(, "scale": 3)", ""}, kLinear));
    const World& w = run.world();
    const std::size_t big = *w.row(0), small = *w.row(1);
    CHECK(w.scale.read()[big] == 3);
    CHECK(w.radius.read()[big] == Approx(0.3).epsilon(1e-15));
    CHECK(w.mass.read()[big] / w.mass.read()[small] == Approx(dimension == 2 ? 9 : 27).epsilon(1e-14));
    CHECK(w.inertia.read()[big].z() / w.inertia.read()[small].z() == Approx(dimension == 2 ? 81 : 243).epsilon(1e-14));
    CHECK(w.inverse_mass.read()[big] == 1 / w.mass.read()[big]);
  }
}

namespace {

/// Sizes in three packings and by hand.
const char* const kSizes = R"({"dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"m": {"density": 1000}},
  "shapes": {"s": {"type": "sphere", "radius": 0.1}, "floor": {"type": "half-space"}},
  "bodies": [
    {"shape": "s", "material": "m", "scale": {"type": "uniform", "lower": 0.5, "upper": 2},
     "packing": {"type": "lattice", "lower": [0, 0, 0.3], "counts": [10, 10, 5]}},
    {"shape": "s", "material": "m", "scale": 2, "packing": {"type": "list",
     "places": [{"position": [-1, -1, 0.5]}, {"position": [-1, 0, 0.5], "scale": 0.25}]}},
    {"shape": "floor", "material": "m", "fixed": true}],
  "interactions": [{"between": ["m", "m"], "law": {"type": "linear", "normal_stiffness": 1e5}}],
  "integrator": {"type": "symplectic-euler", "dt": 1e-4},
  "output": {"writers": []}, "run": {"duration": 1}})";

}  // namespace

TEST_CASE("sizes are drawn by the entry's seed, packings make room for the largest, places multiply") {
  Running run(kSizes), again(kSizes), other(kSizes, {"/bodies/0/seed=2"});
  const auto sizes = [](Running& r) {
    std::vector<double> s;
    for (Id id = 0; id < 502; ++id) s.push_back(r.world().scale.read()[*r.world().row(id)]);
    return s;
  };
  const auto s = sizes(run);
  CHECK(s == sizes(again));
  CHECK(s != sizes(other));
  CHECK(*std::min_element(s.begin(), s.begin() + 500) > 0.5);
  CHECK(*std::min_element(s.begin(), s.begin() + 500) < 0.53);
  CHECK(*std::max_element(s.begin(), s.begin() + 500) < 2);
  CHECK(*std::max_element(s.begin(), s.begin() + 500) > 1.97);
  CHECK(s[500] == 2);
  CHECK(s[501] == 0.5);
  const auto x = [&](Id id) { return run.world().position.read()[*run.world().row(id)]; };
  CHECK((x(1) - x(0)).norm() == Approx(0.4).epsilon(1e-14));
  check_initial_overlaps(run.scene, run.prepared);
  CHECK(run.prepared.smallest_radius == Approx(0.1 * *std::min_element(s.begin(), s.end())).epsilon(1e-14));
  CHECK(run.prepared.methods.skin == 0.5 * run.prepared.smallest_radius);
}

TEST_CASE("a scale that makes no sense, or that no detector understands, is refused with a reason") {
  CHECK(refusal(kSizes, {"/bodies/1/scale=0"}) ==
        "--set /bodies/1/scale: 0 is out of range; must be greater than 0. Size of each body relative to its shape "
        "[-]: a number, or a distribution that sizes are drawn from with the seed. Mass and moments of inertia follow. "
        "Default: 1.");
  CHECK_THAT(refusal(kSizes, {"/bodies/1/scale=NaN"}),
             ContainsSubstring("/bodies/1/scale: expected a number or an object, got \"NaN\" (string). Size of each"));
  CHECK(refusal(kSizes, {"/bodies/2/scale=2"}) ==
        "test.json:9:5 /bodies/2: shape \"floor\" is without bound and has no size that a scale of 2 could change. "
        "Remove the \"scale\", or change the shape's own options.");
  const std::string star =
      R"({"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.1, "thickness": 0.001})";
  const std::string two = collision(2, {star, star, "", R"(, "scale": 2)"}, kLinear);
  const std::string wrong_size =
      "it takes bodies of their shape's own size only, and bodies of \"b\" (star) have a \"scale\"; make a shape of "
      "each size instead";
  CHECK(refusal(two) == "no error");
  CHECK_THAT(refusal(two, {"/interactions/0/detector=extremal"}),
             ContainsSubstring("detector \"extremal\" cannot serve shapes \"a\" (star) and \"b\" (star): " +
                               wrong_size + ". Detectors that fit: nodes-to-surface, taubin."));
}

TEST_CASE("distributions of sizes that make no sense are refused with a reason") {
  const auto with = [](const std::string& scale) { return refusal(kSizes, {"/bodies/0/scale=" + scale}); };
  CHECK_THAT(
      with(R"({"type": "unifrm"})"),
      ContainsSubstring("/type: unknown \"unifrm\". Did you mean \"uniform\"? Allowed: uniform, lognormal, table."));
  CHECK_THAT(with(R"({"type": "uniform", "lower": 1})"), ContainsSubstring("missing key \"upper\". Largest size [-]."));
  CHECK_THAT(
      with(R"({"type": "uniform", "lower": 2, "upper": 1})"),
      ContainsSubstring("/upper: 1 is not above \"lower\", 2. Exchange the two, or give a number where all bodies "
                        "are of one size."));
  CHECK_THAT(with(R"({"type": "lognormal", "sigma": -1})"),
             ContainsSubstring("/sigma: -1 is out of range; must be greater than 0 and at most 2."));
  CHECK_THAT(with(R"({"type": "lognormal", "sigma": 1, "mean": 1})"),
             ContainsSubstring("/mean: unknown key. Did you mean \"median\"?"));
  CHECK_THAT(with(R"({"type": "table", "sizes": [1, 2, 2], "fractions": [1, 1]})"),
             ContainsSubstring("/sizes/2: 2 is not above the size before it, 2. Give the sizes in ascending order."));
  CHECK_THAT(
      with(R"({"type": "table", "sizes": [1, 2, 3], "fractions": [1]})"),
      ContainsSubstring("/fractions: 1 for 3 sizes. Give as many as sizes, for these sizes and no others, or one "
                        "fewer, for what lies between each size and the next."));
  CHECK_THAT(with(R"({"type": "table", "sizes": [1, 2], "fractions": [0, 0]})"),
             ContainsSubstring("/fractions: are all 0. Raise one of them."));
}
