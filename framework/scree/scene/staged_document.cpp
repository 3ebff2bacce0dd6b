#include "scree/scene/detail/staged_document.hpp"

#include <algorithm>

#include "scree/base/error.hpp"
#include "scree/scene/detail/scene_changes.hpp"

namespace scree {

namespace {

std::string pointer_of(std::size_t stage) { return pointer_to("/stages", stage); }

StageEndDef end_of(const Json& until) {
  StageEndDef end;
  const auto number = [&](const char* key, std::optional<double>& to) {
    if (until.contains(key)) to = until.at(key).get<double>();
  };
  number("time", end.time);
  number("duration", end.duration);
  number("below", end.below);
  number("above", end.above);
  number("interval", end.interval);
  if (until.contains("steps")) end.steps = until.at("steps").get<std::uint64_t>();
  end.figure = until.value("figure", "");
  end.hold = until.value("hold", 0.0);
  end.limit = until.value("limit", 0.0);
  if (until.value("at_limit", "fail") == "go on") end.at_limit = StageEndDef::AtLimit::go_on;
  return end;
}

/// Faults of several scenes: a fault of one stage is in those behind it too.
class FaultList {
 public:
  template <class F>
  void collect(const F& f) {
    try {
      f();
    } catch (const InputError& e) {
      add(e.what());
    }
  }
  void throw_if_any() const {
    if (texts_.empty()) return;
    std::string all;
    for (const std::string& text : texts_) all += (all.empty() ? "" : "\n") + text;
    throw InputError(all);
  }

 private:
  void add(const std::string& text) {
    if (std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(text);
  }
  std::vector<std::string> texts_;
};

/// Drops velocities of held or driven bodies. Velocities in a scene are those of its start: a stage may hold or drive
/// bodies that have had theirs.
void forget_velocities(const Json& before, Json& document) {
  if (!document.contains("bodies") || !document["bodies"].is_array() || !before.contains("bodies")) return;
  Json& bodies = document["bodies"];
  for (std::size_t i = 0; i < bodies.size() && i < before["bodies"].size(); ++i) {
    const Json& then = before["bodies"][i];
    const bool held = bodies[i].value("fixed", Json(false)) == Json(true) || bodies[i].contains("motion");
    if (!held || !then.is_object()) continue;
    for (const char* key : {"velocity", "angular_velocity", "random_speed"})
      if (then.contains(key) && bodies[i].contains(key) && then[key] == bodies[i][key]) bodies[i].erase(key);
  }
}

/// Checks changes of a stage. \throws InputError for changes of existing bodies
void check_changes(const Scene& before, const Scene& after) {
  std::vector<Fault> faults;
  for (const SceneChange& change : scene_changes(before.decisive, after.decisive))
    if (!change.refusal.empty())
      faults.push_back({change.pointer, "a stage cannot change this (" + change.text() + "): " + change.refusal + "."});
  report(std::move(faults), *after.positions);
}

}  // namespace

StagedDocument::StagedDocument(Json document, std::shared_ptr<const Scene::Positions> positions)
    : base_(std::move(document)), positions_(std::move(positions)) {
  stages_ = base_.at("stages");
  base_.erase("stages");
  base_["run"]["duration"] = 0;
  for (std::size_t k = 0; k < stages_.size(); ++k) {
    Part part;
    part.document = k ? parts_.back().document : base_;
    if (k) part.moved = parts_.back().moved;
    if (k) part.document.erase("plugins");  // plugins that the start of an earlier run used
    part.first_moved = part.moved.size();
    if (const auto change = stages_[k].find("change"); change != stages_[k].end())
      part.faults = apply_change(*change, pointer_of(k) + "/change", part.document, part.moved);
    if (k) forget_velocities(parts_.back().document, part.document);
    expand_short_forms(part.document);
    parts_.push_back(std::move(part));
  }
}

std::vector<StageDef> StagedDocument::read(const MakeScene& make) const {
  FaultList faults;
  std::vector<StageDef> stages;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Part& part = parts_[k];
    StageDef& stage = stages.emplace_back();
    stage.name = stages_[k].at("name");
    stage.pointer = pointer_of(k);
    stage.until = end_of(stages_[k].at("until"));
    const auto positions = std::make_shared<Scene::Positions>();
    positions->source = positions_;
    positions->moved = part.moved;
    faults.collect([&] {
      report(part.faults, *positions_);
      stage.scene = std::make_shared<const Scene>(make(part.document, positions));
      if (k > 0 && stages[k - 1].scene) check_changes(*stages[k - 1].scene, *stage.scene);
    });
  }
  faults.throw_if_any();
  return stages;
}

/// Returns each value of a change as it is in the scene of its stage: defaults filled in, files by absolute paths.
Json StagedDocument::resolved_stages(const Scene& scene) const {
  Json all = {{"stages", stages_}};
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const Json of_stage = Json::parse(scene.stages[k].scene->resolved);
    for (std::size_t m = parts_[k].first_moved; m < parts_[k].moved.size(); ++m) {
      const auto& [to, from] = parts_[k].moved[m];
      if (const Json::json_pointer at(to); of_stage.contains(at)) all[Json::json_pointer(from)] = of_stage.at(at);
    }
  }
  return all.at("stages");
}

Json StagedDocument::resolved(const Scene& scene) const {
  Json document = Json::parse(scene.resolved);
  document["run"].erase("duration");
  document["stages"] = resolved_stages(scene);
  return document;
}

Json StagedDocument::decisive(const Scene& scene) const {
  Json document = Json::parse(scene.decisive);
  document["stages"] = resolved_stages(scene);
  return document;
}

}  // namespace scree
