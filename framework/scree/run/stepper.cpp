#include "scree/run/stepper.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <iterator>

#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree {

ThreadCount::ThreadCount(int threads) : before_(omp_get_max_threads()) {
  if (threads > 0) omp_set_num_threads(threads);
}
ThreadCount::~ThreadCount() { omp_set_num_threads(before_); }

Stepper::Stepper(const Scene& scene, const Registry& registry, const std::string& device)
    : scene_(&scene), registry_(registry), device_(device), prepared_(prepare(scene, registry, device)) {}

Wanted Stepper::with_modifiers(Wanted wanted, std::uint64_t step) const {
  for (const ScheduledModifier& m : prepared_->modifiers)
    if (m.modifier->wants_contacts() && prepared_->clock.due(m.schedule, step)) wanted.contacts = true;
  return wanted;
}

void Stepper::begin(Wanted wanted) {
  wanted.energies = true;
  balance_bonds(*scene_, *prepared_);
  check_initial_overlaps(*scene_, *prepared_, with_modifiers(wanted, 0));
  const Totals t = totals(world(), gravity());
  tally.kinetic_initial = t.kinetic();
  tally.energy_initial = t.kinetic() + t.potential;
}

std::vector<std::string> Stepper::resume(Snapshot saved, const std::string& file) {
  const TransferredState carried = transfer_state(saved, file, *scene_, *prepared_);
  for (std::string& warning : compare_plugins(file, saved, *prepared_, carried.changes.empty()))
    prepared_->warnings.push_back(std::move(warning));
  for (const std::string& warning : carried.warnings) prepared_->warnings.push_back(file + ": " + warning);
  check_snapshot(file, saved, *prepared_);
  const double end = saved.clock.time_at(saved.step);
  if (saved.time != end)
    throw IoError(fmt::format("{}: attribute \"time\" is {} s, but step {} ends at {} s. The checkpoint is damaged.",
                              file, saved.time, saved.step, end));
  go_back(saved);
  edit(carried);
  observer_states_ = saved.methods.observers;
  if (!contacts_ && with_modifiers({}, world().step).contacts) observe({}, true);
  return carried.changes;
}

void Stepper::go_back(const Snapshot& snapshot) {
  forget_engine();
  prepared_->clock.origin = snapshot.clock.origin;
  start_anew(*scene_, registry_, device_, *prepared_);
  for (const auto& [name, value] : world().metrics()) world().metric(name) = 0;
  restore(snapshot, *prepared_);
  tally = snapshot.tally;
  stage = snapshot.stage;
  contacts_ = snapshot.contacts;
  engine().set_rebuilds(tally.rebuilds);
  moment = "before";
}

std::vector<std::string> Stepper::continue_with(const Scene& scene, MethodStates states) {
  Snapshot here = snapshot(std::move(states));
  std::unique_ptr<Prepared> next = prepare(scene, registry_, device_);
  const TransferredState carried = transfer_state(here, scene.file, scene, *next);
  forget_engine();
  prepared_ = std::move(next);
  scene_ = &scene;
  std::ranges::copy(carried.warnings, std::back_inserter(prepared_->warnings));
  go_back(here);
  edit(carried);
  observer_states_ = here.methods.observers;
  if (!contacts_ && with_modifiers({}, world().step).contacts) observe({}, true);
  return carried.changes;
}

/// Applies edits of a transfer: engine and modifiers are notified of changed bodies before results are computed.
/// Observers begin later. Without edits, pending ones in the log stay pending.
void Stepper::edit(const TransferredState& carried) {
  if (carried.moved.empty() && carried.removed.empty()) return;
  if (!carried.moved.empty()) world().mark_moved(carried.moved);
  if (!carried.removed.empty()) world().remove(carried.removed);
  if (!world().edited()) return;
  tell_methods(world().take_edits());
  world().drop_table_edits();
}

void Stepper::forget_engine() {
  if (!prepared_->engine) return;
  before_ = seconds();
  prepared_->engine.reset();
}

StageSeconds Stepper::seconds() const {
  const StageSeconds now = prepared_->engine->seconds();
  return {before_.grid + now.grid, before_.detect + now.detect, before_.law + now.law,
          before_.integrate + now.integrate, before_.output + now.output};
}

Snapshot Stepper::snapshot(MethodStates states) const {
  Snapshot s = take_snapshot(*prepared_, tally, std::move(states));
  s.scene = scene_->decisive;
  s.stage = stage;
  if (with_modifiers({}, world().step).contacts) s.contacts = contacts();
  return s;
}

void Stepper::ready_observers(double duration) {
  plan_observers(*scene_, *prepared_, duration);
  std::vector<const std::vector<std::byte>*> states;
  for (std::size_t i = 0; i < prepared_->observers.size(); ++i) {
    const auto saved = observer_states_.find(frames_key(*prepared_, i));
    states.push_back(saved == observer_states_.end() ? nullptr : &saved->second);
  }
  load_observers(*scene_, *prepared_, states);
}

std::unique_ptr<Engine::Observation> Stepper::observe(Wanted wanted, bool anew) {
  return engine().observe(with_modifiers(wanted, world().step), anew);
}

/// Returns the number of steps that an engine can make before a modifier is due: at least one, at most `most`.
std::uint64_t Stepper::steps_to_modifier(std::uint64_t most) const {
  const auto due = [&](std::uint64_t step) {
    return std::ranges::any_of(prepared_->modifiers,
                               [&](const auto& m) { return prepared_->clock.due(m.schedule, step); });
  };
  std::uint64_t steps = 1;
  while (steps < most && !due(world().step + steps)) ++steps;
  return steps;
}

void Stepper::modify() {
  moment = "before";
  for (auto& m : prepared_->modifiers) {
    if (!prepared_->clock.due(m.schedule, world().step)) continue;
    world().stage = stage.name;
    const bool contacts = m.modifier->wants_contacts();
    const ContactView view = contacts ? this->contacts() : ContactView{};
    m.modifier->apply(world(), contacts ? &view : nullptr, engine());
  }
  contacts_.reset();
  world().check_new_bonds();
  const bool joined = !world().bonds().table().edits().added.empty();
  if (world().edited()) tell(world().take_edits());
  if (joined) check_step_of_bonds();
}

/// \throws NumericalError where bonds that were just made blow up with the run's time step
void Stepper::check_step_of_bonds() {
  constexpr double kUnstable = 1 / 0.7;  // the engine's step is surely stable: this is where they do blow up
  if (prepared_->methods.integrator->traits().face == PotentialFace::kName) return;
  const double dt = prepared_->clock.dt, stable = engine().stable_time_step();
  if (dt <= kUnstable * stable) return;
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): with the bonds that were just made, steps are surely stable up to {:.3g} s, "
      "and dt = {:.3g} s. Lower dt to {:.2g} s, or soften the bonds.",
      world().step, world().time, stable, dt, 0.8 * stable));
}

void Stepper::tell_methods(const EditLog& edits) {
  engine().edited(edits);
  for (auto& m : prepared_->modifiers) m.modifier->edited(world(), edits);
}

void Stepper::tell(const EditLog& edits) {
  tell_methods(edits);
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
    const std::uint64_t rebuilds = engine().rebuilds();
    engine().advance(steps, with_modifiers(then == end ? last : Wanted{}, then), ask);
    this->count();
    if (engine().rebuilds() != rebuilds) watch_fast_bodies();
    moment = "after";
    if (with_modifiers({}, then).contacts) observe(then < end ? Wanted{} : last);
  }
}

/// Checks that all columns are closed. An engine may keep columns elsewhere: writes during its work would be lost.
void Stepper::require_closed_columns() {
  for (const Table* table : world().tables())
    for (const auto& column : table->columns())
      if (column->open_writes() != 0)
        throw InternalError(
            fmt::format("column \"{}\" of table \"{}\" is still open for writing when the next step begins. Let "
                        "go of what Column::write() gave before apply(), edited() or your own code returns.",
                        column->name(), table->name()));
}

/// Records the first fast body. Bodies that move that far end the lists: without new lists there is none to find.
void Stepper::watch_fast_bodies() {
  if (fast_body || prepared_->methods.integrator->traits().looks_ahead) return;
  fast_body = find_fast_body(world(), prepared_->clock.dt);
  fast_body_time = world().time;
}

void Stepper::count() {
  const StepCounts counts = engine().take_counts();
  tally.candidate_pairs += counts.candidate_pairs;
  tally.touching_pairs += counts.touching_pairs;
  tally.contacts += counts.contacts;
  tally.history_hits += counts.history_hits;
  body_steps += counts.bodies;
  divided_steps += counts.divided;
  tally.rebuilds = engine().rebuilds();
  tally.hasty.keep_shorter(counts.hasty);
  if (counts.max_overlap <= tally.max_overlap) return;
  tally.max_overlap = counts.max_overlap;
  tally.max_overlap_time = counts.max_overlap_time;
}

}  // namespace scree
