#pragma once
/// \file What strain rows and contact rows have in common: the velocities of nodes and bodies.

#include <algorithm>
#include <span>
#include <vector>

#include "solvers/coulomb/parallel.hpp"
#include "solvers/coulomb/rigid_kinematics.hpp"
#include "solvers/drucker_prager/problem.hpp"

namespace scree::continuum {

/// Padded to a vector register; velocity and mobility share a cache line.
template <int D>
struct Node {
  static constexpr int kLanes = D == 2 ? 2 : 4;
  using Lanes = Eigen::Array<double, kLanes, 1>;

  Lanes velocity;      ///< [m/s]
  Lanes inverse_mass;  ///< per axis [1/kg]
};

template <int D>
struct Velocities {
  std::vector<Node<D>> nodes;
  std::vector<coulomb::Motion<D>> bodies;
  std::vector<coulomb::Mobility<D>> mobility;  ///< of bodies

  /// Those without impulses.
  void reset(const StrainProblem<D>& problem, int threads) {
    nodes.resize(problem.velocity.size());
    coulomb::for_chunks(nodes.size(), threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        nodes[i].velocity.setZero(), nodes[i].velocity.template head<D>() = problem.velocity[i].array();
        nodes[i].inverse_mass.setZero(), nodes[i].inverse_mass.template head<D>() = problem.inverse_mass[i].array();
      }
    });
    bodies.clear(), mobility.clear();
    for (const coulomb::RigidBody<D>& body : problem.bodies) {
      bodies.push_back({body.velocity, body.spin});
      mobility.push_back({body.inverse_mass, body.inverse_inertia});
    }
  }

  void write(std::span<Vec<D>> velocity, std::span<coulomb::Motion<D>> motion) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) velocity[i] = nodes[i].velocity.template head<D>();
    std::copy(bodies.begin(), bodies.end(), motion.begin());
  }
};

}  // namespace scree::continuum
