#include "coulomb/colouring.hpp"

#include <algorithm>
#include <numeric>

#include "coulomb/rigid_kinematics.hpp"

namespace scree::coulomb {
namespace {

/// Counting sort of contacts by colour; within a colour as they came.
Order by_colour(const std::vector<std::uint32_t>& colour_of) {
  Order order;
  const std::size_t colours = colour_of.empty() ? 0 : 1 + *std::max_element(colour_of.begin(), colour_of.end());
  order.colour_start.assign(colours + 1, 0);
  for (const std::uint32_t c : colour_of) ++order.colour_start[c + 1];
  std::partial_sum(order.colour_start.begin(), order.colour_start.end(), order.colour_start.begin());
  std::vector<std::size_t> next(order.colour_start.begin(), order.colour_start.end() - 1);
  order.contact.resize(colour_of.size());
  for (std::size_t i = 0; i < colour_of.size(); ++i) {
    order.contact[next[colour_of[i]]++] = static_cast<std::uint32_t>(i);
  }
  return order;
}

template <int D>
bool moves(const RigidProblem<D>& problem, std::uint32_t body) {
  return body != kImmovable && !is_fixed(problem.bodies[body]);
}

constexpr std::uint32_t kNone = 0xffffffff;

}  // namespace

Order natural_order(std::size_t contacts) {
  Order order;
  order.contact.resize(contacts);
  std::iota(order.contact.begin(), order.contact.end(), 0u);
  order.colour_start = {0, contacts};
  order.shared = false;
  return order;
}

template <int D>
Order colour(const RigidProblem<D>& problem) {
  // Bit c of a body's word w tells whether one of its contacts has colour 64 w + c.
  std::vector<std::vector<std::uint64_t>> taken(problem.bodies.size());
  std::vector<std::uint32_t> colour_of(problem.size());
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const std::uint32_t ends[] = {problem.contacts[i].a, problem.contacts[i].b};
    std::size_t word = 0;
    std::uint64_t used = ~std::uint64_t{0};
    for (;; ++word) {
      used = 0;
      for (const std::uint32_t body : ends) {
        if (moves(problem, body) && word < taken[body].size()) used |= taken[body][word];
      }
      if (~used != 0) break;
    }
    const int bit = __builtin_ctzll(~used);
    for (const std::uint32_t body : ends) {
      if (!moves(problem, body)) continue;
      if (taken[body].size() <= word) taken[body].resize(word + 1, 0);
      taken[body][word] |= std::uint64_t{1} << bit;
    }
    colour_of[i] = static_cast<std::uint32_t>(64 * word + bit);
  }
  return by_colour(colour_of);
}

template <int D>
Order colour(const DelassusProblem<D>& problem) {
  const std::size_t n = problem.size();
  // Neighbours by row and by column: W's pattern need not be symmetric.
  std::vector<std::vector<std::uint32_t>> neighbours(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::size_t k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      const std::uint32_t j = problem.column[k];
      if (j == i) continue;
      neighbours[std::max(i, j)].push_back(std::min(i, j));
    }
  }
  std::vector<std::uint32_t> colour_of(n), seen_by(n + 1, kNone);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const std::uint32_t j : neighbours[i]) seen_by[colour_of[j]] = i;
    std::uint32_t c = 0;
    while (seen_by[c] == i) ++c;
    colour_of[i] = c;
  }
  return by_colour(colour_of);
}

template Order colour(const RigidProblem<2>&);
template Order colour(const RigidProblem<3>&);
template Order colour(const DelassusProblem<2>&);
template Order colour(const DelassusProblem<3>&);

}  // namespace scree::coulomb
