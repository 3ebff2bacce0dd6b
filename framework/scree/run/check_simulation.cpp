/// \file Description of a run without running it: `scree check`.

#include <fmt/format.h>

#include <algorithm>

#include "scree/output/sizes.hpp"
#include "scree/run/detail/before_first_step.hpp"
#include "scree/run/dry_run.hpp"
#include "scree/run/run.hpp"

namespace scree {

namespace {

/// Returns text such as "fill: until 0.3 s of it\n  /gravity/1: ...".
std::string text_of(const Scene& scene, const std::vector<DryRunStage>& stages, std::size_t number) {
  const DryRunStage& stage = stages[number];
  const auto limits = [](const DryRunStage& of) {
    std::string lines;
    for (const StepLimit& limit : of.limits) lines += "  " + text_of(limit, of.dt) + "\n";
    return lines;
  };
  std::string text;
  if (!stage.name.empty()) {
    text += fmt::format("stage {} \"{}\": {}, steps of {:.4g} s\n", number + 1, stage.name,
                        end_text(scene.stages[number].until), stage.dt);
    for (const std::string& change : stage.changes) text += "  " + change + "\n";
  }
  // If they are those of the previous stage, they have been printed.
  return number > 0 && limits(stage) == limits(stages[number - 1]) ? text : text + limits(stage);
}

}  // namespace

std::string check_simulation(const Scene& scene, const Registry& registry) {
  const auto sequence = before_first_step([&] { return std::make_unique<StageSequence>(scene, registry, "cpu"); });
  Prepared& prepared = sequence->stepper().prepared();
  const auto stages = before_first_step([&] {
    auto dry_run = dry_run_stages(scene, registry, "cpu", prepared);
    balance_bonds(sequence->stepper().scene(), prepared);
    check_initial_overlaps(sequence->stepper().scene(), prepared);
    return dry_run;
  });
  const Totals t = totals(*prepared.world, gravity_at(prepared.methods.environment, 0));
  const double dt = prepared.clock.dt;
  std::string text = fmt::format("{}: {} moving bodies ({:.6g} kg) and {} walls, ", scene.name, t.dynamic_bodies,
                                 t.mass, prepared.world->size() - t.dynamic_bodies);
  text += sequence->staged() ? fmt::format("{} stages\n", sequence->count())
                             : fmt::format("{} steps of {:.4g} s\n", sequence->end(), dt);
  for (std::size_t k = 0; k < stages.size(); ++k) text += text_of(scene, stages, k);
  if (stages[0].bytes > 0) text += fmt::format("output: up to about {}\n", bytes_text(stages[0].bytes));
  for (const std::string& note : prepared.notes) text += "note: " + note + "\n";
  std::vector<std::string> told;
  for (const DryRunStage& stage : stages)
    for (const std::string& warning : stage.warnings)
      if (std::ranges::find(told, warning) == told.end()) told.push_back(warning), text += "warning: " + warning + "\n";
  return text;
}

}  // namespace scree
