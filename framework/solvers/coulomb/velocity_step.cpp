#include "solvers/coulomb/velocity_step.hpp"

#include <Eigen/SparseCholesky>

namespace scree::coulomb {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Factors of a matrix whose pattern stays, and what they cost.
class Factors : Eigen::SimplicialLDLT<Sparse, Eigen::Lower> {
 public:
  explicit Factors(const Sparse& pattern) { analyzePattern(pattern); }

  bool factorise(const Sparse& matrix) {
    factorize(matrix);
    return info() == Eigen::Success;
  }
  Vector solve(const Vector& b) const { return SimplicialLDLT::solve(b); }

  double operations_to_factorise() const { return m_nonZerosPerCol.cast<double>().squaredNorm(); }
  double operations_to_solve() const { return 4 * m_nonZerosPerCol.cast<double>().sum(); }
};

Sparse identity(Eigen::Index rows) {
  Sparse one(rows, rows);
  one.setIdentity();
  return one;
}

template <int D>
class BodyStep final : public VelocityStep<D> {
 public:
  explicit BodyStep(const RigidProblem<D>& problem)
      : bodies_(problem),
        transpose_(bodies_.G.transpose()),
        stiffness_(Sparse(transpose_ * bodies_.G).triangularView<Eigen::Lower>()),
        identity_(identity(bodies_.G.cols())),
        factors_(identity_ + stiffness_) {}

  bool factorise(double rho) override {
    rho_ = rho;
    return factors_.factorise(identity_ + rho * stiffness_);
  }
  Vector velocity(const Vector& target) override {
    const Vector pull = rho_ * (transpose_ * (target - bodies_.c));
    return bodies_.G * factors_.solve(pull) + bodies_.c;
  }
  Vector velocity_of(const Vector& x) const override { return bodies_.G * (transpose_ * x) + bodies_.c; }
  const ScaledVariables<D>& variables() const override { return bodies_; }
  double operations_to_factorise() const override { return factors_.operations_to_factorise(); }
  double operations_to_solve() const override {
    return factors_.operations_to_solve() + 4 * static_cast<double>(bodies_.G.nonZeros());
  }

 private:
  ScaledBodies<D> bodies_;
  Sparse transpose_, stiffness_, identity_;
  Factors factors_;
  double rho_ = 1;
};

template <int D>
class DelassusStep final : public VelocityStep<D> {
 public:
  explicit DelassusStep(const DelassusProblem<D>& problem)
      : system_(problem),
        identity_(identity(system_.A.rows())),
        symmetric_(0.5 * (system_.A + Sparse(system_.A.transpose()))),
        skew_(system_.A - symmetric_),
        factors_(identity_ + symmetric_),
        x_(Vector::Zero(system_.A.rows())) {}

  bool factorise(double rho) override {
    rho_ = rho;
    return factors_.factorise(symmetric_ + (1 / rho) * identity_);
  }
  Vector velocity(const Vector& target) override {
    x_ = factors_.solve(target - system_.c - skew_ * x_);
    return target - x_ / rho_;
  }
  Vector velocity_of(const Vector& x) const override { return system_.A * x + system_.c; }
  const ScaledVariables<D>& variables() const override { return system_; }
  double operations_to_factorise() const override { return factors_.operations_to_factorise(); }
  double operations_to_solve() const override {
    return factors_.operations_to_solve() + 2 * static_cast<double>(skew_.nonZeros());
  }

 private:
  ScaledSystem<D> system_;
  Sparse identity_, symmetric_, skew_;
  Factors factors_;
  Vector x_;
  double rho_ = 1;
};

}  // namespace

template <int D>
std::unique_ptr<VelocityStep<D>> velocity_step(const RigidProblem<D>& problem) {
  return std::make_unique<BodyStep<D>>(problem);
}
template <int D>
std::unique_ptr<VelocityStep<D>> velocity_step(const DelassusProblem<D>& problem) {
  return std::make_unique<DelassusStep<D>>(problem);
}

template std::unique_ptr<VelocityStep<2>> velocity_step(const RigidProblem<2>&);
template std::unique_ptr<VelocityStep<3>> velocity_step(const RigidProblem<3>&);
template std::unique_ptr<VelocityStep<2>> velocity_step(const DelassusProblem<2>&);
template std::unique_ptr<VelocityStep<3>> velocity_step(const DelassusProblem<3>&);

}  // namespace scree::coulomb
