#pragma once
/// \file The discrete Coulomb friction problem, in the two forms it comes in. SI units.
///
/// One contact has a velocity u and an impulse r, both (normal, tangential...) with D = 2 or 3 components: u = W r + q,
/// and per contact Coulomb's law with friction mu,
///   take-off  r = 0, u_N >= 0
///   stick     u = 0, |r_T| <= mu r_N
///   slide     u_N = 0, |r_T| = mu r_N, u_T = -alpha r_T with alpha >= 0,
/// or, with u^ = u + mu |u_T| e_N (De Saxce), K_(1/mu) contains u^, perpendicular to r in K_mu. An impulse is a force
/// integrated over the step [N s]; u holds what is known of the end of the step: restitution, gaps, motion of walls.
///
/// \source G. Daviet, slides of "Modeling and simulating complex materials subject to frictional contact"; V. Acary,
///         B. Brogliato, Numerical methods for nonsmooth dynamical systems, Springer 2008

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace scree::coulomb {

template <int D>
using Vec = Eigen::Matrix<double, D, 1>;
template <int D>
using Mat = Eigen::Matrix<double, D, D>;

/// Components of an angular velocity: one in the plane, three in space.
template <int D>
inline constexpr int kSpin = D == 2 ? 1 : 3;

/// In place of a friction coefficient it makes a contact a joint: u = 0, whatever impulse that takes.
inline constexpr double kJoint = -std::numeric_limits<double>::infinity();

/// W as rows of blocks: the Delassus operator, assembled. May be unsymmetric and singular. Every row holds its diagonal
/// block; columns of a row ascend.
template <int D>
struct DelassusProblem {
  std::vector<std::size_t> row_start;  ///< (contacts + 1) where the blocks of a row begin
  std::vector<std::uint32_t> column;   ///< of each block
  std::vector<Mat<D>> block;           ///< [1/kg]
  std::vector<Vec<D>> q;               ///< velocities without contact impulses [m/s]
  std::vector<double> friction;        ///< mu >= 0, or kJoint

  std::size_t size() const { return q.size(); }
};

/// Stands for a body that nothing moves.
inline constexpr std::uint32_t kImmovable = 0xffffffff;

template <int D>
struct RigidBody {
  Vec<D> velocity;                                            ///< [m/s]
  Vec<kSpin<D>> spin;                                         ///< angular velocity [rad/s]
  double inverse_mass;                                        ///< [1/kg]
  Eigen::Matrix<double, kSpin<D>, kSpin<D>> inverse_inertia;  ///< about the centre, world axes [1/(kg m^2)]
};

/// The impulse frame^T r acts on b at arm_b from its centre, its opposite on a at arm_a.
template <int D>
struct RigidContact {
  std::uint32_t a, b;   ///< rows of bodies; one may be kImmovable
  Mat<D> frame;         ///< rows: unit normal from a to b, then unit tangents; orthonormal
  Vec<D> arm_a, arm_b;  ///< from the centres of the bodies to the contact point [m]
  Vec<D> w;             ///< u = frame (velocity of b - velocity of a, at the point) + w [m/s]
  double friction;      ///< mu >= 0, or kJoint
};

/// The same problem without W: u_i = H_i v + w_i, M v = M v_0 + H^T r. Bodies hold v_0, the velocities without contact
/// impulses.
template <int D>
struct RigidProblem {
  std::vector<RigidBody<D>> bodies;
  std::vector<RigidContact<D>> contacts;

  std::size_t size() const { return contacts.size(); }
};

template <int D>
bool has_joints(const DelassusProblem<D>& problem) {
  return std::ranges::find(problem.friction, kJoint) != problem.friction.end();
}
template <int D>
bool has_joints(const RigidProblem<D>& problem) {
  return std::ranges::find(problem.contacts, kJoint, &RigidContact<D>::friction) != problem.contacts.end();
}

}  // namespace scree::coulomb
