#include "surface/regions.hpp"

#include <algorithm>
#include <cstdint>

namespace scree::star3d {

namespace {

constexpr double kSamePlace = 1e-4;  // of the spacing: tops so near to each other are one

/// Tops that hang together, as trees with the deepest one at the root.
class TopTrees {
 public:
  explicit TopTrees(const std::vector<Term>& tops) : tops_(tops), parent_(tops.size()), alive_(tops.size(), true) {
    for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = i;
  }
  std::uint32_t root(std::uint32_t top) const {
    while (parent_[top] != top) top = parent_[top];
    return top;
  }
  /// \return the root of the two that was less deep
  std::uint32_t join(std::uint32_t one, std::uint32_t other) {
    const bool second = tops_[one].point.depth >= tops_[other].point.depth;
    parent_[second ? other : one] = second ? one : other;
    return second ? other : one;
  }
  void drop(std::uint32_t top) { alive_[top] = false; }
  bool alive(std::uint32_t top) const { return alive_[top]; }

 private:
  const std::vector<Term>& tops_;
  std::vector<std::uint32_t> parent_;
  std::vector<bool> alive_;
};

void merge_same_places(const std::vector<Term>& tops, double spacing, TopTrees& trees) {
  for (std::uint32_t i = 0; i < tops.size(); ++i)
    for (std::uint32_t k = 0; k < i; ++k) {
      const bool same = (tops[i].point.at - tops[k].point.at).norm() < kSamePlace * spacing;
      if (same && trees.root(i) != trees.root(k)) trees.drop(trees.join(trees.root(k), trees.root(i)));
    }
}

}  // namespace

void polish_regions(const Meeting& meeting, const DeepNodes& nodes, std::vector<Term>& terms) {
  terms.clear();
  for (const std::uint32_t node : nodes.tops()) terms.push_back({polished_peak(meeting, nodes.position(node)), false});
  if (terms.size() < 2) return;
  TopTrees trees(terms);
  merge_same_places(terms, meeting.spacing, trees);
  std::vector<Term> saddles;
  for (const Junction& junction : nodes.junctions()) {
    const std::uint32_t one = trees.root(junction.one), other = trees.root(junction.other);
    if (one == other) continue;
    const std::uint32_t lower = trees.join(one, other);
    if (terms[lower].point.depth <= meeting.least) continue;  // and the saddle lies lower still
    const Stationary saddle = polished_saddle(meeting, nodes.position(junction.node));
    if (saddle.found && saddle.depth < terms[lower].point.depth)
      saddles.push_back({saddle, true, terms[lower].point.at});
    else
      trees.drop(lower);
  }
  std::vector<Term> kept;
  for (std::uint32_t i = 0; i < terms.size(); ++i)
    if (trees.alive(i)) kept.push_back(terms[i]);
  kept.insert(kept.end(), saddles.begin(), saddles.end());
  terms = std::move(kept);
}

void add_unseen(const Meeting& meeting, std::span<const Term> of_other, const Placement& own,
                std::vector<Term>& terms) {
  const auto count = [](std::span<const Term> some) { return std::ranges::count(some, true, &Term::saddle); };
  if (count(of_other) <= count(terms)) return;
  // A contact lies on both surfaces, or nearly.
  const auto here = [&](const Vec3& at) { return Vec3(own.turn * at + own.position); };
  const auto is_new = [&](const Stationary& point) {
    return point.found && std::ranges::none_of(terms, [&](const Term& term) {
             return (term.point.at - point.at).norm() < kSamePlace * meeting.spacing;
           });
  };
  for (const Term& term : of_other) {
    if (!term.saddle) continue;
    const Stationary top = polished_peak(meeting, here(term.lower_top));
    if (!is_new(top)) continue;
    const Stationary saddle = polished_saddle(meeting, here(term.point.at));
    if (!is_new(saddle) || saddle.depth >= top.depth) continue;
    terms.push_back({top, false});
    terms.push_back({saddle, true, top.at});
  }
}

}  // namespace scree::star3d
