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

/// A cell that was deformed must still be one that pairs can be listed in.
void ContactPipeline::check_cell() const {
  const PeriodicCell& cell = world_.cell;
  if (cell.edges == world_.reference_cell.edges) return;
  if (!cell.is_box())
    throw NumericalError(
        "the periodic cell is tilted: its edges must stay parallel to the axes, as pairs in a tilted cell cannot be "
        "listed yet. Let World::cell.edges have values on its diagonal alone.");
  if (!world_.reference_cell.any()) return;  // set-up has looked at the cell of the start
  const auto radius = world_.radius.read(), movable = world_.inverse_mass.read();
  double largest = 0;
  for (std::size_t i = 0; i < world_.size(); ++i)
    if (movable[i] > 0 && std::isfinite(radius[i])) largest = std::max(largest, radius[i]);
  const double needed = 2 * largest + skin_ + methods_.largest_margin();
  for (int k = 0; k < 3; ++k)
    if (cell.length(k) != 0 && !(cell.length(k) > needed))
      throw NumericalError(fmt::format(
          "the periodic cell has become {:.6g} m long in {}, and a body of radius {:.6g} m would touch itself around "
          "it. It must stay longer than {:.6g} m, the largest body's diameter and the reach of the neighbour list.",
          cell.length(k), "xyz"[k], largest, needed));
}

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
  check_cell();
  const std::vector<std::uint32_t> new_row = settle_rows(reorder);
  world_.reference_cell = world_.cell;
  ask_for_orientations();
  std::ranges::copy(world_.position.read(), reference_position_.write().begin());
  if (reference_orientation_) std::ranges::copy(world_.orientation.read(), reference_orientation_.write().begin());

  // Lists are there twice for a while: without what can be made anew. A trial ends with its lists.
  release_if_large(slot_wrench_);
  for (Chunk& chunk : chunks_) chunk.history.drop_trial();
  OldChunks old(std::exchange(chunks_, {}));
  cells_apart_ = cells_apart();
  list_pairs(reference_position_.read());
  note_rows();
  auto origin = origins(old, new_row);
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
  cells_apart_ = cells_apart();
  list_pairs(reference_position_.read());
  note_rows();
  OldChunks none({});
  std::vector<Origin> nowhere(listed_.size());
  cut_chunks(none, nowhere);
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
