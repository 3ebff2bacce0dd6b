#include "scree/run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <system_error>

#include "scree/base/clock.hpp"
#include "scree/base/internal_error.hpp"
#include "scree/base/ranks.hpp"
#include "scree/base/tell.hpp"
#include "scree/base/version.hpp"
#include "scree/hooks/stored_bodies.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/metrics.hpp"
#include "scree/output/output_folder.hpp"
#include "scree/output/progress.hpp"
#include "scree/output/sizes.hpp"
#include "scree/run/compare_states.hpp"
#include "scree/run/detail/before_first_step.hpp"
#include "scree/run/dry_run.hpp"
#include "scree/run/interruption.hpp"
#include "scree/run/process.hpp"
#include "scree/run/rank_sharing.hpp"
#include "scree/run/stage_sequence.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

/// Number of steps between copies of the last good state, which are written if a step fails.
constexpr std::uint64_t kSnapshotSteps = 500;

/// Largest overlap over the smallest body's radius from which on it is reported at the end.
constexpr double kNotableOverlap = 0.1;

/// Number of checkpoints kept on disk; older ones are removed.
constexpr std::size_t kCheckpointsKept = 3;

/// One run, from a prepared scene to its last file. Every rank has all bodies and makes all steps; only the first
/// writes files and messages.
class Run {
 public:
  Run(const Scene& scene, const Registry& registry, const RunOptions& options)
      : scene_(scene),
        options_(options),
        sequence_(before_first_step([&] {
          auto sequence = std::make_unique<StageSequence>(scene, registry, options.device);
          stages_ = dry_run_stages(scene, registry, options.device, sequence->stepper().prepared());
          return sequence;
        })),
        out_(options.out.empty() ? fs::path("out") / scene.name : fs::path(options.out)) {}

  RunStatus run() {
    before_first_step([&] { start(); });
    begin_ = clock_seconds();
    const double waited = ranks_.seconds();
    const Interruption interruption(!ranks_.one());
    Progress progress(sequence_->end(), scene_.duration, world().step, progress_style(options_.quiet),
                      ranks_.first() ? stderr : nullptr);
    begin_part(progress);
    for (const std::string& warning : prepared().warnings) progress.note("warning: " + warning);
    if (!changes_.empty() && !options_.quiet)
      progress.note(fmt::format("The scene has changed since the checkpoint:\n  {}", fmt::join(changes_, "\n  ")));
    if (folder_ && folder_->used() && options_.resume.empty() && !options_.quiet)
      progress.note(fmt::format("The results of an earlier run in {} are replaced.", out_.string()));
    if (!scene_file_.empty())
      progress.note(fmt::format("warning: {} is not as a run left it, and stays; the scene as resolved is in {}.",
                                (out_ / "scene.json").string(), scene_file_));
    const fs::path checkpoint = saved_from_failure([&] {
      fs::path last = do_steps(interruption, progress);
      sharing_ = compare_waiting(ranks_, ranks_.seconds() - waited);
      sharing_.divided_steps = stepper().divided_steps;
      return last;
    });
    const bool done = finished();
    progress.finish(world().step, world().time);
    if (sequence_->staged() && done) tell_stage_end(progress);
    if (!ranks_.one() && !options_.quiet)
      progress.note(told(sharing_, ranks_.size(), clock_seconds() - begin_, world().step - first_step_));
    summarise(done ? "completed" : "interrupted");
    tell_overlap(progress);
    tell_haste(progress);
    tell_fast_body(progress);
    if (!options_.quiet)
      progress.note(done ? fmt::format("The results are in {} ({}).", out_.string(), size_of_results())
                         : fmt::format("Interrupted after step {}. {}", world().step, how_to_go_on(checkpoint)));
    const RunStatus status = done ? RunStatus::finished : RunStatus::interrupted;
    if (options_.ended) options_.ended(status);
    return status;
  }

 private:
  Stepper& stepper() { return sequence_->stepper(); }
  Prepared& prepared() { return sequence_->stepper().prepared(); }
  const Prepared& prepared() const { return sequence_->stepper().prepared(); }
  World& world() { return sequence_->stepper().world(); }
  const World& world() const { return sequence_->stepper().world(); }
  const RunTally& tally() const { return sequence_->stepper().tally; }
  /// Returns the current scene.
  const Scene& scene() const { return sequence_->stepper().scene(); }
  const StepClock& clock() const { return prepared().clock; }

  bool due(double interval, std::uint64_t step) const {
    return interval > 0 && clock().output_due({0, interval, 1e300}, step);
  }
  /// Checks whether a row of metrics is due; also whenever the stage may end.
  bool metrics_due(std::uint64_t step) const {
    return step == 0 || ends_at(step) || due(scene().metrics_interval, step);
  }
  bool ends_at(std::uint64_t step) const {
    return step == sequence_->end() || (step == world().step && sequence_->ended());
  }
  bool frame_due(const ScheduledObserver& o, std::uint64_t step) const {
    return clock().output_due(o.schedule, step) || (sequence_->last() && ends_at(step) && o.at_end);
  }
  /// Checks whether a frame is possible: if a metric may end the last stage, writers may have their last frame.
  bool frame_possible(const ScheduledObserver& o, std::uint64_t step) const {
    return frame_due(o, step) || (sequence_->last() && sequence_->look_due(step) && o.at_end);
  }
  Wanted wanted(std::uint64_t step) const {
    const bool row = metrics_due(step) || sequence_->look_due(step);
    Wanted wanted{.contacts = row && sequence_->metrics().unbalanced, .energies = row, .forces = row};
    for (const auto& o : prepared().observers) {
      if (!frame_possible(o, step)) continue;
      wanted.forces = true;
      wanted.contacts = wanted.contacts || o.observer->wants_contacts();
    }
    return wanted;
  }
  bool snapshot_due(std::uint64_t step) const { return (step - first_step_) % kSnapshotSteps == kSnapshotSteps - 1; }
  bool checkpoint_due(std::uint64_t step) const { return step > first_step_ && due(scene().checkpoint_interval, step); }
  /// Returns the next step after which there is something to do besides steps.
  std::uint64_t next_look(std::uint64_t step) const {
    do ++step;
    while (step < sequence_->end() && !wanted(step).any() && !checkpoint_due(step) && !snapshot_due(step));
    return step;
  }
  /// Number of times that an observer was called by its schedule, which is the number of its next frame. It goes into
  /// checkpoints: a resumed run continues with the same numbers, also with another schedule.
  std::uint64_t& frames_of(std::size_t observer) { return stepper().tally.frames[frames_key(prepared(), observer)]; }

  void start() {
    // Walls that a resumed run lost before the checkpoint keep their columns.
    metrics_.emplace(prepared(), sequence_->metrics());
    const bool resumed = !options_.resume.empty();
    if (resumed) {
      changes_ = sequence_->resume(options_.resume);
      refuse_past_the_end();
    } else {
      stepper().begin(wanted(0));
    }
    ready_observers();
    claim_folder(resumed ? std::optional(world().time) : std::nullopt);
    first_step_ = world().step;
    renew_last_good();
  }

  /// Refuses to resume past the end: frames after the checkpoint would be deleted, and none written in their place.
  void refuse_past_the_end() const {
    const std::uint64_t end = sequence_->end();
    if (!sequence_->last() || world().step <= end) return;
    throw InputError(
        fmt::format("{}: is of step {} (t = {:.6g} s), and the run ends after step {} (t = {:.6g} s). Let the run end "
                    "later ({}), or name an older checkpoint.",
                    options_.resume, world().step, world().time, end, clock().time_at(end),
                    sequence_->staged() ? "/stages" : "/run/duration"));
  }

  /// Claims the output folder. Everything that may still refuse the run comes before the first file that is changed.
  void claim_folder(std::optional<double> resumed_at) {
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

  void ready_observers() { stepper().ready_observers(longest_duration(scene_, clock().dt)); }

  void open_observers() {
    for (auto& o : prepared().observers) o.observer->open(out_.string());
  }

  /// Writes frames up to now to disk before anything else refers to them.
  void flush_observers() {
    for (auto& o : prepared().observers) o.observer->flush();
  }

  void resume_observers() {
    for (std::size_t i = 0; i < prepared().observers.size(); ++i)
      prepared().observers[i].observer->resume(frames_of(i) + (has_end_frame(i) ? 1 : 0));
  }

  /// Checks whether a frame of the end, which is in no schedule, was written before the checkpoint, and the run ends
  /// there.
  bool has_end_frame(std::size_t observer) const {
    const ScheduledObserver& o = prepared().observers[observer];
    return finished() && tally().shown_end == world().step && o.at_end && !clock().output_due(o.schedule, world().step);
  }

  /// Begins the next stage where this one ended, in the same files.
  void enter_next_stage(Progress& progress) {
    tell_stage_end(progress);
    const std::vector<std::string> told = prepared().warnings;
    flush_observers();
    const std::set<std::string> known = observer_names();
    const std::vector<std::string> changes = sequence_->next(states_of(prepared(), true));
    for (const std::string& change : changes)
      if (!options_.quiet) progress.note("  " + change);
    for (const std::string& warning : prepared().warnings)
      if (std::ranges::find(told, warning) == told.end()) progress.note("warning: " + warning);
    ready_observers();
    open_observers();
    resume_observers();
    show_first_frames(known);
    begin_part(progress);
  }

  std::set<std::string> observer_names() const {
    std::set<std::string> names;
    for (std::size_t i = 0; i < prepared().observers.size(); ++i) names.insert(frames_key(prepared(), i));
    return names;
  }

  /// Shows observers that came with the stage its first moment, if it is theirs. Those that are called once have no
  /// other, unless their time is still to come.
  void show_first_frames(const std::set<std::string>& known) {
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

  void begin_part(Progress& progress) {
    if (!sequence_->staged()) return;
    const std::uint64_t first = stepper().stage.first_step;
    progress.begin_part(fmt::format("{} ({}/{})", sequence_->name(), sequence_->number() + 1, sequence_->count()),
                        first, sequence_->end() - first, clock().time_at(sequence_->end()));
  }

  void tell_stage_end(Progress& progress) {
    const StageRecord record = sequence_->records().back();
    const bool missed = record.ended.starts_with("limit");
    if (options_.quiet && !missed) return;
    progress.note(fmt::format("{}stage \"{}\" ended after {} steps, at t = {:.6g} s: {}", missed ? "warning: " : "",
                              record.name, record.steps, record.end, record.ended));
  }

  /// Calls everything that needs the state after a step. The row of metrics comes before the checkpoint of the same
  /// moment.
  void observe() {
    const double begin = clock_seconds();
    const std::uint64_t step = world().step;
    stepper().moment = "after";
    auto observation = step > first_step_ ? stepper().observe(wanted(step)) : nullptr;
    const bool look = step > first_step_ && sequence_->look_due(step);
    if (look) look_at_stage();
    show_frames(step);
    if (metrics_due(step)) append_metrics();
    if (sequence_->last() && ends_at(step)) stepper().tally.shown_end = step;
    if (step > first_step_) stepper().tally.last_overlap = stepper().engine().totals().max_overlap;
    observation.reset();
    const bool stage_end = sequence_->staged() && sequence_->ended();
    const bool checkpoint = checkpoint_due(step) || (stage_end && step > first_step_);
    if (checkpoint || snapshot_due(step)) {
      renew_last_good();
      if (checkpoint) write_last_good(stage_end);
    }
    output_seconds_ += clock_seconds() - begin;
  }

  /// Checks the end of a stage. If it ends the run, that is in the last row and in a checkpoint: the run can resume
  /// from there with another limit.
  void look_at_stage() {
    metrics_->note(prepared());
    try {
      sequence_->look(*metrics_);
    } catch (const NumericalError&) {
      append_metrics();
      renew_last_good();
      throw;
    }
  }

  /// Checks again after a resume from the end of a stage that missed its limit.
  void look_again() {
    const auto observation = stepper().observe({.contacts = true, .energies = true, .forces = true}, true);
    look_at_stage();
  }

  /// Writes the last frame and row of this moment, after a resume at the end of a run that went on from there.
  void show_end() {
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

  void show_frames(std::uint64_t step) {
    for (std::size_t i = 0; i < prepared().observers.size(); ++i) {
      const ScheduledObserver& o = prepared().observers[i];
      if (!frame_due(o, step)) continue;
      show_frame(i);
      if (clock().output_due(o.schedule, step)) ++frames_of(i);  // a run that ends later has no frame of this end
    }
  }

  void show_frame(std::size_t observer) {
    Observer& o = *prepared().observers[observer].observer;
    const bool contacts = o.wants_contacts();
    const ContactView view = contacts ? stepper().engine().contacts() : ContactView{};
    o.observe(world(), contacts ? &view : nullptr,
              {frames_of(observer), world().step, world().time, [this] { return stepper().engine().bond_values(); },
               [this] { return grid_images(); }});
  }

  std::vector<GridImage> grid_images() {
    const auto* const integrator = prepared().methods.integrator.get();
    return integrator ? integrator->grid_images() : std::vector<GridImage>{};
  }

  /// Appends a row of metrics. \throws NumericalError for an energy that is no number: bodies may still be inside the
  /// domain
  void append_metrics() {
    metrics_->note(prepared());
    if (metrics_file_ && metrics_->columns() != metrics_file_->columns())
      metrics_file_->set_columns(metrics_->columns());
    const std::vector<double>& row = metrics_->row(prepared(), sequence_->number());
    for (std::size_t k = 0; k < row.size() && world().step > 0; ++k)
      if (!std::isfinite(row[k]) && metrics_->columns()[k].find("energy") != std::string::npos)
        throw NumericalError(fmt::format("{} became {}: masses, positions or velocities are beyond what numbers hold.",
                                         metrics_->columns()[k], row[k]));
    if (metrics_file_) metrics_file_->append(row);
  }

  /// Checks metrics: no checkpoint would be taken with NaN. \throws NumericalError for a metric that is no number
  void require_numbers() const {
    for (const auto& [name, value] : world().metrics())
      if (std::isnan(value))
        throw NumericalError(fmt::format("{} became NaN: look at the method that tells it, and its input.", name));
  }

  /// Takes the last good state. It counts the frames so far: if one of them were lost, a resumed run would not write it
  /// again.
  void renew_last_good() {
    flush_observers();
    compare_states(world(), ranks_);
    require_numbers();
    MethodStates states = states_of(prepared(), true);  // first: a method may throw
    last_good_.reset();                                 // before there is another: two at a time would be much memory
    give_back_freed_memory();
    last_good_ = stepper().snapshot(std::move(states));
    if (!ranks_.first()) last_good_.reset();  // it was made because all ranks make it together
  }

  /// Writes the last good state, on the first rank.
  fs::path write_last_good(bool keep = false) {
    return ranks_.first() ? write_checkpoint(*last_good_, keep) : fs::path();
  }

  /// Writes a checkpoint. \param keep  true to keep it permanently, beside the last few
  fs::path write_checkpoint(const Snapshot& snapshot, bool keep = false) {
    prepare_subfolder(out_ / "checkpoints");
    const fs::path file = out_ / "checkpoints" / fmt::format("checkpoint_{:09}.h5", snapshot.step);
    scree::write_checkpoint(file, snapshot, sequence_->identity());
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

  /// Makes the steps. \return the checkpoint, if the run was interrupted
  fs::path do_steps(const Interruption& interruption, Progress& progress) {
    if (options_.resume.empty()) observe();
    if (finished() && tally().shown_end != world().step) show_end();
    if (!sequence_->ended() && !finished() && world().step >= sequence_->end()) look_again();
    const auto pause = [&] {
      progress.update(world().step, world().time);
      return stop_requested(interruption);
    };
    while (!finished() && !stop_requested(interruption)) {
      if (sequence_->ended()) enter_next_stage(progress);
      const std::uint64_t next = next_look(world().step);
      stepper().advance(next - world().step, wanted(next), pause);
      observe();
    }
    if (!finished()) {
      renew_last_good();
      if (interruption.processor_time_is_over())
        throw IoError("the processor time that this process may take (ulimit -t) is over. Resume it with more.");
      return write_last_good();
    }
    const double begin = clock_seconds();
    flush_observers();
    output_seconds_ += clock_seconds() - begin;
    return {};
  }

  /// Checks whether to stop. Ranks stop after the same step: a signal to one is sent to all with the contacts of the
  /// next step.
  bool stop_requested(const Interruption& interruption) {
    if (ranks_.one()) return interruption.requested();
    if (interruption.requested()) ranks_.ask_to_stop();
    return ranks_.stopping();
  }

  /// Calls f(); anything it throws goes through fail(). An input error after step 1 is not the user's fault.
  template <class F>
  auto saved_from_failure(const F& f) -> decltype(f()) {
    try {
      return f();
    } catch (const NumericalError& e) {
      fail<NumericalError>(e.what());
    } catch (const IoError& e) {
      fail<IoError>(e.what());
    } catch (const std::system_error& e) {  // also errors of files
      fail<IoError>(e.what());
    } catch (const std::exception& e) {
      if (!options_.resume.empty() && world().step <= first_step_)
        fail<IoError>(fmt::format("{} No step was made since {}: that checkpoint may not be of this scene's run.",
                                  e.what(), options_.resume));
      fail<InternalError>(e.what());
    } catch (...) {
      fail<InternalError>("an exception was thrown that is no std::exception.");
    }
  }

  /// Returns the size of all results of this run and its observers in the folder, as text: "43.1 MB".
  std::string size_of_results() {
    std::vector<std::string> names = names_;
    names.insert(names.end(), {"checkpoints", scene_file_.empty() ? "scene.json" : scene_file_});
    return bytes_text(bytes_of(out_, names));
  }

  bool finished() const { return sequence_->over() || (!sequence_->staged() && world().step >= sequence_->end()); }

  std::string how_to_go_on(const fs::path& checkpoint) const {
    return fmt::format("The results so far are in {}. To resume from there:\n  {} --resume {}", out_.string(),
                       options_.command, quoted_for_shell(checkpoint.string()));
  }

  void tell_overlap(Progress& progress) const {
    const double ratio = tally().max_overlap / prepared().smallest_radius;
    if (ratio <= kNotableOverlap) return;
    progress.note(
        fmt::format("warning: largest overlap {:.0f} % of the smallest body's radius ({:.3g} m) at t = {:.4g} s. "
                    "Where stiff bodies are meant, raise the stiffness or lower /integrator/dt.",
                    100 * ratio, tally().max_overlap, tally().max_overlap_time));
  }

  void tell_haste(Progress& progress) const {
    const HastyContact& c = tally().hasty;
    if (c.duration == 0) return;
    progress.note(
        fmt::format("warning: body {:.0f} and body {:.0f} touched at {:.0f} {} at once at t = {:.4g} s. Such a contact "
                    "lasts {:.2g} s, {:.2g} steps: its restitution is not resolved. Lower /integrator/dt to {:.2g} s "
                    "or less.",
                    c.body_a, c.body_b, c.at_once, c.at_once > 1 ? "places" : "place", c.time, c.duration,
                    c.duration / clock().dt, c.duration / 10));
  }

  void tell_fast_body(Progress& progress) {
    const auto& fast = stepper().fast_body;
    if (!fast) return;
    progress.note(
        fmt::format("warning: body {} went {:.3g} m in one step at t = {:.4g} s, farther than its diameter of "
                    "{:.3g} m: it can have passed through walls and others between two steps. Lower "
                    "/integrator/dt to {:.2g} s or less.",
                    fast->id, fast->way, stepper().fast_body_time, fast->diameter, step_for(*fast, clock().dt)));
  }

  /// Ends a run that failed: saves what can be saved, and reports the rest. \throws E
  template <class E>
  [[noreturn]] void fail(const std::string& what) {
    const std::string_view moment = stepper().moment;
    const std::uint64_t step = world().step + (moment == "after" ? 0 : 1);
    const double time = world().time + (moment == "in" ? clock().dt : 0);
    const std::string when = fmt::format("{} step {} (time {:.6g} s)", moment, step, time);
    const bool told = what.find(when) != std::string::npos;
    const std::string reason =
        fmt::format("{}{}{}", what, what.ends_with('.') ? "" : ".", told ? "" : " This was " + when + ".");
    if (!ranks_.first()) throw E(reason);
    throw E(reason +
            attempt("finish the frames",
                    [&] {
                      flush_observers();
                      return std::string();
                    }) +
            attempt("save a checkpoint", [&] { return save_last_good(); }) + attempt("write summary.json", [&] {
              summarise("failed", reason);
              return std::string();
            }));
  }

  /// Returns the text of f(), or the reason of its failure: when a run ends, one failure must not hide another.
  template <class F>
  static std::string attempt(const char* what, const F& f) {
    try {
      return f();
    } catch (const std::exception& e) {
      return fmt::format(" Could not {}: {}", what, e.what());
    }
  }

  std::string save_last_good() {
    if (!last_good_) return " No state of before was left in memory that could be saved.";
    const fs::path file = write_checkpoint(*last_good_);
    if (!options_.quiet) tell(stderr, how_to_go_on(file) + "\n");
    return fmt::format(" The state of step {} (time {:.6g} s) was saved in {}.", last_good_->step, last_good_->time,
                       file.string());
  }

  void summarise(const std::string& status, const std::string& reason = "") {
    if (!ranks_.first()) return;
    wall_seconds_ = clock_seconds() - begin_;
    const Totals t = totals(world(), stepper().gravity());
    const double steps = std::max<double>(1, static_cast<double>(world().step));
    Summary s;
    s.scene = scene_.name;
    s.status = status;
    s.reason = reason;
    s.steps = world().step;
    s.simulated_time = world().time;
    s.dt = clock().dt;
    s.wall_seconds = wall_seconds_;
    s.stage_seconds = stepper().seconds();
    s.stage_seconds.output = output_seconds_;
    s.bodies = count_free_bodies(world());
    s.particle_steps_per_second = wall_seconds_ > 0 ? stepper().body_steps / wall_seconds_ : 0;
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
    s.sharing = sharing_;
    s.device = options_.device;
    s.state_hash = fmt::format("{:016x}", state_hash(world()));
    s.version = SCREE_VERSION;
    s.plugins = prepared().plugins.all;
    s.stages = sequence_->records();
    s.changes = changes_;
    write_summary(out_ / "summary.json", s);
  }

  const Scene& scene_;
  const RunOptions& options_;
  Ranks& ranks_ = current_ranks();
  std::vector<DryRunStage> stages_;
  std::unique_ptr<StageSequence> sequence_;
  std::vector<std::string> changes_;  ///< changes of the scene since the checkpoint
  std::uint64_t first_step_ = 0;
  fs::path out_;
  std::optional<OutputFolder> folder_;
  std::vector<std::string> names_;  ///< names of the run's and its observers' results in the folder
  std::string scene_file_;          ///< name of the resolved scene if it is not scene.json
  std::optional<Metrics> metrics_;
  std::optional<MetricsWriter> metrics_file_;
  std::optional<Snapshot> last_good_;
  std::vector<fs::path> checkpoints_;
  double begin_ = 0, wall_seconds_ = 0, output_seconds_ = 0;
  Summary::Sharing sharing_;
};

}  // namespace

RunStatus run_simulation(const Scene& scene, const Registry& registry, const RunOptions& options) {
  const ThreadCount scope(options.threads);
  return Run(scene, registry, options).run();
}

}  // namespace scree
