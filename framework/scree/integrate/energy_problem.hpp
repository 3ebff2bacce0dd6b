#pragma once
/// \file "energies/1": what Mechanics offers to integrators that minimise energy: bonds and contacts as potentials.

#include <span>
#include <string_view>
#include <vector>

#include "scree/integrate/mechanics.hpp"
#include "scree/law/energy_term.hpp"

namespace scree {

/// A contact with its energy. World axes.
struct PotentialContact {
  std::uint32_t a, b;  ///< rows of the bodies that take the force: owners, where members touch
  Vec3 normal;         ///< unit, from a to b
  Vec3 arm_a, arm_b;   ///< from the centres of a and b to the contact point [m]
  double overlap;      ///< [m]
  double energy;       ///< [J]
  double force;        ///< on b along the normal [N]
  double stiffness;    ///< [N/m]
  double friction;     ///< mu
  double rolling;      ///< coefficient of rolling friction
};

/// An ability of Mechanics. The order of calls in a step: cover(), begin_bonds(), any number of evaluations,
/// accept_forces(), Mechanics::commit(). Rows keep their order from step to step as long as no body comes or goes.
class SCREE_API EnergyProblem {
 public:
  static constexpr std::string_view kName = "energies/1";
  virtual ~EnergyProblem();

  /// Lists all pairs that can come to touch while no body moves farther than `way` [m] from where it is now,
  /// or turns by more than `turn` [rad].
  virtual void cover(double way, double turn) = 0;
  /// Tells whether the World's state is within what was covered.
  virtual bool covered() const = 0;
  /// Appends the pairs of bodies that moving contacts may couple, each once.
  virtual void list_pairs(std::vector<BodyPair>& out) const = 0;
  /// Changes whenever list_pairs() or bonds() may give something else.
  virtual std::uint64_t version() const = 0;

  /// Tells bonds that a step begins, before energies are asked for: see BondLaw::begin_step(). The World's state is
  /// that at the beginning of the step. \param time  from there to where energies will be asked for: dt, or dt/2 for
  /// the midpoint rule [s]
  virtual void begin_bonds(double time) = 0;
  /// Energies of the bonds. Valid until version() changes.
  virtual std::span<const EnergyTerm* const> bonds() = 0;
  /// All contacts with overlap where x puts the bodies, in an order that depends on the state alone. Valid until the
  /// next evaluation. The World's columns stay as they are; x may be a view of them.
  /// \param x  (bodies) as EnergyTerm gets it
  virtual std::span<const PotentialContact> potentials(const Configuration& x) = 0;
  /// Gravity and damping at the World's state and velocities.
  virtual Wrenches loads() = 0;

  /// Takes the mean forces of the contacts of the last potentials() over the step, on b, world axes [N]: shown in
  /// metrics and pictures.
  virtual void accept_forces(std::span<const Vec3> forces) = 0;
  /// Returns how hard the most loaded bond is loaded at the World's state: above 1, it breaks.
  virtual double largest_utilisation() = 0;
  /// Breaks bonds that are loaded to more than they bear where `loaded` puts the bodies; of these, only the ones loaded
  /// to at least this part of the worst. The run goes on from the World's state: the energy that bonds hold there is
  /// released, overlaps there are tolerated. \return how many
  virtual std::size_t break_overloaded(double time, double worst_part, const Configuration& loaded) = 0;
};

}  // namespace scree
