#pragma once
/// \file Bonds of a run: laws bound to the current rows, sums of forces, and breaking.

#include <optional>
#include <vector>

#include "scree/bonds/bound_bonds.hpp"
#include "scree/bonds/fragment_figures.hpp"
#include "scree/hooks/bond_values.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/integrate/mechanics.hpp"
#include "scree/model/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Bonds of certain bodies, or all bonds.
struct BondPart {
  std::span<const RowRange> rows;  ///< rows of the bodies, ascending; none for all bonds
  std::uint64_t version = 0;       ///< a different number for different rows; 0: all bonds
};

/// Bonds of a run and their laws.
class SCREE_API BondMechanics {
 public:
  BondMechanics(World& world, const Methods& methods);

  /// Checks whether the scene has bonds, broken ones included.
  bool any() const { return world_.bonds().size() > 0; }
  /// State of the World's bodies, as laws take it.
  Configuration configuration() const {
    return {world_.position.read(), world_.orientation.read(), world_.cell.any() ? &world_.cell.edges : nullptr};
  }
  /// Checks whether any load can break a bond.
  bool can_break() const;
  /// Counts fragments again after bodies or bonds have come or gone between steps, and checks new bonds.
  /// \throws NumericalError where a law cannot hold bodies in their places
  void edited(const EditLog& edits);
  /// Updates laws if rows or bonds have changed. \param part  bonds that they are to know
  void refresh(const BondPart& part = {});

  /// Returns the wrenches of bonds on bodies, at the World's state. Empty without bonds. Valid until the next call.
  /// \param part  bodies whose wrenches are valid; those of others are undefined
  std::span<const Wrench> wrenches(const BondPart& part = {});
  /// Last result of wrenches().
  std::span<const Wrench> last_wrenches() const {
    return any() ? std::span<const Wrench>(wrench_) : std::span<const Wrench>();
  }
  /// Returns the joints at the World's state that are intact and move a body. Valid until the next call.
  std::span<const Joint> joints();
  /// Accepts the impulses of joints.
  /// \param impulses  impulse on b of each of the last joints() [N s]
  /// \param dt  [s]
  /// \param force, torque  forces and torques on all bodies: those of the impulses are added
  void accept(std::span<const Vec3> impulses, double dt, std::span<Vec3> force, std::span<Vec3> torque);

  /// Returns the energy stored in all bonds at the World's state [J].
  double energy();
  /// Returns the values of bonds that laws report at the World's state.
  BondValues values();
  /// Energies of all entries, for solvers that minimise them. Called after refresh(); valid until the next one that
  /// finds a change.
  std::span<const EnergyTerm* const> terms() const { return terms_; }

  /// Energies of entries that do not act by forces; valid like terms().
  std::span<const EnergyTerm* const> implicit_terms() const { return implicit_terms_; }
  std::span<const ChainLink> links() const { return links_; }
  /// Reports the World's state at the beginning of a step to bonds that resist rates.
  /// \param time  see BondLaw::begin_step() [s]
  void begin_step(double time);
  /// Updates the memory of bonds, at the World's state after a step.
  void end_step();
  /// Number of times that refresh() has found a change.
  std::uint64_t changes() const { return changes_; }

  /// Returns the utilisation of the most loaded bond of these bodies at the World's state: above 1, it breaks.
  double largest_utilisation(const BondPart& part = {});
  /// Breaks every overloaded bond. The overlap of its bodies in the World's state is tolerated from now on, and the
  /// load of the bond is released.
  /// \param worst_part  fraction of the worst utilisation: of overloaded bonds, only those above it break
  /// \param loaded      state at which loads are judged: the World's, or the end of a step that is to be repeated from
  ///                it
  /// \return number of bonds that broke
  std::size_t break_overloaded(double time, double worst_part, const Configuration& loaded);

  /// Returns the smallest of the laws' stable time steps [s].
  double stable_time_step();

 private:
  /// Bonds that a law is bound to.
  struct Bound {
    std::vector<std::uint32_t> bond;  ///< index in the World's bonds
    BoundBonds bonds;
  };
  void bind(std::uint32_t bond);
  void check_made(std::span<const Id> made) const;
  void clear_wrenches(const BondPart& part);
  void tell_laws();
  std::vector<std::vector<double>> utilisation(const Configuration& x) const;
  void tolerate(std::span<const std::uint32_t> broken);

  World& world_;
  const Methods& methods_;
  std::vector<Bound> bound_;  ///< by entry of the scene's `bonds`
  std::vector<const EnergyTerm*> terms_, implicit_terms_;
  std::vector<ChainLink> links_;
  std::vector<Wrench> wrench_;
  std::vector<std::uint32_t> others_;  ///< rows of bodies outside of the part that share bonds with it
  std::vector<Joint> joints_;
  std::vector<std::uint32_t> joint_bond_;     ///< index of each joint in the World's bonds
  std::optional<FragmentFigures> fragments_;  ///< set in scenes with bonds
  std::uint64_t layout_ = 0, version_ = 0, memory_version_ = 0, part_ = 0, changes_ = 0;
};

}  // namespace scree
