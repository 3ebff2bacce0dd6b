#include "solvers/coulomb/proximal.hpp"

#include <Eigen/SparseLU>

#include "solvers/coulomb/fischer_burmeister.hpp"

namespace scree::coulomb {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// The proximal problem of one outer step: y = (A + alpha I) x + shifted c.
template <int D>
class ProximalStep {
 public:
  ProximalStep(const ScaledSystem<D>& system, double alpha, const Vector& anchor)
      : system_(system), A_(system.A), c_(system.c - alpha * anchor) {
    A_.diagonal().array() += alpha;
  }

  Vector velocity(const Vector& x) const { return A_ * x + c_; }

  /// phi of every contact.
  Vector residual(const Vector& x, const Vector& y) const {
    Vector phi(x.size());
    for (std::size_t i = 0; i < system_.size(); ++i) {
      const double mu = system_.friction[i];
      phi.segment<D>(D * i) = fischer_burmeister<D>(ConePair<D>(x.segment<D>(D * i), y.segment<D>(D * i), mu), mu);
    }
    return phi;
  }

  /// d phi / d x = B_x + B_y A, block rows of A times a small matrix each.
  Sparse jacobian(const Vector& x, const Vector& y) const {
    const std::size_t n = system_.size();
    std::vector<Mat<D>> by_x(n), by_y(n);
    for (std::size_t i = 0; i < n; ++i) {
      contact_derivatives<D>(x.segment<D>(D * i), y.segment<D>(D * i), system_.friction[i], by_x[i], by_y[i]);
    }
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(D * A_.nonZeros() + D * D * n);
    for (int column = 0; column < A_.outerSize(); ++column) {
      for (Sparse::InnerIterator entry(A_, column); entry; ++entry) {
        const Eigen::Index i = entry.row() / D;
        const Vec<D> scaled = by_y[i].col(entry.row() % D) * entry.value();
        for (int a = 0; a < D; ++a) entries.emplace_back(D * i + a, column, scaled[a]);
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (int a = 0; a < D; ++a) {
        for (int b = 0; b < D; ++b) entries.emplace_back(D * i + a, D * i + b, by_x[i](a, b));
      }
    }
    Sparse jacobian(x.size(), x.size());
    jacobian.setFromTriplets(entries.begin(), entries.end());
    return jacobian;
  }

 private:
  const ScaledSystem<D>& system_;
  Sparse A_;
  Vector c_;
};

/// Newton's method with a line search that looks back over a few steps: |phi|^2 need not fall every time.
/// \param x  in: the start, out: the end
/// \return factorisations
template <int D>
int newton_on_all(const ProximalStep<D>& step, Vector& x, double target, int most) {
  constexpr int kMemory = 5, kHalvings = 10;
  Eigen::SparseLU<Sparse> factors;
  Vector y = step.velocity(x), phi = step.residual(x, y);
  std::vector<double> merits{phi.squaredNorm()};
  int done = 0;
  for (; done < most && phi.norm() > target; ++done) {
    const Sparse jacobian = step.jacobian(x, y);
    if (done == 0) factors.analyzePattern(jacobian);
    factors.factorize(jacobian);
    if (factors.info() != Eigen::Success) return done + 1;
    const Vector move = factors.solve(-phi);
    if (!move.allFinite()) return done + 1;
    const std::size_t back = std::min<std::size_t>(merits.size(), kMemory);
    const double reference = *std::max_element(merits.end() - static_cast<std::ptrdiff_t>(back), merits.end());
    double length = 1;
    Vector trial;
    for (int halving = 0; halving < kHalvings; ++halving, length *= 0.5) {
      trial = x + length * move;
      y = step.velocity(trial);
      phi = step.residual(trial, y);
      if (phi.squaredNorm() <= (1 - 1e-4 * length) * reference) break;
    }
    x = trial;
    merits.push_back(phi.squaredNorm());
  }
  return done;
}

}  // namespace

template <int D>
int solve_proximal(const ScaledSystem<D>& system, std::span<const Vec<D>> impulses, const ProximalOptions& options,
                   const Judgement<D>& judge) {
  constexpr double kFirst = 1e-2, kShrink = 0.2, kLast = 1e-8, kInner = 1e-2;
  constexpr int kNewtonSteps = 30;
  Vector x = system.scaled(impulses);
  double alpha = kFirst, error = judge(impulses);
  int done = 0;
  while (error > options.tolerance && done < options.max_factorisations) {
    const ProximalStep<D> step(system, alpha, x);
    const double start = step.residual(x, step.velocity(x)).norm();
    Vector next = x;
    const int steps = newton_on_all<D>(step, next, kInner * start, kNewtonSteps);
    done += std::max(steps, 1);
    const double now = judge(system.impulses(next));
    const bool arrived = step.residual(next, step.velocity(next)).norm() <= kInner * start;
    if (next.allFinite() && (arrived || now < error)) x = next;
    error = now;
    alpha = arrived ? std::max(kLast, kShrink * alpha) : std::min(10.0, alpha * 10);
  }
  return done;
}

template int solve_proximal(const ScaledSystem<2>&, std::span<const Vec<2>>, const ProximalOptions&,
                            const Judgement<2>&);
template int solve_proximal(const ScaledSystem<3>&, std::span<const Vec<3>>, const ProximalOptions&,
                            const Judgement<3>&);

}  // namespace scree::coulomb
