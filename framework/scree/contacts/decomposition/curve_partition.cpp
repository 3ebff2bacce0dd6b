#include "scree/contacts/decomposition/curve_partition.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "scree/base/content_hash.hpp"
#include "scree/base/packed_bytes.hpp"

namespace scree {

namespace {

/// Ranks that differ by less stay as they are: clocks are not better than that.
constexpr double kBalanced = 1.05;

/// A part changes by no more than this factor at once.
constexpr double kLargestChange = 2;

constexpr std::uint64_t kNoBlock = std::numeric_limits<std::uint64_t>::max();

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

CurvePartition::CurvePartition(Ranks& ranks)
    : ranks_(ranks),
      parts_(static_cast<std::size_t>(ranks.size()), 1),
      work_(parts_.size(), 0),
      first_place_(static_cast<std::size_t>(ranks.size()) + 1, 0),
      first_block_(first_place_.size(), 0) {}

/// A block goes to the rank that the middle of its bodies falls to, counted along the curve.
void CurvePartition::deal(std::span<const SpaceBlocks::Stretch> blocks, std::size_t places) {
  adapt_parts();
  const std::size_t ranks = parts_.size();
  first_place_.assign(ranks + 1, static_cast<std::uint32_t>(places));
  first_block_.assign(ranks + 1, kNoBlock);
  first_place_[0] = 0;
  first_block_[0] = 0;
  double total = 0;
  for (const SpaceBlocks::Stretch& block : blocks) total += block.homes;
  const double homes_of_part = total / std::accumulate(parts_.begin(), parts_.end(), 0.0);
  double before = 0, end_of_rank = parts_[0] * homes_of_part;
  std::uint32_t rank = 0;
  for (const SpaceBlocks::Stretch& block : blocks) {
    while (rank + 1 < ranks && before + 0.5 * block.homes >= end_of_rank) {
      end_of_rank += parts_[++rank] * homes_of_part;
      first_place_[rank] = block.first_place;
      first_block_[rank] = block.block;
    }
    before += block.homes;
  }
}

std::uint64_t CurvePartition::hash_of_cuts() const {
  return content_hash(std::as_bytes(std::span(first_place_))) ^ content_hash(std::as_bytes(std::span(first_block_)));
}

std::uint32_t CurvePartition::rank_of(std::uint32_t place) const {
  std::uint32_t rank = 0;
  while (rank + 1 < parts_.size() && first_place_[rank + 1] <= place) ++rank;
  return rank;
}

void CurvePartition::note(const Effort& own) {
  if (whole()) return;
  ByteWriter mine;
  mine.put(own);
  const auto all = ranks_.gather(CollectiveTag::evaluation, mine.bytes());
  lists_ = 0;
  for (std::size_t r = 0; r < all.size(); ++r) {
    const auto of_rank = ByteReader(all[r]).take<Effort>();
    work_[r] += of_rank.work;
    lists_ = std::max(lists_, of_rank.lists);
  }
}

bool CurvePartition::pays() const {
  const double mean = mean_of(work_), most = std::ranges::max(work_);
  return most > kBalanced * mean && most - mean > lists_;
}

/// Half of the way, as a logarithm, to where all would have taken as long. Near blocks are not the same as those that a
/// rank has, and the next steps not the same as the last.
void CurvePartition::adapt_parts() {
  const std::vector<double> work = std::exchange(work_, std::vector<double>(parts_.size(), 0));
  if (std::exchange(aimed_, false)) return;
  const double mean = mean_of(work);
  if (!(mean > 0) || !(std::ranges::max(work) > kBalanced * mean)) return;
  for (std::size_t r = 0; r < parts_.size(); ++r) {
    const double faster = work[r] > 0 ? mean / work[r] : kLargestChange * kLargestChange;
    parts_[r] *= std::clamp(std::sqrt(faster), 1 / kLargestChange, kLargestChange);
  }
  // Parts stay near 1, and nobody's so small that one block more would not be noticed.
  const double unit = mean_of(parts_);
  for (double& part : parts_) part = std::max(part / unit, 1e-3);
}

}  // namespace scree
