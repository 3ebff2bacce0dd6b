/// \file The candidates of a pair that has moved, for the fast path: the arc facing the other body, then its map.

#include <algorithm>
#include <bit>
#include <cmath>

#include "outline/arc.hpp"
#include "taubin/bits.hpp"
#include "taubin/sweep.hpp"

namespace scree::star {

namespace {

/// Part of a dilation that motion may use up; the rest covers rounding.
constexpr float kUsable = 0.97f;

/// Counts the candidates in the masks, and lists them one by one.
Extent list_offsets(Candidates& row) {
  std::uint32_t count = 0;
  for (int side = 0; side < 2; ++side) {
    row.count[side] = static_cast<std::uint8_t>(std::popcount(row.mask[side]));
    for (std::uint64_t rest = row.mask[side]; rest != 0 && count < kLanes; rest &= rest - 1)
      row.offset[count++] = static_cast<std::uint8_t>(std::countr_zero(rest));
  }
  if (count == 0) return Extent::none;
  const bool listed = row.count[0] + row.count[1] <= kLanes && (row.mask[0] | row.mask[1]) >> (2 * kLanes) == 0;
  return listed ? Extent::few : Extent::many;
}

}  // namespace

/// Lengths of a pair are those at the size of b's shape.
/// \param ratio  size of body a over that of b, each relative to its shape
void Sweep::refresh(const Outline& a, const Outline& b, float ratio, const FloatPose& in_b, const FloatPose& in_a,
                    Candidates& row) {
  ++counts_.refreshed;
  const float distance = std::sqrt(in_b.x * in_b.x + in_b.y * in_b.y);
  const float ra = ratio * static_cast<float>(a.r_max), rb = static_cast<float>(b.r_max);
  row.reference = in_b;
  row.extent = Extent::none;
  row.inside = row.regions = 0;
  row.mask[0] = row.mask[1] = 0;
  const float dilation = std::min(ratio * a.map.dilation, b.map.dilation);
  const float gap = distance - (ra + rb);
  if (gap > dilation) {  // only the shift brings discs together
    row.lever2 = 0;
    row.reach2 = kUsable * gap * (kUsable * gap);
    return;
  }
  // A node of a moves by |shift| + ra |turn| at most in b's frame, one of b by |shift| + (distance + rb) |turn| in a's.
  const float lever = std::max(ra, distance + rb), reach = kUsable * dilation;
  row.lever2 = lever * lever;
  row.reach2 = reach * reach;
  const float other_ratio = 1 / ratio;
  const bool far_apart = ra > kMostRatio * rb || rb > kMostRatio * ra;  // in size
  const bool wide = far_apart || !find_side(a, b, other_ratio, sized(in_b, ratio), in_a, 0, row) |
                                     !find_side(b, a, ratio, sized(in_a, other_ratio), in_b, 1, row);
  row.extent = wide ? Extent::wide : list_offsets(row);
}

/// \param ratio  size of the other body over that of the own one  \param pose  of the own shape at the size of the
/// other \return false when the side's candidates do not fit its mask
bool Sweep::find_side(const Outline& own, const Outline& other, float ratio, const FloatPose& pose,
                      const FloatPose& other_in_own, int side, Candidates& row) {
  const float reach = ratio * (static_cast<float>(other.r_max) * 1.0001f + other.map.dilation);
  const auto [first, count] =
      facing_arc(other_in_own.x, other_in_own.y, static_cast<float>(own.r_max), reach, own.nodes);
  if (count == 0) return true;
  arc_.assign(count / 64 + 2, 0);
  for (std::uint32_t i = 0; i < count; i += kLanes) {
    const std::uint64_t bits = kernels::mapped(own.fx.data() + first + i, own.fy.data() + first + i, pose, other.map);
    arc_[i / 64] |= bits << (i % 64);
  }
  if (count % 64 != 0) arc_[count / 64] &= low_bits(count % 64);
  const std::uint32_t low = next_node(arc_, 0, count, true);
  if (low == count) return true;
  const std::uint64_t next = low % 64 == 0 ? 0 : arc_[low / 64 + 1] << (64 - low % 64);
  row.first[side] = static_cast<std::uint16_t>(modulo(first + low, own.nodes));
  row.mask[side] = arc_[low / 64] >> (low % 64) | next;
  return next_node(arc_, low + kWindow, count, true) == count;
}

}  // namespace scree::star
