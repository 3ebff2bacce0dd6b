#pragma once
/// \file "cones/2": what Mechanics offers to integrators that solve for contact impulses.

#include <cstdint>
#include <span>
#include <string_view>

#include "scree/integrate/mechanics.hpp"

namespace scree {

/// A contact of two bodies, of which at least one moves freely. World axes.
struct ConeContact {
  std::uint32_t a, b;  ///< rows of the bodies that take the impulse: owners, where members touch
  Vec3 normal;         ///< unit, from a to b
  Vec3 arm_a, arm_b;   ///< from the centres of a and b (in its image) to the contact point [m]
  double gap;          ///< [m]; negative: overlap
  Vec3 velocity;       ///< of b relative to a at the contact point, moving surfaces included [m/s]
  Vec3 imposed;        ///< the part of it that no impulse changes: of prescribed bodies and moving surfaces [m/s]
  double friction;     ///< mu
  double restitution;  ///< Newton's, of the normal velocity
  Vec3 impulse;        ///< on b, that of the contact it continues; 0 when it is new [N s]
};

/// How bodies may move in a step, by rows. (bodies) each.
struct ExpectedMotion {
  std::span<const Vec3> velocity;          ///< [m/s]
  std::span<const Vec3> angular_velocity;  ///< world axes [rad/s]
};

/// The order of evaluations is that of Mechanics: any number of contacts(), then accept(), then commit(). One impulse
/// per contact is its history: it survives rebuilds, reordering and checkpoints, as springs do.
class SCREE_API Cones {
 public:
  static constexpr std::string_view kName = "cones/2";
  virtual ~Cones();

  /// All contacts within the margin at the World's state, in an order that depends on the state alone. Contacts that a
  /// detector gives no or a negative weight are left out. Valid until the next evaluation.
  virtual std::span<const ConeContact> contacts(double dt) = 0;

  /// The same for bodies whose motion will change: gaps that may close by `expected` are contacts. All that a
  /// contact says is as of the World's state, `velocity` too. `expected` is ignored for bodies that do not move
  /// freely.
  virtual std::span<const ConeContact> contacts(double dt, const ExpectedMotion& expected) = 0;

  /// What acts on each body besides contacts: gravity, damping, and bonds that act by forces, as of the last
  /// contacts().
  virtual Wrenches external() const = 0;

  /// What was solved: on b of each contact of the last contacts(), world axes [N s]. Becomes history, the forces that
  /// metrics and pictures show (impulse / dt), and Mechanics::last_forces(). Contacts that push are those that count.
  virtual void accept(std::span<const Vec3> impulses, double dt) = 0;
};

}  // namespace scree
