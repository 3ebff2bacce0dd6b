/// \file Contacts that ContactPipeline hands to integrators: cones for solvers of impulses, potentials for those that
/// minimise energy; and what is kept of the solution.

#include <algorithm>

#include "scree/base/parallel.hpp"
#include "scree/contacts/detail/approach.hpp"
#include "scree/contacts/detail/evaluation.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/law/potential_face.hpp"

namespace scree {

namespace {

constexpr int kImpulse = Interaction::kImpulse;

/// Velocity at a point of what no impulse moves.
Vec3 imposed(const BodyRow& body, const Vec3& arm) {
  if (body.inverse_mass != 0) return Vec3::Zero();
  return body.velocity + body.angular_velocity.cross(arm);
}

}  // namespace

/// Notes which bodies take what an integrator will answer for contact i of the block.
const HandedContact& ContactPipeline::hand_out(Chunk& chunk, const detail::ContactBlock& block, std::size_t i,
                                               const ContactBuffer& contacts) {
  const std::size_t contact = block.first + i;
  const Pair& p = block.pair(i);
  HandedContact c;
  c.contact = static_cast<std::uint32_t>(contact);
  c.a = chunk.owner.empty() ? p.a : chunk.owner[p.a];
  c.b = chunk.owner.empty() ? p.b : chunk.owner[p.b];
  const Vec3 point = contacts.point_at(contact);
  c.arm_a = point - block.row[c.a].position;
  c.arm_b = point - block.row[c.b].position;
  if (!chunk.owner.empty())
    chunk.own_arms.push_back({point - block.row[p.a].position, point - block.row[p.b].position});
  return chunk.handed.emplace_back(c);
}

/// All chunks' contacts one after the other.
template <class Contact>
void ContactPipeline::hand_out_all(std::vector<Contact> Chunk::*of_chunk, std::vector<Contact>& all) {
  std::size_t count = 0;
  for (Chunk& chunk : chunks_) {
    chunk.first_handed = count;
    count += chunk.handed.size();
  }
  all.resize(count);
#pragma omp parallel for schedule(static) if (count > kParallelPairs)
  for (std::ptrdiff_t c = 0; c < static_cast<std::ptrdiff_t>(chunks_.size()); ++c) {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(c)];
    std::ranges::copy(chunk.*of_chunk, all.begin() + static_cast<std::ptrdiff_t>(chunk.first_handed));
  }
}

void ContactPipeline::add_cones(Chunk& chunk, const detail::ContactBlock& block, double dt, Scratch& s) const {
  const Channel& channel = methods_.channels[block.channel];
  const LawColumns columns = law_columns(chunk, block, dt, 0, s);
  double *const friction = columns.force.axis[0], *const restitution = columns.force.axis[1];
  methods_.interactions[channel.interaction].cone->cone(columns.in, friction, restitution);
  const double* last[kImpulse];
  inherited(chunk, block, false, kImpulse, s, last);
  const double* const weight = channel.weighted ? s.contacts.force_weight() + block.first : nullptr;
  const double ahead = looks_ahead() ? dt : 0;
  const PeriodicCell& cell = world_.cell;
  for (std::size_t i = 0; i < block.count; ++i) {
    // A corner's correction, say: impulses only push.
    if (weight && weight[i] <= 0) continue;
    const std::size_t contact = block.first + i;
    const Pair& p = block.pair(i);
    const Vec3 velocity(columns.velocity.axis[0][i], columns.velocity.axis[1][i], columns.velocity.axis[2][i]);
    const Vec3 normal = s.contacts.normal_at(contact);
    const double gap = -s.contacts.overlap()[contact];
    if (ahead > 0 &&
        !detail::may_close(block.row[p.a], block.row[p.b], gap, -velocity.dot(normal), channel.margin, ahead))
      continue;
    const HandedContact& c = hand_out(chunk, block, i, s.contacts);
    const BodyRow &a = block.row[c.a], &b = block.row[c.b];
    ConeContact cone;
    cone.a = chunk.rows[c.a];
    cone.b = chunk.rows[c.b];
    cone.normal = normal;
    cone.arm_a = c.arm_a;
    cone.arm_b = c.arm_b;
    cone.gap = gap;
    cone.velocity = velocity;
    cone.imposed = imposed(b, cone.arm_b) - imposed(a, cone.arm_a);
    // Of what no impulse moves the row has it already.
    if (cell.deforms() && b.inverse_mass != 0)
      cone.imposed += cell.velocity(unpacked(chunk.image_of(block.pair_index[i])));
    if (!surface_velocity_.empty())
      cone.imposed +=
          detail::belt_velocity(surface_velocity_[chunk.rows[p.b]] - surface_velocity_[chunk.rows[p.a]], cone.normal);
    cone.friction = friction[i];
    cone.restitution = restitution[i];
    for (int k = 0; k < kImpulse; ++k) cone.impulse[k] = last[k][i];
    chunk.cones.push_back(cone);
  }
  if (!keep_records) return;
  for (double* const axis : columns.force.axis) std::fill_n(axis, block.count, 0.0);
  detail::record(chunk, block, columns.force);
}

std::span<const ConeContact> ContactPipeline::cones(double dt, std::span<const Wrench> others, std::span<Vec3> force,
                                                    std::span<Vec3> torque) {
  const External external(world_, methods_.environment, others);
  const double ahead = looks_ahead() ? dt : 0;
  over_chunks(
      [&](Chunk& chunk, Scratch& s) {
        detect_chunk(chunk, s, Keep::trial, ahead);
        chunk.handed.clear();
        chunk.own_arms.clear();
        chunk.cones.clear();
        over_blocks(chunk, s, [&](const detail::ContactBlock& block) { add_cones(chunk, block, dt, s); });
      },
      [&](std::ptrdiff_t i) {
        force[i] = torque[i] = Vec3::Zero();
        external.add(i, force[i], torque[i]);
      });
  sum_counts();
  hand_out_all(&Chunk::cones, cones_);
  return cones_;
}

/// History of one chunk.
void ContactPipeline::keep_impulses(Chunk& chunk, std::span<const Vec3> impulses) {
  HistoryColumns& history = chunk.history.trial;
  for (int k = 0; k < kImpulse; ++k) std::fill_n(history[k], chunk.history.keys_of_trial().size(), 0.0);
  for (std::size_t i = 0; i < chunk.handed.size(); ++i)
    for (int k = 0; k < kImpulse; ++k) history[k][chunk.handed[i].contact] = impulses[chunk.first_handed + i][k];
}

/// Records and wrenches of one chunk. \param dt  [s] what forces are impulses over; 1 for forces
void ContactPipeline::accept_chunk(Chunk& chunk, std::span<const Vec3> impulses, double dt) {
  WrenchSlot* const slots = slot_wrench_.data() + chunk.first_slot;
  const auto add = [](WrenchSlot& slot, const Vec3& force, const Vec3& arm) {
    detail::add_wrench(slot, force, arm.cross(force));
  };
  // A gap may be a contact here, and an overlap of rounding none: those count that push.
  chunk.counts.contacts = chunk.counts.touching_pairs = 0;
  const ContactKeys& keys = chunk.history.keys_of_trial();
  std::uint32_t last_pair = kNowhere;
  for (std::size_t i = 0; i < chunk.handed.size(); ++i) {
    const HandedContact& c = chunk.handed[i];
    const Vec3& impulse = impulses[chunk.first_handed + i];
    const Vec3 force = impulse / dt;
    if (!impulse.isZero(0)) {
      ++chunk.counts.contacts;
      chunk.counts.touching_pairs += keys.pair[c.contact] != last_pair;
      last_pair = keys.pair[c.contact];
    }
    add(slots[c.a], -force, c.arm_a);
    add(slots[c.b], force, c.arm_b);
    if (own_forces_ && !chunk.own_arms.empty()) {
      const Pair& p = chunk.pairs[keys.pair[c.contact]];
      if (p.a != c.a) add(slots[p.a], -force, chunk.own_arms[i][0]);
      if (p.b != c.b) add(slots[p.b], force, chunk.own_arms[i][1]);
    }
    if (!chunk.records.empty()) chunk.records[c.contact].force = force;
  }
  std::erase_if(chunk.records, [](const ContactRecord& r) { return r.force.isZero(0); });
}

void ContactPipeline::accept(std::span<const Vec3> impulses, double dt, bool history, std::span<Vec3> force,
                             std::span<Vec3> torque) {
  const OwnForces own = ask_for_own_forces();
  over_chunks(
      [&](Chunk& chunk, Scratch&) {
        accept_chunk(chunk, impulses, dt);
        if (history) keep_impulses(chunk, impulses);
      },
      [&](std::ptrdiff_t i) {
        Vec3 f, t;
        sum_slots(i, f, t);
        own.take(i, f, t);
        force[i] += f;
        torque[i] += t;
      });
  sum_counts();
}

void ContactPipeline::add_potentials(Chunk& chunk, const detail::ContactBlock& block, Scratch& s) const {
  const Channel& channel = methods_.channels[block.channel];
  const PotentialFace& law = *methods_.interactions[channel.interaction].potential;
  const LawColumns columns = law_columns(chunk, block, 0, 0, s);
  double *const energy = columns.force.axis[0], *const push = columns.force.axis[1],
                *const stiff = columns.force.axis[2];
  law.potential(columns.in, energy, push, stiff);
  const double* const energy_weight = channel.weighted ? s.contacts.energy_weight() + block.first : nullptr;
  const double* const force_weight = channel.weighted ? s.contacts.force_weight() + block.first : nullptr;
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::size_t contact = block.first + i;
    if (!(s.contacts.overlap()[contact] > 0)) continue;
    const HandedContact& c = hand_out(chunk, block, i, s.contacts);
    const double share = force_weight ? force_weight[i] : 1;
    const double stored = (energy_weight ? energy_weight[i] : 1) * energy[i];
    chunk.counts.elastic_energy.add(stored);
    chunk.potentials.push_back({chunk.rows[c.a], chunk.rows[c.b], s.contacts.normal_at(contact), c.arm_a, c.arm_b,
                                s.contacts.overlap()[contact], stored, share * push[i], share * stiff[i],
                                law.friction(), law.rolling_friction()});
  }
  if (!keep_records) return;
  for (double* const axis : columns.force.axis) std::fill_n(axis, block.count, 0.0);
  detail::record(chunk, block, columns.force);
}

std::span<const PotentialContact> ContactPipeline::potentials() {
  over_chunks(
      [&](Chunk& chunk, Scratch& s) {
        detect_chunk(chunk, s, Keep::trial);
        chunk.handed.clear();
        chunk.own_arms.clear();
        chunk.potentials.clear();
        over_blocks(chunk, s, [&](const detail::ContactBlock& block) { add_potentials(chunk, block, s); });
      },
      [](std::ptrdiff_t) {});
  sum_counts();
  hand_out_all(&Chunk::potentials, potentials_);
  return potentials_;
}

void ContactPipeline::external(std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque) const {
  const External external(world_, methods_.environment, others);
  parallel_for(static_cast<std::ptrdiff_t>(world_.size()), [&](std::ptrdiff_t i) {
    force[i] = torque[i] = Vec3::Zero();
    external.add(i, force[i], torque[i]);
  });
}

void ContactPipeline::look() {
  over_chunks(
      [&](Chunk& chunk, Scratch& s) {
        detect_chunk(chunk, s, Keep::nothing);
        if (!keep_records) return;
        const detail::VectorColumns nothing{{s.columns.data(), s.columns.data(), s.columns.data()}};
        std::fill_n(s.columns.data(), Scratch::kBlock, 0.0);
        over_blocks(chunk, s, [&](const detail::ContactBlock& block) { detail::record(chunk, block, nothing); });
      },
      [](std::ptrdiff_t) {});
  sum_counts();
}

}  // namespace scree
