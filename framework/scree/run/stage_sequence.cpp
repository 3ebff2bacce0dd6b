#include "scree/run/stage_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "scree/base/error.hpp"

namespace scree {

namespace {

/// Default number of steps between checks of a stage's metric: a check costs about as much as a step.
constexpr std::uint64_t kLookSteps = 100;

/// Returns the stages of a scene; a scene without stages is a single one of its duration. \param scene  outlives the
/// result
std::vector<StageDef> stages_of(const Scene& scene) {
  if (!scene.stages.empty()) return scene.stages;
  StageDef whole;
  whole.until.time = scene.duration;
  whole.scene = std::shared_ptr<const Scene>(std::shared_ptr<void>(), &scene);
  return {whole};
}

std::string wanted_text(const StageEndDef& until) {
  return fmt::format("{} {} {:g}", until.figure, until.below ? "below" : "above",
                     until.below ? *until.below : *until.above);
}

}  // namespace

std::string end_text(const StageEndDef& until) {
  if (until.time) return fmt::format("until t = {:g} s", *until.time);
  if (until.duration) return fmt::format("for {:g} s", *until.duration);
  if (until.steps) return fmt::format("for {} steps", *until.steps);
  return fmt::format("until {}{}, {:g} s at most", wanted_text(until),
                     until.hold > 0 ? fmt::format(" for {:g} s", until.hold) : "", until.limit);
}

double longest_duration(const Scene& scene, double dt) {
  double end = 0;
  for (const StageDef& stage : stages_of(scene)) {
    const StageEndDef& u = stage.until;
    if (u.time)
      end = std::max(end, *u.time);
    else
      end += u.steps ? static_cast<double>(*u.steps) * dt : u.duration.value_or(u.limit);
  }
  return end;
}

StageSequence::StageSequence(const Scene& scene, const Registry& registry, const std::string& device)
    : scene_(scene),
      registry_(registry),
      device_(device),
      identity_(identity_of(scene)),
      stages_(stages_of(scene)),
      stepper_(std::make_unique<Stepper>(*stages_[0].scene, registry, device)) {
  stepper_->stage.name = stages_[0].name;
}

Metrics::Choice StageSequence::metrics() const {
  const auto asks = [](const StageDef& stage) { return stage.until.figure == Metrics::kUnbalanced; };
  return {.stage = staged(), .unbalanced = std::ranges::any_of(stages_, asks)};
}

void StageSequence::make_stepper(std::uint64_t number) {
  if (number == stepper_->stage.number) return;
  stepper_ = std::make_unique<Stepper>(*stages_[static_cast<std::size_t>(number)].scene, registry_, device_);
}

std::vector<std::string> StageSequence::resume(const std::string& file, bool same_scene) {
  try {
    return resume_unguarded(file, same_scene);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::system_error&) {
    throw;
  } catch (const std::exception& e) {  // thrown by a library that parses a file of unknown origin
    throw IoError(
        fmt::format("{}: {}. The checkpoint is damaged, or was not written by this scene's run.", file, e.what()));
  }
}

std::vector<std::string> StageSequence::resume_unguarded(const std::string& file, bool same_scene) {
  Checkpoint saved = open_checkpoint(file);
  if (same_scene && !saved.of_scene(identity_)) read_checkpoint(file, identity_);  // throws what differs
  check_files(file, saved, identity_);
  StageState& stage = saved.snapshot.stage;
  if (stage.number >= stages_.size())
    throw InputError(
        fmt::format("{}: is of stage {}, and this scene has {}. Add the stages that are missing, or start "
                    "anew.",
                    file, stage.number + 1, stages_.size()));
  make_stepper(stage.number);
  const StageDef& def = stages_[static_cast<std::size_t>(stage.number)];
  const bool same = saved.of_scene(identity_);
  if (!same || def.until.figure.empty()) stage.ended.clear();  // an end may lie elsewhere now
  if (!same) stage.held_since.reset();
  if (stage.name != def.name) begin_stage(def.name, saved.snapshot);
  std::vector<std::string> changes = stepper_->resume(std::move(saved.snapshot), file);
  if (stepper_->world().step >= end() && until().figure.empty()) look_at_end();
  return changes;
}

/// Begins a stage in a snapshot of a run that had no such stage.
void StageSequence::begin_stage(const std::string& name, Snapshot& snapshot) {
  snapshot.stage.name = name;
  snapshot.stage.first_step = snapshot.step;
  snapshot.stage.first_time = snapshot.time;
}

void StageSequence::go_back(const Snapshot& snapshot) {
  if (snapshot.stage.number != stepper_->stage.number)
    stepper_ = std::make_unique<Stepper>(*stages_.at(static_cast<std::size_t>(snapshot.stage.number)).scene, registry_,
                                         device_);
  stepper_->go_back(snapshot);
}

std::uint64_t StageSequence::end() const {
  const StageState& stage = stepper_->stage;
  const StageEndDef& u = until();
  const std::uint64_t least = staged() ? stage.first_step + 1 : 0;
  if (u.time)
    return static_cast<std::uint64_t>(
        std::max<std::int64_t>(clock().step_at(*u.time), static_cast<std::int64_t>(least)));
  const std::uint64_t steps = u.steps ? *u.steps : clock().steps_in(u.duration.value_or(u.limit));
  return steps > UINT64_MAX - stage.first_step ? UINT64_MAX : stage.first_step + steps;
}

std::uint64_t StageSequence::look_steps() const {
  return until().interval ? clock().steps_in(*until().interval) : kLookSteps;
}

bool StageSequence::look_due(std::uint64_t step) const {
  if (step == end()) return true;
  return !until().figure.empty() && step > stepper_->stage.first_step &&
         (step - stepper_->stage.first_step) % look_steps() == 0;
}

std::uint64_t StageSequence::next_look(std::uint64_t step) const {
  if (until().figure.empty()) return end();
  const std::uint64_t first = stepper_->stage.first_step;
  return std::min(end(), first + ((step - first) / look_steps() + 1) * look_steps());
}

void StageSequence::look_at_end() {
  const StageEndDef& u = until();
  stepper_->stage.ended = u.time ? "time" : u.duration ? "duration" : "steps";
}

void StageSequence::look(Metrics& metrics) {
  if (until().figure.empty()) {
    if (stepper_->world().step >= end()) look_at_end();
    return;
  }
  judge(metrics.value(until().figure, stepper_->prepared()).value_or(0));
}

void StageSequence::judge(double value) {
  const StageEndDef& u = until();
  StageState& stage = stepper_->stage;
  const std::uint64_t step = stepper_->world().step;
  const bool there = u.below ? value < *u.below : value > *u.above;
  if (!there) stage.held_since.reset();
  if (there && !stage.held_since) stage.held_since = step;
  const std::uint64_t hold = u.hold > 0 ? clock().steps_in(u.hold) : 0;
  if (there && step - *stage.held_since >= hold) {
    stage.ended = fmt::format("{} (it was {:.6g})", wanted_text(u), value);
  } else if (step >= end()) {
    const std::string missed =
        fmt::format("{} did not come within {:g} s: it was {:.6g}", wanted_text(u), u.limit, value);
    if (u.at_limit == StageEndDef::AtLimit::fail)
      throw NumericalError(
          fmt::format("stage \"{}\": {} at the limit. Raise the limit, or set at_limit to \"go on\".", name(), missed));
    stage.ended = "limit: " + missed;
  }
}

StageRecord StageSequence::record() const {
  const StageState& stage = stepper_->stage;
  const World& world = stepper_->world();
  return {name(), stage.first_step, world.step - stage.first_step, stage.first_time, world.time, stage.ended};
}

std::vector<StageRecord> StageSequence::records() const {
  if (!staged()) return {};
  std::vector<StageRecord> all = stepper_->stage.before;
  all.push_back(record());
  return all;
}

std::vector<std::string> StageSequence::next(MethodStates states) {
  const std::string& name = stages_.at(number() + 1).name;
  StageState next{number() + 1, name, stepper_->world().step, stepper_->world().time, {}, {}, records()};
  std::vector<std::string> changes =
      stepper_->continue_with(*stages_[static_cast<std::size_t>(next.number)].scene, std::move(states));
  stepper_->stage = std::move(next);
  return changes;
}

}  // namespace scree
