/// \file The evaluation of ContactPipeline: detect -> match -> law -> accumulate, chunk by chunk.
#include "scree/sim/contact_pipeline.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include "scree/sim/detail/pipeline_parts.hpp"

namespace scree {

ContactPipeline::ContactPipeline(World& world, const Methods& methods) : world_(world), methods_(methods) {
  reference_position_ = world.column<Vec3>("reference_position", "m", false);
  reference_orientation_ = world.column<Quat>("reference_orientation", "", false);
  if (world.cell.any()) world.column<Vec3>("cell_crossings");
}

ContactPipeline::~ContactPipeline() = default;

namespace {

ChunkCounts count_contacts(const detail::ChunkContacts& c) {
  ChunkCounts counts;
  std::uint32_t last_pair = kNowhere;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const double overlap = c.contacts.overlap()[i];
    counts.max_overlap = std::max(counts.max_overlap, overlap);
    if (overlap <= 0) continue;
    ++counts.contacts;
    counts.touching_pairs += c.contacts.pair()[i] != last_pair;
    last_pair = c.contacts.pair()[i];
  }
  return counts;
}

void record(const detail::ChunkContacts& c, const detail::VectorColumns& force, std::vector<ContactRecord>& records) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Pair& p = c.pair(i);
    records.push_back({c.bodies.id[p.a],
                       c.bodies.id[p.b],
                       p.image,
                       c.contacts.feature()[i],
                       c.contacts.overlap()[i],
                       c.contacts.normal_at(i),
                       c.contacts.point_at(i),
                       {force.axis[0][i], force.axis[1][i], force.axis[2][i]}});
  }
}

constexpr std::int32_t kNew = -1, kUnknown = -2;

/// Most contacts of most steps: the same number in the pair, the same payload, or where there is none, the same
/// feature. They continue as they are. No branches: which pairs have changed is hard to foresee.
/// \param source  out: the committed contact that each one continues, kNew, or kUnknown
/// \return whether none is unknown
bool continue_unchanged(const ContactStore& old, const ContactStore& now, const ContactBuffer& contacts,
                        std::int32_t* __restrict source) {
  if (old.size() == 0) {
    std::fill_n(source, contacts.size(), kNew);
    return true;
  }
  const std::uint32_t *pair = contacts.pair(), *first_old = old.first.data(), *first_now = now.first.data();
  const std::uint64_t *payload = contacts.payload(), *payload_old = old.payload.data();
  const std::uint32_t *feature = contacts.feature(), *feature_old = old.feature.data();
  std::uint32_t unknown = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::uint32_t p = pair[i], begin_old = first_old[p], begin_now = first_now[p];
    const std::uint32_t count_old = first_old[p + 1] - begin_old, count_now = first_now[p + 1] - begin_now;
    const bool same_count = count_old == count_now;
    const std::uint32_t j = same_count ? begin_old + (static_cast<std::uint32_t>(i) - begin_now) : 0;
    const bool same =
        same_count & (payload[i] == payload_old[j]) & ((payload[i] != 0) | (feature[i] == feature_old[j]));
    source[i] = same ? static_cast<std::int32_t>(j) : count_old == 0 ? kNew : kUnknown;
    unknown |= static_cast<std::uint32_t>(source[i] == kUnknown);
  }
  return unknown == 0;
}

/// Leaves a pair whose contacts have changed to its detector.
void match_pair(const ContactDetector& detector, const ContactStore& old, const ContactStore& now, std::uint32_t p,
                ContactBuffer& contacts, std::int32_t* source) {
  const std::uint32_t begin = now.first[p], end = now.first[p + 1], begin_old = old.first[p];
  detector.match({old.first[p + 1] - begin_old, end - begin, old.feature.data() + begin_old,
                  old.payload.data() + begin_old, contacts.feature() + begin, contacts.payload() + begin,
                  source + begin});
  for (std::uint32_t i = begin; i < end; ++i)
    if (source[i] >= 0) source[i] += static_cast<std::int32_t>(begin_old);
}

void inherit_columns(const ContactStore& old, ContactStore& now, ContactBuffer& contacts,
                     const std::int32_t* __restrict source, int columns) {
  const std::size_t count = contacts.size();
  std::copy_n(contacts.payload(), count, now.payload.begin());
  if (old.size() == 0) {
    std::copy_n(contacts.feature(), count, now.feature.begin());
    for (int k = 0; k < columns; ++k) std::fill_n(now.column(k), count, 0.0);
    return;
  }
  const std::uint32_t* feature_old = old.feature.data();
  std::uint32_t *feature = contacts.feature(), *feature_now = now.feature.data();
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t inherited = feature_old[source[i] < 0 ? 0 : source[i]];
    feature_now[i] = feature[i] = source[i] < 0 ? feature[i] : inherited;
  }
  for (int k = 0; k < columns; ++k) {
    const double* from = old.column(k);
    double* __restrict to = now.column(k);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i) {
      const double inherited = from[source[i] < 0 ? 0 : source[i]];
      to[i] = source[i] < 0 ? 0.0 : inherited;
    }
  }
}

}  // namespace

/// History of each contact of now from the committed one it continues.
void ContactPipeline::match(Chunk& chunk, Scratch& s) const {
  const int columns = methods_.interactions[methods_.channels[chunk.channel].interaction].history;
  const ContactStore& old = chunk.committed;
  ContactStore& now = chunk.trial;
  const std::size_t count = s.contacts.size(), pairs = chunk.pairs.size();
  now.resize(pairs, count, columns);
  s.source.resize(std::max(s.source.size(), count));
  std::int32_t* const source = s.source.data();

  const std::uint32_t* pair = s.contacts.pair();
  std::uint32_t* const first = now.first.data();
  std::fill_n(first, pairs + 1, 0u);
  for (std::size_t i = 0; i < count; ++i) ++first[pair[i] + 1];
  for (std::size_t p = 0; p < pairs; ++p) first[p + 1] += first[p];

  const bool all_continue = continue_unchanged(old, now, s.contacts, source);
  for (std::uint32_t i = 0; i < count && !all_continue;) {
    const std::uint32_t p = pair[i], end = first[p + 1];
    bool unknown = false;
    for (std::uint32_t k = i; k < end; ++k) unknown |= source[k] == kUnknown;
    if (unknown) match_pair(*methods_.channels[chunk.channel].detector, old, now, p, s.contacts, source);
    i = end;
  }
  inherit_columns(old, now, s.contacts, source, columns);
}

/// The columns of the chunk's contacts that its law works with, in the thread's memory.
template <bool Planar>
ContactPipeline::LawColumns ContactPipeline::law_columns(const Chunk& chunk, double dt, Scratch& s) const {
  const Channel& channel = methods_.channels[chunk.channel];
  const ForceNeeds& needs = methods_.interactions[channel.interaction].needs;
  const std::size_t count = s.contacts.size(), stride = (count + 7) / 8 * 8;
  if (s.columns.size() < LawColumns::kMost * stride) s.columns.resize(LawColumns::kMost * stride);
  double* next = s.columns.data();
  const auto column = [&] { return std::exchange(next, next + stride); };
  const auto vector = [&] { return detail::VectorColumns{{column(), column(), column()}}; };
  const auto pointers = [](const detail::VectorColumns& v, const double*(&to)[3]) { std::copy_n(v.axis, 3, to); };

  const BodyView bodies = s.tile.view();
  const detail::ChunkContacts c{bodies, chunk.pairs, s.contacts};
  LawColumns columns;
  columns.in = {count, dt, s.contacts.overlap(), {s.contacts.normal(0), s.contacts.normal(1), s.contacts.normal(2)}};
  columns.force = vector();
  const detail::VectorColumns velocity = vector();
  detail::relative_velocity<Planar>(c, velocity);
  if (!surface_velocity_.empty()) detail::add_surface_velocity(c, surface_velocity_, chunk.rows, velocity);
  pointers(velocity, columns.in.velocity);
  if (needs.mass) {
    double* const mass = column();
    s.of_body.resize(chunk.rows.size());
    const auto inverse = world_.inverse_mass.read();
    for (std::size_t r = 0; r < chunk.rows.size(); ++r)
      s.of_body[r] = inverse[chunk.rows[chunk.owner.empty() ? r : chunk.owner[r]]];
    detail::reduced_mass(c, s.of_body.data(), mass);
    columns.in.mass = mass;
  }
  if (needs.radius && channel.curvature) columns.in.radius = s.contacts.radius();
  if (needs.radius && !channel.curvature) {
    double* const radius = column();
    s.of_body.resize(chunk.rows.size());
    const auto bounding = world_.radius.read();
    for (std::size_t r = 0; r < chunk.rows.size(); ++r) s.of_body[r] = 1 / bounding[chunk.rows[r]];
    detail::bounding_curvature(c, s.of_body.data(), radius);
    columns.in.radius = radius;
  }
  if (needs.spin) {
    const detail::VectorColumns spin = vector();
    detail::relative_spin(c, spin);
    pointers(spin, columns.in.spin);
  }
  if (needs.turn) {
    const detail::VectorColumns turn = vector();
    detail::mean_spin(c, turn);
    pointers(turn, columns.in.turn);
  }
  if (needs.moment) columns.moment = vector();
  return columns;
}

template <bool Planar>
void ContactPipeline::evaluate_chunk(Chunk& chunk, double dt, Scratch& s) {
  const Channel& channel = methods_.channels[chunk.channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  const double start = clock_seconds();
  s.tile.gather(world_, world_.position.read(), world_.orientation.read(), chunk.rows, chunk.shift);
  const BodyView bodies = s.tile.view();
  s.contacts.clear();
  channel.detector->detect(bodies, chunk.pairs, chunk.cache, methods_.margin, s.contacts);
  match(chunk, s);
  const double detected = clock_seconds();

  const LawColumns columns = law_columns<Planar>(chunk, dt, s);
  double* history[16];
  for (int k = 0; k < interaction.history; ++k) history[k] = chunk.trial.column(k);
  const auto [fx, fy, fz] = columns.force.axis;
  const auto [mx, my, mz] = columns.moment.axis;
  interaction.force->force(columns.in, history, {{fx, fy, fz}, {mx, my, mz}});

  // Each body of the chunk sums its contacts serially, in contact order, into the chunk's own slots.
  Wrench* const wrench = slot_wrench_.data() + chunk.first_slot;
  std::fill_n(wrench, chunk.rows.size(), Wrench{});
  const detail::ChunkContacts contacts{bodies, chunk.pairs, s.contacts};
  const std::uint32_t* owner = chunk.owner.empty() ? nullptr : chunk.owner.data();
  detail::add_forces<Planar>(contacts, columns.force, owner, wrench);
  if (interaction.needs.moment) detail::add_moments(contacts, columns.moment, owner, wrench);

  chunk.counts = count_contacts(contacts);
  if (compute_energy) {
    s.energy.resize(std::max(s.energy.size(), contacts.size()));
    interaction.force->energy(columns.in, history, s.energy.data());
    for (std::size_t i = 0; i < contacts.size(); ++i) chunk.counts.elastic_energy += s.energy[i];
  }
  chunk.records.clear();
  if (keep_records) record(contacts, columns.force, chunk.records);
  s.detect_seconds += detected - start;
  s.law_seconds += clock_seconds() - detected;
}

void ContactPipeline::evaluate(double dt, std::span<Wrench> out) {
  const double start = clock_seconds();
  const auto count = static_cast<std::ptrdiff_t>(chunks_.size());
  const auto bodies = static_cast<std::ptrdiff_t>(world_.size());
  const bool planar = world_.dimension() == 2;
  const Environment& env = methods_.environment;
  const Vec3 gravity = gravity_at(env, world_.trial_time());
  const auto mass = world_.mass.read(), inverse_mass = world_.inverse_mass.read();
  const auto inertia = world_.inertia.read();
  const auto q = world_.orientation.read();
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
      if (inverse_mass[i] > 0)
        add_environment<double>(env, gravity, {mass[i], inertia[i], q[i], v[i], w[i]}, sum.force, sum.torque);
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
  const double wall = clock_seconds() - start;
  const double share = detect + law > 0 ? detect / (detect + law) : 0;
  seconds.detect += share * wall;
  seconds.law += (1 - share) * wall;
}

void ContactPipeline::commit() {
  for (Chunk& chunk : chunks_) std::swap(chunk.committed, chunk.trial);
}

}  // namespace scree
