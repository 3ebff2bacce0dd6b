#pragma once
/// \file Jacobian of a contact's point: its motion with one of its bodies.

#include "solvers/newton/matrices.hpp"
#include "contact_problem.hpp"

namespace scree::nonsmooth {

/// Velocity of the point in the contact's frame, by velocity and spin of the body that holds one end of it.
template <int D>
Eigen::Matrix<double, D, 6> jacobian(const coulomb::RigidContact<D>& contact, bool is_b) {
  Eigen::Matrix<double, D, 3> frame = Eigen::Matrix<double, D, 3>::Zero();
  frame.template leftCols<D>() = contact.frame;
  Eigen::Matrix<double, D, 6> j;
  j << frame, -frame * solvers::cross_matrix<double>(space(is_b ? contact.arm_b : contact.arm_a));
  return j;
}

}  // namespace scree::nonsmooth
