#include "implicit/fragment_factors.hpp"

#include <algorithm>

namespace scree::nonsmooth {

namespace {

/// Fragments that are alike, in their order.
std::vector<std::vector<std::uint32_t>> alike(std::span<const Elimination> of) {
  std::vector<std::vector<std::uint32_t>> sets;
  for (std::uint32_t f = 0; f < of.size(); ++f) {
    const auto set = std::ranges::find_if(sets, [&](const auto& s) { return of[s[0]].like(of[f]); });
    if (set == sets.end())
      sets.push_back({f});
    else
      set->push_back(f);
  }
  return sets;
}

}  // namespace

FragmentFactors::FragmentFactors(const solvers::BlockPattern& pattern, std::span<const Fragment> fragments,
                                 std::span<const std::uint32_t> row)
    : place_(fragments.size()) {
  std::vector<Elimination> of;
  for (const Fragment& fragment : fragments) {
    std::vector<std::uint32_t> rows;
    for (const std::uint32_t body : fragment.bodies) rows.push_back(row[body]);
    of.emplace_back(pattern, rows);
  }
  std::vector<std::uint32_t> single;
  for (const auto& set : alike(of))
    for (std::size_t first = 0; first < set.size(); first += 4) {
      if (first + 1 == set.size()) {
        single.push_back(set[first]);
        continue;
      }
      const auto at = [&](std::size_t lane) { return set[std::min(first + lane, set.size() - 1)]; };
      for (std::uint32_t lane = 4; lane-- > 0;) place_[at(lane)] = {static_cast<std::uint32_t>(fours_.size()), lane};
      fours_.push_back(
          {BlockCholesky<Wide>({of[at(0)], of[at(1)], of[at(2)], of[at(3)]}), {at(0), at(1), at(2), at(3)}});
    }
  for (const std::uint32_t f : single) {
    place_[f] = {static_cast<std::uint32_t>(fours_.size() + ones_.size()), 0};
    ones_.push_back({BlockCholesky<double>({of[f]}), {f}});
  }
}

template <class Self, class F>
void FragmentFactors::for_groups(Self& self, const F& f) {
  const auto fours = static_cast<std::ptrdiff_t>(self.fours_.size());
  const auto count = fours + static_cast<std::ptrdiff_t>(self.ones_.size());
#pragma omp parallel for schedule(dynamic) if (count > 1)
  for (std::ptrdiff_t k = 0; k < count; ++k)
    if (k < fours)
      f(self.fours_[static_cast<std::size_t>(k)]);
    else
      f(self.ones_[static_cast<std::size_t>(k - fours)]);
}

void FragmentFactors::factor(const solvers::BlockMatrix& a, std::span<const solvers::Block> added,
                             std::span<std::uint8_t> wanted) {
  for_groups(*this, [&](auto& group) {
    // Lanes that are not asked for have the same matrix, and get the same factors again.
    if (std::ranges::none_of(group.fragment, [&](std::uint32_t f) { return wanted[f] != 0; })) return;
    const auto positive = group.factors.factor(a, added);
    for (std::size_t lane = 0; lane < positive.size(); ++lane) wanted[group.fragment[lane]] = !positive[lane];
  });
}

void FragmentFactors::solve(solvers::BlockVector& x) const {
  for_groups(*this, [&](const auto& group) { group.factors.solve(x); });
}

void FragmentFactors::diagonal_of_inverse(std::span<solvers::Block> out) const {
  for_groups(*this, [&](const auto& group) { group.factors.diagonal_of_inverse(out); });
}

void FragmentFactors::inverse(std::size_t fragment, std::span<const std::uint32_t> places,
                              std::span<solvers::Block> out) const {
  const auto [group, lane] = place_[fragment];
  if (group < fours_.size())
    fours_[group].factors.inverse(lane, places, out);
  else
    ones_[group - fours_.size()].factors.inverse(0, places, out);
}

}  // namespace scree::nonsmooth
