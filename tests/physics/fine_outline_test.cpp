// A finer outline is not a stiffer one: depth, restitution and energy of regular polygons of 8 to 4000 corners.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/shape/corner_shares.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kSize = 0.1;        // bounding radius [m]
constexpr double kRounding = 0.005;  // radius of the corners [m]
constexpr double kStiffness = 1e5;   // [N/m]

/// Corners of a regular polygon that stands on one side.
std::string regular(int corners) {
  std::string text;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * (k + 0.5) / corners - std::numbers::pi / 2;
    text += fmt::format("{}[{:.17g}, {:.17g}]", k ? ", " : "", (kSize - kRounding) * std::cos(angle),
                        (kSize - kRounding) * std::sin(angle));
  }
  return fmt::format(R"({{"type": "spheropolygon", "vertices": [{}], "radius": {}, "thickness": 0.1}})", text,
                     kRounding);
}

/// A polygon and what it hits, which is a floor or a polygon. \param other  body and shape; law  options of `linear`
std::string scene(int corners, const std::string& pose, const std::string& other, const std::string& law, double dt) {
  return fmt::format(R"({{"dimension": 2, "gravity": [0, 0], "materials": {{"m": {{"density": 1000}}}},
    "shapes": {{"grain": {}, "floor": {{"type": "half-plane", "normal": [0, 1]}}, "box": {{"type": "spheropolygon",
      "vertices": [[-0.3, -0.1], [0.3, -0.1], [0.3, 0.1], [-0.3, 0.1]], "radius": 0.005, "thickness": 0.1}}}},
    "bodies": [{{"name": "grain", "shape": "grain", "material": "m", {}}}, {}],
    "interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {}, {}}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": {}}}, "run": {{"duration": 1}},
    "output": {{"writers": []}}}})",
                     regular(corners), pose, other, kStiffness, law, dt);
}

const char* const kFloor = R"({"name": "floor", "shape": "floor", "material": "m", "fixed": true})";
const char* const kElastic = R"("restitution": 1, "friction": 0)";

double mass_of(int corners) {
  const double r = kSize - kRounding, side = 2 * r * std::sin(std::numbers::pi / corners);
  const double area = corners * (r * r * std::sin(2 * std::numbers::pi / corners) / 2 + side * kRounding) +
                      std::numbers::pi * kRounding * kRounding;
  return 1000 * 0.1 * area;
}

/// Height of the centre of a polygon that stands on one side [m].
double standing(int corners) { return (kSize - kRounding) * std::cos(std::numbers::pi / corners) + kRounding; }

/// Duration of a contact over pi [s].
double contact_of(int corners) { return std::sqrt(mass_of(corners) / kStiffness); }

Running landing(int corners, double speed, const std::string& law, int steps_per_contact) {
  const std::string pose =
      fmt::format(R"("position": [0, {:.17g}], "velocity": [0, {:.17g}])", standing(corners), -speed);
  return Running(scene(corners, pose, kFloor, law, contact_of(corners) / steps_per_contact));
}

/// Depth of a flat landing over v sqrt(m/k), in a run.
double depth_of(int corners, double speed) {
  Running run = landing(corners, speed, kElastic, 500);
  double deepest = 0;
  for (int k = 0; k < 2500; ++k) {
    run.steps(1);
    deepest = std::max(deepest, standing(corners) - run.world().position.read()[0].y());
  }
  return deepest / (speed * contact_of(corners));
}

/// Energy of a polygon that stands by this much too deep, over k/2 [m^2]. \param shares  false: each corner counts
/// whole
double energy_of(int corners, double depth, bool shares) {
  const double r = kSize - kRounding, turn = 2 * std::numbers::pi / corners, length = 2 * r * std::sin(turn / 2);
  const double share = shares ? std::min(1.0, std::max(length / (0.1 * kSize), turn / 0.5)) : 1;
  double energy = 0;
  for (int k = 0; k < corners; ++k) {
    const double above = r * (std::cos(turn / 2) - std::cos(turn * (k + 0.5)));
    if (depth > above) energy += share * (depth - above) * (depth - above);
  }
  return energy;
}

/// The same by the energy: k/2 energy_of() = m v^2/2.
double expected_depth(int corners, double speed, bool shares = true) {
  const double path = speed * contact_of(corners);
  double low = 0, high = kSize;
  for (int k = 0; k < 100; ++k) {
    const double middle = (low + high) / 2;
    (energy_of(corners, middle, shares) < path * path ? low : high) = middle;
  }
  return low / path;
}

/// Speed after a landing over the speed before.
double restitution_of(int corners, const std::string& law) {
  const double speed = 0.001 * kSize / contact_of(corners);
  Running run = landing(corners, speed, law, 200);
  run.steps(2000);
  return run.world().velocity.read()[0].y() / speed;
}

double kinetic(const World& world) { return totals(world, Vec3::Zero()).kinetic(); }

/// Largest relative change of energy in hits of a box and a polygon in random poses.
double worst_change(int corners, const std::string& law, double steps_per_contact, int hits, bool gain_only) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(-1, 1);
  double worst = 0;
  const double contact = std::sqrt(mass_of(corners) / kStiffness), speed = 0.002 * kSize / contact;
  for (int k = 0; k < hits; ++k) {
    const std::string pose = fmt::format(
        R"("position": [{:.17g}, 0.211], "orientation": {:.17g}, "velocity": [{:.17g}, {:.17g}], "angular_velocity": {:.17g})",
        0.25 * any(random), 3 * any(random), speed * any(random), -speed, 5 * speed * any(random));
    const std::string box = fmt::format(R"({{"name": "box", "shape": "box", "material": "m", "orientation": {:.17g}}})",
                                        0.02 * any(random));
    Running run(scene(corners, pose, box, law, contact / steps_per_contact));
    const World& world = run.world();
    const double before = kinetic(world);
    // Until they are apart again.
    for (int n = 0; n < 100 * steps_per_contact; ++n) run.steps(1);
    const double change = kinetic(world) / before - 1;
    worst = std::max(worst, gain_only ? change : std::abs(change));
  }
  return worst;
}

class Polygon final : public SweptPolygon {
 public:
  explicit Polygon(std::vector<Vec2> vertices, bool closed = true) : v_(std::move(vertices)), closed_(closed) {}
  std::span<const Vec2> vertices() const override { return v_; }
  bool closed() const noexcept override { return closed_; }
  double radius() const noexcept override { return 0; }

 private:
  std::vector<Vec2> v_;
  bool closed_;
};

}  // namespace

TEST_CASE("shares of corners: coarse and sharp ones count whole, fine ones by length or by turn") {
  CHECK(corner_shares(Polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}}), 0.7).empty());
  std::vector<Vec2> fine;
  for (int k = 0; k < 1000; ++k)
    fine.emplace_back(std::cos(2 * std::numbers::pi * k / 1000), std::sin(2 * std::numbers::pi * k / 1000));
  const std::vector<double> shares = corner_shares(Polygon(fine), 1);
  REQUIRE(shares.size() == 1000);
  for (const double share : shares) CHECK(share == Approx(2 * std::sin(std::numbers::pi / 1000) / 0.1).epsilon(1e-9));
  // Twice the size of the rest of the body: half the length counts, so the turn is more.
  CHECK(corner_shares(Polygon(fine), 8)[3] == Approx(2 * std::numbers::pi / 1000 / 0.5).epsilon(1e-9));
  // A chain may be of any size, a landscape: its corners count whole.
  CHECK(corner_shares(Polygon(fine, false), 1).empty());
}

TEST_CASE("a flat landing is as deep on a fine outline as on a coarse one", "[fine-outline]") {
  // Speeds of a depth near 0.009 of the size, as in the specification of the time step, section 4.
  const auto speed_of = [](int corners) { return 0.0105 * kSize / contact_of(corners); };
  for (const int corners : {8, 64, 128, 512, 1000, 4000}) {
    INFO(corners << " corners");
    CHECK(depth_of(corners, speed_of(corners)) == Approx(expected_depth(corners, speed_of(corners))).epsilon(2e-4));
  }
  // From 128 corners on the depth is one; without shares the outline would become ever stiffer.
  const double fine = expected_depth(4000, speed_of(4000));
  for (const int corners : {128, 512, 1000})
    CHECK(expected_depth(corners, speed_of(corners)) == Approx(fine).epsilon(0.05));
  CHECK(expected_depth(4000, speed_of(4000), false) < 0.25 * fine);
}

TEST_CASE("restitution is as asked, however fine the outline", "[fine-outline]") {
  for (const int corners : {8, 64, 512, 2000}) {
    INFO(corners << " corners");
    CHECK(restitution_of(corners, R"("restitution": 0.5, "friction": 0)") == Approx(0.5).margin(0.015));
  }
}

TEST_CASE("hits of fine outlines keep their energy, to second order in the step", "[fine-outline]") {
  const double coarse = worst_change(200, kElastic, 30, 12, false), fine = worst_change(200, kElastic, 120, 12, false);
  CHECK(coarse < 1e-2);
  CHECK(fine < coarse / 8);
}

TEST_CASE("hits of fine outlines with friction gain no energy", "[fine-outline]") {
  CHECK(worst_change(200, R"("restitution": 0.5, "friction": 0.5)", 30, 24, true) <= 0);
}
