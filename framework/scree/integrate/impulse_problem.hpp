#pragma once
/// \file "impulses/1": what Mechanics offers to integrators that solve for impulses of contacts and joints.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scree/integrate/mechanics.hpp"
#include "scree/law/bond_law.hpp"

namespace scree {

/// A contact of two bodies, of which at least one moves freely. World axes.
struct ConeContact {
  std::uint32_t a, b;  ///< rows of the bodies that take the impulse: owners, where members touch
  Vec3 normal;         ///< unit, from a to b
  Vec3 arm_a, arm_b;   ///< from the centres of a and b (in its image) to the contact point [m]
  double gap;          ///< [m]; negative: overlap
  Vec3 velocity;       ///< velocity of b relative to a at the contact point, moving surfaces included [m/s]
  Vec3 imposed;        ///< the part of it that no impulse changes: of prescribed bodies and moving surfaces [m/s]
  double friction;     ///< mu
  double restitution;  ///< Newton's, of the normal velocity
  Vec3 impulse;        ///< on b, that of the contact it continues; 0 when it is new [N s]
};

/// Velocities that bodies may have in a step, by rows. (bodies) each.
struct ExpectedMotion {
  std::span<const Vec3> velocity;          ///< [m/s]
  std::span<const Vec3> angular_velocity;  ///< world axes [rad/s]
};

/// A bond with the face "joint/1", between bodies of which at least one moves freely. World axes.
struct Joint {
  std::uint32_t a, b;  ///< rows of the bodies
  Vec3 arm_a, arm_b;   ///< from the centres of a and b to the point, as either holds it [m]
  Vec3 apart;          ///< from a's point to b's [m]; 0: they are one
  Vec3 impulse;        ///< on b, of the last step; 0 before the first [N s]
};

/// An ability of Mechanics. The order of calls in a step: begin_bonds() where bonds are implicit, any number of
/// contacts() and joints(), accept(), accept_joints(), accept_bonds(), Mechanics::commit(). One impulse per contact and
/// joint is its history: it survives rebuilds, reordering and checkpoints, as springs do.
class SCREE_API ImpulseProblem {
 public:
  static constexpr std::string_view kName = "impulses/1";
  virtual ~ImpulseProblem();

  /// All contacts within the margin at the World's state, in an order that depends on the state alone. Contacts that a
  /// detector gives no or a negative weight are left out. Valid until the next evaluation.
  virtual std::span<const ConeContact> contacts(double dt) = 0;

  /// All contacts of bodies whose motion will change: gaps that may close by `expected` are contacts. All numbers of
  /// a contact are those of the World's state, `velocity` too. `expected` is ignored for bodies that do not move
  /// freely.
  virtual std::span<const ConeContact> contacts(double dt, const ExpectedMotion& expected) = 0;

  /// Forces and torques on each body besides contacts: gravity, damping, and bonds that act by forces, as of the last
  /// contacts().
  virtual Wrenches external() const = 0;

  /// Takes the impulses on b of each contact of the last contacts(), world axes [N s]. They become history, the forces
  /// that metrics and pictures show (impulse / dt), and Mechanics::last_forces(). Contacts that push are those that
  /// count.
  virtual void accept(std::span<const Vec3> impulses, double dt) = 0;

  /// All joints at the World's state, in the order of the bonds. Valid until the next call, and until commit().
  virtual std::span<const Joint> joints() = 0;

  /// Takes the impulses on b of each of the last joints() [N s], after accept(). They become history, in checkpoints
  /// too, and add to Mechanics::last_forces(). \param dt  [s]
  virtual void accept_joints(std::span<const Vec3> impulses, double dt) = 0;

  // With IntegratorTraits::implicit_bonds: the bonds whose laws have energies, and which do not act by forces.

  /// Tells bonds that a step begins, before energies are asked for: see BondLaw::begin_step(). The World's state is
  /// that at the beginning of the step. \param time  from there to where energies will be asked for [s]
  virtual void begin_bonds(double time) = 0;
  /// Energies, one per entry of the scene's `bonds`. Valid until bonds_version() changes, as links are.
  virtual std::span<const EnergyTerm* const> bond_terms() = 0;
  /// Links of these bonds: see BondLaw::list_links().
  virtual std::span<const ChainLink> bond_links() = 0;
  /// Changes whenever the others may give something else: bonds broke or came, bodies came or went, rows changed order.
  virtual std::uint64_t bonds_version() = 0;
  /// Takes what these bonds did to the bodies in the step, after accept(). Columns "force" and "torque" have it then,
  /// of walls too. \param wrenches  (bodies) [N], [N m]
  virtual void accept_bonds(std::span<const Wrench> wrenches) = 0;
};

}  // namespace scree
