#include "scree/run/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "scree/base/internal_error.hpp"
#include "scree/base/ranks.hpp"
#include "scree/base/tell.hpp"
#include "scree/output/progress.hpp"
#include "scree/run/detail/before_first_step.hpp"
#include "scree/run/interruption.hpp"
#include "scree/run/process.hpp"
#include "scree/run/rank_sharing.hpp"
#include "scree/run/recorder.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

/// Largest overlap over the smallest body's radius from which on it is reported at the end.
constexpr double kNotableOverlap = 0.1;

/// One run, from a prepared scene to its last file. Every rank has all bodies and makes all steps; only the first
/// writes files and messages.
class Run {
 public:
  Run(const Scene& scene, const Registry& registry, const RunOptions& options)
      : scene_(scene),
        options_(options),
        sequence_(before_first_step([&] { return std::make_unique<StageSequence>(scene, registry, options.device); })),
        recorder_(scene, *sequence_, before_first_step([&] {
                    return dry_run_stages(scene, registry, options.device, sequence_->stepper().prepared());
                  }),
                  options.out.empty() ? fs::path("out") / scene.name : fs::path(options.out), options.device) {}

  RunStatus run() {
    before_first_step([&] { recorder_.start(options_.resume); });
    const double waited = ranks_.seconds();
    const Interruption interruption(!ranks_.one());
    Progress progress(sequence_->end(), scene_.duration, world().step, progress_style(options_.quiet),
                      ranks_.first() ? stderr : nullptr);
    begin_part(progress);
    recorder_.tell({.warn = [&](const std::string& text) { progress.note("warning: " + text); },
                    .note =
                        [&](const std::string& text) {
                          if (!options_.quiet) progress.note(text);
                        },
                    .stage_begins = [&] { begin_part(progress); },
                    .saved =
                        [&](const fs::path& file) {
                          if (!options_.quiet) tell(stderr, how_to_go_on(file) + "\n");
                        }});
    if (!options_.quiet)
      for (const std::string& note : prepared().notes) progress.note("note: " + note);
    for (const std::string& warning : prepared().warnings) recorder_.warn(warning);
    if (!recorder_.changes().empty() && !options_.quiet)
      progress.note(
          fmt::format("The scene has changed since the checkpoint:\n  {}", fmt::join(recorder_.changes(), "\n  ")));
    if (recorder_.replaces() && options_.resume.empty() && !options_.quiet)
      progress.note(fmt::format("The results of an earlier run in {} are replaced.", out().string()));
    if (!recorder_.scene_file().empty())
      recorder_.warn(fmt::format("{} is not as a run left it, and stays; the scene as resolved is in {}.",
                                 (out() / "scene.json").string(), recorder_.scene_file()));
    Summary::Sharing sharing;
    const fs::path checkpoint = saved_from_failure([&] {
      fs::path last = do_steps(interruption, progress);
      sharing = compare_waiting(ranks_, ranks_.seconds() - waited);
      sharing.divided_steps = stepper().divided_steps;
      return last;
    });
    const bool done = recorder_.finished();
    progress.finish(world().step, world().time);
    if (sequence_->staged() && done) recorder_.tell_stage_end();
    if (!ranks_.one() && !options_.quiet)
      progress.note(told(sharing, ranks_.size(), recorder_.seconds(), world().step - recorder_.first_step()));
    tell_overlap();
    tell_haste();
    tell_fast_body();
    recorder_.summarise(done ? "completed" : "interrupted", "", sharing);
    if (!options_.quiet)
      progress.note(done ? fmt::format("The results are in {} ({}).", out().string(), recorder_.size_of_results())
                         : fmt::format("Interrupted after step {}. {}", world().step, how_to_go_on(checkpoint)));
    const RunStatus status = done ? RunStatus::finished : RunStatus::interrupted;
    if (options_.ended) options_.ended(status);
    return status;
  }

 private:
  Stepper& stepper() { return sequence_->stepper(); }
  const Prepared& prepared() const { return sequence_->stepper().prepared(); }
  const World& world() const { return sequence_->stepper().world(); }
  const RunTally& tally() const { return sequence_->stepper().tally; }
  const StepClock& clock() const { return prepared().clock; }
  const fs::path& out() const { return recorder_.out(); }

  void begin_part(Progress& progress) {
    if (!sequence_->staged()) return;
    const std::uint64_t begin = stepper().stage.first_step;
    progress.begin_part(fmt::format("{} ({}/{})", sequence_->name(), sequence_->number() + 1, sequence_->count()),
                        begin, sequence_->end() - begin, clock().time_at(sequence_->end()));
  }

  /// Makes the steps. \return the checkpoint, if the run was interrupted
  fs::path do_steps(const Interruption& interruption, Progress& progress) {
    recorder_.go_on();
    const auto pause = [&] {
      progress.update(world().step, world().time);
      return stop_requested(interruption);
    };
    while (!recorder_.finished() && !stop_requested(interruption)) recorder_.advance(UINT64_MAX, {}, pause);
    if (!recorder_.finished()) {
      recorder_.renew_last_good();
      if (interruption.processor_time_is_over())
        throw IoError("the processor time that this process may take (ulimit -t) is over. Resume it with more.");
      return recorder_.write_last_good();
    }
    recorder_.flush();
    return {};
  }

  /// Checks whether to stop. Ranks stop after the same step: a signal to one is sent to all with the contacts of the
  /// next step.
  bool stop_requested(const Interruption& interruption) {
    if (ranks_.one()) return interruption.requested();
    if (interruption.requested()) ranks_.ask_to_stop();
    return ranks_.stopping();
  }

  /// Calls f(); anything it throws goes through Recorder::fail(). An input error after step 1 is not the user's fault.
  template <class F>
  auto saved_from_failure(const F& f) -> decltype(f()) {
    try {
      return f();
    } catch (const NumericalError& e) {
      throw NumericalError(recorder_.fail(e.what()));
    } catch (const IoError& e) {
      throw IoError(recorder_.fail(e.what()));
    } catch (const std::system_error& e) {  // also errors of files
      throw IoError(recorder_.fail(e.what()));
    } catch (const std::exception& e) {
      if (!options_.resume.empty() && world().step <= recorder_.first_step())
        throw IoError(
            recorder_.fail(fmt::format("{} No step was made since {}: that checkpoint may not be of this scene's run.",
                                       e.what(), options_.resume)));
      throw InternalError(recorder_.fail(e.what()));
    } catch (...) {
      throw InternalError(recorder_.fail("an exception was thrown that is no std::exception."));
    }
  }

  std::string how_to_go_on(const fs::path& checkpoint) const {
    return fmt::format("The results so far are in {}. To resume from there:\n  {} --resume {}", out().string(),
                       options_.command, quoted_for_shell(checkpoint.string()));
  }

  void tell_overlap() {
    const double ratio = tally().max_overlap / prepared().smallest_radius;
    if (ratio <= kNotableOverlap) return;
    recorder_.warn(
        fmt::format("largest overlap {:.0f} % of the smallest body's radius ({:.3g} m) at t = {:.4g} s. "
                    "Where stiff bodies are meant, raise the stiffness or lower /integrator/dt.",
                    100 * ratio, tally().max_overlap, tally().max_overlap_time));
  }

  void tell_haste() {
    const HastyContact& c = tally().hasty;
    if (c.duration == 0) return;
    recorder_.warn(
        fmt::format("body {:.0f} and body {:.0f} touched at {:.0f} {} at once at t = {:.4g} s. Such a contact "
                    "lasts {:.2g} s, {:.2g} steps: its restitution is not resolved. Lower /integrator/dt to {:.2g} s "
                    "or less.",
                    c.body_a, c.body_b, c.at_once, c.at_once > 1 ? "places" : "place", c.time, c.duration,
                    c.duration / clock().dt, c.duration / 10));
  }

  void tell_fast_body() {
    const auto& fast = stepper().fast_body;
    if (!fast) return;
    recorder_.warn(
        fmt::format("body {} went {:.3g} m in one step at t = {:.4g} s, farther than its diameter of "
                    "{:.3g} m: it can have passed through walls and others between two steps. Lower "
                    "/integrator/dt to {:.2g} s or less.",
                    fast->id, fast->way, stepper().fast_body_time, fast->diameter, step_for(*fast, clock().dt)));
  }

  const Scene& scene_;
  const RunOptions& options_;
  Ranks& ranks_ = current_ranks();
  std::unique_ptr<StageSequence> sequence_;
  Recorder recorder_;
};

}  // namespace

RunStatus run_simulation(const Scene& scene, const Registry& registry, const RunOptions& options) {
  const ThreadCount scope(options.threads);
  return Run(scene, registry, options).run();
}

}  // namespace scree
