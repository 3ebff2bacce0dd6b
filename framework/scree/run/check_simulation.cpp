/// \file Description of a run without running it: `scree check`.

#include <fmt/format.h>

#include <algorithm>

#include "scree/output/sizes.hpp"
#include "scree/run/detail/before_first_step.hpp"
#include "scree/run/dry_run.hpp"
#include "scree/run/run.hpp"

namespace scree {

std::string to_text(const CheckReport& r) {
  std::string text =
      fmt::format("{}: {} moving bodies ({:.6g} kg) and {} walls, ", r.scene, r.moving_bodies, r.mass, r.walls);
  text += r.staged ? fmt::format("{} stages\n", r.stages.size())
                   : fmt::format("{} steps of {:.4g} s\n", r.steps, r.stages[0].dt);
  for (std::size_t k = 0; k < r.stages.size(); ++k) {
    const CheckedStage& stage = r.stages[k];
    if (r.staged)
      text += fmt::format("stage {} \"{}\": {}, steps of {:.4g} s\n", k + 1, stage.name, stage.ends, stage.dt);
    for (const std::string& change : stage.changes) text += "  " + change + "\n";
    if (k > 0 && stage.limits == r.stages[k - 1].limits) continue;
    for (const std::string& limit : stage.limits) text += "  " + limit + "\n";
  }
  if (r.output_bytes > 0) text += fmt::format("output: up to about {}\n", bytes_text(r.output_bytes));
  for (const std::string& note : r.notes) text += "note: " + note + "\n";
  for (const std::string& warning : r.warnings) text += "warning: " + warning + "\n";
  return text;
}

CheckReport check_simulation(const Scene& scene, const Registry& registry) {
  const auto sequence = before_first_step([&] { return std::make_unique<StageSequence>(scene, registry, "cpu"); });
  Prepared& prepared = sequence->stepper().prepared();
  const auto stages = before_first_step([&] {
    auto dry_run = dry_run_stages(scene, registry, "cpu", prepared);
    balance_bonds(sequence->stepper().scene(), prepared);
    check_initial_overlaps(sequence->stepper().scene(), prepared);
    return dry_run;
  });
  const Totals t = totals(*prepared.world, gravity_at(prepared.methods.environment, 0));
  CheckReport report;
  report.scene = scene.name;
  report.moving_bodies = t.dynamic_bodies;
  report.walls = prepared.world->size() - t.dynamic_bodies;
  report.mass = t.mass;
  report.duration = longest_duration(scene, prepared.clock.dt);
  report.staged = sequence->staged();
  report.steps = report.staged ? 0 : sequence->end();
  report.output_bytes = stages[0].bytes;
  report.notes = prepared.notes;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const DryRunStage& stage = stages[k];
    CheckedStage& checked = report.stages.emplace_back();
    checked.name = stage.name;
    if (report.staged) checked.ends = end_text(scene.stages[k].until);
    checked.dt = stage.dt;
    checked.changes = stage.changes;
    for (const StepLimit& limit : stage.limits) checked.limits.push_back(text_of(limit, stage.dt));
    for (const std::string& warning : stage.warnings)
      if (std::ranges::find(report.warnings, warning) == report.warnings.end()) report.warnings.push_back(warning);
  }
  return report;
}

}  // namespace scree
