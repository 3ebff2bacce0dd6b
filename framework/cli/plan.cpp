#include "cli/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "cli/scene_options.hpp"
#include "scree/base/error.hpp"
#include "scree/run/run.hpp"

namespace scree::cli {

namespace {

/// Returns the reason why a run cannot be started; empty if it can. \param wholly  true to prepare the whole run
std::string refusal_of(const std::string& file, const SceneInputs& inputs, const Registry& registry, bool wholly) {
  try {
    const Scene scene = read_scene(file, inputs, registry);
    if (wholly) check_simulation(scene, registry);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

/// Combinations that do not fit, by reason.
class Misfits {
 public:
  void add(const std::string& name, const std::string& refusal) {
    const std::string reason = refusal.substr(0, refusal.find('\n'));
    const auto found = std::ranges::find(reasons_, reason, &Reason::text);
    (found == reasons_.end() ? reasons_.emplace_back(Reason{reason, {}}) : *found).names.push_back(name);
  }
  std::string text() const {
    std::string text;
    for (const Reason& reason : reasons_) text += fmt::format("  {}: {}\n", fmt::join(reason.names, "; "), reason.text);
    return text;
  }

 private:
  struct Reason {
    std::string text;
    std::vector<std::string> names;
  };
  std::vector<Reason> reasons_;
};

}  // namespace

std::string batch_scene(const CommandLine& line) {
  const std::string file = line.required();
  std::error_code ignored;
  if (file.starts_with("/dev/") || (std::filesystem::exists(file, ignored) && std::filesystem::is_fifo(file, ignored)))
    throw InputError(fmt::format("{}: is read again by each run, and must be a file.", file));
  return file;
}

Plan make_plan(const CommandLine& line, const std::string& file, const Registry& registry,
               const std::vector<Axis>& axes) {
  const bool all_loaded = std::ranges::any_of(axes, &Axis::all_loaded);
  Plan plan;
  for (const Axis& axis : axes) plan.axes.push_back(axis.name);
  std::string first;
  Misfits misfits;
  for (Combination& combination : combinations(axes)) {
    SceneInputs inputs = scene_inputs(line, line.text("out"));
    inputs.sets.insert(inputs.sets.end(), combination.sets.begin(), combination.sets.end());
    const std::string refusal = refusal_of(file, inputs, registry, all_loaded);
    if (first.empty()) first = refusal;
    if (all_loaded && !refusal.empty()) {
      misfits.add(combination.name, refusal);
      continue;
    }
    plan.runs.push_back({combination.name, inputs.sets, refusal});
    plan.combinations.push_back(std::move(combination));
  }
  plan.misfits = misfits.text();
  if (std::ranges::all_of(plan.runs, [](const BatchRun& run) { return !run.refusal.empty(); }))
    throw InputError(fmt::format("no run can be started. {}", first));
  return plan;
}

std::vector<std::string> figure_names(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.empty()) throw InputError(fmt::format("--figures {}: a name is empty. Write --figures a,b.", text));
    names.push_back(word);
  }
  if (names.empty()) throw InputError("--figures: is empty. Write --figures a,b.");
  return names;
}

}  // namespace scree::cli
