#pragma once
/// \file Memory from one step to the next: impulses on the lattice, by key.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fluid/fluid_state.hpp"
#include "grid/lattice.hpp"

namespace scree::continuum {

/// Names a row of contact: a node, a body, and a face of it.
struct ContactKey {
  Key node;
  std::uint64_t body;
  std::uint64_t face;
  bool operator==(const ContactKey&) const = default;
  auto operator<=>(const ContactKey&) const = default;
};

template <int D>
struct Memory {
  Vec<D> origin = Vec<D>::Zero();       ///< origin of the lattice [m]
  bool placed = false;                  ///< the origin was chosen
  double dt = 0;                        ///< length of the (sub)step of the impulses [s]; 0: none was made
  int sweeps = 0;                       ///< number of sweeps of that step
  std::vector<Key> nodes;               ///< ascending
  std::vector<Stress<D>> stress;        ///< r = dt lambda of each node [Pa s]
  FluidState<D> fluid;                  ///< empty without one
  std::vector<ContactKey> contacts;     ///< ascending
  std::vector<Vec<D>> contact_impulse;  ///< on the node, world axes [N s]

  std::vector<std::byte> save() const;
  /// \throws Error where the bytes are not those of a Memory<D>
  void load(std::span<const std::byte> bytes);
};

extern template struct Memory<2>;
extern template struct Memory<3>;

}  // namespace scree::continuum
