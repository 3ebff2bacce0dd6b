#pragma once
/// \file Colours of contacts: two of one colour have no influence on one another, so that their order, and what thread
/// visits them, leaves no trace in the result.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coulomb/problem.hpp"

namespace scree::coulomb {

/// The order of a sweep.
struct Order {
  std::vector<std::uint32_t> contact;     ///< (contacts) the contact visited at each place
  std::vector<std::size_t> colour_start;  ///< (colours + 1) places of each colour
  bool shared = true;                     ///< threads may share a colour
};

/// Contacts as they come, for problems too small to share out: one stretch, for one thread.
Order natural_order(std::size_t contacts);

/// Greedy: each contact takes the first colour that neither of its moving bodies has yet.
template <int D>
Order colour(const RigidProblem<D>& problem);

/// The same, where a contact must differ from every contact of its row or its column.
template <int D>
Order colour(const DelassusProblem<D>& problem);

}  // namespace scree::coulomb
