#pragma once
/// \file "implicit-bonds/1": what Mechanics offers to integrators with IntegratorTraits::implicit_bonds.

#include <cstdint>
#include <span>
#include <string_view>

#include "scree/integrate/mechanics.hpp"
#include "scree/law/bond_law.hpp"

namespace scree {

/// The bonds that do not act by forces. What is returned is valid until bonds_version() changes.
class SCREE_API ImplicitBonds {
 public:
  static constexpr std::string_view kName = "implicit-bonds/1";
  virtual ~ImplicitBonds();

  /// Energies, one per entry of the scene's `bonds`.
  virtual std::span<const EnergyTerm* const> bond_terms() = 0;
  /// Those of laws with the face BondChain.
  virtual std::span<const ChainLink> bond_links() = 0;
  /// Changes whenever the others may give something else: bonds broke or came, bodies came or went, rows changed order.
  virtual std::uint64_t bonds_version() = 0;
  /// After the answer of Cones::accept(): what these bonds did to the bodies in the step. Columns "force" and "torque"
  /// have it then, of walls too. \param wrenches  (bodies) [N], [N m]
  virtual void accept_bonds(std::span<const Wrench> wrenches) = 0;
};

}  // namespace scree
