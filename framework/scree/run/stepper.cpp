#include "scree/run/stepper.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree {

ThreadCount::ThreadCount(int threads) : before_(omp_get_max_threads()) {
  if (threads > 0) omp_set_num_threads(threads);
}
ThreadCount::~ThreadCount() { omp_set_num_threads(before_); }

Stepper::Stepper(const Scene& scene, const Registry& registry, const std::string& device)
    : scene_(scene),
      registry_(registry),
      device_(device),
      identity_(identity_of(scene)),
      prepared_(prepare(scene, registry, device)) {}

Wanted Stepper::with_modifiers(Wanted wanted, std::uint64_t step) const {
  for (const ScheduledModifier& m : prepared_->modifiers)
    if (m.modifier->wants_contacts() && m.schedule.due(step, scene_.dt)) wanted.contacts = true;
  return wanted;
}

void Stepper::begin(Wanted wanted) {
  wanted.energies = true;
  check_initial_overlaps(scene_, *prepared_, with_modifiers(wanted, 0));
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
  observer_states_ = saved.methods.observers;
  if (with_modifiers({}, world().step).contacts) observe({}, true);
}

void Stepper::go_back(const Snapshot& snapshot) {
  start_anew(scene_, registry_, device_, *prepared_);
  for (const auto& [name, value] : world().figures()) world().figure(name) = 0;
  restore(snapshot, *prepared_);
  world().take_edits();
  tally = snapshot.tally;
  engine().set_rebuilds(tally.rebuilds);
  moment = "before";
}

void Stepper::load_observers() {
  for (std::size_t i = 0; i < prepared_->observers.size(); ++i)
    if (const auto saved = observer_states_.find(frames_key(*prepared_, i)); saved != observer_states_.end())
      prepared_->observers[i].observer->load(saved->second);
}

std::unique_ptr<Engine::Observation> Stepper::observe(Wanted wanted, bool anew) {
  return engine().observe(with_modifiers(wanted, world().step), anew);
}

/// At least one, at most `most`: as many as an engine can make before a modifier is due.
std::uint64_t Stepper::steps_to_modifier(std::uint64_t most) const {
  const auto due = [&](std::uint64_t step) {
    return std::ranges::any_of(prepared_->modifiers, [&](const auto& m) { return m.schedule.due(step, scene_.dt); });
  };
  std::uint64_t steps = 1;
  while (steps < most && !due(world().step + steps)) ++steps;
  return steps;
}

void Stepper::modify() {
  moment = "before";
  for (auto& m : prepared_->modifiers) {
    if (!m.schedule.due(world().step, scene_.dt)) continue;
    const bool contacts = m.modifier->wants_contacts();
    const ContactView view = contacts ? engine().contacts() : ContactView{};
    m.modifier->apply(world(), contacts ? &view : nullptr, engine());
  }
  world().check_new_bonds();
  if (world().edited()) tell(world().take_edits());
}

void Stepper::tell(const EditLog& edits) {
  engine().edited(edits);
  for (auto& m : prepared_->modifiers) m.modifier->edited(world(), edits);
  for (auto& o : prepared_->observers) o.observer->edited(world(), edits);
  world().drop_table_edits();
}

void Stepper::advance(std::uint64_t count, Wanted last, const std::function<bool()>& pause) {
  const std::uint64_t end = world().step + count;
  bool paused = false;
  const std::function<bool()> ask = [&] { return pause && (paused = pause()); };
  while (world().step < end && !paused) {
    modify();
    moment = "in";
    const std::uint64_t steps = steps_to_modifier(end - world().step), then = world().step + steps;
    require_closed_columns();
    engine().advance(steps, with_modifiers(then == end ? last : Wanted{}, then), ask);
    this->count();
    moment = "after";
    if (then < end) observe({});  // for modifiers
  }
}

/// An engine may keep columns elsewhere: what is written while it works would be lost.
void Stepper::require_closed_columns() {
  for (const Table* table : world().tables())
    for (const auto& column : table->columns())
      if (column->open_writes() != 0)
        throw InternalError(
            fmt::format("column \"{}\" of table \"{}\" is still open for writing when the next step begins. Let "
                        "go of what Column::write() gave before apply(), edited() or your own code returns.",
                        column->name(), table->name()));
}

void Stepper::count() {
  const StepCounts counts = engine().take_counts();
  tally.candidate_pairs += counts.candidate_pairs;
  tally.touching_pairs += counts.touching_pairs;
  tally.contacts += counts.contacts;
  tally.history_hits += counts.history_hits;
  body_steps += counts.bodies;
  tally.rebuilds = engine().rebuilds();
  if (counts.max_overlap <= tally.max_overlap) return;
  tally.max_overlap = counts.max_overlap;
  tally.max_overlap_time = counts.max_overlap_time;
}

}  // namespace scree
