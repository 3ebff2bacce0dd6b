/// \file Listed pairs become the chunks of ContactPipeline.

#include <omp.h>

#include <algorithm>
#include <map>
#include <utility>

#include "scree/base/first_failure.hpp"
#include "scree/contacts/detail/old_chunks.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

namespace {

/// Small blocks share a chunk up to so many pairs: each chunk costs something by itself.
constexpr std::size_t kJoinedPairs = 1024;

}  // namespace

/// A chunk is a block of space with the pairs of one group of channels, or several small ones.
void ContactPipeline::cut_chunks(OldChunks& old, std::span<Origin> origin) {
  chunk_first_.clear();
  for (std::size_t first = 0, last = 0; first < listed_.size(); first = last) {
    last = end_of_block(first, listed_.size());
    const bool joined = first > 0 && group_of(listed_[first]) == group_of(listed_[first - 1]) &&
                        last - chunk_first_.back() <= kJoinedPairs;
    if (!joined) chunk_first_.push_back(first);
  }
  const std::size_t count = chunk_first_.size();
  chunk_first_.push_back(listed_.size());
  chunks_.resize(count);
  scratch_.resize(std::max<std::size_t>(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));

  const auto make_chunk = [&](std::size_t k) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
    for (std::size_t first = chunk_first_[k], last; first < chunk_first_[k + 1]; first = last) {
      last = end_of_block(first, chunk_first_[k + 1]);
      sort_by_channel(std::span(listed_).subspan(first, last - first), origin.subspan(first, last - first));
    }
    fill_chunk(chunks_[k], chunk_first_[k], chunk_first_[k + 1], scratch);
    inherit(old, origin.subspan(chunk_first_[k], chunks_[k].pairs.size()), chunks_[k], scratch);
    scratch.tile.gather(world_, {reference_position_.read(), reference_orientations(), world_.reference_cell},
                        chunks_[k], true);
    const Group channel = group_of(chunks_[k]);
    channel.detector->prepare(scratch.tile.view(), chunks_[k].pairs, skin_, channel.margin, chunks_[k].cache);
  };
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) if (listed_.size() > kParallelPairs)
  for (std::size_t k = 0; k < count; ++k) failure.watch(k, [&] { make_chunk(k); });
  failure.rethrow();
  pair_count_ = listed_.size();
  release(listed_);
  release(row_start_);
  blocks_ = {};
  for (Scratch& scratch : scratch_) {
    release_if_large(scratch.local);
    release_if_large(scratch.stamp);
  }
  index_slots();
}

std::uint32_t ContactPipeline::group_of(const Listed& pair) const { return methods_.channels[pair.channel].group; }

ContactPipeline::Group ContactPipeline::group_of(const Chunk& chunk) const {
  const Channel& channel = methods_.channels[chunk.segments[0].channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  return {channel.group,  channel.detector,    channel.cache_row,          channel.curvature,
          channel.margin, interaction.history, interaction.cone != nullptr};
}

/// Pairs of a block by place of their channel, else in the order they have: so that each law gets many at once.
void ContactPipeline::sort_by_channel(std::span<Listed> pairs, std::span<Origin> origin) const {
  const std::uint32_t first = pairs[0].channel;
  if (std::ranges::all_of(pairs, [&](const Listed& p) { return p.channel == first; })) return;
  std::vector<std::pair<Listed, Origin>> both(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) both[k] = {pairs[k], origin[k]};
  std::ranges::stable_sort(both, {}, [&](const auto& p) { return methods_.channels[p.first.channel].place; });
  for (std::size_t k = 0; k < pairs.size(); ++k) std::tie(pairs[k], origin[k]) = both[k];
}

/// One behind the last pair of the block and group of channels that pair `first` belongs to. \param end  where to stop
std::size_t ContactPipeline::end_of_block(std::size_t first, std::size_t end) const {
  const auto same = [&](const Listed& p) {
    return group_of(p) == group_of(listed_[first]) && blocks_.block(p.home()) == blocks_.block(listed_[first].home());
  };
  std::size_t last = first + 1;
  while (last < end && same(listed_[last])) ++last;
  return last;
}

/// The local rows of one block's bodies, which follow those of the blocks before: a body that is in two blocks of a
/// chunk has a row in both.
class ContactPipeline::LocalRows {
 public:
  /// First the bodies themselves, in the order of their rows, so that copying them walks through memory.
  LocalRows(Chunk& chunk, Scratch& scratch, std::span<const Listed> pairs)
      : chunk_(chunk), scratch_(scratch), stamp_(++scratch.stamp_now) {
    const std::size_t first = chunk.rows.size();
    const auto note = [&](std::uint32_t row) {
      if (is_new(row)) chunk.rows.push_back(row);
    };
    for (const Listed& p : pairs) {
      note(p.a);
      if (p.image == 0) note(p.b);
    }
    std::sort(chunk.rows.begin() + static_cast<std::ptrdiff_t>(first), chunk.rows.end());
    for (std::size_t k = first; k < chunk.rows.size(); ++k)
      scratch.local[chunk.rows[k]] = static_cast<std::uint32_t>(k);
  }

  std::uint32_t of(std::uint32_t row, std::int32_t image) {
    if (image != 0) {
      const auto [place, added] = images_.try_emplace({row, image}, 0);
      if (added) place->second = append(row, image);
      return place->second;
    }
    if (is_new(row)) scratch_.local[row] = append(row, 0);
    return scratch_.local[row];
  }

 private:
  bool is_new(std::uint32_t row) { return std::exchange(scratch_.stamp[row], stamp_) != stamp_; }

  std::uint32_t append(std::uint32_t row, std::int32_t image) {
    chunk_.rows.push_back(row);
    const auto local = static_cast<std::uint32_t>(chunk_.rows.size() - 1);
    if (image != 0) chunk_.images.push_back({local, image});
    return local;
  }

  Chunk& chunk_;
  Scratch& scratch_;
  std::uint32_t stamp_;
  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> images_;  ///< few: bodies across the cell's sides
};

void ContactPipeline::fill_chunk(Chunk& chunk, std::size_t first, std::size_t last, Scratch& scratch) const {
  const std::span<const Listed> listed(listed_.data() + first, last - first);
  scratch.local.resize(world_.size());
  scratch.stamp.resize(world_.size(), 0);
  chunk.pairs.reserve(listed.size());
  if (world_.cell.any()) {
    chunk.image.reserve(listed.size());
    for (const Listed& p : listed) chunk.image.push_back(p.image);
  }
  const auto ids = world_.id.read();
  if (!world_.bonds().tolerated().empty())
    for (const Listed& p : listed) chunk.tolerated.push_back(world_.bonds().tolerated(ids[p.a], ids[p.b]));
  for (std::size_t begin = first, end = first; begin < last; begin = end) {
    end = end_of_block(begin, last);
    fill_block(chunk, listed.subspan(begin - first, end - begin), scratch);
  }
}

void ContactPipeline::fill_block(Chunk& chunk, std::span<const Listed> listed, Scratch& scratch) const {
  const std::size_t first_pair = chunk.pairs.size(), first_row = chunk.rows.size();
  LocalRows local(chunk, scratch, listed);
  for (const Listed& p : listed) {
    const std::uint32_t a = local.of(p.a, 0);
    chunk.pairs.push_back({a, local.of(p.b, p.image)});
    const auto end = static_cast<std::uint32_t>(chunk.pairs.size());
    if (!chunk.segments.empty() && chunk.segments.back().channel == p.channel)
      chunk.segments.back().end = end;
    else
      chunk.segments.push_back({p.channel, end});
  }
  if (owner_row_.empty()) return;
  const auto owner_row = [&](std::uint32_t r) { return owner_row_[chunk.rows[r]]; };
  std::vector<std::uint32_t> owner_of(chunk.rows.size() - first_row, kNowhere);
  const auto find_owner = [&](std::uint32_t r, std::int32_t image) {
    if (owner_of[r - first_row] == kNowhere) owner_of[r - first_row] = local.of(owner_row(r), image);
  };
  for (std::size_t k = first_pair; k < chunk.pairs.size();
       ++k) {  // an owner is seen in the image its member is seen in
    find_owner(chunk.pairs[k].a, 0);
    find_owner(chunk.pairs[k].b, chunk.image_of(k));
  }
  chunk.owner.insert(chunk.owner.end(), owner_of.begin(), owner_of.end());
  for (std::size_t r = chunk.owner.size(); r < chunk.rows.size(); ++r)
    chunk.owner.push_back(static_cast<std::uint32_t>(r));
}

/// Wrench slots: each body's list of the places where chunks leave their share of its force.
void ContactPipeline::index_slots() {
  const std::size_t n = world_.size();
  std::size_t total = 0;
  slot_start_.assign(n + 1, 0);
  for (Chunk& chunk : chunks_) {
    chunk.first_slot = total;
    total += chunk.rows.size();
    for (const std::uint32_t row : chunk.rows) ++slot_start_[row + 1];
  }
  for (std::size_t i = 0; i < n; ++i) slot_start_[i + 1] += slot_start_[i];
  slot_wrench_.resize(total);
  slots_.resize(total);
  std::vector<std::uint32_t> filled(slot_start_.begin(), slot_start_.end() - 1);
  std::uint32_t slot = 0;
  for (const Chunk& chunk : chunks_)
    for (const std::uint32_t row : chunk.rows) slots_[filled[row]++] = slot++;
}

void ContactPipeline::couplings(std::vector<BodyPair>& out) const {
  const std::size_t first = out.size();
  for (const Chunk& chunk : chunks_)
    for (const Pair& p : chunk.pairs) {
      const std::uint32_t a = chunk.owner.empty() ? p.a : chunk.owner[p.a];
      const std::uint32_t b = chunk.owner.empty() ? p.b : chunk.owner[p.b];
      out.push_back(std::minmax(chunk.rows[a], chunk.rows[b]));
    }
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, out.end());
  out.erase(std::unique(begin, out.end()), out.end());
}

}  // namespace scree
