/// \file Steps of "moreau-jean" with implicit bonds.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "implicit/implicit_problem.hpp"
#include "implicit/iterate_metrics.hpp"
#include "implicit/shared_ends.hpp"
#include "implicit/split_admm.hpp"
#include "moreau_jean.hpp"
#include "scree/base/error.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/integrate/kick_and_drift.hpp"

namespace scree::nonsmooth {

namespace {

/// A step with a larger residual is far from solved, and a run does not go on with many of them.
constexpr double kFarFromSolved = 100;
constexpr int kMostFarFromSolved = 20;

/// Blocks of W per contact from which ADMM without W is tried first.
constexpr std::size_t kSplitFrom = 60;
/// Below that, a way that takes more sweeps or iterations than this is left for the other one.
constexpr int kMany = 100;
/// ADMM that has not arrived after so many is given up, and not tried for as many solves as kMany says.
constexpr int kMostTried = 200;

}  // namespace

ImplicitMotion* MoreauJean::implicit_motion(Mechanics& mechanics) {
  if (!options_.implicit_bonds) return nullptr;
  ImpulseProblem& impulses = ability<ImpulseProblem>(mechanics);
  if (impulses.bond_terms().empty()) return nullptr;
  if (!motion_ || motion_->version() != impulses.bonds_version()) {
    World& world = mechanics.world();
    motion_ = std::make_unique<ImplicitMotion>(world, impulses);
    constexpr const char* kInstead =
        "beside implicit bonds. Set \"bonds\": \"explicit\" in /integrator, and lower dt to what the bonds need.";
    if (motion_->fragments() > 0 && !impulses.joints().empty())
      throw NumericalError(fmt::format("integrator \"moreau-jean\" does not solve joints {}", kInstead));
    if (motion_->fragments() > 0 && !world.members().empty())
      throw NumericalError(
          fmt::format("integrator \"moreau-jean\" does not move bodies that ride on others {}", kInstead));
  }
  return motion_->fragments() > 0 ? motion_.get() : nullptr;
}

/// Contacts that may close as bodies move: in the first iterate without impulses, then with those found so far.
template <int D>
std::span<const ConeContact> MoreauJean::look_again(ImpulseProblem& impulses, World& world,
                                                    const ImplicitMotion& motion, bool first, double dt) {
  StepProblem<D>& step = problem<D>();
  step.bodies = step.problem.bodies;
  if (!first) coulomb::add_impulses(step.problem, step.impulses, step.bodies);
  std::vector<Vec3> velocity(world.size()), spin(world.size());
  for (std::uint32_t i = 0; i < velocity.size(); ++i) {
    const bool bonded = motion.place(i).fragment != ImplicitMotion::Place::kNone;
    const PointMotion moves = !bonded ? PointMotion{space(step.bodies[i].velocity), about_axes(step.bodies[i].spin)}
                              : first ? motion.without_contacts(i)
                                      : motion.so_far(i);
    velocity[i] = moves.velocity;
    spin[i] = moves.spin;
  }
  return impulses.contacts(dt, {velocity, spin});
}

/// By sweeps where ADMM is not chosen or does not arrive.
template <int D>
coulomb::Report MoreauJean::solve_bonded(StepProblem<D>& step, ImplicitMotion& motion, const coulomb::Options& options,
                                         double& preferred) const {
  const bool automatic = options_.bonded_contacts == BondedContacts::automatic;
  const std::size_t contacts = step.problem.size(), blocks = bonded_blocks(step, motion);
  const bool many_blocks = blocks > kSplitFrom * contacts, learns = automatic && !many_blocks;
  coulomb::Report split;
  if (options_.bonded_contacts == BondedContacts::split_admm || (automatic && (many_blocks || preferred > 0))) {
    coulomb::Options limited = options;
    if (learns) limited.max_sweeps = std::min(limited.max_sweeps, kMostTried);
    split = solve_split(step, motion, limited);
    const bool converged = split.status == coulomb::Status::converged;
    if (learns) preferred = !converged ? -kMany : split.iterations > kMany ? 0 : 1;
    const bool possible = automatic && blocks <= kMostBlocks;
    if (converged || !possible) return split;
  }
  coulomb::Report report = coulomb::solve(implicit_problem(step, motion), step.impulses, options);
  if (learns) {
    if (preferred < 0)
      ++preferred;
    else if (report.sweeps > kMany)
      preferred = 1;
  }
  report.iterations = split.iterations;
  return report;
}

template <int D>
void MoreauJean::step_implicitly(Mechanics& mechanics, ImplicitMotion& motion, double dt) {
  World& world = mechanics.world();
  ImpulseProblem& impulses = ability<ImpulseProblem>(mechanics);
  StepProblem<D>& step = problem<D>();
  StepContacts contacts;
  motion.shared_ends().thin(world, impulses.contacts(dt), contacts);
  // What pressed between walls that close must not become the scale of the next step.
  const bool cold = !options_.warm_start || world.metric(kInfeasible) > 0;
  const auto set_up_contacts = [&] {
    set_up<D>(world, contacts.solved, impulses.external(), options_.drift, dt, step);
    if (cold) std::fill(step.impulses.begin(), step.impulses.end(), coulomb::Vec<D>::Zero());
  };
  impulses.begin_bonds(dt);
  motion.begin(world, impulses.external(), dt);
  set_up_contacts();

  coulomb::Options options = options_.solver;
  options.threads = omp_get_max_threads();
  coulomb::Report all;
  all.status = coulomb::Status::converged;
  std::vector<Wrench> pushes(world.size());
  const auto push = [&] {
    std::fill(pushes.begin(), pushes.end(), Wrench{});
    add_pushes(step, dt, pushes);
  };
  push();
  int iterates = 0;
  double residual = HUGE_VAL;
  while (iterates < options_.most_iterates && (iterates < 2 || !(residual < options_.newton_tolerance))) {
    world.metric(kIndefinite) += static_cast<double>(motion.linearise(pushes));
    if (++iterates <= 2) {
      const Carried carried(contacts.solved, step);
      motion.shared_ends().thin(world, look_again<D>(impulses, world, motion, iterates == 1, dt), contacts);
      set_up_contacts();
      carried.hand_over(contacts.solved, step);
    }
    if (iterates == 2 && dump_is_due(options_.dump, world, dt, contacts.solved.size()))
      dump<D>(options_.dump, world, dt, implicit_problem(step, motion), step.impulses);
    if (!contacts.solved.empty()) {
      const coulomb::Report report = solve_bonded(step, motion, options, world.metric(kSplitPreferred));
      all.status = report.status;
      all.error = report.error;
      all.sweeps += report.sweeps;
      all.iterations += report.iterations;
      all.branches += report.branches;
    }
    push();
    motion.move(pushes);
    residual = motion.residual(pushes);
  }
  std::vector<Vec3> solved(contacts.solved.size());
  to_world<D>(step, solved);
  impulses_.assign(contacts.list, Vec3::Zero());
  for (std::size_t k = 0; k < solved.size(); ++k) impulses_[contacts.listed[k]] = solved[k];
  book(world, all, drift_work<D>(step));
  book_iterates(world, motion, iterates, residual);
  world.metric(kSplitIterations) = all.iterations;
  impulses.accept(impulses_, dt);
  kick_and_drift(world, mechanics.last_forces(), dt, dt);
  impulses.accept_bonds(motion.bond_wrenches());
  motion.finish(world);
  world.move_prescribed(world.time + dt);
  mechanics.commit();
}

template void MoreauJean::step_implicitly<2>(Mechanics&, ImplicitMotion&, double);
template void MoreauJean::step_implicitly<3>(Mechanics&, ImplicitMotion&, double);

void MoreauJean::book_iterates(World& world, const ImplicitMotion& motion, int iterates, double residual) {
  world.metric(kIterates) = iterates;
  world.metric(kIteratesTotal) += iterates;
  world.metric(kIterateResidual) = residual;
  world.metric(kStretch) = motion.stretch();
  double& in_a_row = world.metric(kFarOff);
  in_a_row = residual < kFarFromSolved ? 0 : in_a_row + 1;
  if (in_a_row < kMostFarFromSolved) return;
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): forces of bonds have been out of balance by more than {:.3g} weights for {} steps in a "
      "row, now by {:.3g}. Lower /integrator/dt, or raise /integrator/newton_iterations.",
      world.step + 1, world.time, kFarFromSolved, kMostFarFromSolved, residual));
}

}  // namespace scree::nonsmooth
