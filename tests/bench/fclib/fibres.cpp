#include <Eigen/QR>

#include "kinds.hpp"

namespace scree::bench {
namespace {

using coulomb::DelassusProblem;
using coulomb::Vec;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// M^-1 of a fibre, and its velocities without contacts.
struct Fibre {
  MatrixXd mobility;
  VectorXd velocity;
};

MatrixXd any_matrix(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return MatrixXd::NullaryExpr(rows, columns, [&](auto, auto) { return random.between(-1, 1); });
}

/// A diag(10^U(-6, 0)) A^T with orthogonal A.
Fibre any_fibre(Random& random, int dofs, double mobility) {
  const MatrixXd axes = Eigen::HouseholderQR<MatrixXd>(any_matrix(random, dofs, dofs)).householderQ();
  const VectorXd spectrum = VectorXd::NullaryExpr(dofs, [&](auto) { return mobility * random.scale(1e-6, 1); });
  return {axes * spectrum.asDiagonal() * axes.transpose(), any_matrix(random, dofs, 1)};
}

/// A fibre's end of a contact: it moves by what its degrees of freedom between root and contact do.
struct End {
  std::size_t fibre;
  MatrixXd jacobian;  ///< (3, dofs), signed
};

End any_end(Random& random, std::size_t fibre, int dofs, double sign) {
  const int moved = random.integer(3, dofs);
  MatrixXd jacobian = MatrixXd::Zero(3, dofs);
  jacobian.leftCols(moved) = sign * any_matrix(random, 3, moved);
  return {fibre, jacobian};
}

struct Crossing {
  std::vector<End> ends;  ///< one when the other side does not move
};

}  // namespace

DelassusProblem<3> fibres(Random& random) {
  const int dofs = 3 * random.integer(3, 10), count = random.integer(2, 8);
  const double friction = random.between(0.1, 0.8), mobility = random.scale(1, 1e7);
  std::vector<Fibre> fibre;
  for (int k = 0; k < count; ++k) fibre.push_back(any_fibre(random, dofs, mobility));
  std::vector<Crossing> crossings(static_cast<std::size_t>(random.integer(count, 12 * count)));
  DelassusProblem<3> problem;
  for (Crossing& crossing : crossings) {
    const auto a = static_cast<std::size_t>(random.integer(0, count - 1));
    const auto b = (a + static_cast<std::size_t>(random.integer(0, count - 1))) % fibre.size();
    crossing.ends.push_back(any_end(random, a, dofs, -1));
    if (b != a) crossing.ends.push_back(any_end(random, b, dofs, 1));
    Vec<3> q = Vec<3>::Zero();
    for (const End& end : crossing.ends) q += end.jacobian * fibre[end.fibre].velocity;
    problem.q.push_back(q);
    problem.friction.push_back(friction);
  }
  problem.row_start.push_back(0);
  for (std::size_t i = 0; i < crossings.size(); ++i) {
    for (std::size_t j = 0; j < crossings.size(); ++j) {
      coulomb::Mat<3> block = coulomb::Mat<3>::Zero();
      bool shared = i == j;
      for (const End& a : crossings[i].ends)
        for (const End& b : crossings[j].ends)
          if (a.fibre == b.fibre) {
            block += a.jacobian * fibre[a.fibre].mobility * b.jacobian.transpose();
            shared = true;
          }
      if (!shared) continue;
      problem.column.push_back(static_cast<std::uint32_t>(j));
      problem.block.push_back(block);
    }
    problem.row_start.push_back(problem.column.size());
  }
  return problem;
}

}  // namespace scree::bench
