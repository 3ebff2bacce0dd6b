/// \file Contacts that integrators solve for: cones for solvers of impulses, potentials for solvers that minimise
/// energy; and the storage of solutions.

#include <algorithm>

#include "scree/contacts/evaluation/approach.hpp"
#include "scree/contacts/evaluation/over_chunks.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/law/potential_face.hpp"

namespace scree {

namespace {

constexpr int kImpulse = Interaction::kImpulse;

/// Returns the velocity at a point of a body that no impulse moves; 0 for other bodies.
Vec3 imposed(const BodyRow& body, const Vec3& arm) {
  if (body.inverse_mass != 0) return Vec3::Zero();
  return body.velocity + body.angular_velocity.cross(arm);
}

}  // namespace

/// Records the bodies that take the answer of an integrator to contact i of the block.
const SolverContact& ContactEvaluation::add_solver_contact(Work& w, const detail::ContactBlock& block,
                                                           std::size_t i) const {
  const std::size_t contact = block.first + i;
  const Pair& p = block.pair(i);
  SolverContact c;
  c.contact = static_cast<std::uint32_t>(contact);
  c.entry = methods_.interactions[methods_.channels[block.channel].interaction].entry;
  c.a = w.list.owner_of(p.a);
  c.b = w.list.owner_of(p.b);
  const Vec3 point = w.contacts().point_at(contact);
  c.arm_a = point - block.row[c.a].position;
  c.arm_b = point - block.row[c.b].position;
  if (w.owner()) w.result.own_arms.push_back({point - block.row[p.a].position, point - block.row[p.b].position});
  return w.result.solved.emplace_back(c);
}

/// Joins the contacts of all chunks one after the other.
template <class Contact>
void ContactEvaluation::join(std::vector<Contact> ChunkResult::*of_chunk, std::vector<Contact>& all) {
  std::size_t count = 0;
  for (ChunkResult& chunk : results_) {
    chunk.first_solved = count;
    count += chunk.solved.size();
  }
  all.resize(count);
#pragma omp parallel for schedule(static) if (count > kParallelPairs)
  for (std::ptrdiff_t c = 0; c < static_cast<std::ptrdiff_t>(results_.size()); ++c) {
    const ChunkResult& chunk = results_[static_cast<std::size_t>(c)];
    std::ranges::copy(chunk.*of_chunk, all.begin() + static_cast<std::ptrdiff_t>(chunk.first_solved));
  }
}

void ContactEvaluation::add_cones(Work& w, const detail::ContactBlock& block, double dt) const {
  const Channel& channel = methods_.channels[block.channel];
  const ContactBuffer& contacts = w.contacts();
  const LawColumns columns = law_columns(w, block, dt, 0);
  double *const friction = columns.force.axis[0], *const restitution = columns.force.axis[1];
  methods_.interactions[channel.interaction].cone->cone(columns.in, friction, restitution);
  const double* last[kImpulse];
  w.scratch.history.inherited(block.first, block.count, kImpulse, false, last);
  const double* const weight = channel.weighted ? contacts.force_weight() + block.first : nullptr;
  const double ahead = lists_.looks_ahead() ? dt : 0;
  const std::span<const Vec3> surface_velocity = lists_.surface_velocity();
  const PeriodicCell& cell = world_.cell;
  for (std::size_t i = 0; i < block.count; ++i) {
    // A correction at a corner, for example: impulses only push.
    if (weight && weight[i] <= 0) continue;
    const std::size_t contact = block.first + i;
    const Pair& p = block.pair(i);
    const Vec3 velocity(columns.velocity.axis[0][i], columns.velocity.axis[1][i], columns.velocity.axis[2][i]);
    const Vec3 normal = contacts.normal_at(contact);
    const double gap = -contacts.overlap()[contact];
    if (ahead > 0 &&
        !detail::may_close(block.row[p.a], block.row[p.b], gap, -velocity.dot(normal), channel.margin, ahead))
      continue;
    const SolverContact& c = add_solver_contact(w, block, i);
    const BodyRow &a = block.row[c.a], &b = block.row[c.b];
    ConeContact cone;
    cone.a = w.list.rows[c.a];
    cone.b = w.list.rows[c.b];
    cone.normal = normal;
    cone.arm_a = c.arm_a;
    cone.arm_b = c.arm_b;
    cone.gap = gap;
    cone.velocity = velocity;
    cone.imposed = imposed(b, cone.arm_b) - imposed(a, cone.arm_a);
    // The row of a body that no impulse moves has it already.
    if (cell.deforms() && b.inverse_mass != 0)
      cone.imposed += cell.velocity(unpacked(w.list.image_of(block.pair_index[i])));
    if (!surface_velocity.empty())
      cone.imposed +=
          detail::belt_velocity(surface_velocity[w.list.rows[p.b]] - surface_velocity[w.list.rows[p.a]], cone.normal);
    cone.friction = friction[i];
    cone.restitution = restitution[i];
    for (int k = 0; k < kImpulse; ++k) cone.impulse[k] = last[k][i];
    w.result.cones.push_back(cone);
  }
  if (keep_records) record_without_forces(w, block);
}

std::span<const ConeContact> ContactEvaluation::cones(double dt, std::span<const Wrench> others, std::span<Vec3> force,
                                                      std::span<Vec3> torque) {
  const External external(world_, methods_.environment, others);
  const double ahead = lists_.looks_ahead() ? dt : 0;
  over_chunks(
      [&](Work& w) {
        detect(w, HistoryUpdate::trial, ahead);
        w.result.solved.clear();
        w.result.own_arms.clear();
        w.result.cones.clear();
        over_blocks(w, [&](const detail::ContactBlock& block) { add_cones(w, block, dt); });
      },
      [&](std::ptrdiff_t i) {
        force[i] = torque[i] = Vec3::Zero();
        external.add(i, force[i], torque[i]);
      });
  sum_counts();
  join(&ChunkResult::cones, cones_);
  return cones_;
}

/// Stores the impulses as history of one chunk.
void ContactEvaluation::keep_impulses(Work& w, std::span<const Vec3> impulses) {
  HistoryColumns& history = w.history.trial;
  for (int k = 0; k < kImpulse; ++k) std::fill_n(history[k], w.history.keys_of_trial().size(), 0.0);
  for (std::size_t i = 0; i < w.result.solved.size(); ++i)
    for (int k = 0; k < kImpulse; ++k) history[k][w.result.solved[i].contact] = impulses[w.result.first_solved + i][k];
}

/// Makes records and wrenches of one chunk. \param dt  [s] duration of impulses; 1 for forces
void ContactEvaluation::accept(Work& w, std::span<const Vec3> impulses, double dt) {
  const auto add = [](WrenchSlot& slot, const Vec3& force, const Vec3& arm) {
    detail::add_wrench(slot, force, arm.cross(force));
  };
  // A gap may be a contact here, and an overlap by rounding none: contacts that push are counted.
  ChunkCounts& counts = w.result.counts;
  counts.contacts = counts.touching_pairs = 0;
  const ContactKeys& keys = w.history.keys_of_trial();
  std::uint32_t last_pair = ~std::uint32_t{0};
  for (std::size_t i = 0; i < w.result.solved.size(); ++i) {
    const SolverContact& c = w.result.solved[i];
    const Vec3& impulse = impulses[w.result.first_solved + i];
    const Vec3 force = impulse / dt;
    if (!impulse.isZero(0)) {
      ++counts.contacts;
      counts.touching_pairs += keys.pair[c.contact] != last_pair;
      last_pair = keys.pair[c.contact];
    }
    add(w.slots[c.a], -force, c.arm_a);
    add(w.slots[c.b], force, c.arm_b);
    if (keep_parts) add_parts(w, i, force);
    if (own_forces_ && !w.result.own_arms.empty()) {
      const Pair& p = w.list.pairs[keys.pair[c.contact]];
      if (p.a != c.a) add(w.slots[p.a], -force, w.result.own_arms[i][0]);
      if (p.b != c.b) add(w.slots[p.b], force, w.result.own_arms[i][1]);
    }
    if (!w.result.records.empty()) w.result.records[c.contact].force = force;
  }
  std::erase_if(w.result.records, [](const ContactRecord& r) { return r.force.isZero(0); });
}

void ContactEvaluation::accept(std::span<const Vec3> impulses, double dt, bool history, std::span<Vec3> force,
                               std::span<Vec3> torque) {
  const OwnForces own = ask_for_own_forces();
  over_chunks(
      [&](Work& w) {
        accept(w, impulses, dt);
        if (history) keep_impulses(w, impulses);
      },
      [&](std::ptrdiff_t i) {
        Vec3 f, t;
        sum_slots(slot_wrench_, static_cast<std::size_t>(i), f, t);
        own.take(i, f, t);
        force[i] += f;
        torque[i] += t;
      });
  sum_counts();
}

void ContactEvaluation::add_potentials(Work& w, const detail::ContactBlock& block) const {
  const Channel& channel = methods_.channels[block.channel];
  const PotentialFace& law = *methods_.interactions[channel.interaction].potential;
  const ContactBuffer& contacts = w.contacts();
  const LawColumns columns = law_columns(w, block, 0, 0);
  double *const energy = columns.force.axis[0], *const push = columns.force.axis[1],
                *const stiff = columns.force.axis[2];
  law.potential(columns.in, energy, push, stiff);
  const double* const energy_weight = channel.weighted ? contacts.energy_weight() + block.first : nullptr;
  const double* const force_weight = channel.weighted ? contacts.force_weight() + block.first : nullptr;
  for (std::size_t i = 0; i < block.count; ++i) {
    const std::size_t contact = block.first + i;
    if (!(contacts.overlap()[contact] > 0)) continue;
    const SolverContact& c = add_solver_contact(w, block, i);
    const double share = force_weight ? force_weight[i] : 1;
    const double stored = (energy_weight ? energy_weight[i] : 1) * energy[i];
    w.result.counts.elastic_energy.add(stored);
    w.result.potentials.push_back({w.list.rows[c.a], w.list.rows[c.b], contacts.normal_at(contact), c.arm_a, c.arm_b,
                                   contacts.overlap()[contact], stored, share * push[i], share * stiff[i],
                                   law.friction(), law.rolling_friction()});
  }
  if (keep_records) record_without_forces(w, block);
}

std::span<const PotentialContact> ContactEvaluation::potentials() {
  over_chunks(
      [&](Work& w) {
        detect(w, HistoryUpdate::trial);
        w.result.solved.clear();
        w.result.own_arms.clear();
        w.result.potentials.clear();
        over_blocks(w, [&](const detail::ContactBlock& block) { add_potentials(w, block); });
      },
      [](std::ptrdiff_t) {});
  sum_counts();
  join(&ChunkResult::potentials, potentials_);
  return potentials_;
}

}  // namespace scree
