#include "scree/run/recorder.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>

#include "scree/base/clock.hpp"
#include "scree/base/error.hpp"
#include "scree/base/version.hpp"
#include "scree/hooks/stored_bodies.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/sizes.hpp"
#include "scree/run/compare_states.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

/// Number of steps between copies of the last good state, which are written if a step fails.
constexpr std::uint64_t kSnapshotSteps = 500;

/// Number of checkpoints kept on disk; older ones are removed.
constexpr std::size_t kCheckpointsKept = 3;

/// Returns the text of f(), or the reason of its failure: when a run ends, one failure must not hide another.
template <class F>
std::string attempt(const char* what, const F& f) {
  try {
    return f();
  } catch (const std::exception& e) {
    return fmt::format(" Could not {}: {}", what, e.what());
  }
}

}  // namespace

void Recorder::go_on(bool changed) {
  if (resume_.empty()) observe(changed);
  if (finished() && tally().shown_end != world().step) show_end();
  if (!sequence_.ended() && !finished() && world().step >= sequence_.end()) look_again();
}

void Recorder::warn(const std::string& text) {
  warnings_.push_back(text);
  notes_.warn(text);
}

void Recorder::flush() {
  const double begin = clock_seconds();
  flush_observers();
  output_seconds_ += clock_seconds() - begin;
}

double Recorder::seconds() const { return clock_seconds() - begin_; }

void Recorder::advance(std::uint64_t most, Wanted also, const std::function<bool()>& pause) {
  if (sequence_.ended()) enter_next_stage();
  const std::uint64_t step = world().step, next = std::min(next_look(step), most);
  Wanted results = wanted(next);
  results.contacts |= also.contacts;
  results.energies |= also.energies;
  results.forces |= also.forces;
  stepper().advance(next - step, results, pause);
  observe();
}

void Recorder::start(const std::string& resume) {
  resume_ = resume;
  // Walls that a resumed run lost before the checkpoint keep their columns.
  metrics_.emplace(prepared(), sequence_.metrics());
  const bool resumed = !resume.empty();
  if (resumed) {
    changes_ = sequence_.resume(resume);
    refuse_past_the_end();
  } else {
    stepper().begin(wanted(0));
  }
  ready_observers();
  claim_folder(resumed ? std::optional(world().time) : std::nullopt);
  first_step_ = world().step;
  renew_last_good();
  begin_ = clock_seconds();
}

void Recorder::refuse_past_the_end() const {
  const std::uint64_t end = sequence_.end();
  if (!sequence_.last() || world().step <= end) return;
  throw InputError(
      fmt::format("{}: is of step {} (t = {:.6g} s), and the run ends after step {} (t = {:.6g} s). Let the run end "
                  "later ({}), or name an older checkpoint.",
                  resume_, world().step, world().time, end, clock().time_at(end),
                  sequence_.staged() ? "/stages" : "/run/duration"));
}

void Recorder::claim_folder(std::optional<double> resumed_at) {
  if (!ranks_.one()) ranks_.gather(CollectiveTag::agreement);  // waits for a rank that refuses it
  if (!ranks_.first()) {
    metrics_->note(prepared());
    return;
  }
  names_ = {"metrics.csv", "summary.json"};
  for (const DryRunStage& stage : stages_) std::ranges::copy(stage.files, std::back_inserter(names_));
  folder_.emplace(out_, names_);
  for (const std::string& name : names_)
    if (!fs::is_directory(out_ / name)) require_regular_file(out_ / name);
  open_observers();
  metrics_->note(prepared());
  if (resumed_at) metrics_->note_earlier(columns_of_table(out_ / "metrics.csv"));
  metrics_file_.emplace(out_ / "metrics.csv", metrics_->columns(), resumed_at);
  folder_->keep();
  std::error_code ignored;  // a summary of an earlier run does not belong to this one
  fs::remove(out_ / "summary.json", ignored);
  if (const std::string name = folder_->write_scene(with_plugins(scene_.resolved, prepared().plugins.all));
      name != "scene.json")
    scene_file_ = name;
  if (resumed_at) resume_observers();
}

void Recorder::ready_observers() { stepper().ready_observers(longest_duration(scene_, clock().dt)); }

void Recorder::open_observers() {
  for (auto& o : prepared().observers) o.observer->open(out_.string());
}

void Recorder::flush_observers() {
  for (auto& o : prepared().observers) o.observer->flush();
}

void Recorder::resume_observers() {
  for (std::size_t i = 0; i < prepared().observers.size(); ++i)
    prepared().observers[i].observer->resume(frames_of(i) + (has_end_frame(i) ? 1 : 0));
}

bool Recorder::has_end_frame(std::size_t observer) const {
  const ScheduledObserver& o = prepared().observers[observer];
  return finished() && tally().shown_end == world().step && o.at_end && !clock().output_due(o.schedule, world().step);
}

bool Recorder::due(double interval, std::uint64_t step) const {
  return interval > 0 && clock().output_due({0, interval, 1e300}, step);
}

bool Recorder::metrics_due(std::uint64_t step) const {
  return step == 0 || ends_at(step) || due(scene().metrics_interval, step);
}

bool Recorder::ends_at(std::uint64_t step) const {
  return step == sequence_.end() || (step == world().step && sequence_.ended());
}

bool Recorder::frame_due(const ScheduledObserver& o, std::uint64_t step) const {
  return clock().output_due(o.schedule, step) || (sequence_.last() && ends_at(step) && o.at_end);
}

bool Recorder::frame_possible(const ScheduledObserver& o, std::uint64_t step) const {
  return frame_due(o, step) || (sequence_.last() && sequence_.look_due(step) && o.at_end);
}

Wanted Recorder::wanted(std::uint64_t step) const {
  const bool row = metrics_due(step) || sequence_.look_due(step);
  Wanted wanted{.contacts = row && sequence_.metrics().unbalanced, .energies = row, .forces = row};
  for (const auto& o : prepared().observers) {
    if (!frame_possible(o, step)) continue;
    wanted.forces = true;
    wanted.contacts = wanted.contacts || o.observer->wants_contacts();
  }
  return wanted;
}

bool Recorder::snapshot_due(std::uint64_t step) const {
  return (step - first_step_) % kSnapshotSteps == kSnapshotSteps - 1;
}

bool Recorder::checkpoint_due(std::uint64_t step) const {
  return step > first_step_ && due(scene().checkpoint_interval, step);
}

std::uint64_t Recorder::next_look(std::uint64_t step) const {
  do ++step;
  while (step < sequence_.end() && !wanted(step).any() && !checkpoint_due(step) && !snapshot_due(step));
  return step;
}

std::uint64_t& Recorder::frames_of(std::size_t observer) {
  return stepper().tally.frames[frames_key(prepared(), observer)];
}

void Recorder::enter_next_stage() {
  tell_stage_end();
  const std::vector<std::string> told = prepared().warnings;
  flush_observers();
  const std::set<std::string> known = observer_names();
  const std::vector<std::string> changes = sequence_.next(states_of(prepared(), true));
  for (const std::string& change : changes) notes_.note("  " + change);
  for (const std::string& warning : prepared().warnings)
    if (std::ranges::find(told, warning) == told.end()) warn(warning);
  ready_observers();
  open_observers();
  resume_observers();
  show_first_frames(known);
  notes_.stage_begins();
}

std::set<std::string> Recorder::observer_names() const {
  std::set<std::string> names;
  for (std::size_t i = 0; i < prepared().observers.size(); ++i) names.insert(frames_key(prepared(), i));
  return names;
}

void Recorder::show_first_frames(const std::set<std::string>& known) {
  std::vector<std::size_t> due;
  bool contacts = false;
  for (std::size_t i = 0; i < prepared().observers.size(); ++i) {
    const ScheduledObserver& o = prepared().observers[i];
    const bool missed = o.schedule.interval <= 0 && o.schedule.start < world().time;
    if (known.contains(frames_key(prepared(), i)) || !(missed || clock().output_due(o.schedule, world().step)))
      continue;
    due.push_back(i);
    contacts = contacts || o.observer->wants_contacts();
  }
  if (due.empty()) return;
  const auto observation = stepper().observe({.contacts = contacts, .forces = true}, true);
  for (const std::size_t i : due) {
    show_frame(i);
    ++frames_of(i);
  }
}

void Recorder::tell_stage_end() {
  const StageRecord record = sequence_.records().back();
  const std::string text = fmt::format("stage \"{}\" ended after {} steps, at t = {:.6g} s: {}", record.name,
                                       record.steps, record.end, record.ended);
  record.ended.starts_with("limit") ? warn(text) : notes_.note(text);
}

void Recorder::observe(bool anew) {
  const double begin = clock_seconds();
  const std::uint64_t step = world().step;
  stepper().moment = "after";
  auto observation = step > first_step_ || anew ? stepper().observe(wanted(step), anew) : nullptr;
  const bool look = step > first_step_ && sequence_.look_due(step);
  if (look) look_at_stage();
  show_frames(step);
  if (metrics_due(step)) append_metrics();
  if (sequence_.last() && ends_at(step)) stepper().tally.shown_end = step;
  if (step > first_step_) stepper().tally.last_overlap = stepper().engine().totals().max_overlap;
  observation.reset();
  const bool stage_end = sequence_.staged() && sequence_.ended();
  const bool checkpoint = checkpoint_due(step) || (stage_end && step > first_step_);
  if (checkpoint || snapshot_due(step)) {
    renew_last_good();
    if (checkpoint) write_last_good(stage_end);
  }
  output_seconds_ += clock_seconds() - begin;
}

void Recorder::look_at_stage() {
  metrics_->note(prepared());
  try {
    sequence_.look(*metrics_);
  } catch (const NumericalError&) {
    append_metrics();
    renew_last_good();
    throw;
  }
}

void Recorder::look_again() {
  const auto observation = stepper().observe({.contacts = true, .energies = true, .forces = true}, true);
  look_at_stage();
}

void Recorder::show_end() {
  const std::uint64_t step = world().step;
  const auto missed = [&](const ScheduledObserver& o) { return o.at_end && !clock().output_due(o.schedule, step); };
  const bool contacts = std::ranges::any_of(
      prepared().observers, [&](const ScheduledObserver& o) { return missed(o) && o.observer->wants_contacts(); });
  const auto observation = stepper().observe({.contacts = contacts, .energies = true, .forces = true}, true);
  for (std::size_t i = 0; i < prepared().observers.size(); ++i)
    if (missed(prepared().observers[i])) show_frame(i);
  if (step > 0 && !due(scene().metrics_interval, step)) append_metrics();
  stepper().tally.shown_end = step;
}

void Recorder::show_frames(std::uint64_t step) {
  for (std::size_t i = 0; i < prepared().observers.size(); ++i) {
    const ScheduledObserver& o = prepared().observers[i];
    if (!frame_due(o, step)) continue;
    show_frame(i);
    if (clock().output_due(o.schedule, step)) ++frames_of(i);  // a run that ends later has no frame of this end
  }
}

void Recorder::show_frame(std::size_t observer) {
  Observer& o = *prepared().observers[observer].observer;
  const bool contacts = o.wants_contacts();
  const ContactView view = contacts ? stepper().engine().contacts() : ContactView{};
  o.observe(world(), contacts ? &view : nullptr,
            {frames_of(observer), world().step, world().time, [this] { return stepper().engine().bond_values(); },
             [this] { return grid_images(); }});
}

std::vector<GridImage> Recorder::grid_images() {
  const auto* const integrator = prepared().methods.integrator.get();
  return integrator ? integrator->grid_images() : std::vector<GridImage>{};
}

void Recorder::append_metrics() {
  metrics_->note(prepared());
  if (metrics_file_ && metrics_->columns() != metrics_file_->columns()) metrics_file_->set_columns(metrics_->columns());
  const std::vector<double>& row = metrics_->row(prepared(), sequence_.number());
  for (std::size_t k = 0; k < row.size() && world().step > 0; ++k)
    if (!std::isfinite(row[k]) && metrics_->columns()[k].find("energy") != std::string::npos)
      throw NumericalError(fmt::format("{} became {}: masses, positions or velocities are beyond what numbers hold.",
                                       metrics_->columns()[k], row[k]));
  if (metrics_file_) metrics_file_->append(row);
}

void Recorder::require_numbers() const {
  for (const auto& [name, value] : world().metrics())
    if (std::isnan(value))
      throw NumericalError(fmt::format("{} became NaN: look at the method that tells it, and its input.", name));
}

void Recorder::renew_last_good() {
  flush_observers();
  compare_states(world(), ranks_);
  require_numbers();
  MethodStates states = states_of(prepared(), true);  // first: a method may throw
  last_good_.reset();                                 // before there is another: two at a time would be much memory
  give_back_freed_memory();
  last_good_ = stepper().snapshot(std::move(states));
  if (!ranks_.first()) last_good_.reset();  // it was made because all ranks make it together
}

fs::path Recorder::write_checkpoint(const Snapshot& snapshot, bool keep) {
  prepare_subfolder(out_ / "checkpoints");
  const fs::path file = out_ / "checkpoints" / fmt::format("checkpoint_{:09}.h5", snapshot.step);
  scree::write_checkpoint(file, snapshot, sequence_.identity());
  std::erase(checkpoints_, file);
  if (keep) return file;
  checkpoints_.push_back(file);
  if (checkpoints_.size() > kCheckpointsKept) {
    std::error_code ignored;
    fs::remove(checkpoints_.front(), ignored);
    checkpoints_.erase(checkpoints_.begin());
  }
  return file;
}

std::string Recorder::save_last_good() {
  if (!last_good_) return " No state of before was left in memory that could be saved.";
  const fs::path file = write_checkpoint(*last_good_);
  notes_.saved(file);
  return fmt::format(" The state of step {} (time {:.6g} s) was saved in {}.", last_good_->step, last_good_->time,
                     file.string());
}

bool Recorder::finished() const { return sequence_.over() || (!sequence_.staged() && world().step >= sequence_.end()); }

fs::path Recorder::write_last_good(bool keep) {
  return ranks_.first() ? write_checkpoint(*last_good_, keep) : fs::path();
}

void Recorder::summarise(const std::string& status, const std::string& reason, const Summary::Sharing& sharing) {
  if (!ranks_.first()) return;
  const double wall_seconds = seconds();
  const Totals t = totals(world(), stepper().gravity());
  const double steps = std::max<double>(1, static_cast<double>(world().step));
  Summary s;
  s.scene = scene_.name;
  s.status = status;
  s.reason = reason;
  s.steps = world().step;
  s.simulated_time = world().time;
  s.dt = clock().dt;
  s.wall_seconds = wall_seconds;
  s.stage_seconds = stepper().seconds();
  s.stage_seconds.output = output_seconds_;
  s.bodies = count_free_bodies(world());
  s.particle_steps_per_second = wall_seconds > 0 ? stepper().body_steps / wall_seconds : 0;
  s.candidate_pairs_mean = tally().candidate_pairs / steps;
  s.touching_pairs_mean = tally().touching_pairs / steps;
  s.contacts_mean = tally().contacts / steps;
  s.history_hits_mean = tally().history_hits / steps;
  s.rebuilds = tally().rebuilds;
  s.max_overlap_ratio = tally().last_overlap / prepared().smallest_radius;
  s.peak_overlap_ratio = tally().max_overlap / prepared().smallest_radius;
  s.fewest_steps_of_a_contact = tally().hasty.duration / clock().dt;
  s.kinetic_energy_initial = tally().kinetic_initial;
  s.kinetic_energy_final = t.kinetic();
  s.energy_drift = t.kinetic() + t.potential - tally().energy_initial;
  s.momentum = t.momentum;
  s.figures = world().metrics();
  s.threads = omp_get_max_threads();
  s.ranks = ranks_.size();
  s.sharing = sharing;
  s.device = device_;
  s.state_hash = fmt::format("{:016x}", state_hash(world()));
  s.version = SCREE_VERSION;
  s.plugins = prepared().plugins.all;
  s.stages = sequence_.records();
  s.warnings = warnings_;
  s.changes = changes_;
  write_summary(out_ / "summary.json", s);
}

std::string Recorder::size_of_results() {
  std::vector<std::string> names = names_;
  names.insert(names.end(), {"checkpoints", scene_file_.empty() ? "scene.json" : scene_file_});
  return bytes_text(bytes_of(out_, names));
}

std::string Recorder::fail(const std::string& what) {
  const std::string_view moment = stepper().moment;
  const std::uint64_t step = world().step + (moment == "after" ? 0 : 1);
  const double time = world().time + (moment == "in" ? clock().dt : 0);
  const std::string when = fmt::format("{} step {} (time {:.6g} s)", moment, step, time);
  const bool told = what.find(when) != std::string::npos;
  const std::string reason =
      fmt::format("{}{}{}", what, what.ends_with('.') ? "" : ".", told ? "" : " This was " + when + ".");
  if (!ranks_.first()) return reason;
  return reason +
         attempt("finish the frames",
                 [&] {
                   flush_observers();
                   return std::string();
                 }) +
         attempt("save a checkpoint", [&] { return save_last_good(); }) + attempt("write summary.json", [&] {
           summarise("failed", reason);
           return std::string();
         });
}

}  // namespace scree
