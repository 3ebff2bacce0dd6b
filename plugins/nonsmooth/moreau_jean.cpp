#include "moreau_jean.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "implicit/iterate_metrics.hpp"
#include "scree/base/error.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/integrate/kick_and_drift.hpp"
#include "scree/law/cone_face.hpp"
#include "solvers/coulomb/assemble.hpp"

namespace scree::nonsmooth {

namespace {

/// Names in metrics.csv; a column with "_total" counts from the beginning of the run.
constexpr const char *kSweeps = "solver_sweeps", *kResidual = "solver_residual",
                     *kUnconverged = "solver_unconverged_steps_total", *kInARow = "solver_unconverged_steps_in_a_row",
                     *kTakeOff = "solver_take_off_total", *kStick = "solver_stick_total",
                     *kSlide = "solver_slide_total", *kNewton = "solver_newton_total",
                     *kQuartic = "solver_quartic_total", *kUnsolved = "solver_unsolved_total",
                     *kDriftWork = "drift_work_J", *kApart = "joint_gap_m";

/// For what bodies do beyond going on as they are: they fall, and others push them. Contacts that stay apart cost a
/// visit each, missed ones an overlap; and detectors that look for the deepest place of a region see those as one that
/// are closer to each other than this.
constexpr double kMarginRatio = 0.02;

/// Sweeps that go on below the tolerance. Where bodies rest, the errors of one step after the other add up to a creep;
/// impulses that get better from step to step end it. Small problems are cheap to solve well.
int least_sweeps(std::size_t contacts) {
  constexpr std::size_t kSmall = 1000;
  return contacts <= kSmall ? 30 : 5;
}

}  // namespace

IntegratorTraits MoreauJean::traits() const {
  IntegratorTraits traits;
  traits.face = ConeFace::kName;
  traits.implicit_bonds = options_.implicit_bonds;
  traits.mean_force = MeanForce{.weight = {1}};
  traits.margin = options_.margin;
  traits.looks_ahead = options_.margin == 0;
  if (traits.looks_ahead) traits.margin_ratio = kMarginRatio;
  return traits;
}

void MoreauJean::columns(World& world) {
  check_dump(options_.dump, world);
  for (const char* name : {kSweeps, kResidual, kUnconverged, kInARow, kInfeasible, kTakeOff, kStick, kSlide, kNewton,
                           kQuartic, kUnsolved, kDriftWork})
    world.metric(name);
  if (world.bonds().size() == 0) return;
  world.metric(kApart);
  if (options_.implicit_bonds) iterate_figures(world);
}

void MoreauJean::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  ImpulseProblem& impulses = ability<ImpulseProblem>(mechanics);
  world.move_prescribed(world.time);
  world.prescribe_velocities(world.time + dt / 2);  // the mean of the step
  if (ImplicitMotion* const motion = implicit_motion(mechanics)) {
    world.dimension() == 2 ? step_implicitly<2>(mechanics, *motion, dt) : step_implicitly<3>(mechanics, *motion, dt);
    return;
  }
  const auto contacts = impulses.contacts(dt);
  const auto joints = impulses.joints();
  impulses_.resize(contacts.size() + joints.size());
  if (world.dimension() == 2)
    solve<2>(world, contacts, joints, impulses.external(), dt);
  else
    solve<3>(world, contacts, joints, impulses.external(), dt);
  const std::span<const Vec3> solved = impulses_;
  impulses.accept(solved.first(contacts.size()), dt);
  if (!joints.empty()) impulses.accept_joints(solved.last(joints.size()), dt);
  kick_and_drift(world, mechanics.last_forces(), dt, dt);
  world.move_prescribed(world.time + dt);
  mechanics.commit();
}

template <int D>
void MoreauJean::solve(World& world, std::span<const ConeContact> contacts, std::span<const Joint> joints,
                       const Wrenches& external, double dt) {
  auto& step = problem<D>();
  set_up<D>(world, contacts, external, options_.drift, dt, step);
  append_joints<D>(joints, step);
  // What pressed between walls that close must not become the scale of the next step.
  if (!options_.warm_start || world.metric(kInfeasible) > 0)
    std::fill(step.impulses.begin(), step.impulses.end(), coulomb::Vec<D>::Zero());
  check_dump(options_.dump, joints.size());
  if (dump_is_due(options_.dump, world, dt, step.problem.size()))
    dump<D>(options_.dump, world, dt, coulomb::assemble(step.problem), step.impulses);
  const coulomb::Report report = solve<D>(world, joints, dt, step);
  to_world<D>(step, impulses_);
  book(world, report, drift_work<D>(step));
}

template <int D>
coulomb::Report MoreauJean::solve(World& world, std::span<const Joint> joints, double dt, StepProblem<D>& step) {
  coulomb::Options options = options_.solver;
  options.threads = omp_get_max_threads();
  options.least_sweeps = least_sweeps(step.problem.size());
  if (joints.empty()) return coulomb::solve(step.problem, step.impulses, options, step.workspace);

  constexpr int kMost = 6;
  constexpr double kWorth = 0.5;  // of what points were apart before
  constexpr double kLost = 1e-4;  // of the arms
  coulomb::Report all;
  const auto solve_again = [&] {
    const coulomb::Report report = coulomb::solve(step.problem, step.impulses, options, step.workspace);
    all.status = report.status;
    all.error = report.error;
    all.sweeps += report.sweeps;
    all.branches += report.branches;
    return aim_joints<D>(world, joints, dt, step);
  };
  const auto start = step.impulses;
  aim_joints_freely<D>(world, joints, dt, step);
  Apart apart = solve_again();
  double before = HUGE_VAL;
  for (int k = 1; k < kMost && apart.length < kWorth * before; ++k) {
    before = apart.length;
    apart = solve_again();
  }
  if (!(apart.relative < kLost)) {
    step.impulses = start;
    close_joints<D>(joints, options_.drift.rate, dt, step);
    apart = solve_again();
    close_joints<D>(joints, options_.drift.rate, dt, step);  // as solved, for the work it did
  }
  world.metric(kApart) = apart.length;
  check_together(world, apart);
  return all;
}

void MoreauJean::check_together(const World& world, const Apart& apart) const {
  constexpr double kMost = 0.01;  // of the arms
  if (options_.most_unconverged == 0 || apart.relative < kMost) return;
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): the points of a joint are {:.3g} m apart, {:.2g} of the arms of its bodies; "
      "allowed is {}. A light body that carries a heavy one swings fast: lower /integrator/dt, or raise its mass. "
      "Accept gaps with \"max_unconverged_steps\": 0.",
      world.step + 1, world.time, apart.length, apart.relative, kMost));
}

void MoreauJean::book(World& world, const coulomb::Report& report, double work) {
  const bool converged = report.status == coulomb::Status::converged;
  world.metric(kSweeps) = report.sweeps;
  world.metric(kResidual) = report.error;
  world.metric(kUnconverged) += converged ? 0 : 1;
  world.metric(kInfeasible) = report.status == coulomb::Status::infeasible ? 1 : 0;
  double& in_a_row = world.metric(kInARow);
  in_a_row = converged ? 0 : in_a_row + 1;
  world.metric(kTakeOff) += static_cast<double>(report.branches.take_off);
  world.metric(kStick) += static_cast<double>(report.branches.stick);
  world.metric(kSlide) += static_cast<double>(report.branches.slide);
  world.metric(kNewton) += static_cast<double>(report.branches.newton);
  world.metric(kQuartic) += static_cast<double>(report.branches.quartic);
  world.metric(kUnsolved) += static_cast<double>(report.branches.unsolved);
  world.metric(kDriftWork) += work;
  if (options_.most_unconverged == 0 || in_a_row <= options_.most_unconverged) return;
  const bool infeasible = report.status == coulomb::Status::infeasible;
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): the contact impulses have not converged for {:.0f} steps in a row; {}", world.step + 1,
      world.time, in_a_row,
      infeasible ? std::string("no impulses can keep these bodies apart (walls that close on them?). Keep walls from "
                               "closing on bodies that cannot give way, or accept overlaps with a larger "
                               "\"max_unconverged_steps\"; 0 means any number of steps.")
                 : fmt::format("residual {:.3g} after {} sweeps, asked is {:.3g}. Raise /integrator/max_sweeps, lower "
                               "/integrator/dt, or accept it with a larger /integrator/tolerance or "
                               "\"max_unconverged_steps\": 0.",
                               report.error, report.sweeps, options_.solver.tolerance)));
}

}  // namespace scree::nonsmooth
