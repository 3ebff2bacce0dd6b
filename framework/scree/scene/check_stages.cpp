/// \file Checks of the stages of a scene beyond the schema.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

class StageChecker {
 public:
  explicit StageChecker(const Json& document) : document_(document) {
    if (const Json& dt = document.at("integrator").at("dt"); dt.is_number()) dt_ = dt.get<double>();
  }

  std::vector<Fault> check() {
    if (document_.contains("run") && document_["run"].contains("duration"))
      add("/run/duration", "the stages say how long a run lasts. Remove \"duration\", or the stages.");
    const Json& stages = document_.at("stages");
    for (std::size_t k = 0; k < stages.size(); ++k) check_stage(pointer_to("/stages", k), k, stages[k]);
    return std::move(faults_);
  }

 private:
  void add(const std::string& pointer, const std::string& message) { faults_.push_back({pointer, message}); }

  void check_stage(const std::string& pointer, std::size_t index, const Json& stage) {
    const std::string name = stage.at("name");
    if (const std::string fault = name_fault(name); !fault.empty())
      add(pointer + "/name", fmt::format("{} {}. {}", shown(stage.at("name")), fault, name_rule()));
    const auto [earlier, is_new] = first_.emplace(name, index);
    if (!is_new)
      add(pointer + "/name", fmt::format("the name \"{}\" is taken by {}. Every stage needs its own name.", name,
                                         pointer_to("/stages", earlier->second)));
    dt_ = dt_of(stage);
    check_until(pointer + "/until", stage.at("until"));
  }

  /// Returns the step of the stage, if it is a number; stages keep the step of the previous one.
  std::optional<double> dt_of(const Json& stage) const {
    const Json::json_pointer at("/change/integrator/dt");
    if (!stage.contains(at)) return dt_;
    return stage.at(at).is_number() ? std::optional(stage.at(at).get<double>()) : std::nullopt;
  }

  void check_until(const std::string& pointer, const Json& until) {
    std::vector<std::string> ends;
    for (const char* key : {"time", "duration", "steps", "figure"})
      if (until.contains(key)) ends.push_back(key);
    if (ends.size() != 1)
      return add(pointer, fmt::format("a stage has one end, and this one has {}. Give one of time, duration, steps and "
                                      "figure.",
                                      ends.empty() ? "none" : listed(ends)));
    if (ends[0] == "figure") return check_condition(pointer, until);
    for (const char* key : {"below", "above", "hold", "limit", "interval", "at_limit"})
      if (until.contains(key))
        add(pointer + "/" + key,
            fmt::format("\"{}\" goes with a \"figure\"; this stage ends by its {}. Remove it.", key, ends[0]));
    const double before = latest_;
    if (ends[0] == "time") check_time(pointer + "/time", until.at("time"));
    if (ends[0] == "duration") latest_ += until.at("duration").get<double>();
    if (ends[0] == "steps") latest_ += until.at("steps").get<double>() * dt_.value_or(0);
    if (ends[0] == "steps")
      count(pointer + "/steps", until.at("steps").get<double>());
    else
      count_time(pointer + "/" + ends[0], latest_ - before);
  }

  void check_condition(const std::string& pointer, const Json& until) {
    if (until.contains("below") == until.contains("above"))
      add(pointer, "a \"figure\" comes to be either \"below\" or \"above\" a value. Give one of the two.");
    if (!until.contains("limit"))
      return add(pointer, "missing key \"limit\". The stage lasts no longer than this [s], whatever the figure does.");
    const double limit = until.at("limit");
    if (until.contains("hold") && until.at("hold").get<double>() >= limit)
      add(pointer + "/limit", fmt::format("{} s is over before the figure could \"hold\" for {} s. Raise the limit.",
                                          until.at("limit").dump(), until.at("hold").dump()));
    latest_ += limit;
    count_time(pointer + "/limit", limit);
  }

  /// Counts the steps of a stage. \param duration  longest duration of the stage [s]
  void count_time(const std::string& pointer, double duration) {
    if (dt_ && *dt_ > 0) count(pointer, duration / *dt_);
  }

  void count(const std::string& pointer, double steps) {
    steps_ += steps;
    if (!(steps_ <= kMostSteps) && steps_ - steps <= kMostSteps)
      add(pointer, fmt::format("the run takes {:.6g} steps up to the end of this stage; at most {:.0e} can be counted. "
                               "Raise dt, or let the stage end earlier.",
                               steps_, kMostSteps));
  }

  void check_time(const std::string& pointer, const Json& time) {
    if (time.get<double>() <= latest_)
      add(pointer,
          fmt::format("the stage ends at {} s, and begins at {:.6g} s at the latest: it would be over before it "
                      "begins. Raise the time, or give a \"duration\".",
                      time.dump(), latest_));
    latest_ = std::max(latest_, time.get<double>());
  }

  const Json& document_;
  std::optional<double> dt_;  ///< step of the stage [s]
  double steps_ = 0;          ///< largest number of steps up to the end of the stage
  double latest_ = 0;         ///< latest begin of the stage [s]
  std::map<std::string, std::size_t> first_;
  std::vector<Fault> faults_;
};

}  // namespace

std::vector<Fault> check_stages(const Json& document) { return StageChecker(document).check(); }

}  // namespace scree
