#include "scree/world/bonds.hpp"

#include <algorithm>

namespace scree {

void Bonds::add(std::span<const Spec> bonds) {
  for (const Spec& s : bonds) {
    a.push_back(s.a);
    b.push_back(s.b);
    entry.push_back(s.entry);
    section.push_back(s.section);
    branch.push_back(s.branch);
    made_a.push_back(s.made_a);
    made_b.push_back(s.made_b);
    broken_at.push_back(kWhole);
    impulse.push_back(Vec3::Zero());
  }
  alive_ += bonds.size();
  ++version_;
}

void Bonds::break_bonds(std::span<const std::uint32_t> bonds, double time) {
  for (const std::uint32_t k : bonds) {
    if (!whole(k)) continue;
    broken_at[k] = time;
    --alive_;
    ++version_;
  }
}

void Bonds::forget(std::span<const Id> bodies, double time) {
  const auto goes = [&](Id id) { return std::binary_search(bodies.begin(), bodies.end(), id); };
  std::vector<std::uint32_t> gone;
  for (std::uint32_t k = 0; k < size(); ++k)
    if (goes(a[k]) || goes(b[k])) gone.push_back(k);
  break_bonds(gone, time);
}

void Bonds::restore(Bonds&& saved) {
  const std::uint64_t version = version_;
  *this = std::move(saved);
  alive_ = static_cast<std::size_t>(std::count(broken_at.begin(), broken_at.end(), kWhole));
  version_ = version + 1;
}

double Bonds::tolerated(Id first, Id second) const {
  const Tolerated wanted{first, second, 0};
  const auto at = std::lower_bound(tolerated_.begin(), tolerated_.end(), wanted);
  return at != tolerated_.end() && !(wanted < *at) ? at->overlap : 0;
}

void Bonds::tolerate(std::vector<Tolerated> pairs) {
  // Of two entries of a pair the later one counts: it goes first, and the other is dropped.
  std::reverse(pairs.begin(), pairs.end());
  pairs.insert(pairs.end(), tolerated_.begin(), tolerated_.end());
  std::stable_sort(pairs.begin(), pairs.end());
  const auto same = [](const Tolerated& p, const Tolerated& q) { return p.a == q.a && p.b == q.b; };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  tolerated_ = std::move(pairs);
  ++version_;
}

}  // namespace scree
