#pragma once
/// \file Beads that fall into a box and come to rest by rigid contact, and how far they creep then.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <vector>

#include "contact_slip.hpp"
#include "scenes.hpp"

namespace scree::test {

/// Motion over a time, per time [m/s].
struct Creep {
  Spread beads;  ///< of their centres: what rolls is among them
  Spread
      sticking;  ///< of contacts that stuck all the while, b against a at the contact point: creep of the contact law
  Spread limit;  ///< of contacts that carried all the while, at times at the limit of friction
};

/// What steps took, as means.
struct Effort {
  double sweeps = 0;       ///< per step
  int unconverged = 0;     ///< steps that missed the tolerance
  double cpu_seconds = 0;  ///< of the process, per simulated second
};

/// What a step's solver is asked for.
struct Demand {
  double tolerance;
  double slop;  ///< radii
  int max_sweeps = 500;
};

class Pile {
 public:
  static constexpr double kRadius = 0.0025, kSpacing = 0.0065, kStep = 5e-4;  // [m], [m], [s]

  /// \param counts  beads along x, y, z at the start
  explicit Pile(std::array<int, 3> counts) : counts_(counts), running_(scene(lattice(), kRigid, solver({1e-3, 0}))) {
    running_.prepared.methods.integrator->columns(world());
  }

  World& world() { return running_.world(); }
  int beads() const { return counts_[0] * counts_[1] * counts_[2]; }

  /// From here on; contacts keep their impulses.
  void ask(const Demand& demand) {
    Running other(scene(lattice(), kRigid, solver(demand)));
    running_.prepared.methods.integrator.swap(other.prepared.methods.integrator);
    slop_ = demand.slop * kRadius;
  }

  Effort run(double time) {
    Effort effort;
    const auto steps = std::llround(time / kStep);
    for (long long s = 0; s < steps; ++s) step(running_, effort);
    return per(effort, steps);
  }

  /// The next step from zero impulses, taken by a copy: one that is not solved would push the pile.
  Effort cold_step(const Demand& demand) {
    Running copy(scene(places(), kRigid, solver(demand)));
    copy.prepared.methods.integrator->columns(copy.world());
    std::ranges::copy(world().velocity.read(), copy.world().velocity.write().begin());
    std::ranges::copy(world().angular_velocity.read(), copy.world().angular_velocity.write().begin());
    Effort effort;
    step(copy, effort);
    return effort;
  }

  /// Falls and comes to rest coarsely, then finely; beads that still roll are stopped again and again.
  void settle(double fall, double slop) {
    ask({1e-3, slop});
    run(fall);
    ask({1e-5, slop});
    for (int k = 0; k < 10; ++k) {
      stop();
      run(10 * kStep);
    }
    stop();
  }

  /// How beads and contacts move over a time from now on.
  Creep creep(double time, Effort& effort) {
    constexpr double kLeast = 0.01;  // weights of a bead that a contact carries
    ImpulseProblem& cones = ability<ImpulseProblem>(mechanics_of(running_.prepared));
    ContactSlip slip(kStep, slop_, kDriftRate, kLeast * weight() * kStep);
    const std::vector<Vec3> from = positions();
    const auto steps = std::llround(time / kStep);
    effort = {};
    slip.before(world(), cones.contacts(kStep));
    for (long long s = 0; s < steps; ++s) {
      step(running_, effort);
      const auto contacts = cones.contacts(kStep);
      slip.after(world(), contacts);
      slip.before(world(), contacts);
    }
    effort = per(effort, steps);
    const std::vector<Vec3> to = positions();
    std::vector<double> speed;
    for (std::size_t i = 0; i < from.size(); ++i) speed.push_back((to[i] - from[i]).norm() / time);
    return {Spread(speed), slip.sticking(time), slip.at_the_limit(time)};
  }

  /// The same places with springs and dashpots, as in examples/sphere_box. \return processor seconds per simulated one
  double cost_of_springs(int steps) {
    constexpr double kShortStep = 1e-5;
    Running springs(scene(places(),
                          R"({"type": "linear", "normal_stiffness": 10000, "normal_damping": 0.39,
                              "tangential": "spring", "tangential_stiffness": 5000, "friction": 0.5})",
                          fmt::format(R"({{"type": "symplectic-euler", "dt": {}}})", kShortStep)));
    const std::clock_t start = std::clock();
    springs.steps(static_cast<std::uint64_t>(steps));
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / (steps * kShortStep);
  }

 private:
  /// One step, its effort added.
  static void step(Running& running, Effort& sum) {
    World& world = running.world();
    const double missed = world.metric("solver_unconverged_steps_total");
    const std::clock_t start = std::clock();
    running.steps(1);
    sum.cpu_seconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    sum.sweeps += world.metric("solver_sweeps");
    sum.unconverged += static_cast<int>(world.metric("solver_unconverged_steps_total") - missed);
  }
  static Effort per(const Effort& sum, long long steps) {
    const auto n = static_cast<double>(steps);
    return {sum.sweeps / n, sum.unconverged, sum.cpu_seconds / (n * kStep)};
  }

  double weight() { return 9.81 * world().mass.read()[*world().row(0)]; }  ///< of a bead [N]

  std::vector<Vec3> positions() {
    std::vector<Vec3> all;
    for (Id id = 0; id < static_cast<Id>(beads()); ++id) all.push_back(world().position.read()[*world().row(id)]);
    return all;
  }

  void stop() {
    for (Vec3& v : world().velocity.write()) v.setZero();
    for (Vec3& w : world().angular_velocity.write()) w.setZero();
  }

  /// As the beads are placed at the start.
  std::string lattice() const {
    return fmt::format(R"({{"type": "lattice", "lower": [{}, {}, 0.005], "counts": [{}, {}, {}],
                               "spacing": {}, "jitter": "free"}})",
                       -half_side(0), -half_side(1), counts_[0], counts_[1], counts_[2], kSpacing);
  }
  /// Where they are now.
  std::string places() {
    std::string list;
    for (const Vec3& x : positions())
      list += fmt::format(R"({}{{"position": [{}, {}, {}]}})", list.empty() ? "" : ", ", x[0], x[1], x[2]);
    return fmt::format(R"({{"type": "list", "places": [{}]}})", list);
  }

  static std::string solver(const Demand& demand) {
    return fmt::format(R"({{"type": "moreau-jean", "dt": {}, "tolerance": {}, "slop": {}, "drift_rate": {},
                               "max_sweeps": {}, "max_unconverged_steps": 0}})",
                       kStep, demand.tolerance, demand.slop * kRadius, kDriftRate, demand.max_sweeps);
  }

  std::string scene(const std::string& packing, const std::string& law, const std::string& integrator) const {
    const double height = kSpacing * (counts_[2] + 2);
    return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, -9.81],
"materials": {{"glass": {{"density": 2500}}, "wall": {{}}}},
"shapes": {{"bead": {{"type": "sphere", "radius": {}}},
           "box": {{"type": "box", "half_sizes": [{}, {}, {}], "inside": true}}}},
"bodies": [{{"shape": "bead", "material": "glass", "seed": 1, "packing": {}}},
  {{"shape": "box", "material": "wall", "fixed": true, "position": [0, 0, {}]}}],
"interactions": [{{"between": ["*", "*"], "law": {}}}], "integrator": {},
"output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                       kRadius, half_side(0) + kSpacing, half_side(1) + kSpacing, height / 2, packing, height / 2, law,
                       integrator);
  }

  /// From the middle of the lattice to its outermost beads [m].
  double half_side(int axis) const { return 0.5 * (counts_[axis] - 1) * kSpacing; }

  static constexpr double kDriftRate = 0.2;
  static constexpr const char* kRigid = R"({"type": "coulomb", "friction": 0.5})";

  std::array<int, 3> counts_;
  double slop_ = 0;  ///< of the last demand [m]
  Running running_;
};

}  // namespace scree::test
