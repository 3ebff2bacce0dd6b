#include "measure/constrained.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <cmath>

#include "beam/ambient.hpp"
#include "scree/base/clock.hpp"

namespace scree::bonded {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Triplets = std::vector<Eigen::Triplet<double>>;

/// Coordinates: (p, q) of row k at 7 k, q as (x, y, z, w); multipliers behind all of them.
constexpr Eigen::Index kPerBody = 7;

/// Phi of R^3 x R^4, its gradient and Hessian.
class AmbientPotential {
 public:
  AmbientPotential(const BondColumns& bonds, const InertiaTerm::Columns& inertia, const Unknowns& unknowns,
                   const Configuration& driven)
      : bonds_(bonds), inertia_(inertia), unknowns_(unknowns), driven_(driven) {}

  Eigen::Index size() const { return kPerBody * static_cast<Eigen::Index>(unknowns_.rows()); }

  double energy(const BlockVector& z) const {
    double sum = 0;
    for (std::size_t row = 0; row < unknowns_.rows(); ++row) {
      const std::uint32_t i = unknowns_.body[row];
      sum += 0.5 / (inertia_.step * inertia_.step) *
             (inertia_.mass[i] * (position(z, i) - inertia_.position[i]).squaredNorm() +
              4 * inertia_.moment[i] * (rotation(z, i) - inertia_.orientation[i].coeffs()).squaredNorm());
    }
    for (std::size_t k = 0; k < bonds_.size(); ++k) sum += bond(z, k).energy;
    return sum;
  }

  void derivatives(const BlockVector& z, BlockVector& gradient, Triplets& hessian) const {
    gradient.setZero(size());
    hessian.clear();
    const double scale = 1 / (inertia_.step * inertia_.step);
    for (std::size_t row = 0; row < unknowns_.rows(); ++row) {
      const std::uint32_t i = unknowns_.body[row];
      const auto at = kPerBody * static_cast<Eigen::Index>(row);
      gradient.segment<3>(at) += scale * inertia_.mass[i] * (position(z, i) - inertia_.position[i]);
      gradient.segment<4>(at + 3) +=
          4 * scale * inertia_.moment[i] * (rotation(z, i) - inertia_.orientation[i].coeffs());
      for (int c = 0; c < kPerBody; ++c)
        hessian.emplace_back(at + c, at + c, scale * (c < 3 ? inertia_.mass[i] : 4 * inertia_.moment[i]));
    }
    for (std::size_t k = 0; k < bonds_.size(); ++k) {
      const AmbientBond<double> v = bond(z, k);
      const std::uint32_t rows[2] = {unknowns_.row[bonds_.a[k]], unknowns_.row[bonds_.b[k]]};
      for (int side = 0; side < 2; ++side) {
        if (rows[side] == Unknowns::kNone) continue;
        const auto at = kPerBody * static_cast<Eigen::Index>(rows[side]);
        gradient.segment<kPerBody>(at) += v.gradient.segment<kPerBody>(kPerBody * side);
        for (int other = 0; other < 2; ++other) {
          if (rows[other] == Unknowns::kNone) continue;
          const auto to = kPerBody * static_cast<Eigen::Index>(rows[other]);
          for (int r = 0; r < kPerBody; ++r)
            for (int c = 0; c < kPerBody; ++c)
              hessian.emplace_back(at + r, to + c, v.hessian(kPerBody * side + r, kPerBody * other + c));
        }
      }
    }
  }

 private:
  Vec3 position(const BlockVector& z, std::uint32_t i) const {
    const std::uint32_t row = unknowns_.row[i];
    return row == Unknowns::kNone ? driven_.position[i] : Vec3(z.segment<3>(kPerBody * static_cast<Eigen::Index>(row)));
  }
  Ambient4<double> rotation(const BlockVector& z, std::uint32_t i) const {
    const std::uint32_t row = unknowns_.row[i];
    if (row == Unknowns::kNone) return driven_.orientation[i].coeffs();
    return z.segment<4>(kPerBody * static_cast<Eigen::Index>(row) + 3);
  }
  AmbientBond<double> bond(const BlockVector& z, std::size_t k) const {
    const std::uint32_t a = bonds_.a[k], b = bonds_.b[k];
    return ambient_bond<double>(position(z, b) - position(z, a), rotation(z, a), rotation(z, b), bonds_.rest[k],
                                {bonds_.stretch[k], bonds_.shear[k], bonds_.twist[k], bonds_.bend[k]},
                                bonds_.rest_length[k]);
  }

  const BondColumns& bonds_;
  const InertiaTerm::Columns& inertia_;
  const Unknowns& unknowns_;
  Configuration driven_;
};

auto rotation_of(BlockVector& z, Eigen::Index row) { return z.segment<4>(kPerBody * row + 3); }
auto rotation_of(const BlockVector& z, Eigen::Index row) { return z.segment<4>(kPerBody * row + 3); }

/// C of every row.
BlockVector violations(const BlockVector& z) {
  BlockVector c(z.size() / kPerBody);
  for (Eigen::Index row = 0; row < c.size(); ++row) c[row] = 0.5 * (rotation_of(z, row).squaredNorm() - 1);
  return c;
}

Sparse assembled(Eigen::Index size, const Triplets& entries) {
  Sparse m(size, size);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

/// H D = -g, H raised along its diagonal until it is positive definite.
BlockVector positive_step(Sparse h, const BlockVector& gradient) {
  double largest = 0;
  for (Eigen::Index k = 0; k < h.rows(); ++k) largest = std::max(largest, h.coeff(k, k));
  for (double raise = 0;; raise = raise == 0 ? 1e-8 * largest : 10 * raise) {
    Sparse raised = h;
    if (raise > 0)
      for (Eigen::Index k = 0; k < h.rows(); ++k) raised.coeffRef(k, k) += raise;
    const Eigen::SimplicialLLT<Sparse> factor(raised);
    if (factor.info() == Eigen::Success) return factor.solve(-gradient);
    if (raise > largest) return -gradient / largest;
  }
}

/// One method's state: coordinates, multipliers, penalty.
class Constrained {
 public:
  Constrained(const AmbientPotential& phi, const ConstrainedOptions& options, const BlockVector& start)
      : phi_(phi), options_(options), z_(start), lambda_(BlockVector::Zero(start.size() / kPerBody)) {
    phi_.derivatives(z_, gradient_, entries_);
    const Sparse h = assembled(phi_.size(), entries_);
    double largest = 0;
    for (Eigen::Index row = 0; row < lambda_.size(); ++row)
      for (int c = 3; c < kPerBody; ++c) largest = std::max(largest, h.coeff(kPerBody * row + c, kPerBody * row + c));
    if (options_.method == Constraint::penalty || options_.method == Constraint::augmented)
      stiffness_ = options_.penalty * largest;
  }

  const BlockVector& coordinates() const { return z_; }

  /// \return the step length taken, 0 when none goes down
  double advance() {
    phi_.derivatives(z_, gradient_, entries_);
    if (options_.method == Constraint::projected) return advance_projected();
    if (options_.method == Constraint::multiplier) return advance_multiplier();
    return advance_penalty();
  }

 private:
  /// P = I - q q^T on both sides, the curvature of the sphere, and q q^T where P leaves nothing: (P.47) to (P.51).
  double advance_projected() {
    Sparse projector(z_.size(), z_.size()), along(z_.size(), z_.size()), bend(z_.size(), z_.size());
    Triplets p, a, b;
    for (Eigen::Index row = 0; row < lambda_.size(); ++row) {
      const Ambient4<double> q = rotation_of(z_, row);
      const double curvature = q.dot(rotation_of(gradient_, row));
      for (int r = 0; r < 3; ++r) p.emplace_back(kPerBody * row + r, kPerBody * row + r, 1);
      for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) {
          const Eigen::Index i = kPerBody * row + 3 + r, j = kPerBody * row + 3 + c;
          const double outer = q[r] * q[c], rest = (r == c) - outer;
          p.emplace_back(i, j, rest);
          a.emplace_back(i, j, outer * std::abs(curvature) + outer);
          b.emplace_back(i, j, -curvature * rest);
        }
    }
    projector.setFromTriplets(p.begin(), p.end());
    along.setFromTriplets(a.begin(), a.end());
    bend.setFromTriplets(b.begin(), b.end());
    const Sparse h = Sparse(projector * assembled(z_.size(), entries_)) * projector + bend + along;
    const BlockVector g = projector * gradient_, step = positive_step(h, g);
    const BlockVector start = z_;
    // (P.44), (P.45): along geodesics.
    const auto go = [&](double alpha) {
      z_ = start + alpha * step;
      for (Eigen::Index row = 0; row < lambda_.size(); ++row) {
        const Ambient4<double> d = alpha * rotation_of(step, row), q = rotation_of(start, row);
        const double angle = d.norm();
        rotation_of(z_, row) = (std::cos(angle) * q + (angle > 1e-12 ? std::sin(angle) / angle : 1.0) * d).normalized();
      }
    };
    return search(go, g.dot(step));
  }

  /// Gradient of Phi + l C + k/2 |C|^2.
  BlockVector held_gradient(const BlockVector& c) const {
    BlockVector g = gradient_;
    for (Eigen::Index row = 0; row < c.size(); ++row)
      rotation_of(g, row) += (lambda_[row] + stiffness_ * c[row]) * rotation_of(z_, row);
    return g;
  }

  /// l += k C once the problem with the present l is solved well enough, or down to rounding.
  bool move_multipliers(double size, const BlockVector& c) {
    if (inner_ == 0) inner_ = size;
    const bool solved = size<options_.inner * inner_, stalled = ++since_> 2 && size > 0.5 * before_;
    before_ = size;
    if (!solved && !stalled) return false;
    lambda_ += stiffness_ * c;
    inner_ = size;
    since_ = 0;
    return true;
  }

  double advance_penalty() {
    const BlockVector c = violations(z_);
    BlockVector g = held_gradient(c);
    if (options_.method == Constraint::augmented && move_multipliers(g.norm(), c)) g = held_gradient(c);
    for (Eigen::Index row = 0; row < c.size(); ++row) {
      const Ambient4<double> q = rotation_of(z_, row);
      const double pull = lambda_[row] + stiffness_ * c[row];
      for (int r = 0; r < 4; ++r)
        for (int s = 0; s < 4; ++s)
          entries_.emplace_back(kPerBody * row + 3 + r, kPerBody * row + 3 + s,
                                stiffness_ * q[r] * q[s] + (r == s ? pull : 0.0));
    }
    const BlockVector step = positive_step(assembled(z_.size(), entries_), g), start = z_;
    return search([&](double alpha) { z_ = start + alpha * step; }, g.dot(step));
  }

  /// [[H + l, q], [q^T, 0]] (dz, dl) = -(g + l q, C), halved until the residual of both falls.
  double advance_multiplier() {
    const BlockVector c = violations(z_);
    BlockVector right(z_.size() + c.size());
    for (Eigen::Index row = 0; row < c.size(); ++row) {
      const Ambient4<double> q = rotation_of(z_, row);
      for (int r = 0; r < 4; ++r) {
        const Eigen::Index i = kPerBody * row + 3 + r, j = z_.size() + row;
        entries_.emplace_back(i, i, lambda_[row]);
        entries_.emplace_back(i, j, q[r]);
        entries_.emplace_back(j, i, q[r]);
      }
    }
    right << -lagrangian_gradient(gradient_, z_, lambda_), -c;
    Eigen::SparseLU<Sparse> factor(assembled(right.size(), entries_));
    if (factor.info() != Eigen::Success) return 0;
    const BlockVector step = factor.solve(right), start = z_, lambda = lambda_;
    // Gradients and violations in units of their first values.
    if (first_gradient_ == 0) first_gradient_ = right.head(z_.size()).norm();
    const auto merit = [&](const BlockVector& g, const BlockVector& at) {
      return std::hypot(g.norm() / first_gradient_, at.norm());
    };
    const double before = merit(right.head(z_.size()), c);
    Triplets unused;
    double alpha = 1;
    for (int halving = 0; halving <= options_.line_search.halvings; ++halving, alpha *= 0.5) {
      z_ = start + alpha * step.head(z_.size());
      lambda_ = lambda + alpha * step.tail(c.size());
      phi_.derivatives(z_, gradient_, unused);
      if (merit(lagrangian_gradient(gradient_, z_, lambda_), violations(z_)) < before) return alpha;
    }
    return 0;
  }

  static BlockVector lagrangian_gradient(const BlockVector& g, const BlockVector& z, const BlockVector& lambda) {
    BlockVector l = g;
    for (Eigen::Index row = 0; row < lambda.size(); ++row) rotation_of(l, row) += lambda[row] * rotation_of(z, row);
    return l;
  }

  double merit_energy() const {
    const BlockVector c = violations(z_);
    return phi_.energy(z_) + lambda_.dot(c) + 0.5 * stiffness_ * c.squaredNorm();
  }

  /// Armijo with halving on Phi and what holds the constraint.
  template <class Go>
  double search(Go&& go, double slope) {
    go(0);
    const double before = merit_energy();
    double alpha = 1;
    for (int halving = 0; halving <= options_.line_search.halvings; ++halving, alpha *= 0.5) {
      go(alpha);
      const bool lost = -alpha * slope < options_.line_search.lost * std::abs(before);
      if (lost || merit_energy() - before <= options_.line_search.slope * alpha * slope) return alpha;
    }
    go(0);
    return 0;
  }

  const AmbientPotential& phi_;
  const ConstrainedOptions& options_;
  BlockVector z_, lambda_, gradient_;
  Triplets entries_;
  double stiffness_ = 0, first_gradient_ = 0;
  double inner_ = 0, before_ = 0;  ///< augmented: gradient when multipliers last moved, and of the last iterate
  int since_ = 0;                  ///< iterations since they moved
};

}  // namespace

ConstrainedReport minimise_constrained(const BondColumns& bonds, const InertiaTerm::Columns& inertia,
                                       const Unknowns& unknowns, const ResidualScale& scale,
                                       const ConstrainedOptions& options, Moving x) {
  const double began = clock_seconds();
  const AmbientPotential phi(bonds, inertia, unknowns, x);
  const BondTerm bond_term(bonds, x.position.size());
  const InertiaTerm inertia_term(inertia);
  IncrementalPotential reduced(unknowns, {&inertia_term, &bond_term});
  BlockVector z(phi.size()), gradient;
  for (std::size_t row = 0; row < unknowns.rows(); ++row)
    z.segment<kPerBody>(kPerBody * static_cast<Eigen::Index>(row)) << x.position[unknowns.body[row]],
        x.orientation[unknowns.body[row]].coeffs();
  Constrained method(phi, options, z);
  ConstrainedReport report;
  MinimiseReport& descent = report.descent;
  reduced.set_base(x);
  for (;; ++descent.iterations) {
    const BlockVector& now = method.coordinates();
    for (std::size_t row = 0; row < unknowns.rows(); ++row) {
      const auto k = static_cast<Eigen::Index>(row);
      x.position[unknowns.body[row]] = now.segment<3>(kPerBody * k);
      x.orientation[unknowns.body[row]].coeffs() = rotation_of(now, k).normalized();
    }
    reduced.gradient(x, gradient);
    descent.residual = residual_of(gradient, unknowns, scale);
    descent.energy_change = reduced.change(x);
    Iterate iterate;
    iterate.residual = descent.residual;
    iterate.energy = descent.energy_change;
    iterate.seconds = clock_seconds() - began;
    descent.history.push_back(iterate);
    report.violation.push_back(violations(now).cwiseAbs().maxCoeff());
    descent.converged = descent.residual <= options.tolerance;
    if (descent.converged) return descent.stopped = "converged", report;
    descent.stopped = std::isfinite(descent.residual) ? "iterations" : "not finite";
    if (descent.iterations >= options.max_iterations || !std::isfinite(descent.residual)) return report;
    const double step = method.advance();
    descent.history.back().step = step;
    if (step == 0) {
      descent.stopped = "line search";
      return report;
    }
  }
}

}  // namespace scree::bonded
