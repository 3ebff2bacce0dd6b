/// \file The regions of the fast path: runs of inside nodes, from bit masks, joined across both sides.

#include <algorithm>
#include <bit>

#include "taubin/bits.hpp"
#include "taubin/sweep.hpp"

namespace scree::star {

/// Bits of the 64 items from `begin` on.
inline std::uint64_t Sweep::item_bits(std::uint32_t begin) const {
  const std::uint32_t shift = begin % 64;
  return inside_[begin / 64] >> shift | inside_[begin / 64 + 1] << 1 << (63 - shift);
}

/// Inside nodes of a side as bits of its mask.
std::uint64_t Sweep::inside_bits(const Active& active, int side) const {
  const std::uint64_t bits = item_bits(active.item[side]) & low_bits(active.item[side + 1] - active.item[side]);
  return deposit(bits, active.row->mask[side]);
}

void Sweep::find_regions(std::uint32_t index) {
  const Active& active = active_[index];
  const auto hand_over = [&] { add_region(index, {}, 0); };
  if (active.plain) return hand_over();
  const Candidates& row = *active.row;
  const std::uint32_t candidates = active.item[2] - active.item[0];
  const bool few = candidates <= 32;
  const auto seen = few ? static_cast<std::uint32_t>(item_bits(active.item[0]) & low_bits(candidates)) : 0;
  if (few && seen == row.inside) {
    // Rows of regions that are not there are overwritten by the next pair's: how many there are cannot be predicted.
    const std::uint32_t begin = regions_;
    add_region(index, row.region[0], 0);
    add_region(index, row.region[1], 1);
    if (row.regions > 2) add_region(index, row.region[2], 2);
    regions_ = begin + row.regions;
    return;
  }
  const std::uint64_t inside_a = inside_bits(active, 0), inside_b = inside_bits(active, 1);
  if ((inside_a | inside_b) == 0) return;
  Joint joint;
  if (!find_runs(active, 0, inside_a, joint.runs) || !find_runs(active, 1, inside_b, joint.runs)) return hand_over();
  join_runs(active, joint);
  if (!joint.sure) return hand_over();
  if (joint.simple) return add_simple_regions(index, joint, seen);
  for (std::uint32_t region = 0; region < joint.regions; ++region) add_complex_region(index, joint.runs, region);
}

/// \return false when there are too many, or when runs may meet across the ends of the mask
inline bool Sweep::find_runs(const Active& active, int side, std::uint64_t inside, Runs& runs) const {
  const Outline& own = *active.outline[side];
  const int n = own.nodes;
  if (n <= kWindow && (inside & 1) != 0 && (inside >> (n - 1)) != 0) return false;
  const std::uint64_t mask = active.row->mask[side];
  const std::uint32_t first = active.row->first[side], begin_of_side = side == 0 ? 0 : runs.end[0];
  const float *x = own.fx.data() + first, *y = own.fy.data() + first;
  const float *edge_in = own.edge_before.data() + first, *edge_out = own.edge_after.data() + first;
  const float seen = ratio(sizes(active.body[side], active.body[1 - side]));
  std::uint32_t end = begin_of_side, wrapped = ~0u;  // the first run that begins past node n - 1
  for (; inside != 0; ++end) {
    if (end == Runs::kMost) return false;
    const auto begin = static_cast<std::uint32_t>(std::countr_zero(inside));
    const auto count = static_cast<std::uint32_t>(std::countr_one(inside >> begin)), last = begin + count - 1;
    const std::uint32_t item = active.item[side] + static_cast<std::uint32_t>(std::popcount(mask & low_bits(begin)));
    if (first + begin >= static_cast<std::uint32_t>(n)) wrapped = std::min(wrapped, end);
    runs.run[end] = {{modulo(first + begin, n), count},
                     item,
                     begin,
                     0,
                     x[begin],
                     y[begin],
                     item_x_[item + count - 1],
                     item_y_[item + count - 1],
                     edge_in[begin],
                     seen * edge_out[last]};
    inside &= inside + (std::uint64_t{1} << begin);  // clears the run
  }
  if (wrapped < end) std::rotate(runs.run + begin_of_side, runs.run + wrapped, runs.run + end);
  runs.end[side] = end;
  return true;
}

/// Finds which runs of the two sides meet, and joins them into regions.
inline void Sweep::join_runs(const Active& active, Joint& joint) const {
  Runs& runs = joint.runs;
  const std::uint32_t end_a = runs.end[0], end = runs.end[1];
  // Between two moments at which the masks hold, a node moves by twice the dilation at most.
  const float of_a = active.outline[0]->map.dilation, of_b = active.outline[1]->map.dilation;
  const float a_in_b = ratio(sizes(active.body[0], active.body[1]));
  const float motion_in_b = 2 * std::min(a_in_b * of_a, of_b), motion_in_a = 2 * std::min(of_a, of_b / a_in_b);
  const float tolerance = 16 * sign_error_;
  std::uint32_t taken = 0;
  joint.sure = joint.lasting = joint.simple = true;
  const auto meet = [&](const Run& from, const Run& to, float motion) {
    const float dx = from.end_x - to.begin_x, dy = from.end_y - to.begin_y, reach = from.edge_out + to.edge_in;
    const float excess = dx * dx + dy * dy - reach * reach;
    joint.sure &= std::abs(excess) > tolerance * reach;
    joint.lasting &= std::abs(excess) > motion * (2 * reach + motion);
    return excess < 0;
  };
  for (std::uint32_t i = 0; i < end; ++i) joint.simple &= runs.run[i].nodes.count <= kLanes;
  for (std::uint32_t i = 0; i < end_a; ++i) {
    std::uint32_t row = 0;
    for (std::uint32_t k = end_a; k < end; ++k) {
      const bool ahead = meet(runs.run[i], runs.run[k], motion_in_b),
                 behind = meet(runs.run[k], runs.run[i], motion_in_a);
      row |= static_cast<std::uint32_t>(ahead | behind) << k;
    }
    joint.simple &= (row & (row - 1)) == 0 && (row & taken) == 0;
    taken |= row;
    joint.meets[i] = row;
  }
  if (!joint.simple) name_regions(joint);
}

/// Connected runs get the same number; numbers count up in order of the runs.
void Sweep::name_regions(Joint& joint) {
  Runs& runs = joint.runs;
  const std::uint32_t end_a = runs.end[0], end = runs.end[1];
  const auto rename = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t m = 0; m < end; ++m)
      if (runs.run[m].region == from) runs.run[m].region = to;
  };
  for (std::uint32_t i = 0; i < end; ++i) runs.run[i].region = i;
  for (std::uint32_t i = 0; i < end_a; ++i) {
    for (std::uint32_t row = joint.meets[i]; row != 0; row &= row - 1) {
      const std::uint32_t s = runs.run[i].region, t = runs.run[std::countr_zero(row)].region;
      if (s != t) rename(std::max(s, t), std::min(s, t));
    }
  }
  joint.regions = 0;
  for (std::uint32_t i = 0; i < end; ++i)
    if (runs.run[i].region >= joint.regions) rename(runs.run[i].region, joint.regions++);
}

/// \param seen  the inside bits of all candidates, if they are 32 at most; else 0
void Sweep::add_simple_regions(std::uint32_t index, const Joint& joint, std::uint32_t seen) {
  const Active& active = active_[index];
  const Runs& runs = joint.runs;
  SimpleRegion regions[Runs::kMost] = {};
  std::uint32_t count = 0, taken = 0;
  const auto put = [&](int side, const Run& run) {
    SimpleRegion& region = regions[count];
    region.item[side] = static_cast<std::uint8_t>(run.item - active.item[0]);
    region.count[side] = static_cast<std::uint8_t>(run.nodes.count);
    region.node[side] = static_cast<std::uint16_t>(run.nodes.first);
    region.payload |= active.outline[side]->ring_interval_of(run.nodes) << (32 * side);
  };
  for (std::uint32_t i = 0; i < runs.end[0]; ++i, ++count) {
    put(0, runs.run[i]);
    taken |= joint.meets[i];
    if (joint.meets[i] != 0) put(1, runs.run[std::countr_zero(joint.meets[i])]);
  }
  for (std::uint32_t k = runs.end[0]; k < runs.end[1]; ++k)
    if ((taken >> k & 1) == 0) put(1, runs.run[k]), ++count;
  for (std::uint32_t i = 0; i < count; ++i) add_region(index, regions[i], i);
  if (!joint.lasting || count > Candidates::kRegions || seen == 0) return;
  active.row->inside = seen;
  active.row->regions = count;
  std::copy_n(regions, count, active.row->region);
}

inline void Sweep::add_region(std::uint32_t index, const SimpleRegion& runs, std::uint32_t feature) {
  region_[regions_++] = {runs, index, feature, 0, 0};
}

void Sweep::add_complex_region(std::uint32_t index, const Runs& runs, std::uint32_t region) {
  const Active& active = active_[index];
  float deepest = 0;
  std::uint64_t payload = 0;
  for (int side = 0; side < 2; ++side) {
    NodeRun nodes[Runs::kMost];
    std::uint32_t count = 0;
    for (std::uint32_t i = side == 0 ? 0 : runs.end[0]; i < runs.end[side]; ++i) {
      const Run& run = runs.run[i];
      if (run.region != region) continue;
      deepest = std::max(deepest, kernels::largest(item_depth_ + run.item, run.nodes.count));
      nodes[count++] = run.nodes;
    }
    const Outline& own = *active.outline[side];
    if (count == 0) continue;
    payload |= own.ring_interval_of(hull(nodes, count, static_cast<std::uint32_t>(own.nodes))) << (32 * side);
  }
  const float error = std::max(active.outline[0]->depth_error, active.outline[1]->depth_error);
  const float enough = deepest * (1 - 2 * error) - 2 * doubt(active);
  const auto listed = static_cast<std::uint32_t>(listed_.size());
  for (std::uint32_t i = 0; i < runs.end[1]; ++i) {
    const Run& run = runs.run[i];
    const std::uint32_t side = i < runs.end[0] ? 0 : 1;
    for (std::uint32_t k = 0; run.region == region && k < run.nodes.count; ++k)
      if (item_depth_[run.item + k] >= enough)
        listed_.push_back({side, modulo(run.nodes.first + k, active.outline[side]->nodes)});
  }
  region_[regions_++] = {{{}, {}, {}, payload}, index, region, listed, static_cast<std::uint32_t>(listed_.size())};
}

}  // namespace scree::star
