#pragma once
/// \file Rigid bodies among grains: what the solver knows of walls that move freely, and how these move on.

#include <span>
#include <vector>

#include "solvers/coulomb/rigid_kinematics.hpp"
#include "solvers/drucker_prager/problem.hpp"
#include "walls.hpp"

namespace scree::continuum {

/// A contact of two walls, of which one at least moves freely. World axes.
struct WallContact {
  static constexpr std::uint32_t kNobody = 0xffffffff;  ///< stands for what nothing moves

  std::uint32_t a, b;  ///< rows of the walls, or kNobody
  Vec3 normal;         ///< unit, from a to b
  Vec3 arm_a, arm_b;   ///< from the centres to the contact point [m]
  Vec3 imposed;        ///< part of the velocity of b relative to a that no impulse changes [m/s]
  double least;        ///< normal velocity at the end of the step, at least [m/s]
  double friction;     ///< mu [-]
  Vec3 impulse;        ///< on b; in: that of the step before, out: of this one [N s]
};

template <int D>
class RigidBodies {
 public:
  /// Free walls, with what acts on them besides grains and contacts.
  void take(std::span<const Wall> walls, double dt);
  std::size_t size() const { return bodies_.size(); }
  std::span<const coulomb::RigidBody<D>> bodies() const { return bodies_; }
  /// At the end of the step: for the solver to write.
  std::span<coulomb::Motion<D>> motion() { return motion_; }
  /// Adds an impulse at an arm from the body's centre to what acts on it besides grains and contacts.
  void push(std::uint32_t body, const Vec<D>& impulse, const Vec<D>& arm);
  const coulomb::Motion<D>& motion_of(std::uint32_t body) const { return motion_[body]; }
  coulomb::Mobility<D> mobility_of(std::uint32_t body) const {
    return {bodies_[body].inverse_mass, bodies_[body].inverse_inertia};
  }
  /// A wall among bodies(); kImmovable where it does not move freely.
  std::uint32_t body_of(std::uint32_t wall) const { return of_wall_[wall]; }
  /// The row of a wall for the solver, after so many nodes; kImmovable where it does not move freely.
  std::uint32_t row_of(std::uint32_t wall, std::size_t nodes) const;
  coulomb::RigidContact<D> row_of(const WallContact& contact, std::size_t nodes) const;
  /// Gives free walls their velocities of the end of the step and moves them by dt with these.
  void move(std::span<Wall> walls, double dt) const;

 private:
  std::vector<coulomb::RigidBody<D>> bodies_;
  std::vector<coulomb::Motion<D>> motion_;
  std::vector<std::uint32_t> of_wall_;
};

extern template class RigidBodies<2>;
extern template class RigidBodies<3>;

}  // namespace scree::continuum
