#pragma once
/// \file Colours of contacts: two of one colour have no influence on one another, so that their order, and what thread
/// visits them, leaves no trace in the result.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "solvers/coulomb/problem.hpp"

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

/// The moving bodies of each contact: what colours depend on.
using Ends = std::vector<std::array<std::uint32_t, 2>>;

/// \param ends  out: kImmovable for a body that does not move
template <int D>
void find_ends(const RigidProblem<D>& problem, int threads, Ends& ends);

/// The same colours by these.
Order colour(const Ends& ends, std::size_t bodies);

/// The same, where a contact must differ from every contact of its row or its column.
template <int D>
Order colour(const DelassusProblem<D>& problem);

/// Visits all places colour by colour. To be called by all threads of a team, each of which calls visit(place) for its
/// share; colours too small to be worth sharing are one thread's.
template <class Visit>
void visit_by_colour(const Order& order, const Visit& visit) {
  constexpr std::size_t kShared = 128;
  for (std::size_t c = 0; c + 1 < order.colour_start.size(); ++c) {
    const std::size_t begin = order.colour_start[c], end = order.colour_start[c + 1];
    if (end - begin < kShared) {
#pragma omp single
      for (std::size_t i = begin; i < end; ++i) visit(i);
    } else {
#pragma omp for schedule(static)
      for (std::size_t i = begin; i < end; ++i) visit(i);
    }
  }
}

}  // namespace scree::coulomb
