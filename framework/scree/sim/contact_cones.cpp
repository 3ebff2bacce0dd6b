/// \file The cones of ContactPipeline: contacts for solvers of impulses, and what is kept of the solution.

#include <algorithm>

#include "scree/law/cone_face.hpp"
#include "scree/sim/detail/evaluation.hpp"

namespace scree {

namespace {

constexpr int kImpulse = Interaction::kImpulse;

/// Velocity at a point of what no impulse moves.
Vec3 imposed(const BodyRow& body, const Vec3& arm) {
  if (body.inverse_mass != 0) return Vec3::Zero();
  return body.velocity + body.angular_velocity.cross(arm);
}

}  // namespace

void ContactPipeline::add_cones(Chunk& chunk, const detail::ContactBlock& block, double dt, Scratch& s) const {
  const Channel& channel = methods_.channels[chunk.channel];
  const LawColumns columns = law_columns(chunk, block, dt, s);
  double *const friction = columns.force.axis[0], *const restitution = columns.force.axis[1];
  methods_.interactions[channel.interaction].cone->cone(columns.in, friction, restitution);
  const double* last[kImpulse];
  inherited(chunk, block, false, kImpulse, s, last);
  const double* const weight = channel.weighted ? s.contacts.force_weight() + block.first : nullptr;
  for (std::size_t i = 0; i < block.count; ++i) {
    // A corner's correction, say: impulses only push.
    if (weight && weight[i] <= 0) continue;
    const std::size_t contact = block.first + i;
    const Pair& p = block.pair(i);
    ChunkCone c;
    c.contact = static_cast<std::uint32_t>(contact);
    c.a = chunk.owner.empty() ? p.a : chunk.owner[p.a];
    c.b = chunk.owner.empty() ? p.b : chunk.owner[p.b];
    const BodyRow &a = block.row[c.a], &b = block.row[c.b];
    const Vec3 point = s.contacts.point_at(contact);
    ConeContact& cone = c.cone;
    cone.a = chunk.rows[c.a];
    cone.b = chunk.rows[c.b];
    cone.normal = s.contacts.normal_at(contact);
    cone.arm_a = point - a.position;
    cone.arm_b = point - b.position;
    cone.gap = -s.contacts.overlap()[contact];
    for (int k = 0; k < 3; ++k) cone.velocity[k] = columns.velocity.axis[k][i];
    cone.imposed = imposed(b, cone.arm_b) - imposed(a, cone.arm_a);
    if (!surface_velocity_.empty())
      cone.imposed +=
          detail::belt_velocity(surface_velocity_[chunk.rows[p.b]] - surface_velocity_[chunk.rows[p.a]], cone.normal);
    cone.friction = friction[i];
    cone.restitution = restitution[i];
    for (int k = 0; k < kImpulse; ++k) cone.impulse[k] = last[k][i];
    chunk.cones.push_back(c);
  }
  if (!keep_records) return;
  for (double* const axis : columns.force.axis) std::fill_n(axis, block.count, 0.0);
  detail::record(chunk, block, columns.force);
}

std::span<const ConeContact> ContactPipeline::cones(double dt, std::span<Vec3> force, std::span<Vec3> torque) {
  const External external(world_, methods_.environment);
  over_chunks(
      [&](Chunk& chunk, Scratch& s) {
        detect_chunk(chunk, s);
        chunk.cones.clear();
        over_blocks(chunk, s, [&](const detail::ContactBlock& block) { add_cones(chunk, block, dt, s); });
      },
      [&](std::ptrdiff_t i) {
        force[i] = torque[i] = Vec3::Zero();
        external.add(i, force[i], torque[i]);
      });
  sum_counts();
  std::size_t count = 0;
  for (Chunk& chunk : chunks_) {
    chunk.first_cone = count;
    count += chunk.cones.size();
  }
  cones_.resize(count);
#pragma omp parallel for schedule(static) if (count > kParallelPairs)
  for (std::ptrdiff_t c = 0; c < static_cast<std::ptrdiff_t>(chunks_.size()); ++c) {
    const Chunk& chunk = chunks_[static_cast<std::size_t>(c)];
    for (std::size_t i = 0; i < chunk.cones.size(); ++i) cones_[chunk.first_cone + i] = chunk.cones[i].cone;
  }
  return cones_;
}

/// History, records and wrenches of one chunk.
void ContactPipeline::accept_chunk(Chunk& chunk, std::span<const Vec3> impulses, double dt) {
  HistoryColumns& history = chunk.history.trial;
  for (int k = 0; k < kImpulse; ++k) std::fill_n(history[k], chunk.history.keys_of_trial().size, 0.0);
  WrenchSlot* const slots = slot_wrench_.data() + chunk.first_slot;
  const auto add = [](WrenchSlot& slot, const Vec3& force, const Vec3& arm) {
    const Vec3 torque = arm.cross(force);
    for (int k = 0; k < 3; ++k) slot.force[k] += force[k], slot.torque[k] += torque[k];
  };
  // A gap may be a contact here, and an overlap of rounding none: those count that push.
  chunk.counts.contacts = chunk.counts.touching_pairs = 0;
  const ContactKeys& keys = chunk.history.keys_of_trial();
  std::uint32_t last_pair = kNowhere;
  for (std::size_t i = 0; i < chunk.cones.size(); ++i) {
    const ChunkCone& c = chunk.cones[i];
    const Vec3& impulse = impulses[chunk.first_cone + i];
    const Vec3 force = impulse / dt;
    if (!impulse.isZero(0)) {
      ++chunk.counts.contacts;
      chunk.counts.touching_pairs += keys.pair[c.contact] != last_pair;
      last_pair = keys.pair[c.contact];
    }
    for (int k = 0; k < kImpulse; ++k) history[k][c.contact] = impulse[k];
    add(slots[c.a], -force, c.cone.arm_a);
    add(slots[c.b], force, c.cone.arm_b);
    if (!chunk.records.empty()) chunk.records[c.contact].force = force;
  }
}

void ContactPipeline::accept(std::span<const Vec3> impulses, double dt, std::span<Vec3> force, std::span<Vec3> torque) {
  over_chunks([&](Chunk& chunk, Scratch&) { accept_chunk(chunk, impulses, dt); },
              [&](std::ptrdiff_t i) {
                Vec3 f, t;
                sum_slots(i, f, t);
                force[i] += f;
                torque[i] += t;
              });
  sum_counts();
}

void ContactPipeline::look() {
  over_chunks(
      [&](Chunk& chunk, Scratch& s) {
        detect_chunk(chunk, s);
        if (!keep_records) return;
        const detail::VectorColumns nothing{{s.columns.data(), s.columns.data(), s.columns.data()}};
        std::fill_n(s.columns.data(), Scratch::kBlock, 0.0);
        over_blocks(chunk, s, [&](const detail::ContactBlock& block) { detail::record(chunk, block, nothing); });
      },
      [](std::ptrdiff_t) {});
  sum_counts();
}

}  // namespace scree
