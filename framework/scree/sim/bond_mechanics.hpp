#pragma once
/// \file The bonds of a run at work: laws bound to the rows of now, sums of forces, and who breaks.

#include <vector>

#include "scree/sim/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

class SCREE_API BondMechanics {
 public:
  BondMechanics(World& world, const Methods& methods);

  /// Whether the scene has bonds, broken ones included.
  bool any() const { return world_.bonds().size() > 0; }
  /// Tells laws about rows and bonds if those have changed.
  void refresh();

  /// What bonds do to the bodies, at the World's state. Empty without bonds. Valid until the next call.
  std::span<const Wrench> wrenches();
  /// Energy stored in all bonds at the World's state [J].
  double energy();
  /// Energies of all entries, for who minimises them. After refresh(); valid until the next one that found a change.
  std::span<const EnergyTerm* const> terms() const { return terms_; }

  /// Breaks every bond that is loaded to more than it bears at the World's state. What the two bodies then overlap
  /// by is tolerated from now on. \param worst_part  of those, only the ones loaded to at least this part of the worst
  /// \return how many broke
  std::size_t break_overloaded(double time, double worst_part = 0);

  /// Smallest of the laws' stable time steps [s].
  double stable_time_step();

 private:
  /// What a law is bound to.
  struct Bound {
    std::vector<std::uint32_t> bond;  ///< index of the World's
    std::vector<std::uint32_t> a, b;
    std::vector<double> section;
    std::vector<Vec3> branch;
    std::vector<Quat> made_a, made_b;
  };
  Configuration configuration() const { return {world_.position.read(), world_.orientation.read()}; }
  void tolerate(std::span<const std::uint32_t> broken);

  World& world_;
  const Methods& methods_;
  std::vector<Bound> bound_;  ///< by entry of the scene's `bonds`
  std::vector<const EnergyTerm*> terms_;
  std::vector<Wrench> wrench_;
  std::uint64_t layout_ = 0, version_ = 0;
};

}  // namespace scree
