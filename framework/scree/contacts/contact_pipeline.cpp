/// \file The evaluation of ContactPipeline: detect -> match -> law -> accumulate, chunk by chunk.
#include "scree/contacts/contact_pipeline.hpp"

#include <algorithm>
#include <utility>

#include "scree/contacts/detail/evaluation.hpp"
#include "scree/contacts/detail/weights.hpp"

namespace scree {

ContactPipeline::ContactPipeline(World& world, const Methods& methods)
    : world_(world), methods_(methods), skin_(methods.skin) {
  reference_position_ = world.column<Vec3>("reference_position", "m", false);
  large_ = LargeBodies(world);
  ask_for_orientations();
  if (world.cell.any()) world.column<Vec3>("cell_crossings");
  if (looks_ahead()) world.figure(kSkin) = skin_;
}

ContactPipeline::~ContactPipeline() = default;

/// The columns of a block of the chunk's contacts that its law works with, in the thread's memory.
ContactPipeline::LawColumns ContactPipeline::law_columns(const Chunk& chunk, const detail::ContactBlock& c, double dt,
                                                         double lag, Scratch& s) const {
  const Channel& channel = methods_.channels[c.channel];
  const ForceNeeds& needs = methods_.interactions[channel.interaction].needs;
  double* next = s.columns.data();
  const auto column = [&] { return std::exchange(next, next + Scratch::kStride); };
  const auto vector = [&] { return detail::VectorColumns{{column(), column(), column()}}; };
  const auto pointers = [](const detail::VectorColumns& v, const double*(&to)[3]) { std::copy_n(v.axis, 3, to); };

  LawColumns columns;
  detail::MotionColumns motion;
  motion.velocity = vector();
  if (needs.spin) motion.spin = vector();
  if (needs.turn) motion.turn = vector();
  if (needs.mass) motion.mass = column();
  if (needs.radius && !channel.curvature) motion.bounding_radius = column();
  detail::relative_motion(c, motion, lag, chunk.owner.empty() ? nullptr : chunk.owner.data());
  if (!surface_velocity_.empty()) detail::add_surface_velocity(c, surface_velocity_, chunk.rows, motion.velocity);

  const ContactBuffer& contacts = *c.contacts;
  columns.in.size = c.count;
  columns.in.dt = dt;
  columns.in.overlap = contacts.overlap() + c.first;
  for (int k = 0; k < 3; ++k) columns.in.normal[k] = contacts.normal(k) + c.first;
  pointers(motion.velocity, columns.in.velocity);
  pointers(motion.spin, columns.in.spin);
  pointers(motion.turn, columns.in.turn);
  columns.in.mass = motion.mass;
  if (needs.radius) columns.in.radius = channel.curvature ? contacts.radius() + c.first : motion.bounding_radius;
  columns.velocity = motion.velocity;
  columns.spin = motion.spin;
  columns.force = vector();
  if (needs.moment) columns.moment = vector();
  if (methods_.interactions[channel.interaction].inputs) add_inputs(chunk, c, columns, s);
  return columns;
}

/// Law and sums of one block of contacts: each body of the chunk sums its contacts serially, in contact order, into the
/// chunk's own slots.
void ContactPipeline::apply_law(Chunk& chunk, const detail::ContactBlock& block, double dt, double lag, Keep keep,
                                Scratch& s) {
  const Channel& channel = methods_.channels[block.channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  const LawColumns columns = law_columns(chunk, block, dt, lag, s);
  const double* const weight = channel.weighted ? s.contacts.force_weight() + block.first : nullptr;
  const LawHistory history = law_history(chunk, block, keep, weight != nullptr, s);
  if (weight)
    detail::still_negative_contacts(weight, block.count, columns.velocity, columns.spin, s.inherited.data(),
                                    Scratch::kStride, history.columns);
  const auto [fx, fy, fz] = columns.force.axis;
  const auto [mx, my, mz] = columns.moment.axis;
  interaction.force->force(columns.in, history.last, history.now, {{fx, fy, fz}, {mx, my, mz}});
  if (weight) {
    detail::scale(weight, block.count, columns.force);
    if (interaction.needs.moment) detail::scale(weight, block.count, columns.moment);
  }
  detail::add_forces(block, columns.force, columns.moment, chunk.owner.empty() ? nullptr : chunk.owner.data(),
                     slot_wrench_.data() + chunk.first_slot);
  if (own_forces_ && !chunk.owner.empty())
    detail::add_own_forces(block, columns.force, columns.moment, chunk.owner.data(),
                           slot_wrench_.data() + chunk.first_slot);
  if (compute_energy) {
    s.energy.resize(Scratch::kBlock);
    interaction.force->energy(columns.in, history.now, s.energy.data());
    const double* const share = channel.weighted ? s.contacts.energy_weight() + block.first : nullptr;
    for (std::size_t i = 0; i < block.count; ++i)
      chunk.counts.elastic_energy.add(share ? share[i] * s.energy[i] : s.energy[i]);
  }
  if (keep_records) detail::record(chunk, block, columns.force);
  replace(chunk, block, history);
}

void ContactPipeline::sum_counts() {
  totals_ = {};
  totals_.candidate_pairs = pair_count_;
  for (const Chunk& chunk : chunks_) {
    totals_.contacts += chunk.counts.contacts;
    totals_.touching_pairs += chunk.counts.touching_pairs;
    totals_.history_hits += chunk.counts.history_hits;
    totals_.max_overlap = std::max(totals_.max_overlap, chunk.counts.max_overlap);
  }
  ExactSum energy;
  for (const Chunk& chunk : chunks_) energy.add(chunk.counts.elastic_energy);
  totals_.elastic_energy = energy.value();
}

void ContactPipeline::evaluate(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force,
                               std::span<Vec3> torque, Keep keep) {
  const External external(world_, methods_.environment, others);
  const OwnForces own = ask_for_own_forces();
  over_chunks(
      [&](Chunk& chunk, Scratch& s) {
        detect_chunk(chunk, s, keep);
        over_blocks(chunk, s, [&](const detail::ContactBlock& block) { apply_law(chunk, block, dt, lag, keep, s); });
        if (keep == Keep::committed) commit_at_once(chunk, s);
      },
      [&](std::ptrdiff_t i) {
        sum_slots(i, force[i], torque[i]);
        own.take(i, force[i], torque[i]);
        external.add(i, force[i], torque[i]);
      });
  sum_counts();
}

}  // namespace scree
