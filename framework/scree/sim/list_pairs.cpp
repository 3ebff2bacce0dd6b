/// \file The lists of ContactPipeline: which pairs, in which chunks, with which history; and when they are out of date.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/facets.hpp"
#include "scree/sim/detail/fragments.hpp"
#include "scree/sim/detail/pipeline_parts.hpp"

namespace scree {

void ContactPipeline::rebuild(bool reorder, double skin) {
  skin_ = skin;
  if (looks_ahead()) world_.figure(kSkin) = skin;
  const double start = clock_seconds();
  std::vector<std::uint32_t> new_row(row_ids_.size());
  const bool same_rows = world_.layout_version() == layout_;
  if (same_rows)
    for (std::size_t i = 0; i < new_row.size(); ++i) new_row[i] = static_cast<std::uint32_t>(i);

  if (reorder) {
    wrap();
    double largest = 0;
    for (double r : world_.radius.read())
      if (std::isfinite(r)) largest = std::max(largest, r);
    const auto order = spatial_order(world_.position.read(), world_.id.read(), std::max(2 * largest, 1e-12));
    if (!std::is_sorted(order.begin(), order.end())) {
      world_.reorder(order);
      if (same_rows)
        for (std::size_t i = 0; i < order.size(); ++i) new_row[order[i]] = static_cast<std::uint32_t>(i);
    }
  }
  if (!same_rows)
    for (std::size_t i = 0; i < new_row.size(); ++i) {
      const auto row = world_.row(row_ids_[i]);
      new_row[i] = row ? static_cast<std::uint32_t>(*row) : kNowhere;
    }

  std::ranges::copy(world_.position.read(), reference_position_.write().begin());
  note_prescribed();
  if (reference_orientation_) std::ranges::copy(world_.orientation.read(), reference_orientation_.write().begin());

  // Lists are there twice for a while: without what can be made anew. A trial ends with its lists.
  release_if_large(slot_wrench_);
  for (Chunk& chunk : chunks_) chunk.history.drop_trial();
  OldChunks old(std::exchange(chunks_, {}));
  list_pairs(reference_position_.read());
  const auto origin = origins(old, new_row);
  cut_chunks(old, origin);
  place_pending();
  ++rebuilds;
  seconds.grid += clock_seconds() - start;
}

/// Which walls turn, so that lists need to know how they stood.
void ContactPipeline::note_prescribed() {
  if (!reference_orientation_ && !world_.prescribed().empty())
    reference_orientation_ = world_.column<Quat>("reference_orientation", "", false);
}

/// How bodies stood when lists were made. Fixed walls stand as ever, and bodies that move freely may turn any way
/// without a list becoming another: where none is prescribed, orientations of now do.
std::span<const Quat> ContactPipeline::reference_orientations() const {
  return reference_orientation_ ? Column<Quat>(reference_orientation_).read() : world_.orientation.read();
}

/// Puts bodies back into the periodic cell; pairs and history follow.
void ContactPipeline::wrap() {
  const std::vector<Image> went = world_.wrap();
  if (went.empty()) return;
  const auto renamed = [&](std::int32_t image, Id a, Id b) {
    const auto row_a = world_.row(a), row_b = world_.row(b);
    return row_a && row_b ? packed(unpacked(image) + went[*row_a] - went[*row_b]) : image;
  };
  for (Chunk& chunk : chunks_) {
    chunk.image.resize(chunk.pairs.size());
    for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
      const Pair& p = chunk.pairs[k];
      chunk.image[k] = renamed(chunk.image[k], row_ids_[chunk.rows[p.a]], row_ids_[chunk.rows[p.b]]);
    }
  }
  for (HistoryRecord& r : pending_) r.image = renamed(r.image, r.a, r.b);
}

bool ContactPipeline::looks_ahead() const { return methods_.integrator && methods_.integrator->traits().looks_ahead; }

double ContactPipeline::skin_for(double dt) const {
  if (!looks_ahead()) return methods_.skin;
  const auto v = world_.velocity.read();
  const auto radius = world_.radius.read();
  double fastest2 = 0, largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    fastest2 = std::max(fastest2, v[i].squaredNorm());
    if (std::isfinite(radius[i])) largest = std::max(largest, radius[i]);
  }
  // Lists end when two bodies have gone, or are about to go, the skin towards each other: these last for two steps.
  double skin = std::max(methods_.skin, 4 * std::sqrt(fastest2) * dt);
  // A body must not meet itself around the cell.
  for (int k = 0; k < 3; ++k)
    if (world_.cell.periodic(k))
      skin = std::min(skin, std::max(methods_.skin, 0.99 * (world_.cell.length[k] - 2 * largest - methods_.margin)));
  return skin;
}

void ContactPipeline::rebuild_at_reference() {
  skin_ = looks_ahead() ? world_.figure(kSkin) : methods_.skin;
  chunks_.clear();
  list_pairs(reference_position_.read());
  OldChunks none({});
  cut_chunks(none, std::vector<Origin>(listed_.size()));
  place_pending();
}

void ContactPipeline::list_pairs(std::span<const Vec3> position) {
  std::vector<std::uint32_t> finite, infinite;
  const auto radius = world_.radius.read();
  for (std::uint32_t i = 0; i < world_.size(); ++i) (std::isfinite(radius[i]) ? finite : infinite).push_back(i);

  const double reach = skin_ + methods_.margin;
  listed_.clear();
  find_fragments();
  infinite_candidates(position, reference_orientations(), finite, infinite, reach);
  if (!anyone_may_touch(finite)) {
    // A solid in one piece: no pair to look for.
  } else if (world_.cell.any()) {
    std::vector<ImagePair> candidates;
    PeriodicPairs().find(world_.cell, position, radius, finite, reach, candidates);
    listed_.reserve(listed_.size() + candidates.size());
    for (const ImagePair& p : candidates) add_candidate(p.i, p.j, p.image);
  } else {
    std::vector<RowPair> candidates;
    PairFinder().find(position, radius, finite, reach, candidates);
    listed_.reserve(listed_.size() + candidates.size());
    for (const RowPair& p : candidates) add_candidate(p.i, p.j, Image::Zero());
  }
  release(bonded_);
  release(fragment_);
  sort_listed();

  const auto ids = world_.id.read();
  row_ids_.assign(ids.begin(), ids.end());
  layout_ = world_.layout_version();

  surface_velocity_.clear();
  if (!world_.surface_velocities().empty()) surface_velocity_.assign(world_.size(), Vec3::Zero());
  for (const auto& [body, velocity] : world_.surface_velocities())
    if (const auto row = world_.row(body)) surface_velocity_[*row] = velocity;
}

/// Who does not touch: bodies joined by a bond, and, unless their bonds allow it, those that hang together by many.
void ContactPipeline::find_fragments() {
  const Bonds& bonds = world_.bonds();
  bonds_ = bonds.version();
  bonded_.clear();
  fragment_.clear();
  if (bonds.alive() == 0) return;
  const auto allows_contact = [&](std::uint32_t k) { return methods_.bonds[bonds.entry[k]].self_contact; };
  for (std::uint32_t k = 0; k < bonds.size(); ++k)
    if (bonds.whole(k) && allows_contact(k)) bonded_.emplace_back(bonds.a[k], bonds.b[k]);
  std::ranges::sort(bonded_);
  fragment_ =
      detail::fragments_by(world_, [&](std::uint32_t k) { return bonds.whole(k) && !allows_contact(k); }).smallest();
}

/// Whether two of these bodies may touch at all: not where no law is for any two, or all hang together.
bool ContactPipeline::anyone_may_touch(const std::vector<std::uint32_t>& rows) const {
  if (methods_.channels.empty()) return false;
  return rows.empty() || fragment_.empty() ||
         !std::ranges::all_of(rows, [&](std::uint32_t i) { return fragment_[i] == fragment_[rows[0]]; });
}

bool ContactPipeline::held_together(std::uint32_t i, std::uint32_t j) const {
  if (fragment_.empty()) return false;
  if (fragment_[i] == fragment_[j]) return true;
  if (bonded_.empty()) return false;
  const auto ids = world_.id.read();
  return std::ranges::binary_search(bonded_, std::pair(std::min(ids[i], ids[j]), std::max(ids[i], ids[j])));
}

/// Half-planes, containers: whoever is closer than reach by the wall's own distance.
void ContactPipeline::infinite_candidates(std::span<const Vec3> position, std::span<const Quat> orientation,
                                          const std::vector<std::uint32_t>& finite,
                                          const std::vector<std::uint32_t>& infinite, double reach) {
  constexpr std::size_t kAtOnce = 1024;
  std::vector<Vec3> local(kAtOnce), gradient(kAtOnce);
  std::vector<double> distance(kAtOnce);
  const auto radius = world_.radius.read();
  for (const std::uint32_t wall : infinite) {
    const Mat3 back = orientation[wall].conjugate().toRotationMatrix();
    const Shape& shape = *world_.shapes()[world_.shape.read()[wall]].shape;
    const auto* field = facet<ExactDistance>(shape);
    for (std::size_t first = 0; first < finite.size(); first += kAtOnce) {
      const auto rows = std::span(finite).subspan(first, std::min(kAtOnce, finite.size() - first));
      const std::size_t count = rows.size();
      for (std::size_t k = 0; k < count; ++k) local[k] = back * (position[rows[k]] - position[wall]);
      if (field)
        field->distance(std::span(local).first(count), std::span(distance).first(count),
                        std::span(gradient).first(count));
      for (std::size_t k = 0; k < count; ++k)
        if (!field || distance[k] < radius[rows[k]] + reach) add_candidate(rows[k], wall, Image::Zero());
    }
  }
}

/// \param image  of j, as seen from i
void ContactPipeline::add_candidate(std::uint32_t i, std::uint32_t j, Image image) {
  const auto owner = world_.owner.read();
  if (owner[i] == owner[j]) return;
  const auto inverse_mass = world_.inverse_mass.read();
  const auto ids = world_.id.read();
  const auto mobile = [&](std::uint32_t k) {
    if (owner[k] == ids[k]) return inverse_mass[k] > 0;
    const auto row = world_.row(owner[k]);
    return row && inverse_mass[*row] > 0;
  };
  if (!mobile(i) && !mobile(j)) return;
  if (held_together(i, j)) return;
  const auto shape = world_.shape.read(), material = world_.material.read();
  const std::int32_t channel = methods_.channel(shape[i], material[i], shape[j], material[j]);
  if (channel == Methods::kNoChannel) return;
  if (world_.scaled() && !methods_.channels[static_cast<std::size_t>(channel)].scales) check_unscaled(i, j);
  if (ids[i] > ids[j]) {
    std::swap(i, j);
    image = -image;
  }
  listed_.push_back({static_cast<std::uint32_t>(channel), i, j, packed(image)});
}

/// Set-up saw to it for the bodies there were then.
void ContactPipeline::check_unscaled(std::uint32_t i, std::uint32_t j) const {
  const auto scale = world_.scale.read();
  for (const std::uint32_t k : {i, j})
    if (scale[k] != 1)
      throw NumericalError(fmt::format(
          "body {} was added with the scale {:.6g}, but the detector of its shape \"{}\" was chosen when no body of it "
          "had one, and takes bodies of their shape's own size only. Make a shape of that size.",
          world_.id.read()[k], scale[k], world_.shapes()[world_.shape.read()[k]].name));
}

/// By (channel, lower row, higher row, image): into buckets of (channel, lower row), in place, then each short bucket
/// by insertion. Pairs of one chunk so belong to consecutive rows and to few rows beyond.
void ContactPipeline::sort_listed() {
  const std::size_t n = world_.size();
  const auto bucket = [n](const Listed& p) { return p.channel * n + p.low(); };
  row_start_.assign(methods_.channels.size() * n + 1, 0);
  for (const Listed& p : listed_) ++row_start_[bucket(p) + 1];
  for (std::size_t k = 1; k < row_start_.size(); ++k) row_start_[k] += row_start_[k - 1];

  std::vector<std::uint32_t> filled(row_start_.begin(), row_start_.end() - 1);
  for (std::size_t k = 0; k < filled.size(); ++k) {
    while (filled[k] < row_start_[k + 1]) {
      Listed& p = listed_[filled[k]];
      const std::size_t home = bucket(p);
      if (home != k)
        std::swap(p, listed_[filled[home]++]);
      else
        ++filled[k];
    }
  }
  const auto before = [](const Listed& p, const Listed& q) {
    return p.high() != q.high() ? p.high() < q.high() : p.image < q.image;
  };
  for (std::size_t k = 0; k < filled.size(); ++k)
    for (std::size_t i = row_start_[k] + 1; i < row_start_[k + 1]; ++i) {
      const Listed p = listed_[i];
      std::size_t place = i;
      for (; place > row_start_[k] && before(p, listed_[place - 1]); --place) listed_[place] = listed_[place - 1];
      listed_[place] = p;
    }
}

/// For each listed pair, the old chunk and pair that hold its committed history and its row of the detector's cache.
std::vector<ContactPipeline::Origin> ContactPipeline::origins(OldChunks& old,
                                                              std::span<const std::uint32_t> new_row) const {
  std::vector<Origin> origin(listed_.size());
  const std::size_t n = world_.size();
#pragma omp parallel for schedule(dynamic, 1) if (listed_.size() > kParallelPairs)
  for (std::uint32_t c = 0; c < old.size(); ++c) {
    const Chunk& chunk = old[c];
    const bool all = methods_.channels[chunk.channel].cache_row > 0;
    const ContactKeys& keys = chunk.history.keys;
    std::size_t begin = 0, end = 0;  // contacts of pair p
    std::size_t found = 0;
    for (std::uint32_t p = 0; p < chunk.pairs.size(); ++p, begin = end) {
      while (end < keys.size() && keys.pair[end] == p) ++end;
      if (!all && begin == end) continue;
      const std::uint32_t a = new_row[chunk.rows[chunk.pairs[p].a]], b = new_row[chunk.rows[chunk.pairs[p].b]];
      if (a == kNowhere || b == kNowhere) continue;
      const std::size_t bucket = chunk.channel * n + std::min(a, b);
      for (std::size_t k = row_start_[bucket]; k < row_start_[bucket + 1]; ++k)
        if (listed_[k].high() == std::max(a, b) && listed_[k].image == chunk.image_of(p)) origin[k] = {c, p}, ++found;
    }
    old.expect(c, found);
  }
  return origin;
}

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

#pragma omp parallel for schedule(dynamic, 1) if (listed_.size() > kParallelPairs)
  for (std::ptrdiff_t c = 0; c < static_cast<std::ptrdiff_t>(count); ++c) {
    const auto k = static_cast<std::size_t>(c);
    Scratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
    fill_chunk(chunks_[k], chunk_first_[k], chunk_first_[k + 1], scratch);
    inherit(old, origin.subspan(chunk_first_[k], chunks_[k].pairs.size()), chunks_[k], scratch);
    scratch.tile.gather(world_, reference_position_.read(), reference_orientations(), chunks_[k], true);
    methods_.channels[chunks_[k].channel].detector->prepare(scratch.tile.view(), chunks_[k].pairs, skin_,
                                                            methods_.margin, chunks_[k].cache);
  }
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
  if (world_.members().empty()) return;
  const auto owner = world_.owner.read();
  const auto owner_row = [&](std::uint32_t r) { return static_cast<std::uint32_t>(*world_.row(owner[chunk.rows[r]])); };
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

/// Moves committed history and cache rows of the chunk's pairs to their new place.
void ContactPipeline::inherit(OldChunks& old, std::span<const Origin> from, Chunk& chunk, Scratch& scratch) const {
  const Channel& channel = methods_.channels[chunk.channel];
  const int columns = methods_.interactions[channel.interaction].history;
  const std::size_t row = channel.cache_row;
  // Contacts of an old pair: most pairs follow each other as they did before, and many have none.
  Origin last;
  std::size_t last_end = 0;
  const auto contacts_of = [&](const Origin& origin) {
    const ContactKeys& keys = old[origin.chunk].history.keys;
    std::size_t begin = last_end;
    if (origin.chunk != last.chunk || origin.pair <= last.pair ||
        (begin < keys.size() && keys.pair[begin] < origin.pair))
      begin = keys.first_of_pair(origin.pair);
    std::size_t end = begin;
    while (end < keys.size() && keys.pair[end] == origin.pair) ++end;
    last = origin;
    last_end = end;
    return std::pair(begin, end);
  };

  std::vector<std::pair<std::size_t, std::size_t>> contacts(from.size());
  std::size_t total = 0;
  for (std::size_t p = 0; p < from.size(); ++p) {
    if (from[p].chunk == kNowhere) continue;
    contacts[p] = contacts_of(from[p]);
    total += contacts[p].second - contacts[p].first;
  }
  ChunkHistory& to = chunk.history;
  to.committed.resize(total, columns);
  scratch.contacts.clear();
  const ContactBuffer::Rows keys = scratch.contacts.extend(total);
  std::byte* cache = row > 0 ? chunk.cache.rows<std::byte>(chunk.pairs.size() * row) : nullptr;
  std::size_t i = 0;
  for (std::size_t p = 0; p < from.size(); ++p) {
    const Origin& origin = from[p];
    if (origin.chunk == kNowhere) continue;
    Chunk& source_chunk = old[origin.chunk];
    if (row > 0) std::memcpy(cache + p * row, source_chunk.cache.rows<std::byte>(0) + origin.pair * row, row);
    const ChunkHistory& source = source_chunk.history;
    for (std::size_t j = contacts[p].first; j < contacts[p].second; ++j, ++i) {
      keys.pair[i] = static_cast<std::uint32_t>(p);
      keys.feature[i] = source.keys.feature(j);
      keys.payload[i] = source.keys.payload(j);
      for (int k = 0; k < columns; ++k) to.committed[k][i] = source.committed[k][j];
    }
  }
  to.keys.assign(total, keys.pair, keys.feature, keys.payload);
  for (std::size_t p = 0, end; p < from.size(); p = end) {
    for (end = p + 1; end < from.size() && from[end].chunk == from[p].chunk;) ++end;
    if (from[p].chunk != kNowhere) old.taken(from[p].chunk, end - p);
  }
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

bool ContactPipeline::stale(double ahead) const {
  if (world_.layout_version() != layout_ || world_.bonds().version() != bonds_) return true;
  return stale(ahead, ways(ahead).largest_squared());
}

double ContactPipeline::Ways::largest_squared() const {
  return parallel_max_of_fours(
      static_cast<std::ptrdiff_t>(x.size()),
      [this](std::ptrdiff_t i) { return squared_of_four(static_cast<std::size_t>(i)); },
      [this](std::ptrdiff_t i) { return squared(static_cast<std::size_t>(i)); });
}

bool ContactPipeline::stale(double ahead, double largest_squared_way) const {
  if (world_.layout_version() != layout_ || world_.bonds().version() != bonds_) return true;
  // Spheres: the two of a pair may both move. Walls without bound: their own motion, rotation included, comes on top.
  const double finite = std::sqrt(largest_squared_way);
  if (2 * finite > skin_) return true;
  const auto radius = world_.radius.read();
  double infinite = 0;
  for (const auto& [body, motion] : world_.prescribed()) {
    const auto row = world_.row(body);
    if (!row || std::isfinite(radius[*row])) continue;
    const double reach = world_.shapes()[world_.shape.read()[*row]].shape->rotation_reach();
    const Quat q = world_.orientation.read()[*row], q0 = reference_orientations()[*row];
    const double angle = q.angularDistance(q0) + ahead * world_.angular_velocity.read()[*row].norm();
    const double turn = angle == 0 || reach == 0 ? 0 : angle * reach;
    infinite = std::max(infinite, std::sqrt(ways(ahead).squared(*row)) + turn);
  }
  return finite + infinite > skin_;
}

}  // namespace scree
