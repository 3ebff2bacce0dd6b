#include "scree/world/bonds.hpp"

#include <algorithm>

namespace scree {

Bonds::Bonds() {
  a = table_.column<Id>("a");
  b = table_.column<Id>("b");
  entry = table_.column<std::uint32_t>("entry");
  section = table_.column<double>("section", "m^2");
  branch = table_.column<Vec3>("branch", "m");
  made_a = table_.column<Quat>("made_a");
  made_b = table_.column<Quat>("made_b");
  joint = table_.column<Vec3>("joint", "m");
  broken_at = table_.column<double>("broken_at", "s");
  impulse = table_.column<Vec3>("impulse", "N s");
}

void Bonds::add(std::span<const Spec> bonds) {
  std::size_t k = size();
  table_.add(bonds.size());
  const auto to_a = a.write(), to_b = b.write();
  const auto to_entry = entry.write();
  const auto to_section = section.write(), to_broken_at = broken_at.write();
  const auto to_branch = branch.write(), to_joint = joint.write();
  const auto to_made_a = made_a.write(), to_made_b = made_b.write();
  for (const Spec& s : bonds) {
    to_a[k] = s.a, to_b[k] = s.b;
    to_entry[k] = s.entry;
    to_section[k] = s.section;
    to_branch[k] = s.branch;
    to_joint[k] = s.joint;
    to_made_a[k] = s.made_a, to_made_b[k] = s.made_b;
    to_broken_at[k++] = kWhole;
  }
  alive_ += bonds.size();
  ++version_;
}

void Bonds::break_bonds(std::span<const std::uint32_t> bonds, double time) {
  const auto when = broken_at.write();
  for (const std::uint32_t k : bonds) {
    if (when[k] != kWhole) continue;
    when[k] = time;
    --alive_;
    ++version_;
  }
}

void Bonds::forget(std::span<const Id> bodies, double time) {
  if (alive_ == 0) return;
  const auto goes = [&](Id id) { return std::binary_search(bodies.begin(), bodies.end(), id); };
  std::vector<std::uint32_t> gone;
  for (std::uint32_t k = 0; k < size(); ++k)
    if (goes(a[k]) || goes(b[k])) gone.push_back(k);
  break_bonds(gone, time);
}

void Bonds::remember(int numbers) {
  if (numbers > 0) memory_ = &table_.storage("memory", ColumnType::float64, numbers, "", false);
}

std::span<const double> Bonds::memory() const {
  if (!memory_) return {};
  return {reinterpret_cast<const double*>(memory_->read()), size() * static_cast<std::size_t>(remembered())};
}

void Bonds::set_memory(std::span<const std::uint32_t> bonds, std::span<const double> memory) {
  if (bonds.empty()) return;
  const std::size_t numbers = memory.size() / bonds.size(), stride = static_cast<std::size_t>(remembered());
  const ColumnWriter<double> to(*memory_, memory_->open_write());
  for (std::size_t k = 0; k < bonds.size(); ++k)
    std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(k * numbers), numbers, to.data() + bonds[k] * stride);
  ++memory_version_;
}

void Bonds::rows_filled() {
  alive_ = static_cast<std::size_t>(std::ranges::count(broken_at.read(), kWhole));
  ++version_;
}

double Bonds::tolerated(Id first, Id second) const {
  const Tolerated wanted{first, second, 0};
  const auto at = std::lower_bound(tolerated_.begin(), tolerated_.end(), wanted);
  return at != tolerated_.end() && !(wanted < *at) ? at->overlap : 0;
}

void Bonds::tolerate(std::vector<Tolerated> pairs) {
  // The later of two entries of a pair counts: after reversing, it comes first, and the other is dropped.
  std::reverse(pairs.begin(), pairs.end());
  pairs.insert(pairs.end(), tolerated_.begin(), tolerated_.end());
  std::stable_sort(pairs.begin(), pairs.end());
  const auto same = [](const Tolerated& p, const Tolerated& q) { return p.a == q.a && p.b == q.b; };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same), pairs.end());
  // A pair that no longer overlaps tolerates nothing.
  std::erase_if(pairs, [](const Tolerated& pair) { return !(pair.overlap > 0); });
  tolerated_ = std::move(pairs);
  ++version_;
}

}  // namespace scree
