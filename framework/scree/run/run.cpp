#include "scree/run/run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>

#include "scree/base/clock.hpp"
#include "scree/base/internal_error.hpp"
#include "scree/base/tell.hpp"
#include "scree/base/version.hpp"
#include "scree/output/atomic_file.hpp"
#include "scree/output/metrics.hpp"
#include "scree/output/output_folder.hpp"
#include "scree/output/progress.hpp"
#include "scree/run/checkpoint.hpp"
#include "scree/run/figures.hpp"
#include "scree/run/interruption.hpp"
#include "scree/run/process.hpp"
#include "scree/run/stepper.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

/// A copy of the last good state is kept this often, to be written when a step breaks down.
constexpr std::uint64_t kSnapshotSteps = 500;

/// A largest overlap of more than this part of the smallest body's radius is told at the end.
constexpr double kNotableOverlap = 0.1;

/// Checkpoints kept on disk; older ones are removed.
constexpr std::size_t kCheckpointsKept = 3;

/// What a plugin does against its interface before the first step is told as the input it makes useless.
template <class F>
auto before_first_step(const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const InternalError& e) {
    throw InputError(e.what());
  } catch (const NumericalError& e) {
    throw InputError(e.what());
  }
}

/// One run, from a prepared scene to its last file.
class Run {
 public:
  Run(const Scene& scene, const Registry& registry, const RunOptions& options)
      : scene_(scene),
        options_(options),
        stepper_(before_first_step([&] {
          auto stepper = std::make_unique<Stepper>(scene, registry, options.device);
          rehearse_observers(scene, registry, stepper->prepared());
          return stepper;
        })),
        prepared_(stepper_->prepared()),
        tally_(stepper_->tally),
        world_(stepper_->world()),
        steps_(static_cast<std::uint64_t>(std::llround(scene.duration / scene.dt))),
        out_(options.out.empty() ? fs::path("out") / scene.name : fs::path(options.out)) {}

  RunStatus run() {
    before_first_step([&] { start(); });
    begin_ = clock_seconds();
    const Interruption interruption;
    Progress progress(steps_, scene_.duration, world_.step, progress_style(options_.quiet));
    for (const std::string& warning : prepared_.warnings) progress.note("warning: " + warning);
    if (folder_->used() && options_.resume.empty() && !options_.quiet)
      progress.note(fmt::format("The results of an earlier run in {} are replaced.", out_.string()));
    if (!scene_file_.empty())
      progress.note(fmt::format("warning: {} is not as a run left it, and stays; the scene as resolved is in {}.",
                                (out_ / "scene.json").string(), scene_file_));
    const fs::path checkpoint = saved_from_failure([&] { return do_steps(interruption, progress); });
    const bool finished = world_.step >= steps_;
    progress.finish(world_.step, world_.time);
    summarise(finished ? "completed" : "interrupted");
    tell_overlap(progress);
    if (!options_.quiet)
      progress.note(finished ? fmt::format("The results are in {}.", out_.string())
                             : fmt::format("Interrupted after step {}. {}", world_.step, how_to_go_on(checkpoint)));
    return finished ? RunStatus::finished : RunStatus::interrupted;
  }

 private:
  static bool due(double interval, double dt, std::uint64_t step) {
    return interval > 0 && Schedule{0, interval, 1e300}.due(step, dt);
  }
  bool metrics_due(std::uint64_t step) const {
    return step == 0 || step == steps_ || due(scene_.metrics_interval, scene_.dt, step);
  }
  bool frame_due(const ScheduledObserver& o, std::uint64_t step) const {
    return o.schedule.due(step, scene_.dt) || (step == steps_ && o.at_end);
  }
  Wanted wanted(std::uint64_t step) const {
    Wanted wanted{.energies = metrics_due(step), .forces = metrics_due(step)};
    for (const auto& o : prepared_.observers) {
      if (!frame_due(o, step)) continue;
      wanted.forces = true;
      wanted.contacts = wanted.contacts || o.observer->wants_contacts();
    }
    return wanted;
  }
  bool snapshot_due(std::uint64_t step) const { return (step - first_step_) % kSnapshotSteps == kSnapshotSteps - 1; }
  bool checkpoint_due(std::uint64_t step) const {
    return step > first_step_ && due(scene_.checkpoint_interval, scene_.dt, step);
  }
  /// The next step after which there is something to do but steps.
  std::uint64_t next_look(std::uint64_t step) const {
    do ++step;
    while (step < steps_ && !wanted(step).any() && !checkpoint_due(step) && !snapshot_due(step));
    return step;
  }
  /// How often an observer was called by its schedule, which is the number of its next frame. It goes into checkpoints:
  /// a resumed run goes on with the same numbers, also where its schedule is another.
  std::uint64_t& frames_of(std::size_t observer) { return tally_.frames[frames_key(prepared_, observer)]; }

  void start() {
    figures_.emplace(prepared_);  // walls that a resumed run lost before the checkpoint keep their columns
    const bool resumed = !options_.resume.empty();
    if (resumed)
      stepper_->resume(options_.resume);
    else
      stepper_->begin(wanted(0));
    claim_folder(resumed ? std::optional(world_.time) : std::nullopt);
    first_step_ = world_.step;
    renew_last_good();
  }

  /// Everything that may still refuse the run comes before the first file that is changed.
  void claim_folder(std::optional<double> resumed_at) {
    std::vector<std::string> names = {"metrics.csv", "summary.json"};
    for (const auto& o : prepared_.observers) std::ranges::copy(o.observer->files(), std::back_inserter(names));
    folder_.emplace(out_, names);
    for (auto& o : prepared_.observers) o.observer->begin(world_, out_.string());
    figures_->note(prepared_);
    metrics_.emplace(out_ / "metrics.csv", figures_->columns(), resumed_at);
    folder_->keep();
    std::error_code ignored;  // that of an earlier run is none of this one's
    fs::remove(out_ / "summary.json", ignored);
    if (const std::string name = folder_->write_scene(with_plugins(scene_.resolved, prepared_.plugins.all));
        name != "scene.json")
      scene_file_ = name;
    if (!resumed_at) return;
    for (std::size_t i = 0; i < prepared_.observers.size(); ++i) prepared_.observers[i].observer->resume(frames_of(i));
    stepper_->load_observers();
  }

  /// Everything that looks at the state after a step. The row of metrics comes before the checkpoint of the same
  /// moment.
  void observe() {
    const double begin = clock_seconds();
    const std::uint64_t step = world_.step;
    stepper_->moment = "after";
    auto observation = step > first_step_ ? stepper_->observe(wanted(step)) : nullptr;
    for (std::size_t i = 0; i < prepared_.observers.size(); ++i) {
      const ScheduledObserver& o = prepared_.observers[i];
      if (!frame_due(o, step)) continue;
      const bool contacts = o.observer->wants_contacts();
      const ContactView view = contacts ? stepper_->engine().contacts() : ContactView{};
      std::uint64_t& frames = frames_of(i);
      o.observer->observe(world_, contacts ? &view : nullptr, {frames, step, world_.time});
      if (o.schedule.due(step, scene_.dt)) ++frames;  // a run that ends later has no frame of this end
    }
    if (metrics_due(step)) append_metrics();
    if (step > first_step_) tally_.last_overlap = stepper_->engine().totals().max_overlap;
    observation.reset();
    const bool checkpoint = checkpoint_due(step);
    if (checkpoint || snapshot_due(step)) {
      renew_last_good();
      if (checkpoint) write_checkpoint(*last_good_);
    }
    output_seconds_ += clock_seconds() - begin;
  }

  /// \throws NumericalError for an energy that is no number: bodies may still be where they may be
  void append_metrics() {
    if (figures_->note(prepared_)) metrics_->set_columns(figures_->columns());
    const std::vector<double>& row = figures_->row(prepared_);
    for (std::size_t k = 0; k < row.size() && world_.step > 0; ++k)
      if (!std::isfinite(row[k]) && figures_->columns()[k].find("energy") != std::string::npos)
        throw NumericalError(fmt::format("{} became {}: masses, positions or velocities are beyond what numbers hold.",
                                         figures_->columns()[k], row[k]));
    metrics_->append(row);
  }

  void renew_last_good() {
    MethodStates states = states_of(prepared_, true);  // first: a method may throw
    last_good_.reset();                                // before there is another: two at a time would be much memory
    give_back_freed_memory();
    last_good_ = stepper_->snapshot(std::move(states));
  }

  fs::path write_checkpoint(const Snapshot& snapshot) {
    prepare_subfolder(out_ / "checkpoints");
    const fs::path file = out_ / "checkpoints" / fmt::format("checkpoint_{:09}.h5", snapshot.step);
    scree::write_checkpoint(file, snapshot, stepper_->identity());
    std::erase(checkpoints_, file);
    checkpoints_.push_back(file);
    if (checkpoints_.size() > kCheckpointsKept) {
      std::error_code ignored;
      fs::remove(checkpoints_.front(), ignored);
      checkpoints_.erase(checkpoints_.begin());
    }
    return file;
  }

  /// \return the checkpoint, where the run was interrupted
  fs::path do_steps(const Interruption& interruption, Progress& progress) {
    if (options_.resume.empty()) observe();
    const auto pause = [&] {
      progress.update(world_.step, world_.time);
      return interruption.requested();
    };
    while (world_.step < steps_ && !interruption.requested()) {
      const std::uint64_t next = next_look(world_.step);
      stepper_->advance(next - world_.step, wanted(next), pause);
      observe();
    }
    if (world_.step >= steps_) return {};
    renew_last_good();
    return write_checkpoint(*last_good_);
  }

  /// Calls f(); whatever it throws goes through fail(). An input can be no more at fault than it was before step 1.
  template <class F>
  auto saved_from_failure(const F& f) -> decltype(f()) {
    try {
      return f();
    } catch (const NumericalError& e) {
      fail<NumericalError>(e.what());
    } catch (const IoError& e) {
      fail<IoError>(e.what());
    } catch (const std::system_error& e) {  // also of files
      fail<IoError>(e.what());
    } catch (const std::exception& e) {
      fail<InternalError>(e.what());
    } catch (...) {
      fail<InternalError>("an exception was thrown that is no std::exception.");
    }
  }

  std::string how_to_go_on(const fs::path& checkpoint) const {
    return fmt::format("The results so far are in {}. To go on from there:\n  {} --resume {}", out_.string(),
                       options_.command, quoted_for_shell(checkpoint.string()));
  }

  void tell_overlap(Progress& progress) const {
    const double ratio = tally_.max_overlap / prepared_.smallest_radius;
    if (ratio <= kNotableOverlap) return;
    progress.note(
        fmt::format("warning: largest overlap {:.0f} % of the smallest body's radius ({:.3g} m) at t = {:.4g} s. "
                    "Where stiff bodies are meant, raise the stiffness or lower /integrator/dt.",
                    100 * ratio, tally_.max_overlap, tally_.max_overlap_time));
  }

  /// Ends a run that broke down: saves what can be saved, and tells what cannot. \throws E
  template <class E>
  [[noreturn]] void fail(const std::string& what) {
    const std::uint64_t step = world_.step + (stepper_->moment == "after" ? 0 : 1);
    const double time = world_.time + (stepper_->moment == "in" ? scene_.dt : 0);
    const std::string when = fmt::format("{} step {} (time {:.6g} s)", stepper_->moment, step, time);
    const bool told = what.find(when) != std::string::npos;
    const std::string reason =
        fmt::format("{}{}{}", what, what.ends_with('.') ? "" : ".", told ? "" : " This was " + when + ".");
    throw E(reason + attempt("save a checkpoint", [&] { return save_last_good(); }) +
            attempt("write summary.json", [&] {
              summarise("failed", reason);
              return std::string();
            }));
  }

  /// What f() says, or why it failed: when a run ends, one failure must not hide another.
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
    wall_seconds_ = clock_seconds() - begin_;
    const Totals t = totals(world_, stepper_->gravity());
    const double steps = std::max<double>(1, static_cast<double>(world_.step));
    Summary s;
    s.scene = scene_.name;
    s.status = status;
    s.reason = reason;
    s.steps = world_.step;
    s.simulated_time = world_.time;
    s.wall_seconds = wall_seconds_;
    s.stage_seconds = stepper_->engine().seconds();
    s.stage_seconds.output = output_seconds_;
    s.bodies = t.dynamic_bodies;
    s.particle_steps_per_second = wall_seconds_ > 0 ? stepper_->body_steps / wall_seconds_ : 0;
    s.candidate_pairs_mean = tally_.candidate_pairs / steps;
    s.touching_pairs_mean = tally_.touching_pairs / steps;
    s.contacts_mean = tally_.contacts / steps;
    s.history_hits_mean = tally_.history_hits / steps;
    s.rebuilds = tally_.rebuilds;
    s.max_overlap_ratio = tally_.last_overlap / prepared_.smallest_radius;
    s.peak_overlap_ratio = tally_.max_overlap / prepared_.smallest_radius;
    s.kinetic_energy_initial = tally_.kinetic_initial;
    s.kinetic_energy_final = t.kinetic();
    s.energy_drift = t.kinetic() + t.potential - tally_.energy_initial;
    s.momentum = t.momentum;
    s.figures = world_.figures();
    s.threads = omp_get_max_threads();
    s.device = options_.device;
    s.state_hash = fmt::format("{:016x}", state_hash(world_));
    s.version = SCREE_VERSION;
    s.plugins = prepared_.plugins.all;
    write_summary(out_ / "summary.json", s);
  }

  const Scene& scene_;
  const RunOptions& options_;
  std::unique_ptr<Stepper> stepper_;
  Prepared& prepared_;
  RunTally& tally_;
  World& world_;
  std::uint64_t steps_, first_step_ = 0;
  fs::path out_;
  std::optional<OutputFolder> folder_;
  std::string scene_file_;  ///< the name of the resolved scene where it is another than scene.json
  std::optional<Figures> figures_;
  std::optional<MetricsWriter> metrics_;
  std::optional<Snapshot> last_good_;
  std::vector<fs::path> checkpoints_;
  double begin_ = 0, wall_seconds_ = 0, output_seconds_ = 0;
};

}  // namespace

RunStatus run_simulation(const Scene& scene, const Registry& registry, const RunOptions& options) {
  const ThreadCount scope(options.threads);
  return Run(scene, registry, options).run();
}

std::string check_simulation(const Scene& scene, const Registry& registry) {
  const auto made = before_first_step([&] { return prepare(scene, registry); });
  Prepared& prepared = *made;
  before_first_step([&] {
    rehearse_observers(scene, registry, prepared);
    check_initial_overlaps(scene, prepared);
  });
  const Totals t = totals(*prepared.world, gravity_at(prepared.methods.environment, 0));
  std::string text =
      fmt::format("{}: {} moving bodies ({:.6g} kg) and {} walls, {} steps of {:.4g} s\n", scene.name, t.dynamic_bodies,
                  t.mass, prepared.world->size() - t.dynamic_bodies, std::llround(scene.duration / scene.dt), scene.dt);
  for (const std::string& warning : prepared.warnings) text += "warning: " + warning + "\n";
  return text;
}

}  // namespace scree
