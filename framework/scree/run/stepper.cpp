#include "scree/run/stepper.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "scree/base/clock.hpp"
#include "scree/base/error.hpp"

namespace scree {

ThreadCount::ThreadCount(int threads) : before_(omp_get_max_threads()) {
  if (threads > 0) omp_set_num_threads(threads);
}
ThreadCount::~ThreadCount() { omp_set_num_threads(before_); }

Stepper::Stepper(const Scene& scene, const Registry& registry)
    : scene_(scene), registry_(registry), identity_(identity_of(scene)), prepared_(prepare(scene, registry)) {}

bool Stepper::modifier_wants_contacts(std::uint64_t step) const {
  return std::ranges::any_of(prepared_->modifiers, [&](const ScheduledModifier& m) {
    return m.modifier->wants_contacts() && m.schedule.due(step, scene_.dt);
  });
}

/// \param step  whose contacts are looked at
void Stepper::keep(Wanted wanted, std::uint64_t step) {
  mechanics().pipeline().keep_records = wanted.contacts || modifier_wants_contacts(step);
  mechanics().pipeline().compute_energy = wanted.energies;
}

void Stepper::begin(Wanted wanted) {
  keep(wanted, 0);
  mechanics().pipeline().compute_energy = true;
  check_initial_overlaps(scene_, *prepared_);
  const Totals t = totals(world(), gravity());
  tally.kinetic_initial = t.kinetic();
  tally.energy_initial = t.kinetic() + t.potential;
}

void Stepper::resume(const std::string& checkpoint) {
  const Snapshot saved = read_checkpoint(checkpoint, identity_);
  for (std::string& warning : compare_plugins(checkpoint, saved, *prepared_))
    prepared_->warnings.push_back(std::move(warning));
  check_snapshot(checkpoint, saved, *prepared_);
  const double end = static_cast<double>(saved.step) * scene_.dt;
  if (saved.time != end)
    throw IoError(fmt::format("{}: attribute \"time\" is {} s, but step {} ends at {} s. The checkpoint is damaged.",
                              checkpoint, saved.time, saved.step, end));
  go_back(saved);
  const bool forces = prepared_->methods.integrator->traits().face == ForceFace::kName;
  if (forces && modifier_wants_contacts(world().step)) look_anew({});
}

void Stepper::go_back(const Snapshot& snapshot) {
  start_anew(scene_, registry_, *prepared_);
  for (const auto& [name, value] : world().figures()) world().figure(name) = 0;
  restore(snapshot, *prepared_);
  world().take_edits();
  tally = snapshot.tally;
  mechanics().pipeline().rebuilds = tally.rebuilds;
  moment = "before";
}

std::optional<HostMechanics::Sight> Stepper::look(Wanted wanted) {
  const bool somebody = wanted.contacts || wanted.energies || wanted.forces || modifier_wants_contacts(world().step);
  if (!somebody || !mechanics().needs_sight()) return std::nullopt;
  keep(wanted, world().step);
  return std::optional<HostMechanics::Sight>(std::in_place, mechanics(), scene_.dt);
}

HostMechanics::Sight Stepper::look_anew(Wanted wanted) {
  keep(wanted, world().step);
  return HostMechanics::Sight(mechanics(), scene_.dt);
}

void Stepper::modify() {
  moment = "before";
  for (auto& m : prepared_->modifiers) {
    if (!m.schedule.due(world().step, scene_.dt)) continue;
    const bool contacts = m.modifier->wants_contacts();
    const ContactView view = contacts ? mechanics().pipeline().contact_view() : ContactView{};
    m.modifier->apply(world(), contacts ? &view : nullptr, mechanics());
  }
  if (world().edits().empty()) return;
  prepared_->methods.integrator->edited(world(), world().take_edits());
  mechanics().refresh();
}

void Stepper::advance(Wanted wanted) {
  modify();
  step(wanted);
  moment = "after";
}

void Stepper::step(Wanted wanted) {
  const std::uint64_t next = world().step + 1;
  moment = "in";
  ContactPipeline& pipeline = mechanics().pipeline();
  keep(wanted, next);
  if (mechanics().needs_sight()) pipeline.keep_records = pipeline.compute_energy = false;  // seen later
  const StageSeconds& s = pipeline.seconds;
  const double elsewhere = s.grid + s.detect + s.law;
  const double begin = clock_seconds();
  prepared_->methods.integrator->step(mechanics(), scene_.dt);
  integrate_seconds += (clock_seconds() - begin) - (s.grid + s.detect + s.law - elsewhere);
  world().step = next;
  world().time = static_cast<double>(next) * scene_.dt;  // not summed: no drift, and equal after a resume
  count();
}

void Stepper::count() {
  const ContactPipeline& pipeline = mechanics().pipeline();
  const ContactTotals& c = pipeline.counts();
  tally.candidate_pairs += static_cast<double>(c.candidate_pairs);
  tally.touching_pairs += static_cast<double>(c.touching_pairs);
  tally.contacts += static_cast<double>(c.contacts);
  tally.history_hits += static_cast<double>(c.history_hits);
  if (c.max_overlap > tally.max_overlap) {
    tally.max_overlap = c.max_overlap;
    tally.max_overlap_time = world().time;
  }
  tally.rebuilds = pipeline.rebuilds;
  body_steps += static_cast<double>(world().size());
}

}  // namespace scree
