#pragma once
/// \file For the tests: small random problems, and the same as dense matrices, made without cone_coordinates.hpp.

#include <numeric>
#include <vector>

#include "solvers/coulomb/test_problems.hpp"
#include "solvers/drucker_prager/solve.hpp"

namespace scree::continuum::test {

using coulomb::test::Random;

template <int D>
struct RandomProblem {
  static constexpr int kNodes = D == 2 ? 12 : 30, kRows = 6;

  std::vector<Vec<D>> velocity, inverse_mass, start;
  std::vector<StrainRow<D>> rows;

  /// \param viscous  every other row has a viscosity
  explicit RandomProblem(std::uint64_t seed, bool viscous = false) {
    Random random(seed);
    for (int i = 0; i < kNodes; ++i) {
      velocity.push_back(random.vector<D>());
      start.push_back(random.vector<D>());
      inverse_mass.push_back(Vec<D>::Constant(std::exp(random.normal())));
      if (i % 5 == 0) inverse_mass.back()[i % D] = 0;
      if (i % 7 == 0) inverse_mass.back().setZero();
    }
    for (int j = 0; j < kRows; ++j) rows.push_back(random_row(random));
    if (!viscous) return;
    for (int j = 0; j < kRows; j += 2) rows[j].viscosity = std::exp(random.normal());
  }

  StrainProblem<D> problem() const {
    StrainProblem<D> p;
    p.velocity = velocity, p.inverse_mass = inverse_mass, p.start_velocity = start, p.strain = rows;
    p.pressure = 1, p.face = 1;
    return p;
  }

 private:
  static StrainRow<D> random_row(Random& random) {
    std::vector<std::uint32_t> nodes(kNodes);
    std::iota(nodes.begin(), nodes.end(), 0u);
    StrainRow<D> row;
    for (int n = 0; n < kNeighbours<D>; ++n) {
      const auto other = n + static_cast<int>(random.uniform(0, kNodes - n));
      std::swap(nodes[n], nodes[other]);
      row.node[n] = random.uniform(0, 1) < 0.3 ? kNoNode : nodes[n];
      row.g[n] = random.vector<D>();
    }
    row.k = std::fmax(0, random.normal());
    row.friction = random.uniform(0.1, 1);
    row.apex = std::fmax(0, random.normal());
    return row;
  }
};

/// u = u* + C s, gamma = C' s + q: with tensors of an orthonormal basis of our own.
template <int D>
struct DenseProblem {
  static constexpr int S = kStress<D>;
  Eigen::MatrixXd b, move;  ///< gamma = b u + k, u = u* + move s
  Eigen::VectorXd k, free;
  std::vector<double> friction, apex;
  Eigen::VectorXd fluidity;  ///< 1 / c of each component that has a viscous stress, 0 of the others

  explicit DenseProblem(const RandomProblem<D>& from) {
    const auto basis = random_basis();
    const auto rows = static_cast<Eigen::Index>(from.rows.size()), nodes = Eigen::Index(from.velocity.size());
    b.setZero(S * rows, D * nodes), move.setZero(D * nodes, S * rows), k.setZero(S * rows), free.resize(D * nodes);
    fluidity.setZero(S * rows);
    for (Eigen::Index i = 0; i < nodes; ++i) free.segment<D>(D * i) = from.velocity[i];
    for (Eigen::Index j = 0; j < rows; ++j) {
      const StrainRow<D>& row = from.rows[j];
      k[S * j] = row.k;
      friction.push_back(row.friction), apex.push_back(row.apex);
      if (row.viscosity > 0) fluidity.segment<S - 1>(S * j + 1).setConstant(1 / row.viscosity);
      for (int n = 0; n < kNeighbours<D>; ++n) {
        const Eigen::Index i = row.node[n];
        if (row.node[n] == kNoNode) continue;
        for (int a = 0; a < S; ++a) {
          // E : sym(u (x) g) / 2 = (E g) . u / 2
          const Vec<D> force = basis[a] * row.g[n];
          b.block<1, D>(S * j + a, D * i) += 0.5 * force.transpose();
          move.block<D, 1>(D * i, S * j + a) += from.inverse_mass[i].cwiseProduct(force);
        }
      }
    }
  }

  /// mu |gamma_T| of each row for these velocities.
  Eigen::VectorXd shift(const std::vector<Vec<D>>& velocity) const {
    Eigen::VectorXd u(free.size());
    for (std::size_t i = 0; i < velocity.size(); ++i) u.segment<D>(D * Eigen::Index(i)) = velocity[i];
    const Eigen::VectorXd gamma = b * u;
    Eigen::VectorXd s = Eigen::VectorXd::Zero(gamma.size());
    for (std::size_t j = 0; j < friction.size(); ++j) {
      s[S * j] = friction[j] * gamma.segment<S - 1>(S * Eigen::Index(j) + 1).norm();
    }
    return s;
  }

  /// The velocities of least energy  s.W s / 2 + q.s + sum |v|^2 / (2 c)  of s = r + v with r in the cones and viscous
  /// v: projected gradients on all of r and v at once, with momentum.
  /// \param shift  added to gamma   \param error  out: the last step relative to the impulses
  Eigen::VectorXd optimum(const Eigen::VectorXd& shift, double& error) const {
    const Eigen::MatrixXd w = b * move;
    const Eigen::VectorXd q = b * free + k + shift, mask = (fluidity.array() > 0).template cast<double>();
    const Eigen::Index n = q.size();
    const double step = 1 / (2 * w.norm() + fluidity.maxCoeff());
    Eigen::VectorXd r = Eigen::VectorXd::Zero(2 * n), y = r, next = r;
    double theta = 1;
    error = 1;
    for (int it = 0; it < 200000 && error > 1e-14; ++it) {
      const Eigen::VectorXd slope = w * (y.head(n) + y.tail(n)) + q;
      next.head(n) = projected(y.head(n) - step * slope);
      next.tail(n) = y.tail(n) - step * (mask.cwiseProduct(slope) + fluidity.cwiseProduct(y.tail(n)));
      const double turn = (y - next).dot(next - r), theta_next = 0.5 * (1 + std::sqrt(1 + 4 * theta * theta));
      error = (next - y).norm() / (1e-300 + next.norm());
      y = turn > 0 ? next : Eigen::VectorXd(next + (theta - 1) / theta_next * (next - r));
      theta = turn > 0 ? 1 : theta_next;
      r = next;
    }
    return free + move * (r.head(n) + r.tail(n));
  }

 private:
  /// E_0 = (2/D)^(1/2) I, the others traceless, from random tensors by Gram and Schmidt.
  static std::vector<Mat<D>> random_basis() {
    Random random(99);
    std::vector<Mat<D>> basis = {std::sqrt(2. / D) * Mat<D>::Identity()};
    while (basis.size() < S) {
      Mat<D> e = random.matrix<D>();
      e = (e + e.transpose()).eval();
      for (int twice = 0; twice < 2; ++twice) {
        for (const Mat<D>& other : basis) e -= 0.5 * e.cwiseProduct(other).sum() * other;
      }
      basis.push_back(e / std::sqrt(0.5 * e.squaredNorm()));
    }
    return basis;
  }

  /// On the ray of the cone's side in the plane of normal and tangential size.
  Eigen::VectorXd projected(Eigen::VectorXd z) const {
    for (std::size_t j = 0; j < friction.size(); ++j) {
      auto row = z.segment<S>(S * Eigen::Index(j));
      const double mu = friction[j], normal = row[0] + apex[j], size = row.template tail<S - 1>().norm();
      if (size <= mu * normal) continue;
      const double along = std::fmax(0, (normal + mu * size) / std::sqrt(1 + mu * mu)) / std::sqrt(1 + mu * mu);
      row[0] = along - apex[j];
      row.template tail<S - 1>() *= mu * along / size;
    }
    return z;
  }
};

}  // namespace scree::continuum::test
