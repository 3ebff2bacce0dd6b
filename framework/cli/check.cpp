#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/findings.hpp"
#include "cli/scene_options.hpp"
#include "command.hpp"
#include "scree/base/clock.hpp"
#include "scree/base/error.hpp"
#include "scree/base/printable.hpp"
#include "scree/output/sizes.hpp"
#include "scree/run/run.hpp"
#include "scree/run/simulation.hpp"

namespace scree::cli {

namespace {

using Json = nlohmann::ordered_json;
namespace po = boost::program_options;

/// Cost of a run.
struct Estimate {
  double seconds = 0;       ///< time of computing for the whole run, at most [s]
  double memory = 0;        ///< peak of this process so far [bytes]
  std::uint64_t tried = 0;  ///< number of steps made for this
};

double peak_memory() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024. * static_cast<double>(usage.ru_maxrss) : 0;
}

/// Makes steps for about this time and writes nothing. The second half of them counts: the first lists are made in the
/// first. \param budget  time to spend [s]
Estimate estimate(const CommandLine& line, const std::string& file, const CheckReport& report, double budget) {
  SimulationOptions options;
  options.sets = line.texts("set");
  options.allow_paths = line.texts("allow-path");
  if (line.has("allow-python")) options.allow_code = {"python"};
  options.plugin_paths = line.texts("plugin-path");
  Simulation simulation = Simulation::from_file(file, options);
  const double dt = simulation.dt(), begin = clock_seconds();
  double half = begin;
  std::uint64_t before = 0;
  for (std::uint64_t some = 1; clock_seconds() - begin < budget && simulation.time() < report.duration; some *= 2) {
    half = clock_seconds();
    before = simulation.steps();
    simulation.step(std::min(some, static_cast<std::uint64_t>(1 + (report.duration - simulation.time()) / dt)));
  }
  const std::uint64_t steps = simulation.steps() - before;
  const double per_step = steps > 0 ? (clock_seconds() - half) / static_cast<double>(steps) : 0;
  return {per_step * report.duration / dt, peak_memory(), simulation.steps()};
}

std::string seconds_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.2g} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} minutes", seconds / 60);
  return fmt::format("{:.1f} hours", seconds / 3600);
}

std::string text_of(const Estimate& e) {
  return fmt::format("time: about {}, as the first {} steps go; more where bodies come later\nmemory: about {}\n",
                     seconds_text(e.seconds), e.tried, bytes_text(e.memory));
}

Json json_of(const Finding& finding) {
  Json json = Json::object();
  if (finding.line > 0) json["where"] = {{"file", finding.file}, {"line", finding.line}, {"column", finding.column}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) json[key] = text;
  };
  add("pointer", finding.pointer);
  add("what", finding.what);
  add("got", finding.got);
  add("allowed", finding.allowed);
  add("fix", finding.fix);
  add("text", finding.text);
  return json;
}

Json json_of(const std::string& message) {
  Json list = Json::array();
  for (const Finding& finding : findings_of(message)) list.push_back(json_of(finding));
  return list;
}

Json json_of(const CheckReport& report, const std::optional<Estimate>& cost) {
  Json json = {{"valid", true},          {"errors", Json::array()}, {"warnings", Json::array()},
               {"notes", report.notes},  {"scene", report.scene},   {"moving_bodies", report.moving_bodies},
               {"walls", report.walls},  {"mass", report.mass},     {"duration", report.duration},
               {"stages", Json::array()}};
  for (const std::string& warning : report.warnings)
    for (Json& finding : json_of(warning)) json["warnings"].push_back(std::move(finding));
  for (const CheckedStage& stage : report.stages) {
    Json entry = {{"name", stage.name}, {"dt", stage.dt}, {"changes", stage.changes}, {"limits", stage.limits}};
    if (report.staged) entry["ends"] = stage.ends;
    json["stages"].push_back(std::move(entry));
  }
  json["estimate"] = {{"steps", std::llround(report.duration / report.stages.front().dt)},
                      {"disk_bytes", std::llround(report.output_bytes)}};
  if (cost) {
    json["estimate"]["seconds"] = cost->seconds;
    json["estimate"]["memory_bytes"] = std::llround(cost->memory);
    json["estimate"]["steps_tried"] = cost->tried;
  }
  return json;
}

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

/// Time that --estimate spends on steps [s].
constexpr double kTrial = 1;

}  // namespace

int check(const Arguments& arguments) {
  CommandLine line(
      "scree check SCENE [options]",
      "Validates a scene against the schema of all loaded plugins, makes everything a run needs and reports\n"
      "what would run. Nothing is run or written.",
      "SCENE");
  add_scene_options(line);
  line.options()("json", "print JSON, for programs: errors, warnings, stages, estimates; the exit code stays");
  line.options()("estimate", "make steps for a second to tell how much time and memory the run needs");
  add_plugin_options(line);
  if (!line.parse(arguments)) return kDone;
  const std::string file = line.required();
  try {
    Registry registry(OnCrash::end_program);
    load_plugins(line, registry);
    const CheckReport report = check_simulation(read_scene(file, scene_inputs(line, ""), registry), registry);
    std::optional<Estimate> cost;
    if (line.has("estimate")) cost = estimate(line, file, report, kTrial);
    if (line.has("json"))
      fmt::print("{}", dumped(json_of(report, cost)));
    else
      fmt::print("{}{}", printable(to_text(report)), cost ? text_of(*cost) : "");
  } catch (const Error& error) {
    if (!line.has("json")) throw;
    fmt::print("{}",
               dumped({{"valid", false}, {"errors", json_of(std::string(error.what()))}, {"warnings", Json::array()}}));
    return exit_code_of(failure_of(std::current_exception()));
  }
  return kDone;
}

}  // namespace scree::cli
