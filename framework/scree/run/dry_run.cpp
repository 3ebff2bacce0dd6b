#include "scree/run/dry_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "scree/base/error.hpp"
#include "scree/scene/detail/scene_changes.hpp"

namespace scree {

namespace {

/// Checks the metric of a stage's end. \throws InputError for a metric that no run of this stage has
void check_figure(const Scene& scene, const StageDef& stage, const Prepared& prepared) {
  const std::string& figure = stage.until.figure;
  if (figure.empty()) return;
  const std::vector<std::string> known = Metrics(prepared, {.unbalanced = true}).columns();
  if (std::ranges::find(known, figure) != known.end()) return;
  const std::string nearest = nearest_name(figure, known);
  throw InputError(
      fmt::format("{}: unknown figure \"{}\".{} There are: {}.", scene.where(stage.pointer + "/until/figure"), figure,
                  nearest.empty() ? "" : fmt::format(" Did you mean \"{}\"?", nearest), fmt::join(known, ", ")));
}

DryRunStage dry_run(const std::string& name, const Scene& scene, Prepared& prepared, double duration) {
  DryRunStage stage{name, prepared.clock.dt, prepared.limits, prepared.warnings, {}, {}};
  stage.bytes = plan_observers(scene, prepared, duration);
  for (const auto& o : prepared.observers) std::ranges::copy(o.observer->files(), std::back_inserter(stage.files));
  return stage;
}

}  // namespace

std::vector<DryRunStage> dry_run_stages(const Scene& scene, const Registry& registry, const std::string& device,
                                        Prepared& first) {
  const double duration = longest_duration(scene, first.clock.dt);
  if (scene.stages.empty()) return {dry_run("", scene, first, duration)};
  std::vector<DryRunStage> stages;
  const Scene* before = &scene;
  for (const StageDef& def : scene.stages) {
    const std::unique_ptr<Prepared> own = stages.empty() ? nullptr : prepare(*def.scene, registry, device);
    Prepared& prepared = own ? *own : first;
    check_figure(scene, def, prepared);
    stages.push_back(dry_run(def.name, *def.scene, prepared, duration));
    for (const SceneChange& change : scene_changes(before->decisive, def.scene->decisive))
      stages.back().changes.push_back(change.text());
    before = def.scene.get();
  }
  return stages;
}

}  // namespace scree
