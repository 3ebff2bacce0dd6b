#include "scree/sim/contact_pipeline.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <exception>
#include <limits>
#include <tuple>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/shape/facets.hpp"
#include "scree/sim/body_tile.hpp"

namespace scree {

namespace {

/// Pairs per chunk, about: small enough for its data to stay in the second-level cache and for two threads to share the
/// work evenly, large enough to hide the calls. A constant: chunk borders are part of the determinism contract.
constexpr std::size_t kChunkPairs = 512;

/// Fewer pairs than this are faster on one thread than shared.
constexpr std::size_t kParallelPairs = 1500;

constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

struct ContactPipeline::Listed {
  std::uint32_t channel, a, b;  ///< rows; a has the lower id
  std::int32_t image;
};

struct ContactPipeline::Origin {
  std::uint32_t chunk = kNowhere, pair = 0;
};

/// One thread's working memory.
struct ContactPipeline::Scratch {
  BodyTile tile;
  ContactBuffer contacts;
  std::vector<std::int32_t> source;           ///< per contact: the committed contact it continues, or -1
  std::vector<double> velocity, force;        ///< 3 columns each
  std::vector<double> energy;
  std::vector<Wrench> wrench;                 ///< per local row
  std::vector<std::uint32_t> local, stamp;    ///< per row of the World: its local row in the chunk with this stamp
  std::uint32_t stamp_now = 0;
  double detect_seconds = 0, law_seconds = 0;
};

ContactPipeline::ContactPipeline(World& world, const Methods& methods) : world_(world), methods_(methods) {
  reference_position_ = world.column<Vec3>("reference_position", "m", false);
  reference_orientation_ = world.column<Quat>("reference_orientation", "", false);
}

ContactPipeline::~ContactPipeline() = default;

// ---------------------------------------------------------------------------------------------------- listing pairs

void ContactPipeline::rebuild(bool reorder) {
  const double start = now();
  std::vector<std::uint32_t> new_row(row_ids_.size());
  const bool same_rows = world_.layout_version() == layout_;
  if (same_rows)
    for (std::size_t i = 0; i < new_row.size(); ++i) new_row[i] = static_cast<std::uint32_t>(i);

  if (reorder) {
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
  std::ranges::copy(world_.orientation.read(), reference_orientation_.write().begin());

  std::vector<Chunk> old = std::exchange(chunks_, {});
  list_pairs(reference_position_.read());
  const auto origin = origins(old, new_row);
  cut_chunks(old, origin);
  place_pending();
  ++rebuilds;
  seconds.grid += now() - start;
}

void ContactPipeline::rebuild_at_reference() {
  chunks_.clear();
  list_pairs(reference_position_.read());
  std::vector<Chunk> none;
  cut_chunks(none, std::vector<Origin>(listed_.size()));
  place_pending();
}

void ContactPipeline::list_pairs(std::span<const Vec3> position) {
  std::vector<std::uint32_t> finite, infinite;
  const auto radius = world_.radius.read();
  for (std::uint32_t i = 0; i < world_.size(); ++i) (std::isfinite(radius[i]) ? finite : infinite).push_back(i);

  const double reach = methods_.skin + methods_.margin;
  listed_.clear();
  finder_.find(position, radius, finite, reach, candidates_);
  for (const RowPair& p : candidates_) add_candidate(p.i, p.j);
  infinite_candidates(position, reference_orientation_.read(), finite, infinite, reach);
  sort_listed();

  const auto ids = world_.id.read();
  row_ids_.assign(ids.begin(), ids.end());
  layout_ = world_.layout_version();

  surface_velocity_.clear();
  if (!world_.surface_velocities().empty()) surface_velocity_.assign(world_.size(), Vec3::Zero());
  for (const auto& [body, velocity] : world_.surface_velocities())
    if (const auto row = world_.row(body)) surface_velocity_[*row] = velocity;
}

/// Half-planes, containers: whoever is closer than reach by the wall's own distance.
void ContactPipeline::infinite_candidates(std::span<const Vec3> position, std::span<const Quat> orientation,
                                          const std::vector<std::uint32_t>& finite,
                                          const std::vector<std::uint32_t>& infinite, double reach) {
  std::vector<Vec3> local(finite.size()), gradient(finite.size());
  std::vector<double> distance(finite.size());
  const auto radius = world_.radius.read();
  for (const std::uint32_t wall : infinite) {
    const Mat3 back = orientation[wall].conjugate().toRotationMatrix();
    for (std::size_t k = 0; k < finite.size(); ++k) local[k] = back * (position[finite[k]] - position[wall]);
    const Shape& shape = *world_.shapes()[world_.shape.read()[wall]].shape;
    const auto* field = facet<ExactDistance>(shape);
    if (field) field->distance(local, distance, gradient);
    for (std::size_t k = 0; k < finite.size(); ++k)
      if (!field || distance[k] < radius[finite[k]] + reach) add_candidate(finite[k], wall);
  }
}

void ContactPipeline::add_candidate(std::uint32_t i, std::uint32_t j) {
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
  const auto shape = world_.shape.read(), material = world_.material.read();
  const std::int32_t channel = methods_.channel(shape[i], material[i], shape[j], material[j]);
  if (channel == Methods::kNoChannel) return;
  if (ids[i] > ids[j]) std::swap(i, j);
  listed_.push_back({static_cast<std::uint32_t>(channel), i, j, 0});
}

/// By (channel, a, b, image): counting sort into buckets of (channel, a), then each short bucket by insertion.
void ContactPipeline::sort_listed() {
  const std::size_t n = world_.size();
  const auto bucket = [n](const Listed& p) { return p.channel * n + p.a; };
  row_start_.assign(methods_.channels.size() * n + 1, 0);
  for (const Listed& p : listed_) ++row_start_[bucket(p) + 1];
  for (std::size_t k = 1; k < row_start_.size(); ++k) row_start_[k] += row_start_[k - 1];

  std::vector<Listed> sorted(listed_.size());
  std::vector<std::uint32_t> filled(row_start_.begin(), row_start_.end() - 1);
  const auto before = [](const Listed& p, const Listed& q) { return p.b != q.b ? p.b < q.b : p.image < q.image; };
  for (const Listed& p : listed_) {
    const std::size_t k = bucket(p);
    std::size_t place = filled[k]++;
    for (; place > row_start_[k] && before(p, sorted[place - 1]); --place) sorted[place] = sorted[place - 1];
    sorted[place] = p;
  }
  listed_.swap(sorted);
}

/// For each listed pair, the old chunk and pair that hold its committed history and its row of the detector's cache.
std::vector<ContactPipeline::Origin> ContactPipeline::origins(const std::vector<Chunk>& old,
                                                              std::span<const std::uint32_t> new_row) const {
  std::vector<Origin> origin(listed_.size());
  const std::size_t n = world_.size();
#pragma omp parallel for schedule(dynamic, 1) if (listed_.size() > kParallelPairs)
  for (std::uint32_t c = 0; c < old.size(); ++c) {
    const Chunk& chunk = old[c];
    const bool all = methods_.channels[chunk.channel].cache_row > 0;
    for (std::uint32_t p = 0; p < chunk.pairs.size(); ++p) {
      if (!all && chunk.committed.first[p] == chunk.committed.first[p + 1]) continue;
      const std::uint32_t a = new_row[chunk.rows[chunk.pairs[p].a]], b = new_row[chunk.rows[chunk.pairs[p].b]];
      if (a == kNowhere || b == kNowhere) continue;
      const std::size_t bucket = chunk.channel * n + a;
      for (std::size_t k = row_start_[bucket]; k < row_start_[bucket + 1]; ++k)
        if (listed_[k].b == b && listed_[k].image == chunk.pairs[p].image) origin[k] = {c, p};
    }
  }
  return origin;
}

/// A chunk ends with its channel, or after kChunkPairs pairs when the first body changes.
void ContactPipeline::cut_chunks(std::vector<Chunk>& old, std::span<const Origin> origin) {
  chunk_first_.clear();
  for (std::size_t k = 0; k < listed_.size(); ++k) {
    const bool first = k == 0 || listed_[k].channel != listed_[k - 1].channel;
    if (first || (k - chunk_first_.back() >= kChunkPairs && listed_[k].a != listed_[k - 1].a)) chunk_first_.push_back(k);
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
    inherit(old, origin.subspan(chunk_first_[k], chunks_[k].pairs.size()), chunks_[k]);
    scratch.tile.gather(world_, reference_position_.read(), reference_orientation_.read(), chunks_[k].rows);
    methods_.channels[chunks_[k].channel].detector->prepare(scratch.tile.view(), chunks_[k].pairs, chunks_[k].cache);
  }
  index_slots();
}

void ContactPipeline::fill_chunk(Chunk& chunk, std::size_t first, std::size_t last, Scratch& scratch) {
  scratch.local.resize(world_.size());
  scratch.stamp.resize(world_.size(), 0);
  const std::uint32_t stamp = ++scratch.stamp_now;
  const auto local = [&](std::uint32_t row) {
    if (scratch.stamp[row] != stamp) {
      scratch.stamp[row] = stamp;
      scratch.local[row] = static_cast<std::uint32_t>(chunk.rows.size());
      chunk.rows.push_back(row);
    }
    return scratch.local[row];
  };
  chunk.channel = listed_[first].channel;
  for (std::size_t k = first; k < last; ++k) {
    const std::uint32_t a = local(listed_[k].a), b = local(listed_[k].b);
    chunk.pairs.push_back({a, b, listed_[k].image, static_cast<std::uint32_t>(k - first)});
  }
  if (!world_.members().empty()) {
    const auto owner = world_.owner.read();
    const std::size_t bodies = chunk.rows.size();
    chunk.owner.resize(bodies);
    for (std::size_t r = 0; r < bodies; ++r)
      chunk.owner[r] = local(static_cast<std::uint32_t>(*world_.row(owner[chunk.rows[r]])));
    for (std::size_t r = bodies; r < chunk.rows.size(); ++r) chunk.owner.push_back(static_cast<std::uint32_t>(r));
  }
}

/// Moves committed history and cache rows of the chunk's pairs to their new place.
void ContactPipeline::inherit(std::vector<Chunk>& old, std::span<const Origin> from, Chunk& chunk) const {
  const Channel& channel = methods_.channels[chunk.channel];
  const int columns = methods_.interactions[channel.interaction].history;
  const std::size_t pairs = chunk.pairs.size(), row = channel.cache_row;
  ContactStore& to = chunk.committed;
  to.first.resize(pairs + 1);
  std::uint32_t total = 0;
  for (std::size_t p = 0; p < pairs; ++p) {
    to.first[p] = total;
    if (from[p].chunk == kNowhere) continue;
    const auto& first = old[from[p].chunk].committed.first;
    total += first[from[p].pair + 1] - first[from[p].pair];
  }
  to.first.back() = total;
  to.resize(pairs, total, columns);
  std::byte* cache = row > 0 ? chunk.cache.rows<std::byte>(pairs * row) : nullptr;
  for (std::size_t p = 0; p < pairs; ++p) {
    if (from[p].chunk == kNowhere) continue;
    Chunk& source_chunk = old[from[p].chunk];
    if (row > 0)
      std::memcpy(cache + p * row,
                  source_chunk.cache.rows<std::byte>(source_chunk.pairs.size() * row) + from[p].pair * row, row);
    const ContactStore& source = source_chunk.committed;
    const std::uint32_t s = source.first[from[p].pair];
    for (std::uint32_t i = to.first[p]; i < to.first[p + 1]; ++i) {
      const std::uint32_t j = s + (i - to.first[p]);
      to.feature[i] = source.feature[j];
      to.payload[i] = source.payload[j];
      for (int k = 0; k < columns; ++k) to.column(k)[i] = source.column(k)[j];
    }
  }
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
  if (world_.layout_version() != layout_) return true;
  const auto x = world_.position.read(), x0 = reference_position_.read(), v = world_.velocity.read();
  const auto radius = world_.radius.read();
  const auto way = [&](std::size_t i) -> Vec3 { return x[i] + ahead * v[i] - x0[i]; };
  // Spheres: the two of a pair may both move. Walls without bound: their own motion, rotation included, comes on top.
  const double finite = std::sqrt(parallel_max(static_cast<std::ptrdiff_t>(x.size()), [&](std::ptrdiff_t i) {
    return way(static_cast<std::size_t>(i)).squaredNorm();
  }));
  if (2 * finite > methods_.skin) return true;
  double infinite = 0;
  for (const auto& [body, motion] : world_.prescribed()) {
    const auto row = world_.row(body);
    if (!row || std::isfinite(radius[*row])) continue;
    const double reach = world_.shapes()[world_.shape.read()[*row]].shape->rotation_reach();
    const Quat q = world_.orientation.read()[*row], q0 = reference_orientation_.read()[*row];
    const double angle = q.angularDistance(q0) + ahead * world_.angular_velocity.read()[*row].norm();
    const double turn = angle == 0 || reach == 0 ? 0 : angle * reach;
    infinite = std::max(infinite, way(*row).norm() + turn);
  }
  return finite + infinite > methods_.skin;
}

// ------------------------------------------------------------------------------------------------------ evaluation

/// History of each contact of now from the committed one it continues.
void ContactPipeline::match(Chunk& chunk, Scratch& s) const {
  const ContactDetector& detector = *methods_.channels[chunk.channel].detector;
  const int columns = methods_.interactions[methods_.channels[chunk.channel].interaction].history;
  const ContactStore& old = chunk.committed;
  ContactStore& now_store = chunk.trial;
  const std::size_t count = s.contacts.size(), pairs = chunk.pairs.size();
  now_store.resize(pairs, count, columns);
  s.source.resize(std::max(s.source.size(), count));

  const std::uint32_t* pair = s.contacts.pair();
  std::uint32_t contact = 0, listed = 0;  // contacts and pairs dealt with
  while (contact < count) {
    const std::uint32_t p = pair[contact], begin = contact;
    for (; listed <= p; ++listed) now_store.first[listed] = begin;
    while (contact < count && pair[contact] == p) ++contact;
    const std::uint32_t old_begin = old.first[p], old_count = old.first[p + 1] - old_begin, new_count = contact - begin;
    if (old_count == 0) {
      std::fill_n(s.source.begin() + begin, new_count, -1);
      continue;
    }
    // Most contacts of most steps: same number, same payload. They continue as they are.
    bool unchanged = old_count == new_count;
    for (std::uint32_t i = 0; unchanged && i < new_count; ++i) {
      const std::uint64_t payload = s.contacts.payload()[begin + i];
      unchanged = payload != 0 && payload == old.payload[old_begin + i];
    }
    if (unchanged) {
      for (std::uint32_t i = 0; i < new_count; ++i) {
        s.source[begin + i] = static_cast<std::int32_t>(old_begin + i);
        s.contacts.feature()[begin + i] = old.feature[old_begin + i];
      }
      continue;
    }
    detector.match({old_count, new_count, old.feature.data() + old_begin, old.payload.data() + old_begin,
                    s.contacts.feature() + begin, s.contacts.payload() + begin, s.source.data() + begin});
    for (std::uint32_t i = begin; i < contact; ++i)
      if (s.source[i] >= 0) s.source[i] += static_cast<std::int32_t>(old_begin);
  }
  for (; listed <= pairs; ++listed) now_store.first[listed] = contact;

  std::copy_n(s.contacts.feature(), count, now_store.feature.begin());
  std::copy_n(s.contacts.payload(), count, now_store.payload.begin());
  const std::int32_t* source = s.source.data();
  for (int k = 0; k < columns; ++k) {
    static constexpr double kNothing = 0;
    const double* from = old.size() > 0 ? old.column(k) : &kNothing;
    double* to = now_store.column(k);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
      const double inherited = from[source[i] < 0 ? 0 : source[i]];
      to[i] = source[i] < 0 ? 0.0 : inherited;
    }
  }
}

template <bool Planar>
void ContactPipeline::evaluate_chunk(Chunk& chunk, double dt, Scratch& s) {
  const Channel& channel = methods_.channels[chunk.channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  const double start = now();
  s.tile.gather(world_, world_.position.read(), world_.orientation.read(), chunk.rows);
  const BodyView bodies = s.tile.view();
  s.contacts.clear();
  channel.detector->detect(bodies, chunk.pairs, chunk.cache, methods_.margin, s.contacts);
  match(chunk, s);
  const double detected = now();

  const std::size_t count = s.contacts.size();
  const std::size_t stride = (count + 7) / 8 * 8;
  if (s.velocity.size() < 3 * stride) s.velocity.resize(3 * stride), s.force.resize(3 * stride), s.energy.resize(stride);
  double* const velocity[3] = {s.velocity.data(), s.velocity.data() + stride, s.velocity.data() + 2 * stride};
  double* const force[3] = {s.force.data(), s.force.data() + stride, s.force.data() + 2 * stride};
  const std::uint32_t* pair = s.contacts.pair();
  const ContactBuffer& contacts = s.contacts;

  // Velocity of b relative to a at the contact point, from the rigid motion of both.
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t a = chunk.pairs[pair[i]].a, b = chunk.pairs[pair[i]].b;
    const Vec3 &xa = bodies.position[a], &xb = bodies.position[b];
    const Vec3 &va = bodies.velocity[a], &vb = bodies.velocity[b];
    const Vec3 &wa = bodies.angular_velocity[a], &wb = bodies.angular_velocity[b];
    if constexpr (Planar) {
      const double px = contacts.point(0)[i], py = contacts.point(1)[i];
      velocity[0][i] = (vb[0] - wb[2] * (py - xb[1])) - (va[0] - wa[2] * (py - xa[1]));
      velocity[1][i] = (vb[1] + wb[2] * (px - xb[0])) - (va[1] + wa[2] * (px - xa[0]));
      velocity[2][i] = 0;
    } else {
      const Vec3 p = contacts.point_at(i);
      const Vec3 v = (vb + wb.cross(p - xb)) - (va + wa.cross(p - xa));
      for (int k = 0; k < 3; ++k) velocity[k][i] = v[k];
    }
  }
  if (!surface_velocity_.empty())
    for (std::size_t i = 0; i < count; ++i) {
      const Pair& p = chunk.pairs[pair[i]];
      const Vec3 n = contacts.normal_at(i);
      const Vec3 belt = surface_velocity_[chunk.rows[p.b]] - surface_velocity_[chunk.rows[p.a]];
      const Vec3 tangential = belt - belt.dot(n) * n;
      for (int k = 0; k < 3; ++k) velocity[k][i] += tangential[k];
    }

  double* history[16];
  for (int k = 0; k < interaction.history; ++k) history[k] = chunk.trial.column(k);
  const ContactColumns columns{count,
                               dt,
                               contacts.overlap(),
                               {contacts.normal(0), contacts.normal(1), contacts.normal(2)},
                               {velocity[0], velocity[1], velocity[2]}};
  interaction.force->force(columns, history, {{force[0], force[1], force[2]}});

  // Each body of the chunk sums its contacts serially, in contact order.
  s.wrench.assign(chunk.rows.size(), Wrench{});
  const std::uint32_t* owner = chunk.owner.empty() ? nullptr : chunk.owner.data();
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t a = chunk.pairs[pair[i]].a, b = chunk.pairs[pair[i]].b;
    if (owner) a = owner[a], b = owner[b];
    const Vec3 &xa = bodies.position[a], &xb = bodies.position[b];
    Wrench &on_a = s.wrench[a], &on_b = s.wrench[b];
    if constexpr (Planar) {
      const double px = contacts.point(0)[i], py = contacts.point(1)[i], fx = force[0][i], fy = force[1][i];
      on_a.force[0] -= fx;
      on_a.force[1] -= fy;
      on_a.torque[2] -= (px - xa[0]) * fy - (py - xa[1]) * fx;
      on_b.force[0] += fx;
      on_b.force[1] += fy;
      on_b.torque[2] += (px - xb[0]) * fy - (py - xb[1]) * fx;
    } else {
      const Vec3 p = contacts.point_at(i), f(force[0][i], force[1][i], force[2][i]);
      on_a.force -= f;
      on_a.torque -= (p - xa).cross(f);
      on_b.force += f;
      on_b.torque += (p - xb).cross(f);
    }
  }
  std::copy(s.wrench.begin(), s.wrench.end(), slot_wrench_.begin() + static_cast<std::ptrdiff_t>(chunk.first_slot));

  ChunkCounts counts;
  std::uint32_t last_pair = kNowhere;
  for (std::size_t i = 0; i < count; ++i) {
    const double overlap = contacts.overlap()[i];
    counts.max_overlap = std::max(counts.max_overlap, overlap);
    if (overlap <= 0) continue;
    ++counts.contacts;
    counts.touching_pairs += pair[i] != last_pair;
    last_pair = pair[i];
  }
  if (compute_energy) {
    interaction.force->energy(columns, history, s.energy.data());
    for (std::size_t i = 0; i < count; ++i) counts.elastic_energy += s.energy[i];
  }
  chunk.counts = counts;
  chunk.records.clear();
  if (keep_records)
    for (std::size_t i = 0; i < count; ++i) {
      const Pair& p = chunk.pairs[pair[i]];
      chunk.records.push_back({bodies.id[p.a], bodies.id[p.b], p.image, contacts.feature()[i], contacts.overlap()[i],
                               contacts.normal_at(i), contacts.point_at(i), {force[0][i], force[1][i], force[2][i]}});
    }
  s.detect_seconds += detected - start;
  s.law_seconds += now() - detected;
}

void ContactPipeline::evaluate(double dt, std::span<Wrench> out) {
  const double start = now();
  const auto count = static_cast<std::ptrdiff_t>(chunks_.size());
  const auto bodies = static_cast<std::ptrdiff_t>(world_.size());
  const bool planar = world_.dimension() == 2;
  const Environment& env = methods_.environment;
  const auto mass = world_.mass.read(), inverse_mass = world_.inverse_mass.read();
  const auto v = world_.velocity.read(), w = world_.angular_velocity.read();
  scratch_.resize(std::max<std::size_t>(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  for (Scratch& s : scratch_) s.detect_seconds = s.law_seconds = 0;

  // Of several failures the one of the first chunk is reported, whichever thread met it first.
  std::exception_ptr failure;
  std::ptrdiff_t failed_chunk = std::numeric_limits<std::ptrdiff_t>::max();

#pragma omp parallel if (listed_.size() > kParallelPairs)
  {
    Scratch& scratch = scratch_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic, 1)
    for (std::ptrdiff_t c = 0; c < count; ++c) {
      try {
        Chunk& chunk = chunks_[static_cast<std::size_t>(c)];
        planar ? evaluate_chunk<true>(chunk, dt, scratch) : evaluate_chunk<false>(chunk, dt, scratch);
      } catch (...) {
#pragma omp critical
        if (c < failed_chunk) {
          failed_chunk = c;
          failure = std::current_exception();
        }
      }
    }
#pragma omp for schedule(static)
    for (std::ptrdiff_t i = 0; i < bodies; ++i) {
      Wrench sum;
      for (std::uint32_t k = slot_start_[i]; k < slot_start_[i + 1]; ++k) {
        sum.force += slot_wrench_[slots_[k]].force;
        sum.torque += slot_wrench_[slots_[k]].torque;
      }
      if (inverse_mass[i] > 0) {
        sum.force += mass[i] * env.gravity - env.linear_damping * v[i];
        sum.torque -= env.angular_damping * w[i];
      }
      out[i] = sum;
    }
  }
  if (failure) std::rethrow_exception(failure);

  totals_ = {};
  totals_.candidate_pairs = listed_.size();
  for (const Chunk& chunk : chunks_) {
    totals_.contacts += chunk.counts.contacts;
    totals_.touching_pairs += chunk.counts.touching_pairs;
    totals_.max_overlap = std::max(totals_.max_overlap, chunk.counts.max_overlap);
    totals_.elastic_energy += chunk.counts.elastic_energy;
  }
  double detect = 0, law = 0;
  for (const Scratch& s : scratch_) detect += s.detect_seconds, law += s.law_seconds;
  const double wall = now() - start;
  const double share = detect + law > 0 ? detect / (detect + law) : 0;
  seconds.detect += share * wall;
  seconds.law += (1 - share) * wall;
}

void ContactPipeline::commit() {
  for (Chunk& chunk : chunks_) std::swap(chunk.committed, chunk.trial);
}

// ------------------------------------------------------------------------------------------- history seen from outside

ContactView ContactPipeline::contact_view() const {
  ContactView view;
  for (const Chunk& chunk : chunks_) view.insert(view.end(), chunk.records.begin(), chunk.records.end());
  std::sort(view.begin(), view.end(), [](const ContactRecord& p, const ContactRecord& q) {
    return std::tie(p.a, p.b, p.image, p.feature) < std::tie(q.a, q.b, q.image, q.feature);
  });
  return view;
}

std::vector<HistoryRecord> ContactPipeline::extract() const {
  std::vector<HistoryRecord> records = pending_;
  for (const Chunk& chunk : chunks_) {
    const std::uint32_t interaction = methods_.channels[chunk.channel].interaction;
    const int columns = methods_.interactions[interaction].history;
    const ContactStore& store = chunk.committed;
    for (std::size_t p = 0; p < chunk.pairs.size(); ++p)
      for (std::uint32_t i = store.first[p]; i < store.first[p + 1]; ++i) {
        HistoryRecord r{interaction, row_ids_[chunk.rows[chunk.pairs[p].a]], row_ids_[chunk.rows[chunk.pairs[p].b]],
                        chunk.pairs[p].image, store.feature[i], store.payload[i], {}};
        for (int k = 0; k < columns; ++k) r.values.push_back(store.column(k)[i]);
        records.push_back(std::move(r));
      }
  }
  std::stable_sort(records.begin(), records.end(), [](const HistoryRecord& p, const HistoryRecord& q) {
    return std::tie(p.interaction, p.a, p.b, p.image) < std::tie(q.interaction, q.a, q.b, q.image);
  });
  return records;
}

void ContactPipeline::insert(std::span<const HistoryRecord> records) {
  pending_.insert(pending_.end(), records.begin(), records.end());
  if (layout_ == world_.layout_version()) place_pending();
}

/// Gives pending records to the pairs that are listed by now. Rare (restart, culling): a plain rebuild of the stores.
void ContactPipeline::place_pending() {
  if (pending_.empty()) return;
  const auto key = [](const HistoryRecord& r) { return std::tie(r.interaction, r.a, r.b, r.image); };
  std::stable_sort(pending_.begin(), pending_.end(), [&](const auto& p, const auto& q) { return key(p) < key(q); });
  std::vector<bool> placed(pending_.size(), false);
  for (Chunk& chunk : chunks_) {
    const std::uint32_t interaction = methods_.channels[chunk.channel].interaction;
    const int columns = methods_.interactions[interaction].history;
    const ContactStore old = std::exchange(chunk.committed, {});
    struct Item {
      std::uint32_t feature;
      std::uint64_t payload;
      const HistoryRecord* record;
      std::uint32_t old;
    };
    std::vector<Item> items;
    std::vector<std::uint32_t> first{0};
    for (std::size_t p = 0; p < chunk.pairs.size(); ++p) {
      for (std::uint32_t i = old.first[p]; i < old.first[p + 1]; ++i)
        items.push_back({old.feature[i], old.payload[i], nullptr, i});
      HistoryRecord wanted{interaction, row_ids_[chunk.rows[chunk.pairs[p].a]], row_ids_[chunk.rows[chunk.pairs[p].b]],
                           chunk.pairs[p].image, 0, 0, {}};
      auto it = std::lower_bound(pending_.begin(), pending_.end(), wanted,
                                 [&](const auto& x, const auto& y) { return key(x) < key(y); });
      for (; it != pending_.end() && key(*it) == key(wanted); ++it) {
        placed[static_cast<std::size_t>(it - pending_.begin())] = true;
        items.push_back({it->feature, it->payload, &*it, 0});
      }
      first.push_back(static_cast<std::uint32_t>(items.size()));
    }
    ContactStore& to = chunk.committed;
    to.first = first;
    to.resize(chunk.pairs.size(), items.size(), columns);
    for (std::size_t i = 0; i < items.size(); ++i) {
      to.feature[i] = items[i].feature;
      to.payload[i] = items[i].payload;
      for (int k = 0; k < columns; ++k)
        to.column(k)[i] = items[i].record ? items[i].record->values[static_cast<std::size_t>(k)] : old.column(k)[items[i].old];
    }
  }
  std::vector<HistoryRecord> rest;
  for (std::size_t i = 0; i < pending_.size(); ++i)
    if (!placed[i]) rest.push_back(std::move(pending_[i]));
  pending_ = std::move(rest);
}

}  // namespace scree
