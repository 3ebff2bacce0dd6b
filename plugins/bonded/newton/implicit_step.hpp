#pragma once
/// \file Algorithm 3: predict, minimise, finish. Holds what lasts from step to step and is no state: the pattern of the
/// Hessian, its memory, the linear solver.

#include <functional>

#include "newton/time_step.hpp"

namespace scree::bonded {

class ImplicitStep {
 public:
  /// \param terms   beside inertia; must outlive this, and keep their pairs
  /// \param bodies  columns that must outlive this
  /// \param solver  see solver_names()
  /// \throws std::invalid_argument for BDF2 with bodies of unequal moments
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
  /// \param drive    called after the prediction, moves driven bodies to where they are at the time of the minimum: the
  ///                 end of the step, or its middle with Scheme::midpoint
  MinimiseReport advance(const Motion& x, const Earlier& earlier, const Applied& applied, double dt,
                         const std::function<void()>& drive = {}, const Trend& trend = {});

  const std::string& solver_choice() const { return choice_.reason; }
  const LinearSolver& solver() const { return *choice_.solver; }
  IncrementalPotential& potential() { return potential_; }
  /// a_ref of eq. (31) [m/s^2]
  void set_reference_acceleration(double a) { acceleration_ = a; }

 private:
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

}  // namespace scree::bonded
