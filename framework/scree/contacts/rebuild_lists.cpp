/// \file How ContactPipeline makes its lists anew: pairs listed, cut into chunks, and history taken over.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/contacts/detail/old_chunks.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

/// Of the cells along which rows are ordered, and of which blocks of space are made [m].
double ContactPipeline::cell_width() const { return std::max(2 * large_.largest_other(), 1e-12); }

/// Finds the canonical order. Puts rows into it and bodies into the periodic cell, if \p reorder. \return where each
/// row that the lists of before refer to is now, or kNowhere
std::vector<std::uint32_t> ContactPipeline::settle_rows(bool reorder) {
  std::vector<std::uint32_t> new_row(row_ids_.size());
  const bool same_rows = world_.layout_version() == layout_;
  if (same_rows)
    for (std::size_t i = 0; i < new_row.size(); ++i) new_row[i] = static_cast<std::uint32_t>(i);

  if (reorder) wrap();
  large_ = LargeBodies(world_);
  order_ = spatial_order(world_.position.read(), world_.id.read(), cell_width());
  if (reorder && !order_.holds()) {
    world_.reorder(order_.rows);
    if (same_rows)
      for (std::size_t i = 0; i < order_.rows.size(); ++i) new_row[order_.rows[i]] = static_cast<std::uint32_t>(i);
    order_.applied();
    large_.reordered(world_);
  }
  if (!same_rows)
    for (std::size_t i = 0; i < new_row.size(); ++i) {
      const auto row = world_.row(row_ids_[i]);
      new_row[i] = row ? static_cast<std::uint32_t>(*row) : kNowhere;
    }
  return new_row;
}

/// Who came or went since lists were made last may need methods that nobody needed before.
void ContactPipeline::settle_newcomers() {
  if (methods_.newcomers && world_.layout_version() != layout_) methods_.newcomers->settle();
}

void ContactPipeline::rebuild(bool reorder, double skin) {
  skin_ = skin;
  if (looks_ahead()) world_.figure(kSkin) = skin;
  const double start = clock_seconds();
  if (keep_records && !kept_records_) kept_records_ = contact_view();
  try {
    settle_newcomers();
  } catch (const InputError& e) {
    throw NumericalError(fmt::format("a body came during the run and cannot take part: {}", e.what()));
  }
  const std::vector<std::uint32_t> new_row = settle_rows(reorder);
  ask_for_orientations();
  std::ranges::copy(world_.position.read(), reference_position_.write().begin());
  if (reference_orientation_) std::ranges::copy(world_.orientation.read(), reference_orientation_.write().begin());

  // Lists are there twice for a while: without what can be made anew. A trial ends with its lists.
  release_if_large(slot_wrench_);
  for (Chunk& chunk : chunks_) chunk.history.drop_trial();
  OldChunks old(std::exchange(chunks_, {}));
  list_pairs(reference_position_.read());
  note_rows();
  const auto origin = origins(old, new_row);
  cut_chunks(old, origin);
  place_pending();
  release(pending_);  // of pairs that are not there
  ++rebuilds;
  seconds.grid += clock_seconds() - start;
}

void ContactPipeline::rebuild_at_reference() {
  skin_ = looks_ahead() ? world_.figure(kSkin) : methods_.skin;
  settle_newcomers();
  large_ = LargeBodies(world_);
  ask_for_orientations();
  order_ = spatial_order(reference_position_.read(), world_.id.read(), cell_width());
  chunks_.clear();
  list_pairs(reference_position_.read());
  note_rows();
  OldChunks none({});
  cut_chunks(none, std::vector<Origin>(listed_.size()));
  place_pending();
}

/// Which rows the lists refer to, and what is wanted of them by row.
void ContactPipeline::note_rows() {
  const auto ids = world_.id.read();
  row_ids_.assign(ids.begin(), ids.end());
  layout_ = world_.layout_version();

  surface_velocity_.clear();
  if (!world_.surface_velocities().empty()) surface_velocity_.assign(world_.size(), Vec3::Zero());
  for (const auto& [body, velocity] : world_.surface_velocities())
    if (const auto row = world_.row(body)) surface_velocity_[*row] = velocity;

  owner_row_.clear();
  if (world_.members().empty()) return;
  owner_row_.resize(world_.size());
  std::iota(owner_row_.begin(), owner_row_.end(), 0u);
  for (const World::Member& m : world_.members()) owner_row_[m.row] = m.owner;
}

}  // namespace scree
