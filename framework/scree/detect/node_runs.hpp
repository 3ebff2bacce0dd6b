#pragma once
/// \file Contacts from nodes inside another shape, for every detector that samples outlines by nodes. It finds maximal
/// runs of inside nodes, runs of the two sides that bound the same overlap, and contacts that continue old ones.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/detect/contact_match.hpp"

namespace scree {

/// Consecutive nodes first, first + 1, ..., first + count - 1 of a closed outline, modulo its number of nodes.
struct NodeRun {
  std::uint32_t first = 0, count = 0;
  bool operator==(const NodeRun&) const = default;
};

/// Number of 64-bit words of a mask over n nodes.
constexpr std::size_t mask_words(std::uint32_t n) { return (n + 63) / 64; }

/// Returns the first node in [from, n) whose bit equals `value`, or n. Bits at n and above may be anything.
inline std::uint32_t next_node(std::span<const std::uint64_t> mask, std::uint32_t from, std::uint32_t n, bool value) {
  while (from < n) {
    const std::uint64_t word = (value ? mask[from / 64] : ~mask[from / 64]) >> (from % 64);
    if (word != 0) return std::min(n, from + static_cast<std::uint32_t>(std::countr_zero(word)));
    from = (from / 64 + 1) * 64;
  }
  return n;
}

/// Visits the maximal cyclic runs of set bits in order of their first node; one that wraps past the last node is last.
/// \param mask  bit i = node i is in; mask_words(n) words
template <class Visit>
void for_each_run(std::span<const std::uint64_t> mask, std::uint32_t n, Visit&& visit) {
  const std::uint32_t leading = next_node(mask, 0, n, false);
  if (leading == n) {
    if (n > 0) visit(NodeRun{0, n});
    return;
  }
  const bool wraps = (mask[(n - 1) / 64] >> ((n - 1) % 64) & 1) != 0;
  if (leading > 0 && !wraps) visit(NodeRun{0, leading});
  std::uint32_t end = leading;
  for (std::uint32_t first = next_node(mask, end, n, true); first < n; first = next_node(mask, end, n, true)) {
    end = next_node(mask, first, n, false);
    visit(NodeRun{first, end - first + (end == n ? leading : 0)});
  }
}

/// Run as a part of its outline, in units of 1/65536 of the nodes: runs compare without their number of nodes.
struct RingInterval {
  std::uint16_t first = 0, length = 0;  ///< length 0 = none
  bool operator==(const RingInterval&) const = default;
};

/// Returns the interval of a run: each node counts as one cell, and the whole is widened by half a cell at either end.
/// Runs one node apart still overlap, so that a contact of one node that moves to the next node is recognised.
SCREE_HD inline RingInterval ring_interval(NodeRun run, std::uint32_t n) {
  if (run.count == 0) return {};
  const double unit = 65536.0 / n;
  const auto first = static_cast<std::int64_t>((run.first - 0.5) * unit + 65536.0);
  const double length = std::min(65535.0, (run.count + 1.0) * unit);
  return {static_cast<std::uint16_t>(first), static_cast<std::uint16_t>(std::max(1.0, length))};
}

/// Returns the length of the intersection of two intervals on the ring; it may consist of two parts.
SCREE_HD inline std::uint32_t shared_length(RingInterval a, RingInterval b) {
  const std::int32_t shift = static_cast<std::uint16_t>(b.first - a.first);
  const std::int32_t end = shift + b.length;
  const std::int32_t ahead = std::min<std::int32_t>(a.length, end) - shift;
  const std::int32_t wrapped = std::min<std::int32_t>(a.length, end - 65536);
  return static_cast<std::uint32_t>(std::max(0, ahead) + std::max(0, wrapped));
}

/// Packs the nodes of both sides of a contact into the 64 bits that are stored with its history.
SCREE_HD inline std::uint64_t pack_intervals(RingInterval a, RingInterval b) {
  return std::uint64_t{a.first} | std::uint64_t{a.length} << 16 | std::uint64_t{b.first} << 32 |
         std::uint64_t{b.length} << 48;
}
SCREE_HD inline RingInterval interval_a(std::uint64_t payload) {
  return {static_cast<std::uint16_t>(payload), static_cast<std::uint16_t>(payload >> 16)};
}
SCREE_HD inline RingInterval interval_b(std::uint64_t payload) { return interval_a(payload >> 32); }

/// Returns the length of outline that two contacts of one pair share, both sides together.
SCREE_HD inline std::uint32_t shared_length(std::uint64_t payload, std::uint64_t other) {
  return shared_length(interval_a(payload), interval_a(other)) + shared_length(interval_b(payload), interval_b(other));
}

namespace detail {

/// A current contact of a pair and a contact of the last step that share nodes.
struct SharedNodes {
  std::uint32_t shared = 0;  ///< 0 = none found
  std::size_t now = 0, old = 0;
};

/// Checks whether a current contact continues this old one.
SCREE_HD inline bool continues(const ContactMatch& m, std::size_t old) {
  for (std::size_t i = 0; i < m.new_count; ++i)
    if (m.source[i] == static_cast<std::int32_t>(old)) return true;
  return false;
}

/// Returns the pair that shares most: a contact without source and an old contact that none continues yet.
SCREE_HD inline SharedNodes most_shared(const ContactMatch& m) {
  SharedNodes best;
  for (std::size_t o = 0; o < m.old_count; ++o) {
    if (continues(m, o)) continue;
    for (std::size_t i = 0; i < m.new_count; ++i) {
      if (m.source[i] >= 0) continue;
      const std::uint32_t shared = shared_length(m.new_payload[i], m.old_payload[o]);
      const bool tie = shared == best.shared && shared > 0;
      if (shared > best.shared || (tie && m.old_feature[o] < m.old_feature[best.old])) best = {shared, i, o};
    }
  }
  return best;
}

/// Returns the current contact with which an old one shares most of its outlines (ties: the first), or -1.
SCREE_HD inline std::int32_t nearest_now(const ContactMatch& m, std::size_t old) {
  std::int32_t best = -1;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < m.new_count; ++i) {
    const std::uint32_t shared = shared_length(m.new_payload[i], m.old_payload[old]);
    if (shared > most) most = shared, best = static_cast<std::int32_t>(i);
  }
  return best;
}

}  // namespace detail

/// Matches contacts whose payloads pack_intervals() made, for ContactDetector::match(). A contact continues the old
/// contact with which it shares most of its outlines (ties: smallest feature), one to one, and takes its feature. The
/// others are new and get the smallest features not in use in the pair. If none continues an old contact, for example
/// after two have merged, its successor is the current one with which it shares most. Contacts must come in with
/// distinct features.
SCREE_HD inline void match_runs(const ContactMatch& m) {
  for (std::size_t i = 0; i < m.new_count; ++i) m.source[i] = -1;
  const std::size_t most = m.new_count < m.old_count ? m.new_count : m.old_count;
  for (std::size_t k = 0; k < most; ++k) {
    const detail::SharedNodes next = detail::most_shared(m);
    if (next.shared == 0) break;
    m.source[next.now] = static_cast<std::int32_t>(next.old);
  }
  for (std::size_t i = 0; i < m.new_count; ++i)
    m.new_feature[i] = m.source[i] >= 0 ? m.old_feature[m.source[i]] : unused_feature(m, i);
  if (!m.successor) return;
  for (std::size_t o = 0; o < m.old_count; ++o)
    if (!detail::continues(m, o)) m.successor[o] = detail::nearest_now(m, o);
}

/// Run of one side with its deepest node, in a frame common to both sides.
struct OutlineRun {
  NodeRun nodes;
  std::uint32_t deepest = 0;  ///< node
  double overlap = 0;         ///< at the deepest node [m]
  Vec3 begin = Vec3::Zero();  ///< first node of the run [m]
  Vec3 end = Vec3::Zero();    ///< last node of the run [m]
  std::uint32_t region = 0;   ///< out: runs with equal numbers bound the same overlap
};

/// Finds the runs of the two sides that bound the same overlap, and numbers the overlaps in `region` (not
/// consecutively). Both outlines run counter-clockwise, so b enters a where a leaves b: a run's end lies next to the
/// beginning of the run that faces it.
/// \param reach  [m] largest distance of the two: the sum of both node spacings, and twice the margin
inline void join_facing_runs(std::span<OutlineRun> a, std::span<OutlineRun> b, double reach) {
  std::uint32_t next = 0;
  for (OutlineRun& run : a) run.region = next++;
  for (OutlineRun& run : b) run.region = next++;
  const auto rename = [](std::span<OutlineRun> runs, std::uint32_t from, std::uint32_t to) {
    for (OutlineRun& run : runs)
      if (run.region == from) run.region = to;
  };
  const auto near = [limit = reach * reach](const Vec3& p, const Vec3& q) { return (p - q).squaredNorm() <= limit; };
  for (OutlineRun& s : a) {
    for (OutlineRun& t : b) {
      if (s.region == t.region || !(near(s.end, t.begin) || near(s.begin, t.end))) continue;
      const auto [keep, drop] = std::minmax({s.region, t.region});
      rename(a, drop, keep);
      rename(b, drop, keep);
    }
  }
}

/// Returns the deepest run of a region on one side, or nullptr.
inline const OutlineRun* deepest_of(std::span<const OutlineRun> runs, std::uint32_t region) {
  const OutlineRun* best = nullptr;
  for (const OutlineRun& run : runs)
    if (run.region == region && (best == nullptr || run.overlap > best->overlap)) best = &run;
  return best;
}

}  // namespace scree
