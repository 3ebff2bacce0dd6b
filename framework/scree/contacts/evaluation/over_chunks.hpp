#pragma once
/// \file Common parts of ContactEvaluation: work on one chunk by one thread, loops over all chunks, and forces on
/// bodies besides contacts.

#include <omp.h>

#include <algorithm>
#include <vector>

#include "scree/base/first_failure.hpp"
#include "scree/base/parallel.hpp"
#include "scree/contacts/block_size.hpp"
#include "scree/contacts/body_tile.hpp"
#include "scree/contacts/evaluation/contact_evaluation.hpp"
#include "scree/contacts/evaluation/kinematics.hpp"
#include "scree/contacts/evaluation/pair_masses.hpp"
#include "scree/contacts/history/history_step.hpp"
#include "scree/contacts/parallel_pairs.hpp"
#include "scree/world/external_wrench_view.hpp"

namespace scree {

/// Columns that a law reads and writes for a block.
struct ContactEvaluation::LawColumns {
  static constexpr std::size_t kMost = 17;  ///< force, velocity, moment, spin, turn, mass, radius
  ContactColumns in;
  detail::VectorColumns velocity{}, spin{};  ///< columns that `in` points to
  detail::VectorColumns force{}, moment{};
};

/// Working memory of one thread.
struct ContactEvaluation::Scratch {
  BodyTile tile;
  ContactBuffer contacts;
  HistoryStep history;
  PairMasses masses;
  std::vector<double> columns;  ///< columns of a block: see LawColumns
  std::vector<double> energy;
  std::vector<double> inputs;  ///< inputs of a block: see ContactLaw::body_inputs()
  std::vector<double> parts;   ///< parts of a block: see add_parts()
  double detect_seconds = 0, law_seconds = 0;
};

/// One chunk during an evaluation. Each chunk goes through all stages at once, so that its data stay in the caches:
///
///   World's columns (rows of the whole run)
///        | gather: one random read per body
///        v
///   BodyTile (local rows, images shifted) --> detector --> ContactBuffer (columns, in the order of pairs)
///                                                              | match: predecessors in committed history
///                                                              v
///        blocks of kBlockContacts contacts:  velocity columns --> law --> force columns --> slots of local rows
///
/// A chunk is small enough for its tile, contacts and slots to stay in the second-level cache of a core (kPairsPerBlock
/// in space_blocks.cpp). The columns of a block of contacts stay in the first-level cache. One thread works on a chunk
/// from end to end, so no stage needs a lock. When all chunks are done, every body adds its slots (sum_slots()).
///
/// Within a block, relative_motion() fills all columns before the law reads them. A law is one call for many contacts,
/// and loops over columns vectorise. Segments separate the laws of a chunk: sort_by_channel() puts pairs of one channel
/// together, so that each law gets many contacts at once.
///
/// Alternatives:
/// - Stages one after the other for all chunks (detect everything, then all laws): contacts of the whole run would go
///   to memory and back for each stage, and need room.
/// - One contact after the other through all stages: no vector instructions, and a virtual call for each contact.
/// - Reading bodies from the World's columns in each stage: every contact would read two bodies from scattered memory,
///   and compute images again.
struct ContactEvaluation::Work {
  PairChunk& list;
  ChunkHistory& history;
  ChunkResult& result;
  WrenchSlot* slots;  ///< slots of the chunk's local rows
  ChannelGroup group;
  Scratch& scratch;

  const ContactBuffer& contacts() const { return scratch.contacts; }
  const std::uint32_t* owner() const { return list.owner.empty() ? nullptr : list.owner.data(); }
};

/// Calls each(block) for all contacts just detected, a block at a time.
template <class Each>
void ContactEvaluation::over_blocks(Work& w, const Each& each) {
  const double start = clock_seconds();
  const ContactBuffer& contacts = w.contacts();
  // Arms about members are of no use: their owners take the forces.
  const bool central = w.group.detector->central() && w.list.owner.empty();
  const std::uint32_t* const pair = contacts.pair();
  std::size_t first = 0;
  for (const PairChunk::Segment& segment : w.list.segments) {
    const auto end =
        static_cast<std::size_t>(std::lower_bound(pair + first, pair + contacts.size(), segment.end) - pair);
    for (std::size_t count; first < end; first += count) {
      count = std::min(kBlockContacts, end - first);
      each(detail::ContactBlock(w.scratch.tile.view(), w.list.pairs, contacts, first, count, central, w.group.curvature,
                                segment.channel));
    }
  }
  w.scratch.law_seconds += clock_seconds() - start;
}

/// Bonds, external wrenches, gravity and damping, which act besides contacts.
struct ContactEvaluation::External {
  External(const World& world, const Environment& environment, std::span<const Wrench> others)
      : outside(world),
        env(environment),
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
    outside.add(static_cast<std::size_t>(i), force, torque);
    if (damps)
      add_environment<double>(env, gravity, {mass[i], inertia[i], q[i], v[i], w[i]}, force, torque);
    else
      add_weight<double>(mass[i], gravity, force);
  }
  ExternalWrenchView outside;
  const Environment& env;
  std::span<const Wrench> bonds;
  Vec3 gravity;
  bool damps;
  std::span<const double> mass, inverse_mass;
  std::span<const Vec3> inertia, v, w;
  std::span<const Quat> q;
};

/// Columns "own_force" and "own_torque", if World::keep_own_forces() has made them.
class ContactEvaluation::OwnForces {
 public:
  OwnForces(World& world, std::span<const std::uint32_t> owner_row) : owner_row_(owner_row) {
    ColumnStorage *const force = world.find_column("own_force"), *const torque = world.find_column("own_torque");
    if (!force || !torque) return;
    force_ = Column<Vec3>(force).write();
    torque_ = Column<Vec3>(torque).write();
  }
  bool wanted() const { return !force_.empty(); }
  /// Stores the wrench of a body's own contacts. For members it is then set to zero: their owners have it already.
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

inline ContactEvaluation::OwnForces ContactEvaluation::ask_for_own_forces() {
  OwnForces own(world_, lists_.owner_row());
  own_forces_ = own.wanted();
  return own;
}

/// Calls each(work) for every chunk, then each_body(row) for every body, on all threads. Each rank works on its own
/// chunks, receives the wrenches of other ranks' contacts on its bodies, then sums over its bodies.
template <class Each, class EachBody>
void ContactEvaluation::over_chunks(const Each& each, const EachBody& each_body) {
  const double start = clock_seconds();
  last_records_.reset();
  partial_ = rows_.divided();
  others_ = {};
  if (keep_parts) part_wrench_.resize(methods_.entries.size() * kForceParts * lists_.slot_count());
  const auto bodies = static_cast<std::ptrdiff_t>(world_.size());
  scratch_.resize(std::max<std::size_t>(scratch_.size(), static_cast<std::size_t>(omp_get_max_threads())));
  for (Scratch& s : scratch_) s.detect_seconds = s.law_seconds = 0;

  const std::span<PairChunk> chunks = lists_.chunks();
  const auto work_on = [&](std::size_t c, std::size_t thread) {
    Work work{chunks[c],
              history_.chunks()[c],
              results_[c],
              slot_wrench_.data() + chunks[c].first_slot,
              {methods_, chunks[c]},
              scratch_[thread]};
    each(work);
  };
  FirstFailure failure, of_ranks;
  double waited = 0;  // time spent waiting for other ranks [s]
  const bool shared = lists_.pair_count() > kParallelPairs || bodies >= kParallelFrom;
  sharing_.start(chunks.size(), shared ? static_cast<std::size_t>(omp_get_max_threads()) : 1);
#pragma omp parallel if (shared)
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    sharing_.run(thread, [&](std::size_t c) { failure.watch(c, [&] { work_on(c, thread); }); });
#pragma omp barrier
    if (shares_.whole()) {
#pragma omp for schedule(static)
      for (std::ptrdiff_t i = 0; i < bodies; ++i) each_body(i);
    } else {
#pragma omp master
      {
        const double done = clock_seconds();
        of_ranks.watch(0, [&] { share_wrenches(failure); });
        waited = clock_seconds() - done;
      }
#pragma omp barrier
#pragma omp for schedule(static)
      for (const RowRange& range : rows_.summed())
        for (std::size_t i = range.first; i < range.end; ++i) each_body(static_cast<std::ptrdiff_t>(i));
    }
  }
  of_ranks.rethrow();
  failure.rethrow();

  double detect = 0, law = 0;
  for (const Scratch& s : scratch_) detect += s.detect_seconds, law += s.law_seconds;
  const double wall = clock_seconds() - start;
  seconds_of_work_ += wall - waited;
  const double share = detect + law > 0 ? detect / (detect + law) : 0;
  seconds_.detect += share * wall;
  seconds_.law += (1 - share) * wall;
}

/// Sums the wrenches on one body from this rank's chunks, in their order. Stored from registers at once: a vector
/// assembled in memory would wait for its numbers.
inline void ContactEvaluation::sum(std::span<const WrenchSlot> slots, std::size_t body, Vec3& force,
                                   Vec3& torque) const {
  Lanes f = all_lanes(0), t = all_lanes(0);
  for (const std::uint32_t k : lists_.slots_of(body)) {
    f += load_lanes(slots[k].force);
    t += load_lanes(slots[k].torque);
  }
  store_vector(force.data(), f);
  store_vector(torque.data(), t);
}

inline void ContactEvaluation::sum_slots(std::span<const WrenchSlot> slots, std::size_t body, Vec3& force,
                                         Vec3& torque) const {
  if (shares_.whole() || !rows_.halo().is_shared(body)) return sum(slots, body, force, torque);
  const Wrench shared = rows_.halo().sum_of(body, slots);
  force = shared.force;
  torque = shared.torque;
}

}  // namespace scree
