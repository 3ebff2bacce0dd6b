#pragma once
/// \file The linear half of an interior-point iteration: (A + B) x = b, with a small block of B for every contact,
/// neither symmetric nor definite. One sparse LU factorisation each: of (B G; G^T -I), contacts beside the bodies'
/// velocities, or of A + B where W is given.
///
/// Here A, c, x, y are those of ScaledVariables, and tangential rows once more times mu_i: cones of impulses are then
/// self-dual, |x_T| <= x_N, and a contact without friction is no exception.

#include <memory>

#include "solvers/coulomb/scaled_system.hpp"

namespace scree::coulomb {

template <int D>
class BarrierSystem {
 public:
  using Vector = Eigen::VectorXd;

  virtual ~BarrierSystem() = default;

  /// A x.
  virtual Vector times(const Vector& x) const = 0;
  /// \param blocks  (contacts) of B, with positive determinants
  /// \return the sign of det(A + B); 0 where it went wrong
  virtual int factorise(std::span<const Mat<D>> blocks) = 0;
  /// \pre factorise()
  virtual Vector solve(const Vector& b) const = 0;

  const Vector& c() const { return c_; }
  std::size_t size() const { return scale_.size(); }
  /// N s.
  std::vector<Vec<D>> impulses(const Vector& x) const;
  /// x of impulses in the cone [N s].
  Vector variables(std::span<const Vec<D>> impulses) const;

  /// Floating-point operations of a factorisation, known before anything is factorised.
  virtual double operations_to_factorise() const = 0;

 protected:
  explicit BarrierSystem(const ScaledVariables<D>& variables);

 private:
  Vector c_;
  std::vector<Vec<D>> scale_;  ///< (contacts) impulses are scale times x
};

template <int D>
std::unique_ptr<BarrierSystem<D>> barrier_system(const RigidProblem<D>& problem);
template <int D>
std::unique_ptr<BarrierSystem<D>> barrier_system(const DelassusProblem<D>& problem);

}  // namespace scree::coulomb
