#include "scree/contacts/evaluation/contact_evaluation.hpp"

#include <algorithm>
#include <tuple>

#include "scree/contacts/evaluation/over_chunks.hpp"
#include "scree/contacts/evaluation/weights.hpp"

namespace scree {

ContactEvaluation::ContactEvaluation(World& world, const Methods& methods, PairLists& lists,
                                     const CurvePartition& shares, Decomposition& rows, ContactHistory& history,
                                     StageSeconds& seconds)
    : world_(world),
      methods_(methods),
      lists_(lists),
      shares_(shares),
      rows_(rows),
      history_(history),
      seconds_(seconds) {}
ContactEvaluation::~ContactEvaluation() = default;

/// Applies the law to one block of contacts, and sums the wrenches. Each body of the chunk sums its contacts serially,
/// in contact order, into the chunk's own slots.
void ContactEvaluation::apply_law(Work& w, const detail::ContactBlock& block, double dt, double lag) {
  const Channel& channel = methods_.channels[block.channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  const LawColumns columns = law_columns(w, block, dt, lag);
  const double* const weight = channel.weighted ? w.contacts().force_weight() + block.first : nullptr;
  HistoryStep& step = w.scratch.history;
  const BlockHistory history = step.of_block(block.first, block.count, interaction.history,
                                             interaction.needs.history_in_place, weight != nullptr);
  if (weight)
    detail::make_negative_elastic(weight, block.count, columns.velocity, columns.spin, history.copies, kColumnStride,
                                  history.columns);
  const auto [fx, fy, fz] = columns.force.axis;
  const auto [mx, my, mz] = columns.moment.axis;
  interaction.force->force(columns.in, history.last, history.now, {{fx, fy, fz}, {mx, my, mz}});
  if (weight) {
    detail::scale(weight, block.count, columns.force);
    if (interaction.needs.moment) detail::scale(weight, block.count, columns.moment);
  }
  detail::add_forces(block, columns.force, columns.moment, w.owner(), w.slots);
  if (own_forces_ && w.owner()) detail::add_own_forces(block, columns.force, columns.moment, w.owner(), w.slots);
  if (compute_energy) {
    std::vector<double>& energy = w.scratch.energy;
    energy.resize(kBlockContacts);
    interaction.force->energy(columns.in, history.now, energy.data());
    if (channel.weighted)
      for (std::size_t i = 0; i < block.count; ++i) energy[i] *= w.contacts().energy_weight()[block.first + i];
    for (std::size_t i = 0; i < block.count; ++i) w.result.counts.elastic_energy.add(energy[i]);
  }
  if (keep_parts) add_parts(w, block, columns);
  if (keep_records) record(w, block, {fx, fy, fz});
  step.replace(block.first, block.count, history);
}

void ContactEvaluation::find_masses(Work& w) {
  w.scratch.masses.find(world_, methods_, w.list, w.scratch.tile.view(), w.contacts(),
                        w.group.detector->central() && w.list.owner.empty());
  w.result.counts.hasty = w.scratch.masses.hasty();
}

void ContactEvaluation::forces(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force,
                               std::span<Vec3> torque, HistoryUpdate update) {
  const External external(world_, methods_.environment, others);
  const OwnForces own = ask_for_own_forces();
  over_chunks(
      [&](Work& w) {
        detect(w, update);
        find_masses(w);
        over_blocks(w, [&](const detail::ContactBlock& block) { apply_law(w, block, dt, lag); });
        w.scratch.history.commit(w.contacts());
      },
      [&](std::ptrdiff_t i) {
        sum_slots(slot_wrench_, static_cast<std::size_t>(i), force[i], torque[i]);
        own.take(i, force[i], torque[i]);
        external.add(i, force[i], torque[i]);
      });
  gather_forces(force, torque);
  finish();
}

void ContactEvaluation::external(std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque) const {
  const External external(world_, methods_.environment, others);
  parallel_for(static_cast<std::ptrdiff_t>(world_.size()), [&](std::ptrdiff_t i) {
    force[i] = torque[i] = Vec3::Zero();
    external.add(i, force[i], torque[i]);
  });
}

void ContactEvaluation::detect() {
  over_chunks(
      [&](Work& w) {
        detect(w, HistoryUpdate::none);
        if (keep_records) over_blocks(w, [&](const detail::ContactBlock& block) { record_without_forces(w, block); });
      },
      [](std::ptrdiff_t) {});
  finish();
}

void ContactEvaluation::sum_counts() {
  totals_ = {};
  totals_.candidate_pairs = lists_.pair_count_of_all();
  ChunkCounts sum = others_.counts;
  for (const ChunkResult& chunk : results_) sum.add(chunk.counts);
  totals_.contacts = sum.contacts;
  totals_.touching_pairs = sum.touching_pairs;
  totals_.history_hits = sum.history_hits;
  totals_.max_overlap = sum.max_overlap;
  totals_.hasty = sum.hasty;
  totals_.elastic_energy = sum.elastic_energy.value();
}

/// Stores records of the contacts of a block. \param force  force on b [N]
void ContactEvaluation::record(Work& w, const detail::ContactBlock& c, const double* const (&force)[3]) {
  for (std::size_t i = 0; i < c.count; ++i) {
    const Pair& p = c.pair(i);
    const std::size_t contact = c.first + i;
    w.result.records.push_back({c.row[p.a].id,
                                c.row[p.b].id,
                                w.list.image_of(c.pair_index[i]),
                                c.contacts->feature()[contact],
                                c.contacts->overlap()[contact],
                                c.contacts->normal_at(contact),
                                c.contacts->point_at(contact),
                                {force[0][i], force[1][i], force[2][i]}});
  }
}

void ContactEvaluation::record_without_forces(Work& w, const detail::ContactBlock& block) {
  static constexpr double kNone[kBlockContacts] = {};
  record(w, block, {kNone, kNone, kNone});
}

namespace {

/// Sorts records into the order that hooks expect.
void sort_records(ContactView& view) {
  std::ranges::sort(view, {}, [](const ContactRecord& r) { return std::tie(r.a, r.b, r.image, r.feature); });
}

}  // namespace

ContactView ContactEvaluation::records() const {
  if (last_records_) return *last_records_;
  std::size_t size = others_.records.size();
  for (const ChunkResult& chunk : results_) size += chunk.records.size();
  ContactView view;
  view.reserve(size);
  for (const ChunkResult& chunk : results_) view.insert(view.end(), chunk.records.begin(), chunk.records.end());
  view.insert(view.end(), others_.records.begin(), others_.records.end());
  sort_records(view);
  return view;
}

void ContactEvaluation::keep_last_records() {
  if (keep_records && !last_records_) last_records_ = records();
}

void ContactEvaluation::rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed,
                                      const std::function<Vec3(Id)>& moved) {
  if (!last_records_) return;
  for (ContactRecord& r : *last_records_) {
    r.image = renamed(r.image, r.a, r.b);
    r.point += moved(r.a);
  }
  sort_records(*last_records_);
}

void ContactEvaluation::release_memory() { slot_wrench_.release_if_large(); }

void ContactEvaluation::reset() {
  results_.clear();
  results_.resize(lists_.chunks().size());
  slot_wrench_.resize(lists_.slot_count());
  others_ = {};
  partial_ = false;
}

}  // namespace scree
