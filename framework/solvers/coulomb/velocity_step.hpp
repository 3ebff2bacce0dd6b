#pragma once
/// \file The linear half of an ADMM iteration: velocities drawn to a target by springs of strength rho in all contacts,
///   y = A x + c,  x = rho (t - y).
/// One sparse Cholesky factorisation serves all targets: of M + rho H^T H over the bodies' velocities, or of W + I/rho
/// where W is given.

#include <memory>

#include "solvers/coulomb/scaled_system.hpp"

namespace scree::coulomb {

template <int D>
class VelocityStep {
 public:
  using Vector = Eigen::VectorXd;

  virtual ~VelocityStep() = default;

  /// \return whether it went well
  virtual bool factorise(double rho) = 0;
  /// \pre factorise()
  virtual Vector velocity(const Vector& target) = 0;
  /// A x + c.
  virtual Vector velocity_of(const Vector& x) const = 0;
  virtual const ScaledVariables<D>& variables() const = 0;

  /// Floating-point operations, known before anything is factorised.
  virtual double operations_to_factorise() const = 0;
  virtual double operations_to_solve() const = 0;
};

template <int D>
std::unique_ptr<VelocityStep<D>> velocity_step(const RigidProblem<D>& problem);
/// The skew part of an unsymmetric W acts with the impulses of the iteration before.
template <int D>
std::unique_ptr<VelocityStep<D>> velocity_step(const DelassusProblem<D>& problem);

}  // namespace scree::coulomb
