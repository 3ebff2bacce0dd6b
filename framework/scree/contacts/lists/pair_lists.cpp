#include "scree/contacts/lists/pair_lists.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "scree/base/error.hpp"

namespace scree {

PairLists::PairLists(World& world, const Methods& methods) : world_(world), methods_(methods), skin_(methods.skin) {
  reference_position_ = world.column<Vec3>("reference_position", "m", false);
  note_unlike_bodies();
  ask_for_orientations();
  if (world.cell.any()) world.column<Vec3>("cell_crossings");
  if (looks_ahead()) world.metric(kSkin) = skin_;
}

/// Returns the width of the cells that order rows and make blocks of space [m].
double PairLists::cell_width() const { return std::max(2 * large_.largest_other(), 1e-12); }

/// Finds bodies that are much larger or longer than others.
void PairLists::note_unlike_bodies() {
  large_ = LargeBodies(world_, methods_.alone);
  slender_ = SlenderBodies(world_, large_.others());
}

BodyPoses PairLists::reference() const {
  return {reference_position_.read(), reference_orientations(), world_.reference_cell};
}

void PairLists::admit_newcomers() {
  try {
    if (methods_.species_resolver && !of_these_rows()) methods_.species_resolver->update();
  } catch (const InputError& e) {
    throw NumericalError(fmt::format("a body came during the run and cannot take part: {}", e.what()));
  }
  check_cell();
}

/// Checks that pairs can be listed in a cell that was deformed.
void PairLists::check_cell() const {
  const PeriodicCell& cell = world_.cell;
  if (cell.edges == world_.reference_cell.edges) return;
  if (!cell.is_triangular())
    throw NumericalError(
        "the edges of the periodic cell have turned: edge x must lie along x, and edge y in the plane of x and y. Let "
        "World::cell.edges and its rate be upper triangular.");
  if (!world_.reference_cell.any()) return;  // set-up has checked the cell of the start
  const auto radius = world_.radius.read(), movable = world_.inverse_mass.read();
  const auto material = world_.material.read();
  double largest = 0;
  for (std::size_t i = 0; i < world_.size(); ++i)
    if (movable[i] > 0 && std::isfinite(radius[i]) && !methods_.meets_nobody(material[i]))
      largest = std::max(largest, radius[i]);
  const double needed = 2 * largest + skin_ + methods_.largest_margin();
  for (int k = 0; k < 3; ++k)
    if (cell.length(k) != 0 && !(cell.length(k) > needed))
      throw NumericalError(fmt::format(
          "the periodic cell has become {:.6g} m long in {}, and a body of radius {:.6g} m would touch itself around "
          "it. It must stay longer than {:.6g} m, the largest body's diameter and the reach of the neighbour list.",
          cell.length(k), "xyz"[k], largest, needed));
}

PairLists::Settled PairLists::settle(bool reorder, double skin, double dt) {
  skin_ = skin;
  if (looks_ahead()) world_.metric(kSkin) = skin;
  Settled settled;
  std::vector<std::uint32_t>& row_now = settled.row_now;
  row_now.resize(row_ids_.size());
  const bool same_rows = of_these_rows();
  if (same_rows) std::iota(row_now.begin(), row_now.end(), 0u);

  note_unlike_bodies();
  settled.order = spatial_order(world_.position.read(), world_.id.read(), cell_width());
  if (reorder && !settled.order.holds()) {
    const std::vector<std::uint32_t>& rows = settled.order.rows;
    world_.reorder(rows);
    if (same_rows)
      for (std::size_t i = 0; i < rows.size(); ++i) row_now[rows[i]] = static_cast<std::uint32_t>(i);
    settled.order.applied();
    large_.reordered(world_);
    slender_ = SlenderBodies(world_, large_.others());
  }
  if (!same_rows)
    for (std::size_t i = 0; i < row_now.size(); ++i) {
      const auto row = world_.row(row_ids_[i]);
      row_now[i] = row ? static_cast<std::uint32_t>(*row) : kNowhere;
    }
  world_.reference_cell = world_.cell;
  ask_for_orientations();
  large_.bound_reaches(world_, world_.position.read());
  std::ranges::copy(world_.position.read(), reference_position_.write().begin());
  if (reference_orientation_) std::ranges::copy(world_.orientation.read(), reference_orientation_.write().begin());
  choose_reach(dt);
  choose_paths(dt);
  settled.blocks = blocks_along(settled.order);
  return settled;
}

PairLists::Settled PairLists::settle_at_reference() {
  skin_ = looks_ahead() ? world_.metric(kSkin) : methods_.skin;
  if (methods_.species_resolver && !of_these_rows()) methods_.species_resolver->update();
  note_unlike_bodies();
  large_.bound_reaches(world_, reference_position_.read());
  reach_.restore(world_, skin_);
  paths_.restore(world_);
  ask_for_orientations();
  Settled settled;
  settled.row_now.resize(row_ids_.size());
  std::iota(settled.row_now.begin(), settled.row_now.end(), 0u);
  settled.order = spatial_order(reference_position_.read(), world_.id.read(), cell_width());
  settled.blocks = blocks_along(settled.order);
  return settled;
}

/// Makes blocks by the size of bodies that can touch others: the rest count as points.
SpaceBlocks PairLists::blocks_along(const SpatialOrder& order) const {
  const auto radius = world_.radius.read();
  const auto material = world_.material.read();
  std::vector<double> counting(radius.begin(), radius.end());
  for (std::size_t i = 0; i < counting.size(); ++i)
    if (methods_.meets_nobody(material[i])) counting[i] = 0;
  return {{counting, world_.kind.read(), large_.rows()}, order, world_.dimension(), cell_width()};
}

std::uint64_t PairLists::order_of(std::size_t c) const {
  const PairChunk& chunk = chunks_[c];
  return std::uint64_t{methods_.channels[chunk.segments[0].channel].group} << 32 | chunk.place;
}

std::vector<PairChunk> PairLists::take_chunks() { return std::exchange(chunks_, {}); }

PairListing PairLists::list(const Settled& settled, const ListedPart& part) {
  cells_apart_ = cells_apart();
  bonds_ = world_.bonds().version();
  in_order_ = settled.order.holds();
  places_.clear();
  for (std::uint32_t row = 0; !in_order_ && row < world_.size(); ++row) places_.push_back(settled.blocks.rank(row));
  PairListing listing({world_, methods_, large_, slender_, reference(), settled.blocks, skin_, reach_, paths_}, part);
  note_rows();
  return listing;
}

/// Records the rows that the lists refer to, and properties of them by row.
void PairLists::note_rows() {
  const auto ids = world_.id.read();
  row_ids_.assign(ids.begin(), ids.end());
  layout_ = world_.layout_version();
  alone_.clear();
  if (std::ranges::any_of(methods_.alone, [](std::uint8_t alone) { return alone != 0; }))
    for (const std::uint32_t material : world_.material.read()) alone_.push_back(methods_.meets_nobody(material));
  if (std::ranges::none_of(alone_, [](std::uint8_t alone) { return alone != 0; })) alone_.clear();

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

void PairLists::rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed) {
  for (PairChunk& chunk : chunks_) {
    chunk.image.resize(chunk.pairs.size());
    for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
      const Pair& p = chunk.pairs[k];
      chunk.image[k] = renamed(chunk.image[k], row_ids_[chunk.rows[p.a]], row_ids_[chunk.rows[p.b]]);
    }
  }
}

std::vector<std::uint32_t> PairLists::rows_of(std::span<const Id> bodies) const {
  std::vector<std::uint32_t> rows;
  if (of_these_rows()) {
    for (const Id id : bodies)
      if (const auto row = world_.row(id)) rows.push_back(static_cast<std::uint32_t>(*row));
    return rows;
  }
  for (std::uint32_t i = 0; i < row_ids_.size(); ++i)
    if (std::binary_search(bodies.begin(), bodies.end(), row_ids_[i])) rows.push_back(i);
  return rows;
}

std::size_t PairLists::chunk_of_slot(std::size_t slot) const {
  const auto behind = std::ranges::upper_bound(chunks_, slot, {}, &PairChunk::first_slot);
  return static_cast<std::size_t>(behind - chunks_.begin() - 1);
}

std::vector<std::uint32_t> PairLists::chunks_of(std::span<const std::uint32_t> rows) const {
  std::vector<std::uint32_t> chunks;
  for (const std::uint32_t row : rows)
    for (const std::uint32_t slot : slots_of(row)) chunks.push_back(static_cast<std::uint32_t>(chunk_of_slot(slot)));
  std::ranges::sort(chunks);
  chunks.erase(std::ranges::unique(chunks).begin(), chunks.end());
  return chunks;
}

void PairLists::couplings(std::vector<BodyPair>& out) const {
  const std::size_t first = out.size();
  for (const PairChunk& chunk : chunks_)
    for (const Pair& p : chunk.pairs)
      out.push_back(std::minmax(chunk.rows[chunk.owner_of(p.a)], chunk.rows[chunk.owner_of(p.b)]));
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, out.end());
  out.erase(std::unique(begin, out.end()), out.end());
}

}  // namespace scree
