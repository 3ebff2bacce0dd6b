#pragma once
/// \file What the evaluations of ContactPipeline share: forces (contact_pipeline.cpp) and what is handed out
/// (handed_contacts.cpp).

#include <omp.h>

#include <algorithm>
#include <vector>

#include "scree/base/first_failure.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

namespace detail {

/// Keeps the contacts of a block for who asked for them. \param force  on b [N]
inline void record(Chunk& chunk, const ContactBlock& c, const VectorColumns& force) {
  for (std::size_t i = 0; i < c.count; ++i) {
    const Pair& p = c.pair(i);
    const std::size_t contact = c.first + i;
    chunk.records.push_back({c.row[p.a].id,
                             c.row[p.b].id,
                             chunk.image_of(c.pair_index[i]),
                             c.contacts->feature()[contact],
                             c.contacts->overlap()[contact],
                             c.contacts->normal_at(contact),
                             c.contacts->point_at(contact),
                             {force.axis[0][i], force.axis[1][i], force.axis[2][i]}});
  }
}

}  // namespace detail

/// Calls work(block) for all contacts just detected, a few at a time.
template <class Work>
void ContactPipeline::over_blocks(const Chunk& chunk, Scratch& s, const Work& work) {
  const double start = clock_seconds();
  // Who takes the forces of members is elsewhere.
  const Group group = group_of(chunk);
  const bool central = group.detector->central() && chunk.owner.empty();
  const std::uint32_t* const pair = s.contacts.pair();
  std::size_t first = 0;
  for (const Chunk::Segment& segment : chunk.segments) {
    const auto end =
        static_cast<std::size_t>(std::lower_bound(pair + first, pair + s.contacts.size(), segment.end) - pair);
    for (std::size_t count; first < end; first += count) {
      count = std::min(Scratch::kBlock, end - first);
      work(detail::ContactBlock(s.tile.view(), chunk.pairs, s.contacts, first, count, central, group.curvature,
                                segment.channel));
    }
  }
  s.law_seconds += clock_seconds() - start;
}

/// Bonds, gravity and damping on top of what contacts do.
struct ContactPipeline::External {
  External(const World& world, const Environment& environment, std::span<const Wrench> others)
      : env(environment),
        bonds(others),
        gravity(gravity_at(environment, world.trial_time())),
        damps(environment.damps()),
        mass(world.mass.read()),
        inverse_mass(world.inverse_mass.read()),
        inertia(world.inertia.read()),
        v(world.velocity.read()),
        w(world.angular_velocity.read()),
        q(world.orientation.read()) {}
  void add(std::ptrdiff_t i, Vec3& force, Vec3& torque) const {
    if (!bonds.empty()) {
      force += bonds[i].force;
      torque += bonds[i].torque;
    }
    if (inverse_mass[i] == 0) return;
    if (damps)
      add_environment<double>(env, gravity, {mass[i], inertia[i], q[i], v[i], w[i]}, force, torque);
    else
      add_weight<double>(mass[i], gravity, force);
  }
  const Environment& env;
  std::span<const Wrench> bonds;
  Vec3 gravity;
  bool damps;
  std::span<const double> mass, inverse_mass;
  std::span<const Vec3> inertia, v, w;
  std::span<const Quat> q;
};

/// Columns "own_force" and "own_torque", where World::keep_own_forces() has made them.
class ContactPipeline::OwnForces {
 public:
  OwnForces(World& world, std::span<const std::uint32_t> owner_row) : owner_row_(owner_row) {
    ColumnStorage *const force = world.find_column("own_force"), *const torque = world.find_column("own_torque");
    if (!force || !torque) return;
    force_ = Column<Vec3>(force).write();
    torque_ = Column<Vec3>(torque).write();
  }
  bool wanted() const { return !force_.empty(); }
  /// Notes what the contacts of a body give it. That of members acts on their owners, and is there already.
  void take(std::ptrdiff_t i, Vec3& force, Vec3& torque) const {
    if (!wanted()) return;
    force_[i] = force;
    torque_[i] = torque;
    if (!owner_row_.empty() && owner_row_[i] != static_cast<std::uint32_t>(i)) force = torque = Vec3::Zero();
  }

 private:
  std::span<const std::uint32_t> owner_row_;
  ColumnWriter<Vec3> force_, torque_;
};

inline ContactPipeline::OwnForces ContactPipeline::ask_for_own_forces() {
  OwnForces own(world_, owner_row_);
  own_forces_ = own.wanted();
  return own;
}

/// Calls work(chunk, scratch) for every chunk, then each(body) for every body, on all threads.
template <class Work, class Each>
void ContactPipeline::over_chunks(const Work& work, const Each& each) {
  const double start = clock_seconds();
  kept_records_.reset();
  const auto bodies = static_cast<std::ptrdiff_t>(world_.size());
  scratch_.resize(std::max<std::size_t>(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  for (Scratch& s : scratch_) s.detect_seconds = s.law_seconds = 0;

  FirstFailure failure;
  const bool shared = pair_count_ > kParallelPairs || bodies >= kParallelFrom;
  sharing_.start(chunks_.size(), shared ? static_cast<std::size_t>(omp_get_max_threads()) : 1);
#pragma omp parallel if (shared)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    sharing_.run(thread, [&](std::size_t c) { failure.watch(c, [&] { work(chunks_[c], scratch_[thread]); }); });
#pragma omp barrier
#pragma omp for schedule(static)
    for (std::ptrdiff_t i = 0; i < bodies; ++i) each(i);
  }
  failure.rethrow();

  double detect = 0, law = 0;
  for (const Scratch& s : scratch_) detect += s.detect_seconds, law += s.law_seconds;
  const double wall = clock_seconds() - start;
  const double share = detect + law > 0 ? detect / (detect + law) : 0;
  seconds.detect += share * wall;
  seconds.law += (1 - share) * wall;
}

/// The shares of one body from all chunks, in chunk order.
inline void ContactPipeline::sum_slots(std::ptrdiff_t body, Vec3& force, Vec3& torque) const {
  Lanes f = all_lanes(0), t = all_lanes(0);
  for (std::uint32_t k = slot_start_[body]; k < slot_start_[body + 1]; ++k) {
    const WrenchSlot& slot = slot_wrench_[slots_[k]];
    f += load_lanes(slot.force);
    t += load_lanes(slot.torque);
  }
  for (int k = 0; k < 3; ++k) force[k] = f[k], torque[k] = t[k];
}

}  // namespace scree
