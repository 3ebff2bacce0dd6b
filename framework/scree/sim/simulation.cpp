#include "scree/sim/simulation.hpp"

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
#include "scree/sim/checkpoint.hpp"
#include "scree/sim/figures.hpp"
#include "scree/sim/interruption.hpp"
#include "scree/sim/process.hpp"
#include "scree/sim/setup.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

/// A copy of the last good state is kept this often, to be written when a step breaks down.
constexpr std::uint64_t kSnapshotSteps = 500;

/// A largest overlap of more than this part of the smallest body's radius is told at the end.
constexpr double kNotableOverlap = 0.1;

/// Checkpoints kept on disk; older ones are removed.
constexpr std::size_t kCheckpointsKept = 3;

void require_cpu(const std::string& device) {
  if (device == "cpu") return;
  if (device == "cuda")
    throw InputError("--device cuda: this scree was built without the CUDA backend. Use --device cpu.");
  throw InputError(fmt::format("--device {}: unknown device. Allowed: cpu, cuda.", device));
}

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
class Simulation {
 public:
  Simulation(const Scene& scene, const Registry& registry, const RunOptions& options)
      : scene_(scene),
        options_(options),
        identity_(identity_of(scene)),
        prepared_(before_first_step([&] { return prepare(scene, registry); })),
        world_(*prepared_.world),
        mechanics_(*prepared_.mechanics),
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
  bool looked_at(std::uint64_t step) const {
    return metrics_due(step) || contacts_wanted(step) ||
           std::ranges::any_of(prepared_.observers, [&](const auto& o) { return frame_due(o, step); });
  }
  bool contacts_wanted(std::uint64_t step) const {
    for (const auto& o : prepared_.observers)
      if (o.observer->wants_contacts() && frame_due(o, step)) return true;
    for (const auto& m : prepared_.modifiers)
      if (m.modifier->wants_contacts() && m.schedule.due(step, scene_.dt)) return true;
    return false;
  }
  /// How often an observer was called by its schedule, which is the number of its next frame. It goes into checkpoints:
  /// a resumed run goes on with the same numbers, also where its schedule is another.
  std::uint64_t& frames_of(std::size_t observer) {
    const auto& all = prepared_.observers;
    const auto before = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(observer),
                                      [&](const auto& o) { return o.name == all[observer].name; });
    return tally_.frames[before == 0 ? all[observer].name : fmt::format("{} {}", all[observer].name, before + 1)];
  }

  Vec3 gravity() const { return gravity_at(prepared_.methods.environment, world_.time); }

  /// Nothing is changed before all of the checkpoint was judged.
  Snapshot read_resumed() {
    Snapshot resumed = read_checkpoint(options_.resume, identity_);
    for (std::string& warning : compare_plugins(options_.resume, resumed, prepared_))
      prepared_.warnings.push_back(std::move(warning));
    check_snapshot(options_.resume, resumed, prepared_);
    if (resumed.time != static_cast<double>(resumed.step) * scene_.dt)
      throw IoError(fmt::format("{}: attribute \"time\" is {} s, but step {} ends at {} s. The checkpoint is damaged.",
                                options_.resume, resumed.time, resumed.step,
                                static_cast<double>(resumed.step) * scene_.dt));
    return resumed;
  }

  void start() {
    std::optional<Snapshot> resumed;
    figures_.emplace(prepared_);  // walls that a resumed run lost before the checkpoint keep their columns
    if (!options_.resume.empty()) {
      resumed = read_resumed();
      restore(*resumed, prepared_);
      tally_ = resumed->tally;
      prepared_.mechanics->pipeline().rebuilds = tally_.rebuilds;
      const bool forces = prepared_.methods.integrator->traits().face == ForceFace::kName;
      if (forces && contacts_wanted(world_.step)) look_after_step(world_.step);
    } else {
      mechanics_.pipeline().keep_records = contacts_wanted(0);
      mechanics_.pipeline().compute_energy = true;
      check_initial_overlaps(scene_, prepared_);
      const Totals t = totals(world_, gravity());
      tally_.kinetic_initial = t.kinetic();
      tally_.energy_initial = t.kinetic() + t.potential;
    }
    claim_folder(resumed ? std::optional(resumed->time) : std::nullopt);
    first_step_ = world_.step;
    resumed.reset();
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
  }

  /// See HostMechanics::Sight.
  std::optional<HostMechanics::Sight> look_after_step(std::uint64_t step) {
    mechanics_.pipeline().keep_records = contacts_wanted(step);
    mechanics_.pipeline().compute_energy = metrics_due(step);
    return std::optional<HostMechanics::Sight>(std::in_place, mechanics_, scene_.dt);
  }

  void modify() {
    const std::uint64_t step = world_.step;
    moment_ = "before";
    for (auto& m : prepared_.modifiers) {
      if (!m.schedule.due(step, scene_.dt)) continue;
      const ContactView contacts = m.modifier->wants_contacts() ? mechanics_.pipeline().contact_view() : ContactView{};
      m.modifier->apply(world_, m.modifier->wants_contacts() ? &contacts : nullptr, mechanics_);
    }
    if (world_.edits().empty()) return;
    prepared_.methods.integrator->edited(world_, world_.take_edits());
    mechanics_.refresh();
  }

  void step() {
    const std::uint64_t next = world_.step + 1;
    moment_ = "in";
    ContactPipeline& pipeline = mechanics_.pipeline();
    const bool seen_later = mechanics_.needs_sight();
    pipeline.keep_records = !seen_later && contacts_wanted(next);
    pipeline.compute_energy = !seen_later && metrics_due(next);
    const StageSeconds& s = pipeline.seconds;
    const double elsewhere = s.grid + s.detect + s.law;
    const double begin = clock_seconds();
    prepared_.methods.integrator->step(mechanics_, scene_.dt);
    integrate_seconds_ += (clock_seconds() - begin) - (s.grid + s.detect + s.law - elsewhere);
    world_.step = next;
    world_.time = static_cast<double>(next) * scene_.dt;  // not summed: no drift, and equal after a resume

    const ContactTotals& c = pipeline.counts();
    tally_.candidate_pairs += static_cast<double>(c.candidate_pairs);
    tally_.touching_pairs += static_cast<double>(c.touching_pairs);
    tally_.contacts += static_cast<double>(c.contacts);
    tally_.history_hits += static_cast<double>(c.history_hits);
    if (c.max_overlap > tally_.max_overlap) {
      tally_.max_overlap = c.max_overlap;
      tally_.max_overlap_time = world_.time;
    }
    tally_.rebuilds = pipeline.rebuilds;
    body_steps_ += static_cast<double>(world_.size());
  }

  /// Everything that looks at the state after a step. The row of metrics comes before the checkpoint of the same
  /// moment.
  void observe() {
    const double begin = clock_seconds();
    const std::uint64_t step = world_.step;
    moment_ = "after";
    const bool seen_now = step > first_step_ && mechanics_.needs_sight() && looked_at(step);
    auto sight = seen_now ? look_after_step(step) : std::optional<HostMechanics::Sight>();
    for (std::size_t i = 0; i < prepared_.observers.size(); ++i) {
      const ScheduledObserver& o = prepared_.observers[i];
      if (!frame_due(o, step)) continue;
      const bool contacts = o.observer->wants_contacts();
      const ContactView view = contacts ? mechanics_.pipeline().contact_view() : ContactView{};
      std::uint64_t& frames = frames_of(i);
      o.observer->observe(world_, contacts ? &view : nullptr, {frames, step, world_.time});
      if (o.schedule.due(step, scene_.dt)) ++frames;  // a run that ends later has no frame of this end
    }
    if (metrics_due(step)) append_metrics();
    sight.reset();
    const bool checkpoint = step > first_step_ && due(scene_.checkpoint_interval, scene_.dt, step);
    if (checkpoint || (step - first_step_) % kSnapshotSteps == kSnapshotSteps - 1) {
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
    std::vector<std::vector<std::byte>> hooks = modifier_states(prepared_);  // first: a modifier may throw
    last_good_.reset();  // before there is another: two at a time would be much memory
    give_back_freed_memory();
    last_good_ = take_snapshot(prepared_, tally_, std::move(hooks));
  }

  fs::path write_checkpoint(const Snapshot& snapshot) {
    prepare_subfolder(out_ / "checkpoints");
    const fs::path file = out_ / "checkpoints" / fmt::format("checkpoint_{:09}.h5", snapshot.step);
    scree::write_checkpoint(file, snapshot, identity_);
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
    while (world_.step < steps_ && !interruption.requested()) {
      modify();
      step();
      observe();
      progress.update(world_.step, world_.time);
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
    const std::uint64_t step = world_.step + (moment_ == "after" ? 0 : 1);
    const double time = world_.time + (moment_ == "in" ? scene_.dt : 0);
    const std::string when = fmt::format("{} step {} (time {:.6g} s)", moment_, step, time);
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
    const Totals t = totals(world_, gravity());
    const double steps = std::max<double>(1, static_cast<double>(world_.step));
    Summary s;
    s.scene = scene_.name;
    s.status = status;
    s.reason = reason;
    s.steps = world_.step;
    s.simulated_time = world_.time;
    s.wall_seconds = wall_seconds_;
    s.stage_seconds = mechanics_.pipeline().seconds;
    s.stage_seconds.integrate = integrate_seconds_;
    s.stage_seconds.output = output_seconds_;
    s.bodies = t.dynamic_bodies;
    s.particle_steps_per_second = wall_seconds_ > 0 ? body_steps_ / wall_seconds_ : 0;
    s.candidate_pairs_mean = tally_.candidate_pairs / steps;
    s.touching_pairs_mean = tally_.touching_pairs / steps;
    s.contacts_mean = tally_.contacts / steps;
    s.history_hits_mean = tally_.history_hits / steps;
    s.rebuilds = tally_.rebuilds;
    s.max_overlap_ratio = mechanics_.pipeline().counts().max_overlap / prepared_.smallest_radius;
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
  RunIdentity identity_;  ///< before anything is made: files are as they were then
  Prepared prepared_;
  World& world_;
  HostMechanics& mechanics_;
  std::uint64_t steps_, first_step_ = 0;
  fs::path out_;
  std::optional<OutputFolder> folder_;
  std::string scene_file_;  ///< the name of the resolved scene where it is another than scene.json
  std::optional<Figures> figures_;
  std::optional<MetricsWriter> metrics_;
  RunTally tally_;
  std::optional<Snapshot> last_good_;
  std::string_view moment_ = "before";  ///< where the run is: "in" a step, "before" or "after" one
  std::vector<fs::path> checkpoints_;
  double begin_ = 0, wall_seconds_ = 0, integrate_seconds_ = 0, output_seconds_ = 0, body_steps_ = 0;
};

}  // namespace

RunStatus run_simulation(const Scene& scene, const Registry& registry, const RunOptions& options) {
  require_cpu(options.device);
  if (options.threads > 0) omp_set_num_threads(options.threads);
  return Simulation(scene, registry, options).run();
}

std::string check_simulation(const Scene& scene, const Registry& registry) {
  Prepared prepared = before_first_step([&] { return prepare(scene, registry); });
  before_first_step([&] { check_initial_overlaps(scene, prepared); });
  const Totals t = totals(*prepared.world, gravity_at(prepared.methods.environment, 0));
  std::string text =
      fmt::format("{}: {} moving bodies ({:.6g} kg) and {} walls, {} steps of {:.4g} s\n", scene.name, t.dynamic_bodies,
                  t.mass, prepared.world->size() - t.dynamic_bodies, std::llround(scene.duration / scene.dt), scene.dt);
  for (const std::string& warning : prepared.warnings) text += "warning: " + warning + "\n";
  return text;
}

}  // namespace scree
