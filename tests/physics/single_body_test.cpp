// One body and a wall: what theory gives exactly.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using scree::test::Running;

namespace {

constexpr double kGravity = 9.81;

/// A body above a half-plane through the origin. Gravity is turned instead of the plane: an incline of this angle.
std::string over_plane(const std::string& shape, const std::string& body, const std::string& plane,
                       const std::string& law, double incline = 0, double dt = 1e-5, double gravity = kGravity) {
  return fmt::format(
      R"({{"dimension": 2, "gravity": [{}, {}], "materials": {{"m": {{"density": 1000}}, "wall": {{}}}},
"shapes": {{"body": {}, "plane": {{"type": "half-plane", "normal": [0, 1]}}}},
"bodies": [{{"name": "body", "shape": "body", "material": "m", {}}}, {{"name": "plane", "shape": "plane", "material": "wall", "position": [0, 0], {}}}],
"interactions": [{{"between": ["m", "wall"], "law": {{"type": "linear", {}}}}}],
"integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1, "max_initial_overlap": 0.2}}}})",
      gravity * std::sin(incline), -gravity * std::cos(incline), shape, body, plane, law, dt);
}

/// A cross that stands on two of its arms: a block with two contacts.
const std::string kBlock =
    R"({"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.02, "thickness": 0.01, "nodes": 400})";
const std::string kStanding = R"("position": [0, 0.015163], "orientation": 0.39269908169872414)";
const std::string kDisc =
    R"({"type": "star", "coefficients": {"a0": 1}, "radius": 0.01, "thickness": 0.01, "nodes": 400})";
const std::string kFixed = R"("fixed": true)";
constexpr double kDiscMass = 1000 * std::numbers::pi * 1e-4 * 0.01;

std::size_t body_row(Running& run) { return *run.world().row(0); }

}  // namespace

TEST_CASE("a resting disc sinks in by m g / k") {
  const double k = 2e4, sag = kDiscMass * kGravity / k;
  Running run(over_plane(kDisc, R"("position": [0, 0.01])", kFixed,
                         fmt::format(R"("normal_stiffness": {}, "normal_damping": 10, "tangential": "none")", k)));
  run.steps(60000);
  const double y = run.world().position.read()[body_row(run)].y();
  // Node 300 of 400 points straight down. The centroid is known to 1e-10 of the radius, 1e-6 of the sag.
  CHECK(0.01 - y == Approx(sag).epsilon(1e-5));
  // The floor carries the weight, and nothing else.
  const auto force = run.world().column<Vec3>("force").read();
  const std::size_t plane = *run.world().row(1);
  CHECK(force[plane].y() == Approx(-kDiscMass * kGravity).epsilon(1e-6));
  CHECK(std::abs(force[plane].x()) < 1e-9);
}

TEST_CASE("a block on an incline slips iff tan(theta) > mu, with the exact acceleration") {
  const double mu = 0.4, limit = std::atan(mu);
  const std::string law = fmt::format(
      R"("normal_stiffness": 5e4, "normal_damping": 20, "tangential_stiffness": 5e4, "tangential_damping": 20, "friction": {})",
      mu);
  const std::string& body = kStanding;
  Running sticks(over_plane(kBlock, body, kFixed, law, limit - 0.01));
  sticks.steps(20000);
  const double settled = sticks.world().position.read()[body_row(sticks)].x();
  sticks.steps(50000);
  CHECK(std::abs(sticks.world().position.read()[body_row(sticks)].x() - settled) < 1e-9);

  const double steep = limit + 0.1;
  Running slides(over_plane(kBlock, body, kFixed, law, steep));
  slides.steps(20000);
  const double v0 = slides.world().velocity.read()[body_row(slides)].x();
  slides.steps(20000);
  const double a = (slides.world().velocity.read()[body_row(slides)].x() - v0) / 0.2;
  // The springs still swing a little; over 0.2 s that averages out to a few 1e-3.
  CHECK(a == Approx(kGravity * (std::sin(steep) - mu * std::cos(steep))).epsilon(5e-3));
}

TEST_CASE("viscous friction creeps where the spring holds") {
  const std::string& body = kStanding;
  const auto creep = [&](const char* tangential) {
    Running run(over_plane(
        kBlock, body, kFixed,
        fmt::format(
            R"("normal_stiffness": 5e4, "normal_damping": 20, "tangential": "{}", "tangential_stiffness": 5e4, "friction": 0.5)",
            tangential),
        0.2));
    run.steps(20000);
    const double x = run.world().position.read()[body_row(run)].x();
    run.steps(20000);
    return run.world().position.read()[body_row(run)].x() - x;
  };
  CHECK(creep("viscous") > 1e-4);
  CHECK(std::abs(creep("spring")) < 1e-6);  // an undamped spring still swings
  const double free = creep("none");
  // Free sliding: from 0.2 s to 0.4 s, g sin(0.2) (0.4^2 - 0.2^2)/2.
  CHECK(free == Approx(0.5 * kGravity * std::sin(0.2) * 0.12).epsilon(1e-4));
}

TEST_CASE("a bounce keeps e^2 of the kinetic energy") {
  // Damped oscillator, force clipped at zero: e = 0.80810 for zeta = 0.070850 (table of the specification).
  const double k = 1e4, zeta = 0.070850, c = 2 * zeta * std::sqrt(k * kDiscMass);
  Running run(over_plane(kDisc, R"("position": [0, 0.0101], "velocity": [0, -0.5])", kFixed,
                         fmt::format(R"("normal_stiffness": {}, "normal_damping": {}, "tangential": "none")", k, c), 0,
                         1e-6, 0));
  run.steps(8000);  // a contact lasts 5.6 ms
  CHECK(mechanics_of(run.prepared).pipeline().counts().contacts == 0);
  CHECK(run.world().velocity.read()[body_row(run)].y() / 0.5 == Approx(0.80810).epsilon(1e-3));
}

TEST_CASE("a belt carries a block along until both have one speed") {
  const std::string law =
      R"("normal_stiffness": 5e4, "normal_damping": 20, "tangential_stiffness": 5e4, "tangential_damping": 20, "friction": 0.3)";
  Running run(over_plane(kBlock, kStanding, R"("fixed": true, "surface_velocity": [0.2, 0])", law));
  run.steps(3000);
  const double v1 = run.world().velocity.read()[body_row(run)].x();
  run.steps(1000);
  const double v2 = run.world().velocity.read()[body_row(run)].x();
  CHECK((v2 - v1) / 0.01 ==
        Approx(0.3 * kGravity).epsilon(0.02));  // sliding: mu g; the corners' load swings by a few %
  run.steps(26000);
  CHECK(run.world().velocity.read()[body_row(run)].x() == Approx(0.2).epsilon(1e-5));
}

TEST_CASE("a plate that moves by prescription pushes a disc ahead of it") {
  Running run(over_plane(kDisc, R"("position": [0, 0.0105])", R"("motion": {"velocity": [0, 0.1]})",
                         R"("normal_stiffness": 1e4, "normal_damping": 5, "friction": 0.5)"));
  run.steps(50000);  // 0.5 s: the floor has risen by 0.05 m
  CHECK(run.world().position.read()[body_row(run)].y() == Approx(0.06).margin(1e-4));
  CHECK(run.world().velocity.read()[body_row(run)].y() == Approx(0.1).epsilon(1e-3));
}

TEST_CASE("a disc dropped with spin: sliding ends at 1/3 of the rim speed") {
  // A disc of spin w0 set down on a plane slides until v = R w0 / 3 (inertia m R^2 / 2).
  const double w0 = 30;
  Running run(over_plane(
      kDisc, fmt::format(R"("position": [0, 0.01], "angular_velocity": {})", -w0), kFixed,
      R"("normal_stiffness": 2e4, "normal_damping": 10, "tangential_stiffness": 1e4, "tangential_damping": 2, "friction": 0.3)"));
  run.steps(20000);
  const double v = run.world().velocity.read()[body_row(run)].x(),
               w = run.world().angular_velocity.read()[body_row(run)].z();
  // The contact hops between nodes 0.16 mm apart: rolling is bumpy on the 1 % level.
  CHECK(v == Approx(0.01 * w0 / 3).epsilon(0.02));
  CHECK(v + 0.01 * w == Approx(0).margin(0.002));
}

TEST_CASE("a half-plane that tips onto a body far from its axis is noticed in time") {
  // At rest the disc is 0.04 m above the plane, far beyond any list; 0.1 rad bring it there.
  const double rate = 1;
  Running run(over_plane(kDisc, R"("position": [1, 0.05])",
                         fmt::format(R"("motion": {{"angular_velocity": {}, "centre": [0, 0]}})", rate),
                         R"("normal_stiffness": 1e5, "normal_damping": 10, "tangential": "none")", 0, 1e-4, 0));
  REQUIRE(mechanics_of(run.prepared).pipeline().counts().candidate_pairs == 0);
  double deepest = 0;
  for (int k = 0; k < 1000; ++k) {
    run.steps(1);
    const Vec3 x = run.world().position.read()[body_row(run)];
    const double angle = rate * run.world().time;
    const double overlap = 0.01 - (x.y() * std::cos(angle) - x.x() * std::sin(angle));
    deepest = std::max(deepest, overlap);
    if (overlap > 1e-7) REQUIRE(mechanics_of(run.prepared).pipeline().counts().contacts == 1);
  }
  // It was hit, to v sqrt(m/k) at most, and thrown up.
  CHECK(deepest > 5e-5);
  CHECK(deepest < 1.05 * rate * std::sqrt(kDiscMass / 1e5));
  CHECK(run.world().velocity.read()[body_row(run)].y() > 0.9 * rate);
}

TEST_CASE("a body that falls around a periodic cell keeps its energy") {
  Running run(R"({"dimension": 2, "gravity": [3, -9.81], "materials": {"m": {"density": 1000}},
"periodic": {"x": [-0.05, 0.05], "y": [0, 0.1]},
"shapes": {"body": {"type": "sphere", "radius": 0.01}},
"bodies": [{"shape": "body", "material": "m", "position": [0.01, 0.02], "velocity": [0.1, 1]}],
"interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
"integrator": {"type": "velocity-verlet", "dt": 1e-4}, "output": {"writers": []}, "run": {"duration": 1}})");
  const Vec3 gravity(3, -9.81, 0);
  const auto energy = [&] {
    const Totals t = totals(run.world(), gravity);
    return t.kinetic() + t.potential;
  };
  const double before = energy();
  run.steps(10000);  // 1.6 m to the right and 3.9 m down: 16 and 39 cells
  const Totals after = totals(run.world(), gravity);
  CHECK(after.kinetic() > 30 * std::abs(before));
  CHECK(energy() == Approx(before).margin(1e-11 * after.kinetic()));  // Verlet is exact where force is constant
}
