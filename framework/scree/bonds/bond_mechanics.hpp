#pragma once
/// \file The bonds of a run at work: laws bound to the current rows, sums of forces, and which bonds break.

#include <vector>

#include "scree/bonds/bound_bonds.hpp"
#include "scree/contacts/methods.hpp"
#include "scree/hooks/bond_values.hpp"
#include "scree/integrate/joints.hpp"
#include "scree/integrate/own_rows.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Bonds of certain bodies, or all.
struct BondPart {
  std::span<const RowRange> rows;  ///< of the bodies, ascending; none where all bonds are meant
  std::uint64_t version = 0;       ///< another number for other rows; 0: all bonds
};

class SCREE_API BondMechanics {
 public:
  BondMechanics(World& world, const Methods& methods);

  /// Whether the scene has bonds, broken ones included.
  bool any() const { return world_.bonds().size() > 0; }
  /// Whether any load can break one.
  bool can_break() const;
  /// Tells laws about rows and bonds if those have changed. \param part  the bonds that they are to know
  void refresh(const BondPart& part = {});

  /// What bonds do to the bodies, at the World's state. Empty without bonds. Valid until the next call.
  /// \param part  bodies for which that is right; of others it is anything
  std::span<const Wrench> wrenches(const BondPart& part = {});
  /// What that gave last.
  std::span<const Wrench> last_wrenches() const {
    return any() ? std::span<const Wrench>(wrench_) : std::span<const Wrench>();
  }
  /// At the World's state, those that hold and of which a body moves. Valid until the next call.
  std::span<const Joint> joints();
  /// \param impulses      on b of each of the last joints() [N s]   \param dt  [s]
  /// \param force, torque  of all bodies: in addition to what is there
  void accept(std::span<const Vec3> impulses, double dt, std::span<Vec3> force, std::span<Vec3> torque);

  /// Energy stored in all bonds at the World's state [J].
  double energy();
  /// What laws tell of bonds at the World's state.
  BondValues values();
  /// Energies of all entries, for who minimises them. After refresh(); valid until the next one that found a change.
  std::span<const EnergyTerm* const> terms() const { return terms_; }

  /// Of entries that do not act by forces; in the same way.
  std::span<const EnergyTerm* const> implicit_terms() const { return implicit_terms_; }
  std::span<const ChainLink> links() const { return links_; }
  /// Tells bonds that resist rates the World's state, from which a step begins. \param time  see BondRates [s]
  void begin_step(double time);
  /// Lets bonds remember what they went through, at the World's state after a step.
  void end_step();
  /// How often refresh() has found a change.
  std::uint64_t changes() const { return changes_; }

  /// How hard the most loaded bond of these bodies is loaded at the World's state: above 1, it breaks.
  double largest_utilisation(const BondPart& part = {});
  /// Breaks every bond that is loaded to more than it bears. What the two bodies overlap by in the World's state is
  /// tolerated from now on, and what their bond holds there is released.
  /// \param worst_part  of those, only the ones loaded to at least this part of the worst
  /// \param loaded      where loads are judged: the World's state, or the end of a step that is to be made again from it
  /// \return how many broke
  std::size_t break_overloaded(double time, double worst_part, const Configuration& loaded);

  /// Smallest of the laws' stable time steps [s].
  double stable_time_step();

 private:
  /// What a law is bound to.
  struct Bound {
    std::vector<std::uint32_t> bond;  ///< index of the World's
    BoundBonds bonds;
  };
  void bind(std::uint32_t bond);
  void clear_wrenches(const BondPart& part);
  void tell_laws();
  std::vector<std::vector<double>> utilisation(const Configuration& x) const;
  Configuration configuration() const { return {world_.position.read(), world_.orientation.read()}; }
  void tolerate(std::span<const std::uint32_t> broken);

  World& world_;
  const Methods& methods_;
  std::vector<Bound> bound_;  ///< by entry of the scene's `bonds`
  std::vector<const EnergyTerm*> terms_, implicit_terms_;
  std::vector<ChainLink> links_;
  std::vector<Wrench> wrench_;
  std::vector<std::uint32_t> others_;  ///< rows of no body that was asked for, which bonds of these hold
  std::vector<Joint> joints_;
  std::vector<std::uint32_t> joint_bond_;  ///< index of the World's, of each joint
  std::uint64_t layout_ = 0, version_ = 0, memory_version_ = 0, part_ = 0, changes_ = 0;
};

}  // namespace scree
