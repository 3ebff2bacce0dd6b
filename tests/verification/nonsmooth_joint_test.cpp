// Rigid bodies on joints, without stiffness: swings against closed forms, the points of a joint stay together.
//
// Impulses act along the joint as it is at the start of a step, and the points meet at its end. That is SHAKE: of
// second order, and symplectic, so that nothing drifts however long a pendulum swings.

#include <cmath>

#include "rigid_scene.hpp"
#include "scree/integrate/impulse_problem.hpp"

using namespace scree;
using namespace scree::test;

namespace {

class JointScene : public RigidScene {
 public:
  using RigidScene::RigidScene;

  std::span<const Joint> joints() { return ability<ImpulseProblem>(mechanics_of(prepared)).joints(); }
  /// Of all joints, how far their points are from each other at most [m].
  double apart() {
    double largest = 0;
    for (const Joint& joint : joints()) largest = std::max(largest, joint.apart.norm());
    return largest;
  }
};

/// What a pendulum did: when it passed its lowest point, how far it swung, and how far the points of its joints were
/// from each other.
struct Swings {
  std::vector<double> passed;     ///< [s]
  std::vector<double> amplitude;  ///< between one passage and the next [rad]
  double apart = 0;               ///< at most [m]

  double period() const { return 2 * (passed.back() - passed.front()) / static_cast<double>(passed.size() - 1); }
};

Swings swing(JointScene& s, int passages) {
  const auto angle = [&] { return std::atan2(s.position(1).x(), -s.position(1).y()); };
  Swings out;
  double last = angle(), furthest = 0;
  while (static_cast<int>(out.passed.size()) < passages) {
    s.steps(1);
    const double now = angle();
    if (last * now < 0) {
      out.passed.push_back(s.world().time - s.dt() * now / (now - last));
      out.amplitude.push_back(furthest);
      furthest = 0;
    }
    furthest = std::max(furthest, std::abs(now));
    last = now;
    out.apart = std::max(out.apart, s.apart());
  }
  return out;
}

std::vector<std::string> pendulum(double angle, double dt) {
  return {"/bodies/1/position=" + json({std::sin(angle), -std::cos(angle)}), fmt::format("/integrator/dt={}", dt)};
}

/// 4 (I/(m g l))^(1/2) K(sin(angle/2)).
double period(double angle, double mass, double inertia) {
  return 4 * std::sqrt((mass + inertia) / (mass * kG)) * std::comp_ellint_1(std::sin(angle / 2));
}

}  // namespace

TEST_CASE("a pendulum swings with the period of the elliptic integral, to second order in dt, and its joint holds") {
  for (const double degrees : {5.0, 60.0, 150.0}) {
    const double angle = degrees * kDegree;
    std::vector<double> errors;
    for (const double dt : {2e-3, 1e-3}) {
      JointScene s("pendulum", pendulum(angle, dt));
      const double exact = period(angle, s.mass(1), s.inertia(1));
      const Swings swings = swing(s, 41);
      errors.push_back(swings.period() / exact - 1);
      compare(fmt::format("pendulum, {} deg, dt = {} s, 20 periods", degrees, dt), "period [s]", exact, swings.period(),
              1e-5);
      compare("", "amplitude, last to first", 1, swings.amplitude.back() / swings.amplitude[1], 1e-5);
      compare("", "joint, at most apart [m]", 0, swings.apart, 1e-8);
    }
    compare("", "order in dt", 2, std::log2(errors[0] / errors[1]), 0.1);
  }
}

TEST_CASE("a conical pendulum goes round on its level with (g/(l cos))^(1/2), and its joint holds") {
  const double angle = 40 * kDegree, rate = std::sqrt(kG / std::cos(angle)), time = 10;
  std::vector<double> errors;
  for (const double dt : {2e-3, 1e-3}) {
    // The bob turns with its arm, as if welded to a turning mast.
    JointScene s("pendulum",
                 {"/dimension=3", "/gravity=" + json({0, 0, -kG}),
                  "/bodies/1/position=" + json({std::sin(angle), 0, -std::cos(angle)}),
                  "/bodies/1/velocity=" + json({0, rate * std::sin(angle), 0}),
                  "/bodies/1/angular_velocity=" + json({0, 0, rate}), fmt::format("/integrator/dt={}", dt)});
    double apart = 0, tilt = 0;
    while (s.world().time < time - dt / 2) {
      s.steps(1);
      apart = std::max(apart, s.apart());
      tilt = std::max(tilt, std::abs(std::acos(-s.position(1).z()) - angle));
    }
    const Vec3 x = s.position(1);
    errors.push_back(std::remainder(std::atan2(x.y(), x.x()) - rate * time, 2 * std::numbers::pi));
    compare(fmt::format("conical pendulum, dt = {} s, {} s", dt, time), "angle, off [rad]", 0, errors.back(), 4e-3);
    compare("", "tilt, off at most [rad]", 0, tilt, 5e-3);
    compare("", "joint, at most apart [m]", 0, apart, 1e-8);
  }
  // The velocity at the start is taken as that of half a step before.
  compare("", "order in dt", 1, std::log2(errors[0] / errors[1]), 0.1);
}

TEST_CASE("a double pendulum swings with (g/l (2 -+ 2^(1/2)))^(1/2) in its modes") {
  for (const double sign : {1.0, -1.0}) {
    // Point masses but for 5e-7 of their moments; 1e-3 rad are small but for 1e-7.
    const double rate = std::sqrt(kG * (2 - sign * std::numbers::sqrt2)), one = 1e-3,
                 other = sign * std::numbers::sqrt2 * one;
    const std::string first = json({std::sin(one), -std::cos(one)}),
                      second = json({std::sin(one) + std::sin(other), -std::cos(one) - std::cos(other)});
    const auto body = [](const char* name, const std::string& place) {
      return fmt::format(R"({{"name": "{}", "shape": "disc", "material": "steel", "position": {}{}}})", name, place,
                         std::string(name) == "hook" ? R"(, "fixed": true)" : "");
    };
    const auto bond = [](const char* a, const char* b) {
      return fmt::format(
          R"({{"between": ["{}", "{}"], "pairs": "touching", "gap": 1, "law": {{"type": "ball-joint", "position": 0}}}})",
          a, b);
    };
    JointScene s("pendulum", {"/shapes/disc/radius=1e-3",
                              fmt::format("/bodies=[{}, {}, {}]", body("hook", json({0, 0})), body("one", first),
                                          body("other", second)),
                              fmt::format("/bonds=[{}, {}]", bond("hook", "one"), bond("one", "other"))});
    const Swings swings = swing(s, 21);
    compare(fmt::format("double pendulum, {} mode", sign > 0 ? "slow" : "fast"), "period [s]",
            2 * std::numbers::pi / rate, swings.period(), 1e-5);
    compare("", "joints, at most apart [m]", 0, swings.apart, 1e-8);
  }
}

TEST_CASE("a brake shoe on a lever: N = m g l/(l +- mu h), with friction that draws it in or pushes it off") {
  const double mu = 0.3, l = 0.5, h = 0.4, radius = 0.1;
  for (const double speed : {0.0, 1.0, -1.0}) {
    JointScene s("pendulum",
                 {fmt::format("/shapes/disc/radius={}", radius), "/shapes/floor={\"type\": \"half-plane\"}",
                  fmt::format(R"(/bodies=[{{"name": "hook", "shape": "disc", "material": "steel", "fixed": true,
                                 "position": [0, {}]}}, {{"name": "bob", "shape": "disc", "material": "steel", "position": {}}},
                                 {{"shape": "floor", "material": "steel", "fixed": true, "surface_velocity": [{}, 0]}}])",
                              h, json({l, radius}), speed),
                  fmt::format("/interactions/0/law/friction={}", mu)});
    s.steps(100);
    const double side = speed == 0 ? 0 : std::copysign(1.0, speed);
    const Vec3 push = s.impulse_between(2, 1) / s.dt();
    const std::string name = fmt::format("brake, belt at {} m/s", speed);
    if (speed != 0) {
      compare(name, "N [N]", s.mass(1) * kG * l / (l + side * mu * h), push.y(), 1e-8);
      compare("", "friction [N]", side * mu * push.y(), push.x(), 1e-9);
    } else {
      compare(name, "moment about the hinge [N m]", s.mass(1) * kG * l, l * push.y() + h * push.x(), 1e-9);
    }
    compare("", "speed of the shoe [m/s]", 0, s.velocity(1).norm(), 1e-9);
  }
}

TEST_CASE("three spheres joined in free flight keep momentum and angular momentum, and their energy does not drift") {
  JointScene s("pendulum",
               {"/dimension=3", "/gravity=[0, 0, 0]", R"(/bodies=[
      {"name": "a", "shape": "disc", "material": "steel", "velocity": [1, 2, 0], "angular_velocity": [3, 0, 5]},
      {"name": "b", "shape": "disc", "material": "steel", "position": [0.1, 0, 0], "angular_velocity": [0, -9, 0]},
      {"name": "c", "shape": "disc", "material": "steel", "position": [0.1, 0.1, 0], "velocity": [0, 0, 1]}])",
                R"(/bonds=[{"between": ["a", "b"], "pairs": "touching", "gap": 1e-6, "law": {"type": "ball-joint"}},
      {"between": ["b", "c"], "pairs": "touching", "gap": 1e-6, "law": {"type": "ball-joint", "position": 0.4}}])"});
  s.steps(1);  // takes away the velocities with which the points part
  const Totals before = totals(s.world(), Vec3::Zero());
  double momentum = 0, angular = 0, apart = 0, high = 0, low = HUGE_VAL;
  const double size = before.mass * 0.1 * 2;
  for (int k = 0; k < 5000; ++k) {
    s.steps(1);
    const Totals now = totals(s.world(), Vec3::Zero());
    momentum = std::max(momentum, (now.momentum - before.momentum).norm() / before.momentum.norm());
    angular = std::max(angular, (now.angular_momentum - before.angular_momentum).norm() / size);
    apart = std::max(apart, s.apart());
    high = std::max(high, now.kinetic() / before.kinetic());
    low = std::min(low, now.kinetic() / before.kinetic());
  }
  compare("three joined spheres, 5 s", "momentum, relative", 0, momentum, 1e-13);  // rounding of 5000 steps
  compare("", "angular momentum", 0, angular, 1e-12);
  compare("", "joints, at most apart [m]", 0, apart, 1e-12);
  // Joints whose points meet at the end of each step leave an error of the order of dt in velocities, here 7e-5.
  compare("", "energy, highest", 1, high, 2e-4);
  compare("", "energy, lowest", 1, low, 2e-4);
}

TEST_CASE("a chain that whips over a peg stays whole and hardly gains energy, with large steps and small ones") {
  // Pulled taut within a step it has no motion with which all points meet at the end: see joint_rows.hpp.
  const Vec3 gravity(0, -kG, 0);
  struct Gates {
    double dt, rise, apart;
  };
  for (const auto& [dt, most_rise, most_apart] : {Gates{1e-3, 3e-2, 1e-3}, Gates{2e-4, 1e-4, 1e-5}}) {
    JointScene s("chain_over_peg", {fmt::format("/integrator/dt={}", dt)});
    const auto energy = [&] {
      const Totals t = totals(s.world(), gravity);
      return t.kinetic() + t.potential;
    };
    double lowest = energy(), rise = 0, apart = 0;
    const double fall = s.mass(5) * 30 * kG;  // by 1 m
    while (s.world().time < 1.5) {
      s.steps(1);
      rise = std::max(rise, energy() - lowest);
      lowest = std::min(lowest, energy());
      apart = std::max(apart, s.apart());
    }
    compare(fmt::format("chain over a peg, dt = {} s", dt), "energy gained, of a fall", 0, rise / fall, most_rise);
    compare("", "joints, at most apart [m]", 0, apart, most_apart);
    compare("", "unconverged steps", 0, s.world().metrics().at("solver_unconverged_steps_total"), 0);
  }
}

TEST_CASE("links too light for their load and this dt stop the run with the gap, the arms and what to do") {
  const SceneText hung{R"({"dimension": 3, "gravity": [0, 0, -9.81],
    "materials": {"link": {"density": 100}, "load": {"density": 1e6}},
    "shapes": {"s": {"type": "sphere", "radius": 0.05}},
    "bodies": [
      {"name": "pin", "shape": "s", "material": "link", "position": [0, 0, 0], "fixed": true},
      {"name": "links", "shape": "s", "material": "link", "packing": {"type": "list",
        "places": [{"position": [0, 0, -0.1]}, {"position": [0, 0, -0.2]}, {"position": [0, 0, -0.3]}]}},
      {"name": "load", "shape": "s", "material": "load", "position": [0, 0, -0.4], "velocity": [0.5, 0, 0]}],
    "bonds": [
      {"between": ["pin", "links"], "pairs": "touching", "gap": 1e-6, "law": {"type": "ball-joint"}},
      {"between": ["links", "links"], "pairs": "touching", "gap": 1e-6, "law": {"type": "ball-joint"}},
      {"between": ["links", "load"], "pairs": "touching", "gap": 1e-6, "law": {"type": "ball-joint"}}],
    "interactions": [{"between": ["*", "*"], "law": "none"}],
    "integrator": {"type": "moreau-jean", "dt": 0.001}, "output": {"writers": []}, "run": {"duration": 1}})"};
  const auto run = [&](const std::vector<std::string>& sets) {
    JointScene s(hung, sets);
    s.until(0.2);
    return s.apart();
  };
  CHECK_THROWS_WITH(run({}), Catch::Matchers::Contains("the points of a joint are") &&
                                 Catch::Matchers::Contains("m apart") && Catch::Matchers::Contains("of the arms") &&
                                 Catch::Matchers::Contains("allowed is 0.01") &&
                                 Catch::Matchers::Contains("lower /integrator/dt"));
  CHECK(run({"/integrator/max_unconverged_steps=0"}) > 1e-3);
  compare("light links under a load, dt 1e-4", "largest gap of a joint [m]", 0, run({"/integrator/dt=1e-4"}), 1e-5);
}
