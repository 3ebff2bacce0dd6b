// Bonded bodies in scenes: the same bonds under explicit and implicit integrators, fracture, and contacts as
// potentials.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "scenes.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kG = 9.81;

/// Spheres of radius 0.05 m side by side along x from the origin, each bonded to the next.
std::string chain(int count, const std::string& law, const std::string& integrator, const std::string& more = "",
                  const std::string& held = "") {
  return fmt::format(R"({{"dimension": 3, {}
"materials": {{"m": {{"density": 1000}}}}, "shapes": {{"s": {{"type": "sphere", "radius": 0.05}}}},
"bodies": [{{"name": "chain", "shape": "s", "material": "m",
             "packing": {{"type": "lattice", "lower": [0, 0, 0], "counts": [{}, 1, 1]}}, "held": [{}]}}],
"bonds": [{{"between": ["chain", "chain"], "pairs": "touching", "gap": 1e-9,
            "law": {{"type": "bonded-beam", "youngs_modulus": 1e6{}}}}}],
"interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     more, count, held, law, integrator);
}
const std::string kFirstHeld = R"({"lower": [-0.01, -0.01, -0.01], "upper": [0.01, 0.01, 0.01]})";

struct Beam {
  static constexpr double young = 1e6, shear = 0.4e6, length = 0.1, radius = 0.05;
  static constexpr double section = std::numbers::pi * radius * radius;
  static constexpr double moment = section * section / (4 * std::numbers::pi);
  static constexpr double mass = 1000 * 4.0 / 3 * std::numbers::pi * radius * radius * radius;
};

Vec3 momentum(const World& w) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < w.size(); ++i) sum += w.mass.read()[i] * w.velocity.read()[i];
  return sum;
}

Vec3 at(Running& run, Id id) { return run.world().position.read()[*run.world().row(id)]; }

std::string fault(const std::string& json, const std::vector<std::string>& sets = {}) {
  try {
    const Running run(json, sets);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("bonded pair: implicit and explicit integrators swing with the frequency of the bond") {
  // Both ends free: omega = sqrt(2 k/m). Backward Euler is exact for its own discretisation.
  const double k = Beam::young * Beam::section / Beam::length, omega = std::sqrt(2 * k / Beam::mass);
  const double amplitude = 1e-4, period = 2 * std::numbers::pi / omega;
  const auto stretched = [&](const std::string& type, double dt) {
    Running run(chain(2, "", fmt::format(R"("type": "{}", "dt": {})", type, dt)));
    const auto x = run.world().position.write();
    x[*run.world().row(0)].x() -= amplitude;
    x[*run.world().row(1)].x() += amplitude;
    return run;
  };
  const auto elongation = [](Running& run) { return (at(run, 1) - at(run, 0)).x() - Beam::length; };
  Running verlet = stretched("velocity-verlet", period / 2000);
  verlet.steps(2000);
  verify("velocity-verlet: elongation after a period [m]", 2 * amplitude, elongation(verlet), 1e-4);
  for (const std::string type : {"variational", "moreau-jean"}) {
    INFO(type << " follows backward Euler");
    const int steps = 40;
    const double dt = period / steps, a = omega * dt;
    Running run = stretched(type, dt);
    // u_(n+1) = (u_n + dt v_n)/(1 + a^2), v = (u_(n+1) - u_n)/dt
    double u = 2 * amplitude, v = 0;
    for (int n = 0; n < steps; ++n) {
      const double next = (u + dt * v) / (1 + a * a);
      v = (next - u) / dt;
      u = next;
      run.steps(1);
      verify(type + ": elongation less that of backward Euler [amplitudes]", 0, (elongation(run) - u) / amplitude,
             1e-5);
    }
    CHECK(std::abs(u) < 2 * amplitude);
  }
}

TEST_CASE("bonded cantilever: explicit and implicit come to rest in the same shape, that of the discrete beam") {
  const int n = 6;
  const std::string gravity = R"("gravity": [0, 0, -0.01],)";
  Running implicit(chain(n + 1, "", R"("type": "variational", "dt": 0.05, "tolerance": 1e-10)", gravity, kFirstHeld));
  implicit.steps(400);
  Running explicit_(chain(n + 1, "", R"("type": "velocity-verlet", "dt": 5e-4)",
                          gravity + R"("damping": {"mass_proportional": 6},)", kFirstHeld));
  explicit_.steps(16000);
  Running beside_contacts(chain(n + 1, "", R"("type": "moreau-jean", "dt": 0.05)", gravity, kFirstHeld));
  beside_contacts.steps(400);
  const double tip = at(implicit, n).z();
  verify("deflection of the tip, explicit against implicit [m]", tip, at(explicit_, n).z(), 1e-4);
  verify("deflection of the tip, moreau-jean against variational [m]", tip, at(beside_contacts, n).z(), 1e-7);
  // Superposition of end loads on a chain of i bonds: w = P L^3/(3 EI) (1 - 1/(4 i^2)) + P L/(G S); the rest of the
  // chain follows as a rigid bar with slope P L^2/(2 EI).
  const double weight = Beam::mass * 0.01;
  double exact = 0;
  for (int i = 1; i <= n; ++i) {
    const double l = i * Beam::length, rest = (n - i) * Beam::length;
    exact -= weight * (l * l * l / (3 * Beam::young * Beam::moment) * (1 - 1.0 / (4 * i * i)) +
                       l / (Beam::shear * Beam::section) + rest * l * l / (2 * Beam::young * Beam::moment));
  }
  verify("deflection of the tip [m]", exact, tip, 1e-4);
}

TEST_CASE("bonds break at their strength in tension, not in compression") {
  // Held at one end, drawn at the other: F = k v t in both bonds.
  const double strength = 1e4, k = Beam::young * Beam::section / Beam::length, speed = 0.001;
  const double breaks_at = strength * Beam::section / k / speed;
  const auto drawn = [](double by) {
    return kFirstHeld +
           fmt::format(R"(, {{"lower": [0.19, -1, -1], "upper": [0.21, 1, 1], "motion": {{"velocity": [{}, 0, 0]}}}})",
                       by);
  };
  const auto strong = fmt::format(R"(, "tensile_strength": {0}, "shear_strength": {0})", strength);
  for (const std::string type : {"variational", "velocity-verlet"}) {
    INFO(type);
    const double dt = type == "variational" ? breaks_at / 200 : breaks_at / 20000;
    Running run(chain(3, strong, fmt::format(R"("type": "{}", "dt": {})", type, dt), "", drawn(2 * speed)));
    run.world().velocity.write()[*run.world().row(1)].x() = speed;
    run.steps(static_cast<std::uint64_t>(0.985 * breaks_at / dt));
    CHECK(run.world().bonds().alive() == 2);
    run.steps(static_cast<std::uint64_t>(0.03 * breaks_at / dt));
    CHECK(run.world().bonds().alive() < 2);
  }
  Running pressed(chain(3, strong, R"("type": "variational", "dt": 0.01)", "", drawn(-0.05)));
  pressed.steps(40);
  CHECK(pressed.world().bonds().alive() == 2);
}

TEST_CASE("solved again, a step breaks only what is still overloaded once the most loaded bond has gone") {
  // A chain hangs along x: bonds carry four, three, two weights and one, and bear two and a half.
  const double weight = Beam::mass * kG, strength = 2.5 * weight / Beam::section;
  const std::string hanging = chain(5, fmt::format(R"(, "tensile_strength": {0}, "shear_strength": {0})", strength),
                                    R"("type": "variational", "dt": 1)", R"("gravity": [9.81, 0, 0],)", kFirstHeld);
  Running at_once(hanging);
  at_once.steps(1);
  CHECK(at_once.world().bonds().alive() == 2);
  Running again(hanging, {"/integrator/resolve_breaks=3"});
  again.steps(1);
  CHECK(again.world().bonds().alive() == 3);
  CHECK_FALSE(again.world().bonds().whole(0));
  CHECK(again.world().metrics().at("repeated_steps_total") >= 1);
}

TEST_CASE("breaking changes no momentum: a chain that flies apart") {
  for (const std::string integrator :
       {R"("type": "variational", "dt": 1e-3, "tolerance": 1e-12)", R"("type": "velocity-verlet", "dt": 2e-4)"}) {
    INFO(integrator);
    Running run(chain(5, R"(, "tensile_strength": 1e4, "shear_strength": 1e4)", integrator));
    World& w = run.world();
    for (Id id = 0; id < 5; ++id) w.velocity.write()[*w.row(id)] = Vec3(static_cast<double>(id) - 1.5, 0.2, 0.1);
    const Vec3 before = momentum(w);
    run.steps(static_cast<std::uint64_t>(std::llround(0.1 / run.scene.dt)));
    CHECK(w.bonds().alive() == 0);
    verify("change of momentum", 0, (momentum(w) - before).norm() / before.norm(), 1e-13);
    std::vector<Vec3> free;
    for (Id id = 0; id < 5; ++id) free.push_back(w.velocity.read()[*w.row(id)]);
    run.steps(5);
    for (Id id = 0; id < 5; ++id) CHECK((w.velocity.read()[*w.row(id)] - free[id]).norm() < 1e-12);
  }
}

TEST_CASE("shear_ratio: a bonded pair twists with the frequency of its shear modulus") {
  // Spins against each other about the bond: omega^2 = 2 G J/(l I), J = 2 I of the section, I = 2/5 m r^2 of a sphere.
  for (const double ratio : {0.1, 0.4, 0.8}) {
    const double stiffness = ratio * Beam::young * 2 * Beam::moment / Beam::length;
    const double omega = std::sqrt(2 * stiffness / (0.4 * Beam::mass * Beam::radius * Beam::radius));
    const int steps = 500;  // an eighth of a period
    const double dt = std::numbers::pi / 4 / omega / steps;
    Running run(chain(2, fmt::format(R"(, "shear_ratio": {})", ratio),
                      fmt::format(R"("type": "velocity-verlet", "dt": {})", dt)));
    World& w = run.world();
    const double spin = 1e-3 * omega;
    w.angular_velocity.write()[*w.row(0)] = {-spin, 0, 0};
    w.angular_velocity.write()[*w.row(1)] = {spin, 0, 0};
    run.steps(steps);
    INFO("G/E = " << ratio);
    verify(fmt::format("G/E = {}: spin after an eighth of a period [rad/s]", ratio),
           spin * std::cos(std::numbers::pi / 4), w.angular_velocity.read()[*w.row(1)].x(), 1e-5);
    CHECK(w.angular_velocity.read()[*w.row(0)].x() == Approx(-w.angular_velocity.read()[*w.row(1)].x()));
  }
}

TEST_CASE("paper_exact: bonds tear in compression too, which by default they do not") {
  for (const bool exact : {false, true})
    for (const bool pressed : {false, true}) {
      Running run(chain(2, fmt::format(R"(, "tensile_strength": 1e4, "paper_exact": {})", exact),
                        R"("type": "velocity-verlet", "dt": 1e-6)"));
      const double strain = (pressed ? -1 : 1) * 0.015;  // 1.5 times the strength
      run.world().position.write()[*run.world().row(1)].x() += strain * Beam::length;
      run.steps(3);
      INFO("exact " << exact << ", pressed " << pressed);
      CHECK(run.world().bonds().alive() == (pressed && !exact ? 1u : 0u));
    }
}

TEST_CASE("free bonded block: momenta of a spinning block under midpoint, linear momentum under backward Euler") {
  const std::string block = R"({"dimension": 3,
"materials": {"m": {"density": 1000}}, "shapes": {"s": {"type": "sphere", "radius": 0.05}},
"bodies": [{"name": "block", "shape": "s", "material": "m", "velocity": [0.3, -0.2, 0.1],
            "packing": {"type": "lattice", "lower": [-0.15, -0.05, -0.05], "counts": [4, 2, 2]}}],
"bonds": [{"between": ["block", "block"], "pairs": "touching", "gap": 1e-9,
           "law": {"type": "bonded-beam", "youngs_modulus": 1e7}}],
"interactions": [{"between": ["*", "*"], "law": "none"}],
"integrator": {"type": "variational", "dt": 0.01, "tolerance": 1e-11}, "output": {"writers": []}, "run": {"duration": 1}})";
  const auto spin_up = [](Running& run) {
    World& w = run.world();
    const Vec3 omega(0.5, 1, 3);
    for (std::size_t i = 0; i < w.size(); ++i) {
      w.velocity.write()[i] += omega.cross(w.position.read()[i]);
      w.angular_velocity.write()[i] = omega;
    }
  };
  SECTION("backward Euler") {
    Running run(block);
    spin_up(run);
    const Vec3 before = momentum(run.world());
    const Totals start = totals(run.world(), Vec3::Zero());
    run.steps(50);
    verify("backward Euler: change of momentum", 0, (momentum(run.world()) - before).norm() / before.norm(), 1e-10);
    const Totals end = totals(run.world(), Vec3::Zero());
    CHECK(end.angular_momentum.norm() < 0.98 * start.angular_momentum.norm());  // eq. (27)
  }
  SECTION("midpoint") {
    Running run(block, {"/integrator/scheme=midpoint"});
    spin_up(run);
    const Totals start = totals(run.world(), Vec3::Zero());
    run.steps(50);
    const Totals end = totals(run.world(), Vec3::Zero());
    CHECK((end.momentum - start.momentum).norm() < 1e-10 * start.momentum.norm());
    verify("midpoint: change of angular momentum", 0,
           (end.angular_momentum - start.angular_momentum).norm() / start.angular_momentum.norm(), 1e-8);
  }
}

namespace {
/// A ball of 0.05 m on a floor, with the law "linear" under an implicit integrator.
std::string ball(const std::string& law, const std::string& body, double dt) {
  return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -{}],
"materials": {{"m": {{"density": 1000}}, "floor": {{}}}},
"shapes": {{"s": {{"type": "sphere", "radius": 0.05}}, "floor": {{"type": "half-space"}}}},
"bodies": [{{"shape": "s", "material": "m", {}}},
           {{"shape": "floor", "material": "floor", "fixed": true}}],
"interactions": [{{"between": ["m", "floor"], "law": {{"type": "linear", "normal_stiffness": 1e4{}}}}}],
"integrator": {{"type": "variational", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     kG, body, law, dt);
}
}  // namespace

TEST_CASE("contact as a potential: a ball rests at the depth of its weight, slides and begins to roll as it should") {
  SECTION("depth m g/k") {
    Running run(ball("", R"("position": [0, 0, 0.06])", 0.02));
    run.steps(200);
    CHECK(0.05 - at(run, 0).z() == Approx(Beam::mass * kG / 1e4).epsilon(1e-5));
  }
  SECTION("rolling from t = 2 v/(7 mu g) with 5/7 v") {
    const double v = 1, mu = 0.3, depth = Beam::mass * kG / 1e4, dt = 1e-3;
    Running run(ball(R"(, "friction": 0.3)",
                     fmt::format(R"("position": [0, 0, {}], "velocity": [1, 0, 0])", 0.05 - depth), dt));
    const double rolls_at = 2 * v / (7 * mu * kG);
    run.steps(static_cast<std::uint64_t>(0.5 * rolls_at / dt));
    CHECK(run.world().velocity.read()[*run.world().row(0)].x() == Approx(v - mu * kG * run.world().time).epsilon(0.01));
    run.steps(static_cast<std::uint64_t>(rolls_at / dt));
    CHECK(run.world().velocity.read()[*run.world().row(0)].x() == Approx(5.0 / 7 * v).epsilon(0.01));
    CHECK(run.world().angular_velocity.read()[*run.world().row(0)].y() == Approx(5.0 / 7 * v / 0.05).epsilon(0.02));
  }
}

TEST_CASE("two free spheres that meet rub and roll on each other: both momenta stay, both spins change") {
  // Of different size, spinning about different axes, off centre: friction has its own arm on either of them.
  const double large = 0.08, small = 0.03;
  const auto scene = [&](const std::string& law) {
    return fmt::format(R"({{"dimension": 3, "materials": {{"m": {{"density": 1000}}}},
"shapes": {{"l": {{"type": "sphere", "radius": {}}}, "s": {{"type": "sphere", "radius": {}}}}},
"bodies": [{{"shape": "l", "material": "m", "position": [0, 0, 0], "angular_velocity": [3, 20, -5]}},
           {{"shape": "s", "material": "m", "position": [0.02, 0.01, 0.108], "velocity": [0, 0.2, -1],
            "angular_velocity": [-10, 30, 8]}}],
"interactions": [{{"between": ["m", "m"], "law": {{"type": "linear", "normal_stiffness": 1e6{}}}}}],
"integrator": {{"type": "variational", "dt": 1e-5, "tolerance": 1e-9}}, "output": {{"writers": []}},
"run": {{"duration": 1}}}})",
                       large, small, law);
  };
  double speed_gained = 0;  // by the small one, in the last run
  const auto after = [&](const std::string& law) {
    Running run(scene(law));
    const Totals start = totals(run.world(), Vec3::Zero());
    run.steps(400);
    const Totals end = totals(run.world(), Vec3::Zero());
    speed_gained = (run.world().velocity.read()[*run.world().row(1)] - Vec3(0, 0.2, -1)).norm();
    CHECK((end.momentum - start.momentum).norm() < 1e-10 * start.momentum.norm());  // the solver's tolerance
    CHECK((end.angular_momentum - start.angular_momentum).norm() < 3e-5 * start.angular_momentum.norm());  // dt
    CHECK((at(run, 1) - at(run, 0)).norm() > large + small);  // apart again
    return std::array{run.world().angular_velocity.read()[*run.world().row(0)],
                      run.world().angular_velocity.read()[*run.world().row(1)]};
  };
  const auto smooth = after(""), rubbed = after(R"(, "friction": 0.4)"),
             rolled = after(R"(, "rolling": {"model": "constant", "friction": 0.05})");
  const double moment_large = 0.4 * Beam::mass * std::pow(large, 5) / std::pow(Beam::radius, 3),
               moment_small = 0.4 * Beam::mass * std::pow(small, 5) / std::pow(Beam::radius, 3);
  CHECK((smooth[0] - Vec3(3, 20, -5)).norm() < 1e-9);
  CHECK((smooth[1] - Vec3(-10, 30, 8)).norm() < 1e-9);
  // An impulse J across the normal turns either by its own arm: I dw is in the ratio of the arms, which are as the
  // radii. The couple against rolling is equal and opposite.
  const Vec3 of_large = moment_large * (rubbed[0] - smooth[0]), of_small = moment_small * (rubbed[1] - smooth[1]);
  CHECK(of_small.norm() > 1e-6);
  CHECK((of_large - large / small * of_small).norm() < 1e-2 * of_large.norm());  // of the overlap
  const Vec3 couple = moment_small * (rolled[1] - smooth[1]);
  CHECK((moment_large * (rolled[0] - smooth[0]) + couple).norm() < 1e-9 * couple.norm());
  // mu_r r_small times the impulse along the normal, against the relative spin.
  const double push = Beam::mass * std::pow(small / Beam::radius, 3) * speed_gained;
  CHECK(couple.dot(Vec3(3, 20, -5) - Vec3(-10, 30, 8)) > 0);
  CHECK(couple.norm() == Approx(0.05 * small * push).epsilon(0.02));  // overlaps of 1 % of the small radius
}

namespace {
/// Two layers of six by three bonded spheres that fall on a floor, flat but for one more sphere, and break there.
/// \param friction  further options of the law of contacts
std::string falling_brick(double spacing, const std::string& friction, const std::string& integrator) {
  return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -9.81],
"materials": {{"m": {{"density": 1000}}, "floor": {{}}}},
"shapes": {{"s": {{"type": "sphere", "radius": 0.05}}, "floor": {{"type": "half-space"}}}},
"bodies": [{{"name": "brick", "shape": "s", "material": "m", "velocity": [0, 0, -6],
             "packing": {{"type": "lattice", "lower": [0, 0, 0.15], "counts": [6, 3, 2], "spacing": {}}}}},
           {{"shape": "s", "material": "floor", "fixed": true, "position": [0.2125, 0.085, 0]}},
           {{"shape": "floor", "material": "floor", "fixed": true}}],
"bonds": [{{"between": ["brick", "brick"], "pairs": "touching", "gap": 0,
           "law": {{"type": "bonded-beam", "youngs_modulus": 1e6, "tensile_strength": 3e4, "shear_strength": 3e4}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 3e4{}}}}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1, "max_initial_overlap": 0.5}}}})",
                     spacing, friction, integrator);
}
}  // namespace

TEST_CASE("fragments: a brick of bonded spheres breaks on the floor, its pieces stay above it and do not explode") {
  for (const std::string integrator :
       {R"("type": "variational", "dt": 2e-3)", R"("type": "velocity-verlet", "dt": 5e-5)"}) {
    INFO(integrator);
    Running run(falling_brick(0.085, R"(, "friction": 0.5)", integrator));
    const double start =
        totals(run.world(), Vec3(0, 0, -kG)).kinetic() + totals(run.world(), Vec3(0, 0, -kG)).potential;
    const std::size_t made = run.world().bonds().alive();
    run.steps(static_cast<std::uint64_t>(std::llround(0.3 / run.scene.dt)));
    const std::size_t left = run.world().bonds().alive();
    CHECK(left < made);
    const Totals end = totals(run.world(), Vec3(0, 0, -kG));
    CHECK(end.kinetic() + end.potential < start);
    for (Id id = 0; id < 36; ++id) CHECK(at(run, id).z() > 0.02);
  }
}

namespace {

/// All that a run without dashpots and friction keeps [J]: motion, height, contacts (for which the pipeline's
/// compute_energy was set), bonds that hold, and what the broken ones held when they broke.
double balance(Running& run) {
  const Totals t = totals(run.world(), Vec3(0, 0, -kG));
  HostMechanics& mechanics = mechanics_of(run.prepared);
  return t.kinetic() + t.potential + mechanics.pipeline().counts().elastic_energy +
         mechanics.bond_mechanics().energy() + run.world().metrics().at("released_bond_energy_J");
}

}  // namespace

TEST_CASE("a bond torn by its strength releases what it held, at its strength S l0 sigma^2/(2 E)") {
  const double strength = 1e4, strain = strength / Beam::young,
               exact = Beam::section * Beam::length * strength * strain / 2;
  for (const std::string integrator :
       {R"("type": "variational", "dt": 1e-6)", R"("type": "velocity-verlet", "dt": 1e-6)"}) {
    INFO(integrator);
    for (const double beyond : {-1e-3, 1e-3}) {
      Running run(chain(3, R"(, "tensile_strength": 1e4, "shear_strength": 1e9)", integrator));
      World& w = run.world();
      w.position.write()[*w.row(2)].x() += (1 + beyond) * strain * Beam::length;
      run.steps(1);
      CHECK(w.bonds().alive() == (beyond > 0 ? 1 : 2));
      CHECK(w.metrics().at("fragments") == (beyond > 0 ? 2 : 1));
      CHECK(w.metrics().at("fragments_of_one_body") == (beyond > 0 ? 1 : 0));
      CHECK(w.metrics().at("heaviest_fragment_kg") == Approx((beyond > 0 ? 2 : 3) * Beam::mass));
      CHECK(w.metrics().at("released_bond_energy_J") ==
            (beyond > 0 ? Approx((1 + beyond) * (1 + beyond) * exact).epsilon(1e-5) : Approx(0)));
    }
  }
}

TEST_CASE("a strained solid that comes apart gains nothing from overlaps between its parts") {
  // A square of four, bonded along its sides but one: 0 and 3 are pressed into each other and joined through 1 and 2
  // alone. When 2 and 3 part, 0 and 3 touch from then on, and must not fly apart.
  for (const std::string integrator :
       {R"("type": "variational", "dt": 1e-6)", R"("type": "velocity-verlet", "dt": 1e-6)"}) {
    INFO(integrator);
    Running run(fmt::format(R"({{"dimension": 3, "materials": {{"m": {{"density": 1000}}}},
"shapes": {{"s": {{"type": "sphere", "radius": 0.05}}}},
"bodies": [{{"name": "square", "shape": "s", "material": "m", "packing": {{"type": "list",
             "places": [{{"position": [0, 0, 0]}}, {{"position": [0, 0.1, 0]}}, {{"position": [0.1, 0.1, 0]}},
                        {{"position": [0.12, 0.01, 0]}}]}}}}],
"bonds": [{{"between": ["square", "square"], "pairs": "touching", "gap": 1e-9,
           "law": {{"type": "bonded-beam", "youngs_modulus": 1e6, "tensile_strength": 1e9, "shear_strength": 1e4}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1e5, "tangential": "none"}}}}],
"integrator": {{{}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                            integrator));
    World& w = run.world();
    REQUIRE(w.bonds().alive() == 3);
    w.position.write()[*w.row(3)].x() -= 0.04;  // 0 and 3: 0.08 apart, overlapping by 0.02
    run.steps(1);
    CHECK(w.bonds().alive() == 2);
    CHECK(w.bonds().tolerated(0, 3) == Approx(0.1 - (at(run, 3) - at(run, 0)).norm()).epsilon(1e-3));
    mechanics_of(run.prepared).pipeline().compute_energy(true);
    run.steps(1);
    CHECK(mechanics_of(run.prepared).pipeline().counts().elastic_energy < 1e-3 * 0.5 * 1e5 * 0.02 * 0.02);
  }
}

TEST_CASE("energy of a brick that breaks on the floor: what bonds held is accounted for") {
  const auto brick = [](const std::string& integrator) { return Running(falling_brick(0.09, "", integrator)); };
  SECTION("velocity-verlet keeps the sum") {
    Running run = brick(R"("type": "velocity-verlet", "dt": 2e-5)");
    mechanics_of(run.prepared).pipeline().compute_energy(true);
    const double start = balance(run);
    double worst = 0;
    for (int k = 0; k < 150; ++k) {
      run.steps(100);
      worst = std::max(worst, std::abs(balance(run) - start));
    }
    INFO("off by " << worst << " of " << start << " J, released " << run.world().metrics().at("released_bond_energy_J")
                   << ", bonds " << run.world().bonds().alive());
    CHECK(run.world().metrics().at("released_bond_energy_J") > 0.01 * start);
    verify("velocity-verlet: drift of the sum of energies", 0, worst / start, 1e-3);
  }
  SECTION("backward Euler never lets it grow, eq. (29)") {
    Running run = brick(R"("type": "variational", "dt": 1e-3, "tolerance": 1e-9)");
    const double start = balance(run);
    double last = start;
    for (int k = 0; k < 200; ++k) {
      run.steps(1);
      const double now = balance(run);
      CHECK(now <= last + 1e-7 * start);
      last = now;
    }
    CHECK(run.world().metrics().at("released_bond_energy_J") > 0.01 * start);
    CHECK(last < 0.99 * start);
  }
}

TEST_CASE("bonds: what cannot be is refused with place and remedy") {
  const std::string good = chain(3, "", R"("type": "variational", "dt": 0.01)");
  CHECK(fault(good) == "no error");
  CHECK(fault(good, {"/bonds/0/between=[\"chain\", \"chian\"]"})
            .find("unknown entry of bodies \"chian\". Did you mean \"chain\"?") != std::string::npos);
  CHECK(fault(good, {"/bonds/0/pairs=faces"}).find("is for bodies that touch; faces have a size of their own") !=
        std::string::npos);
  CHECK(fault(good, {"/bodies/0/packing/spacing=0.2"}).find("joins no bodies") != std::string::npos);
  CHECK(fault(good, {"/bonds/0/law/tensile_strength=0"}).find("/bonds/0/law/tensile_strength") != std::string::npos);
  CHECK(fault(good, {"/integrator/linear_solver=magic"}).find("/integrator/linear_solver") != std::string::npos);
  CHECK(fault(good, {R"(/bodies/0/held=[{"lower": [5, 5, 5], "upper": [6, 6, 6]}])"})
            .find("no body of \"chain\" starts in this box") != std::string::npos);
  CHECK(fault(good, {R"(/periodic={"x": [-1, 1]})"})
            .find("takes bonds implicitly, and does not know those that reach "
                  "across the sides of a periodic cell") != std::string::npos);
  Running stiff(chain(3, "", R"("type": "velocity-verlet", "dt": 0.1)"));
  REQUIRE(stiff.prepared.warnings.size() == 1);
  CHECK(stiff.prepared.warnings[0].find("bonds are surely stable up to") != std::string::npos);
}
