#pragma once
/// \file Algorithm 3: predict, minimise, finish. Holds what lasts from step to step and is no state: the pattern of the
/// Hessian, its memory, the linear solver.

#include <functional>

#include "solvers/newton/stages.hpp"

namespace scree::solvers {

/// What a step asks its owner for.
struct StepHooks {
  /// Moves driven bodies to where they are so long after the beginning of the step [s]: at its end, in its middle with
  /// Scheme::midpoint, at the end of a stage with Scheme::sdirk2. Bodies stand where rates are measured from. With
  /// Scheme::sdirk2 what is applied may be renewed here, in place.
  std::function<void(double reached)> drive = {};
  /// Scheme::sdirk2: bodies stand at the minimum. Whether terms have changed, so that a lower one is to be found.
  std::function<bool()> again = {};
};

class ImplicitStep {
 public:
  /// \param terms   beside inertia; must outlive this, and keep their pairs
  /// \param bodies  columns that must outlive this
  /// \param solver  see solver_names()
  /// \throws std::invalid_argument for BDF2 and SDIRK2 with bodies of unequal moments
  ImplicitStep(Scheme scheme, const BodyColumns& bodies, Unknowns unknowns, std::vector<const EnergyTerm*> terms,
               const MinimiseOptions& options, std::string_view solver = "auto");

  /// How velocities changed in the step before, per time: (bodies) each, or empty.
  struct Trend {
    std::span<const Vec3> acceleration;          ///< [m/s^2]
    std::span<const Vec3> angular_acceleration;  ///< world axes [rad/s^2]; see BodyColumns::times_inertia()
  };

  /// One step of length dt. A report that did not converge leaves the best iterate as the result: the caller decides.
  /// \param earlier  the state one step before for BDF2, empty on its first step
  /// \param trend    saves iterations where motion is smooth: the step that goes on like the one before is one of the
  ///                 states that Newton's method may start from
  MinimiseReport advance(const Motion& x, const Earlier& earlier, const Applied& applied, double dt,
                         const StepHooks& hooks = {}, const Trend& trend = {});

  const std::string& solver_choice() const { return choice_.reason; }
  const LinearSolver& solver() const { return *choice_.solver; }
  IncrementalPotential& potential() { return potential_; }
  /// a_ref of eq. (31) [m/s^2]
  void set_reference_acceleration(double a) { acceleration_ = a; }

 private:
  MinimiseReport advance_in_stages(const Motion& x, const Applied& applied, double dt, const StepHooks& hooks,
                                   const Trend& trend);
  MinimiseReport solve(Stage& stage, const Motion& x, const Applied& applied, const StepHooks& hooks,
                       const Trend& trend);
  Prediction alike(Scheme scheme, const Motion& x, const Earlier& earlier, const Trend& trend, double dt) const;
  void start(const Prediction& alike, Moving x);

  Scheme scheme_;
  BodyColumns bodies_;
  MinimiseOptions options_;
  double acceleration_ = 9.81;
  Prediction prediction_;
  InertiaTerm inertia_;
  IncrementalPotential potential_;
  BlockMatrix hessian_;
  SolverChoice choice_;
};

}  // namespace scree::solvers
