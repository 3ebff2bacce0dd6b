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
}

ContactPipeline::~ContactPipeline() = default;

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
  const double start = clock_seconds();
  s.tile.gather(world_, world_.position.read(), world_.orientation.read(), chunk.rows);
  const BodyView bodies = s.tile.view();
  s.contacts.clear();
  channel.detector->detect(bodies, chunk.pairs, chunk.cache, methods_.margin, s.contacts);
  match(chunk, s);
  const double detected = clock_seconds();

  const std::size_t count = s.contacts.size();
  const std::size_t stride = (count + 7) / 8 * 8;
  if (s.velocity.size() < 3 * stride)
    s.velocity.resize(3 * stride), s.force.resize(3 * stride), s.energy.resize(stride);
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

  // Each body of the chunk sums its contacts serially, in contact order, into the chunk's own slots.
  Wrench* const wrench = slot_wrench_.data() + chunk.first_slot;
  std::fill_n(wrench, chunk.rows.size(), Wrench{});
  const std::uint32_t* owner = chunk.owner.empty() ? nullptr : chunk.owner.data();
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t a = chunk.pairs[pair[i]].a, b = chunk.pairs[pair[i]].b;
    if (owner) a = owner[a], b = owner[b];
    const Vec3 &xa = bodies.position[a], &xb = bodies.position[b];
    Wrench &on_a = wrench[a], &on_b = wrench[b];
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
      chunk.records.push_back({bodies.id[p.a],
                               bodies.id[p.b],
                               p.image,
                               contacts.feature()[i],
                               contacts.overlap()[i],
                               contacts.normal_at(i),
                               contacts.point_at(i),
                               {force[0][i], force[1][i], force[2][i]}});
    }
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
