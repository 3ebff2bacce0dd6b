#include "solvers/coulomb/scaled_system.hpp"

#include <Eigen/Eigenvalues>

#include "solvers/coulomb/local_problem.hpp"
#include "solvers/coulomb/rigid_kinematics.hpp"

namespace scree::coulomb {
namespace {

using Entry = Eigen::Triplet<double>;

constexpr int kNoColumn = -1;

/// Velocity and spin.
template <int D>
inline constexpr int kFreedoms = D + kSpin<D>;

template <class Block>
void append(std::vector<Entry>& entries, std::size_t row, std::size_t column, const Block& block) {
  for (int a = 0; a < block.rows(); ++a) {
    for (int b = 0; b < block.cols(); ++b) {
      entries.emplace_back(static_cast<int>(row) + a, static_cast<int>(column) + b, block(a, b));
    }
  }
}

/// M^(-1/2) of a body.
template <int D>
Eigen::Matrix<double, kFreedoms<D>, kFreedoms<D>> root_of_mobility(const RigidBody<D>& body) {
  using Inertia = Eigen::Matrix<double, kSpin<D>, kSpin<D>>;
  Eigen::Matrix<double, kFreedoms<D>, kFreedoms<D>> root;
  root.setZero();
  root.diagonal().template head<D>().setConstant(std::sqrt(body.inverse_mass));
  const Eigen::SelfAdjointEigenSolver<Inertia> axes(body.inverse_inertia);
  root.template bottomRightCorner<kSpin<D>, kSpin<D>>() =
      axes.eigenvectors() * axes.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() * axes.eigenvectors().transpose();
  return root;
}

/// u = (block) times velocity and spin of a body.
template <int D>
Eigen::Matrix<double, D, kFreedoms<D>> rows_of_body(const Mat<D>& frame, const Vec<D>& arm) {
  Eigen::Matrix<double, D, kFreedoms<D>> rows;
  rows.template leftCols<D>() = frame;
  for (int k = 0; k < kSpin<D>; ++k) rows.col(D + k) = frame * cross(Vec<kSpin<D>>(Vec<kSpin<D>>::Unit(k)), arm);
  return rows;
}

}  // namespace

template <int D>
Eigen::VectorXd ScaledVariables<D>::scaled(std::span<const Vec<D>> impulses) const {
  Eigen::VectorXd x(D * size());
  for (std::size_t i = 0; i < size(); ++i) x.segment<D>(D * i) = root[i] * impulses[i];
  return x;
}

template <int D>
std::vector<Vec<D>> ScaledVariables<D>::impulses(const Eigen::VectorXd& x) const {
  std::vector<Vec<D>> r(size());
  for (std::size_t i = 0; i < size(); ++i) r[i] = x.segment<D>(D * i) / root[i];
  return r;
}

template <int D>
ScaledSystem<D>::ScaledSystem(const DelassusProblem<D>& problem) {
  const std::size_t n = problem.size();
  const auto rows = static_cast<Eigen::Index>(D * n);
  this->friction = problem.friction;
  std::vector<double>& units = this->root;
  units.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      if (problem.column[k] == i) units[i] = std::sqrt(scale_of<D>(problem.block[k]));
    }
  }
  std::vector<Entry> entries;
  entries.reserve(problem.block.size() * D * D);
  this->c.resize(rows);
  for (std::size_t i = 0; i < n; ++i) {
    this->c.template segment<D>(D * i) = problem.q[i] / units[i];
    for (std::size_t k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      const std::uint32_t j = problem.column[k];
      append(entries, D * i, D * j, Mat<D>(problem.block[k] / (units[i] * units[j])));
    }
  }
  A.resize(rows, rows);
  A.setFromTriplets(entries.begin(), entries.end());
}

template <int D>
ScaledBodies<D>::ScaledBodies(const RigidProblem<D>& problem) {
  constexpr int N = kFreedoms<D>;
  const std::size_t n = problem.size();
  std::vector<int> column(problem.bodies.size(), kNoColumn);
  std::vector<Eigen::Matrix<double, N, N>> mobility(problem.bodies.size());
  int freedoms = 0;
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    if (is_fixed(problem.bodies[b])) continue;
    column[b] = freedoms;
    freedoms += N;
    mobility[b] = root_of_mobility(problem.bodies[b]);
  }
  this->c.resize(static_cast<Eigen::Index>(D * n));
  std::vector<Entry> entries;
  entries.reserve(2 * D * N * n);
  for (std::size_t i = 0; i < n; ++i) {
    const RigidContact<D>& contact = problem.contacts[i];
    this->friction.push_back(contact.friction);
    Vec<D> u = contact.w;
    Mat<D> W = Mat<D>::Zero();
    std::array<Eigen::Matrix<double, D, N>, 2> rows;
    const std::array<std::uint32_t, 2> ends{contact.a, contact.b};
    const auto moves = [&](int k) { return ends[k] != kImmovable && column[ends[k]] != kNoColumn; };
    for (const int k : {0, 1}) {
      if (ends[k] == kImmovable) continue;
      const RigidBody<D>& body = problem.bodies[ends[k]];
      const Vec<D>& arm = k == 0 ? contact.arm_a : contact.arm_b;
      const double sign = k == 0 ? -1 : 1;
      u += sign * (contact.frame * Motion<D>{body.velocity, body.spin}.at(arm));
      if (!moves(k)) continue;
      rows[k] = sign * (rows_of_body<D>(contact.frame, arm) * mobility[ends[k]]);
      W += rows[k] * rows[k].transpose();
    }
    const double unit = std::sqrt(scale_of<D>(W));
    this->root.push_back(unit);
    this->c.template segment<D>(D * i) = u / unit;
    for (const int k : {0, 1}) {
      if (moves(k)) append(entries, D * i, static_cast<std::size_t>(column[ends[k]]), rows[k] / unit);
    }
  }
  G.resize(static_cast<Eigen::Index>(D * n), freedoms);
  G.setFromTriplets(entries.begin(), entries.end());
}

template struct ScaledVariables<2>;
template struct ScaledVariables<3>;
template struct ScaledSystem<2>;
template struct ScaledSystem<3>;
template struct ScaledBodies<2>;
template struct ScaledBodies<3>;

}  // namespace scree::coulomb
