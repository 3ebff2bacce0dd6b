#pragma once
/// \file The integrator "moreau-jean": velocities and impulses, one friction problem per step.

#include <memory>
#include <variant>
#include <vector>

#include "contact_problem.hpp"
#include "implicit/implicit_motion.hpp"
#include "joint_rows.hpp"
#include "problem_dump.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/integrate/integrator.hpp"
#include "solvers/coulomb/solve.hpp"

namespace scree::nonsmooth {

/// Solver of contacts of bodies that implicit bonds connect.
enum class BondedContacts {
  automatic,  ///< by how many there are per fragment
  sweeps,     ///< on their matrix
  split_admm  ///< without it
};

struct MoreauJeanOptions {
  coulomb::Options solver;
  bool warm_start = true;  ///< from the impulses of the step before
  DriftControl drift{0.2, 0};
  double margin = 0;  ///< [m] gaps up to this are in the problem; 0: what may close in the step (kMarginRatio)
  DumpOptions dump;
  int most_unconverged = 100;  ///< steps in a row, then the run stops; 0: never
  bool implicit_bonds = true;  ///< bonds of laws that offer energies are implicit; else they act by forces
  BondedContacts bonded_contacts = BondedContacts::automatic;
  int most_iterates = 30;          ///< largest number of iterates of Newton's method on implicit bonds, at least 2
  double newton_tolerance = 1e-2;  ///< see ImplicitMotion::residual()
};

/// Contacts and joints at x_n, with gaps; M (v_{n+1} - v_n) = dt f + H^T r with (u, r) in Coulomb's law; x_{n+1} = x_n
/// + dt v_{n+1}. First order in dt, no stiffness, and no limit on dt but accuracy. What u is bounded by:
/// normal_bound(). Bodies that bonds hold by energies move as ImplicitMotion says, in the same friction problem.
class MoreauJean : public Integrator {
 public:
  explicit MoreauJean(const MoreauJeanOptions& options) : options_(options) {}
  IntegratorTraits traits() const override;
  void columns(World& world) override;
  void step(Mechanics& mechanics, double dt) override;

 private:
  template <int D>
  void solve(World& world, std::span<const ConeContact> contacts, std::span<const Joint> joints,
             const Wrenches& external, double dt);
  template <int D>
  coulomb::Report solve(World& world, std::span<const Joint> joints, double dt, StepProblem<D>& step);
  /// \throws NumericalError  where the points of joints have come apart
  void check_together(const World& world, const Apart& apart) const;
  void book(World& world, const coulomb::Report& report, double drift_work);

  /// The bodies of implicit bonds, or null where there are none.
  ImplicitMotion* implicit_motion(Mechanics& mechanics);
  template <int D>
  void step_implicitly(Mechanics& mechanics, ImplicitMotion& motion, double dt);
  template <int D>
  std::span<const ConeContact> look_again(ImpulseProblem& impulses, World& world, const ImplicitMotion& motion,
                                          bool first, double dt);
  /// \param preferred  kept from solve to solve: 1, ADMM is tried first; 0, sweeps are; below 0, sweeps for so many
  /// solves
  template <int D>
  coulomb::Report solve_bonded(StepProblem<D>& step, ImplicitMotion& motion, const coulomb::Options& options,
                               double& preferred) const;
  void book_iterates(World& world, const ImplicitMotion& motion, int iterates, double residual);

  template <int D>
  StepProblem<D>& problem() {
    if (!std::holds_alternative<StepProblem<D>>(step_)) step_.emplace<StepProblem<D>>();
    return std::get<StepProblem<D>>(step_);
  }

  MoreauJeanOptions options_;
  std::variant<std::monostate, StepProblem<2>, StepProblem<3>> step_;  ///< memory kept from step to step
  std::vector<Vec3> impulses_;                                         ///< world axes [N s]
  std::unique_ptr<ImplicitMotion> motion_;                             ///< valid as long as bonds and rows are the same
};

}  // namespace scree::nonsmooth
