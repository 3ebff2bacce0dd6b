#include "solvers/coulomb/colouring.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "solvers/coulomb/parallel.hpp"
#include "solvers/coulomb/rigid_kinematics.hpp"

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

/// The colours that the contacts of each body have: the first 64 in a row for all, more for the few that need them.
class TakenColours {
 public:
  explicit TakenColours(std::size_t bodies) : first_(bodies, 0) {}

  /// Bit c of word w: colour 64 w + c.
  std::uint64_t word(std::uint32_t body, std::size_t w) const {
    if (body == kImmovable) return 0;
    if (w == 0) return first_[body];
    const auto more = more_.find(body);
    return more == more_.end() || w > more->second.size() ? 0 : more->second[w - 1];
  }
  void take(std::uint32_t body, std::size_t w, std::uint64_t bit) {
    if (body == kImmovable) return;
    if (w == 0) {
      first_[body] |= bit;
      return;
    }
    std::vector<std::uint64_t>& words = more_[body];
    if (words.size() < w) words.resize(w, 0);
    words[w - 1] |= bit;
  }

 private:
  std::vector<std::uint64_t> first_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> more_;
};

constexpr std::uint32_t kNoColour = 0xffffffff;

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
void find_ends(const RigidProblem<D>& problem, int threads, Ends& ends) {
  const auto moving = [&problem](std::uint32_t body) {
    return body == kImmovable || is_fixed(problem.bodies[body]) ? kImmovable : body;
  };
  ends.resize(problem.size());
  for_chunks(ends.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ends[i] = {moving(problem.contacts[i].a), moving(problem.contacts[i].b)};
  });
}

Order colour(const Ends& ends, std::size_t bodies) {
  TakenColours taken(bodies);
  std::vector<std::uint32_t> colour_of(ends.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto [a, b] = ends[i];
    std::size_t w = 0;
    std::uint64_t used = taken.word(a, w) | taken.word(b, w);
    while (~used == 0) {
      ++w;
      used = taken.word(a, w) | taken.word(b, w);
    }
    const int c = __builtin_ctzll(~used);
    taken.take(a, w, std::uint64_t{1} << c);
    taken.take(b, w, std::uint64_t{1} << c);
    colour_of[i] = static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(c));
  }
  return by_colour(colour_of);
}

template <int D>
Order colour(const RigidProblem<D>& problem) {
  Ends ends;
  find_ends(problem, 1, ends);
  return colour(ends, problem.bodies.size());
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
  std::vector<std::uint32_t> colour_of(n), seen_by(n + 1, kNoColour);
  for (std::uint32_t i = 0; i < n; ++i) {
    for (const std::uint32_t j : neighbours[i]) seen_by[colour_of[j]] = i;
    std::uint32_t c = 0;
    while (seen_by[c] == i) ++c;
    colour_of[i] = c;
  }
  return by_colour(colour_of);
}

template void find_ends(const RigidProblem<2>&, int, Ends&);
template void find_ends(const RigidProblem<3>&, int, Ends&);
template Order colour(const RigidProblem<2>&);
template Order colour(const RigidProblem<3>&);
template Order colour(const DelassusProblem<2>&);
template Order colour(const DelassusProblem<3>&);

}  // namespace scree::coulomb
