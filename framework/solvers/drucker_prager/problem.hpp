#pragma once
/// \file One time step of a granular continuum: strain rows of a Drucker-Prager material and contact rows of walls and
/// bodies, over the same velocities. SI units; in the plane per metre of depth.
///
/// Unknown is r_j = dt lambda_j [Pa s], a stress lambda (compression positive, per grain volume) times the time step,
/// in cone coordinates (cone_coordinates.hpp). Nodes move by
///   u_i = u*_i + M_i^-1 sum_j lambda(r_j) g_ji,
/// and a strain row measures
///   gamma_j = sum_i G(g_ji) u_i + k_j   [m^3/s].
/// Drucker and Prager's law with friction mu^ is, with gamma^ = gamma + mu^ |gamma_T| e_N (De Saxce) and the apex of
/// the cone at r_N = -e,
///   K_(1/mu^) contains gamma^, perpendicular to r + e e_N in K_mu^:  |r_T| <= mu^ (r_N + e).
/// A Newtonian stress 2 eta D(u) may act beside it: nodes are pushed by s_j with s_N = r_N and s_T = r_T - c_j gamma_T,
/// which then is the unknown in place of r_j.
/// A contact row is a rigid contact of scree_coulomb in which a node is a body without spin.
///
/// \source G. Daviet, F. Bertails-Descoubes, J. Non-Newtonian Fluid Mech. 234 (2016) 15; ACM Trans. Graph. 35 (2016)
/// 102

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "solvers/coulomb/problem.hpp"

namespace scree::continuum {

using coulomb::kImmovable;
using coulomb::kJoint;
using coulomb::Mat;
using coulomb::Vec;

/// Components of a symmetric tensor: three in the plane, six in space.
template <int D>
inline constexpr int kStress = D == 2 ? 3 : 6;

/// A symmetric tensor in cone coordinates: the normal component first.
template <int D>
using Stress = Eigen::Matrix<double, kStress<D>, 1>;

/// Velocity nodes that a strain row may meet: those of the 2^D cells around it.
template <int D>
inline constexpr int kNeighbours = D == 2 ? 9 : 27;

/// Where a row has no neighbour.
inline constexpr std::uint32_t kNoNode = 0xffffffff;

/// One stress unknown.
template <int D>
struct StrainRow {
  std::array<std::uint32_t, kNeighbours<D>> node;  ///< rows of velocity nodes, all different; or kNoNode
  std::array<Vec<D>, kNeighbours<D>> g;  ///< sum over points of V w_j grad N_i [m^2]; not read where there is no node
  double k;                              ///< normal component of k_j: free volume, or below 0 an excess [m^3/s]
  double friction;                       ///< mu^ = mu (2/D)^(1/2) >= 0 [-]: see cone_friction()
  double apex;                           ///< cohesion: e >= 0 [Pa s]; 0 without
  double viscosity = 0;                  ///< c = 2 eta dt / f_j >= 0, see above [Pa s^2/m^3]
  double weight = 1;                     ///< of its impulse in errors [-]: how full it is of matter
};

/// Where a contact touches between two nodes: its end b has the velocity (1 - share) u_b + share u_node, and they share
/// its impulse likewise.
struct SecondNode {
  std::uint32_t node = kNoNode;  ///< a row of nodes, other than b; or kNoNode: all is b's
  double share = 0;              ///< 0 to 1 [-]
};

/// The order of a sweep, where the caller knows a good one. Blocks are runs of strain rows, each visited row by row by
/// one thread; colours are runs of blocks. Two blocks of one colour share no node with finite mass.
struct SweepBlocks {
  std::span<const std::uint32_t> block_start;   ///< (blocks + 1) first strain row of each block; ascending from 0
  std::span<const std::uint32_t> colour_start;  ///< (colours + 1) first block of each colour; ascending from 0

  bool empty() const { return colour_start.empty(); }
};

/// A step to solve. Spans are the caller's and are read only while solve() runs.
template <int D>
struct StrainProblem {
  std::span<const Vec<D>> velocity;        ///< (nodes) u*: with gravity, without stress and contacts [m/s]
  std::span<const Vec<D>> inverse_mass;    ///< (nodes) per axis, >= 0; 0 holds that component at u* [1/kg]
  std::span<const Vec<D>> start_velocity;  ///< (nodes) those the step starts with, before gravity [m/s]; may be empty

  std::span<const StrainRow<D>> strain;
  SweepBlocks blocks;  ///< of the strain rows; empty: colours are found by the solver

  std::span<const coulomb::RigidBody<D>> bodies;  ///< with external forces, without contacts; fixed ones may move
  /// Ends a and b: kImmovable, or a row of nodes, or nodes + a row of bodies. Arms of nodes are not read. w holds
  /// gap / dt in its normal component, and velocities of walls; kJoint makes a wall one that sticks.
  std::span<const coulomb::RigidContact<D>> contacts;
  std::span<const SecondNode> second;  ///< (contacts) of those whose end b is a node; empty: there is none

  double pressure = 0;  ///< rho |g| h dt, an impulse of stress to compare errors with, > 0 [Pa s]
  double face = 0;      ///< h^(D-1): turns impulses of contact rows into such of stress, > 0 [m^(D-1)]
};

}  // namespace scree::continuum
