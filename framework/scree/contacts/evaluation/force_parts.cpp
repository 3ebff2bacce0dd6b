/// \file Forces of contacts part by part, for energy ledgers. Each part is summed like the whole: by blocks of space,
/// in the order of contacts.

#include <algorithm>
#include <utility>

#include "scree/contacts/evaluation/over_chunks.hpp"

namespace scree {

namespace {

/// Splits a force into the part along the normal and the rest.
struct SplitForce {
  SplitForce(const Vec3& force, const Vec3& normal) : along(force.dot(normal) * normal), across(force - along) {}
  Vec3 along, across;
};

}  // namespace

std::size_t ContactEvaluation::part_number(std::size_t entry, ForcePart part) const {
  return kForceParts * entry + static_cast<std::size_t>(part);
}

WrenchSlot* ContactEvaluation::part_slots(const Work& w, std::size_t entry, ForcePart part) {
  return part_wrench_.data() + part_number(entry, part) * lists_.slot_count() + w.list.first_slot;
}

/// Clears the results of the last evaluation of the chunk.
void ContactEvaluation::clear_parts(Work& w) {
  for (std::size_t entry = 0; entry < methods_.entries.size(); ++entry)
    for (const ForcePart part : {ForcePart::normal, ForcePart::tangential, ForcePart::rolling})
      std::fill_n(part_slots(w, entry, part), w.list.rows.size(), WrenchSlot{});
  w.result.elastic.assign(methods_.entries.size(), ExactSum{});
}

/// Adds the parts of a block's forces, after its law has been applied and its energies are in the thread's memory.
void ContactEvaluation::add_parts(Work& w, const detail::ContactBlock& block, const LawColumns& columns) {
  const std::uint32_t entry = methods_.interactions[methods_.channels[block.channel].interaction].entry;
  w.scratch.parts.assign(9 * kColumnStride, 0);
  double* next = w.scratch.parts.data();
  const auto vector = [&] {
    double* const x = std::exchange(next, next + 3 * kColumnStride);
    return detail::VectorColumns{{x, x + kColumnStride, x + 2 * kColumnStride}};
  };
  const detail::VectorColumns along = vector(), across = vector(), none = vector();
  for (std::size_t i = 0; i < block.count; ++i) {
    const auto [x, y, z] = columns.force.axis;
    const SplitForce force({x[i], y[i], z[i]}, block.contacts->normal_at(block.first + i));
    for (int k = 0; k < 3; ++k) along.axis[k][i] = force.along[k], across.axis[k][i] = force.across[k];
  }
  detail::add_forces(block, along, {}, w.owner(), part_slots(w, entry, ForcePart::normal));
  detail::add_forces(block, across, {}, w.owner(), part_slots(w, entry, ForcePart::tangential));
  if (columns.moment.axis[0])
    detail::add_forces(block, none, columns.moment, w.owner(), part_slots(w, entry, ForcePart::rolling));
  for (std::size_t i = 0; i < block.count; ++i) w.result.elastic[entry].add(w.scratch.energy[i]);
}

/// Adds the parts of the force of a contact that an integrator has solved for. \param force  force on b [N]
void ContactEvaluation::add_parts(Work& w, std::size_t solved, const Vec3& force) {
  const SolverContact& c = w.result.solved[solved];
  const SplitForce split(force,
                         w.result.cones.empty() ? w.result.potentials[solved].normal : w.result.cones[solved].normal);
  const auto add = [&](ForcePart part, const Vec3& f) {
    WrenchSlot* const slots = part_slots(w, c.entry, part);
    detail::add_wrench(slots[c.a], -f, -c.arm_a.cross(f));
    detail::add_wrench(slots[c.b], f, c.arm_b.cross(f));
  };
  add(ForcePart::normal, split.along);
  add(ForcePart::tangential, split.across);
}

void ContactEvaluation::part_wrenches(std::size_t entry, ForcePart part, std::span<Wrench> out) const {
  const std::size_t count = lists_.slot_count();
  const auto slots = std::span(part_wrench_).subspan(part_number(entry, part) * count, count);
  const auto sum_row = [&](std::ptrdiff_t i) {
    const auto row = static_cast<std::size_t>(i);
    sum_slots(slots, row, out[row].force, out[row].torque);
  };
  if (shares_.whole()) return parallel_for(static_cast<std::ptrdiff_t>(out.size()), sum_row);
  shares_.ranks().gather(CollectiveTag::evaluation);  // waits for ranks that have failed
  rows_.halo().pack_wrenches(slots);
  rows_.halo().exchange_wrenches();
  for (const RowRange& range : rows_.summed())
    for (std::size_t i = range.first; i < range.end; ++i) sum_row(static_cast<std::ptrdiff_t>(i));
  rows_.gather(out);
}

std::vector<double> ContactEvaluation::elastic_energies() const {
  std::vector<ExactSum> sums = others_.elastic;
  sums.resize(methods_.entries.size());
  for (const ChunkResult& chunk : results_)
    for (std::size_t entry = 0; entry < chunk.elastic.size(); ++entry) sums[entry].add(chunk.elastic[entry]);
  std::vector<double> energies;
  for (const ExactSum& sum : sums) energies.push_back(sum.value());
  return energies;
}

}  // namespace scree
