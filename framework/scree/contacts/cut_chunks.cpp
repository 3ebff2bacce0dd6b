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

/// Pairs per chunk, about: small enough for its data to stay in the second-level cache and for threads to share the
/// work evenly, large enough for few bodies to be in several chunks. A function of the list alone: chunk borders are
/// part of the determinism contract.
std::size_t chunk_pairs(std::size_t listed) { return std::clamp<std::size_t>(listed / 32, 1024, 4096); }

}  // namespace

/// A chunk ends with its channel, or after chunk_pairs() pairs when the lower row changes.
void ContactPipeline::cut_chunks(OldChunks& old, std::span<const Origin> origin) {
  chunk_first_.clear();
  const std::size_t most = chunk_pairs(listed_.size());
  for (std::size_t k = 0; k < listed_.size(); ++k) {
    const bool first = k == 0 || listed_[k].channel != listed_[k - 1].channel;
    if (first || (k - chunk_first_.back() >= most && listed_[k].low() != listed_[k - 1].low()))
      chunk_first_.push_back(k);
  }
  const std::size_t count = chunk_first_.size();
  chunk_first_.push_back(listed_.size());
  chunks_.resize(count);
  scratch_.resize(std::max<std::size_t>(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));

  const auto make_chunk = [&](std::size_t k) {
    Scratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
    fill_chunk(chunks_[k], chunk_first_[k], chunk_first_[k + 1], scratch);
    inherit(old, origin.subspan(chunk_first_[k], chunks_[k].pairs.size()), chunks_[k], scratch);
    scratch.tile.gather(world_, reference_position_.read(), reference_orientations(), chunks_[k], true);
    const Channel& channel = methods_.channels[chunks_[k].channel];
    channel.detector->prepare(scratch.tile.view(), chunks_[k].pairs, skin_, channel.margin, chunks_[k].cache);
  };
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) if (listed_.size() > kParallelPairs)
  for (std::size_t k = 0; k < count; ++k) failure.watch(k, [&] { make_chunk(k); });
  failure.rethrow();
  pair_count_ = listed_.size();
  release(listed_);
  release(row_start_);
  for (Scratch& scratch : scratch_) {
    release_if_large(scratch.local);
    release_if_large(scratch.stamp);
  }
  index_slots();
}

void ContactPipeline::fill_chunk(Chunk& chunk, std::size_t first, std::size_t last, Scratch& scratch) {
  const std::span<const Listed> listed(listed_.data() + first, last - first);
  const auto ids = world_.id.read();
  scratch.local.resize(world_.size());
  scratch.stamp.resize(world_.size(), 0);
  const std::uint32_t stamp = ++scratch.stamp_now;
  const auto note = [&](std::uint32_t row) {
    if (std::exchange(scratch.stamp[row], stamp) != stamp) chunk.rows.push_back(row);
  };
  for (const Listed& p : listed) {
    note(p.a);
    if (p.image == 0) note(p.b);
  }
  std::sort(chunk.rows.begin(), chunk.rows.end());  // then copying bodies to and fro walks through memory
  for (std::uint32_t k = 0; k < chunk.rows.size(); ++k) scratch.local[chunk.rows[k]] = k;

  std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> images;  // few: bodies across the cell's sides
  const auto append = [&](std::uint32_t row, std::int32_t image) {
    chunk.rows.push_back(row);
    if (image != 0) {
      chunk.shift.resize(chunk.rows.size(), Vec3::Zero());
      chunk.shift.back() = world_.cell.shift(unpacked(image));
    }
    return static_cast<std::uint32_t>(chunk.rows.size() - 1);
  };
  const auto local = [&](std::uint32_t row, std::int32_t image) {
    if (image != 0) {
      const auto known = images.find({row, image});
      return known != images.end() ? known->second : images[{row, image}] = append(row, image);
    }
    if (std::exchange(scratch.stamp[row], stamp) != stamp) scratch.local[row] = append(row, 0);
    return scratch.local[row];
  };
  chunk.channel = listed[0].channel;
  chunk.pairs.reserve(listed.size());
  for (const Listed& p : listed) chunk.pairs.push_back({local(p.a, 0), local(p.b, p.image)});
  if (world_.cell.any()) {
    chunk.image.reserve(listed.size());
    for (const Listed& p : listed) chunk.image.push_back(p.image);
  }
  if (!world_.bonds().tolerated().empty())
    for (const Listed& p : listed) chunk.tolerated.push_back(world_.bonds().tolerated(ids[p.a], ids[p.b]));
  if (owner_row_.empty()) return;
  const auto owner_row = [&](std::uint32_t r) { return owner_row_[chunk.rows[r]]; };
  std::vector<std::uint32_t> owner_of(chunk.rows.size(), kNowhere);
  for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {  // an owner is seen in the image its member is seen in
    const Pair& p = chunk.pairs[k];
    if (owner_of[p.a] == kNowhere) owner_of[p.a] = local(owner_row(p.a), 0);
    if (owner_of[p.b] == kNowhere) owner_of[p.b] = local(owner_row(p.b), chunk.image_of(k));
  }
  chunk.owner = std::move(owner_of);
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
