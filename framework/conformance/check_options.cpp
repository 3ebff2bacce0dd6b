#include <fmt/format.h>

#include "conformance/checks.hpp"
#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

/// Result of one change of the options.
class Trials {
 public:
  Trials(const Registry& registry, const TrialScene& trial) : registry_(registry), trial_(trial) {
    options_ = trial.scene.at(Json::json_pointer(trial.pointer));
    if (options_.is_string()) options_ = {{"type", options_}};
  }

  /// Returns the refusal of these options, or "" if they are accepted.
  std::string refusal(const Json& options) const {
    Json scene = trial_.scene;
    scene[Json::json_pointer(trial_.pointer)] = options;
    try {
      made(registry_, trial_, scene);
      return "";
    } catch (const InputError& e) {
      return e.what();
    }
  }
  Json with(const std::string& key, const Json& value) const {
    Json options = options_;
    options[key] = value;
    return options;
  }
  Json without(const std::string& key) const {
    Json options = options_;
    options.erase(key);
    return options;
  }
  bool has(const std::string& key) const { return options_.contains(key); }

 private:
  const Registry& registry_;
  const TrialScene& trial_;
  Json options_;
};

/// Counts refusals that name the option.
class Refusals {
 public:
  void take(const std::string& key, const Json& value, const std::string& text) {
    ++count_;
    if (text.find(key) == std::string::npos && fault_.empty())
      fault_ = text.empty() ? fmt::format("\"{}\": {} is taken.", key, value.dump())
                            : fmt::format("\"{}\": {} is refused without its name: {}", key, value.dump(), text);
  }
  Row row(const std::string& check, const std::string& none) const {
    if (count_ == 0) return not_applicable(check, none);
    return judged(check, fault_.empty(), fault_.empty() ? fmt::format("{} refused by name", count_) : fault_);
  }

 private:
  std::size_t count_ = 0;
  std::string fault_;
};

bool is_number(const Json& property) {
  return property.contains("type") && (property["type"] == "number" || property["type"] == "integer");
}

}  // namespace

Rows check_options(const Registry& registry, const TrialScene& trial) {
  const Trials trials(registry, trial);
  const Json schema = schema_of(registry, trial.kind, trial.name);
  const Json properties = schema.value("properties", Json::object());
  Refusals unknown, missing, types, range;
  unknown.take("no_such_option", 1, trials.refusal(trials.with("no_such_option", 1)));
  for (const std::string key : schema.value("required", Json::array()))
    if (trials.has(key)) missing.take(key, nullptr, trials.refusal(trials.without(key)));
  std::size_t odd = 0;
  std::string thrown;
  for (const auto& [key, property] : properties.items()) {
    if (property.contains("type")) types.take(key, {nullptr}, trials.refusal(trials.with(key, Json::array({nullptr}))));
    if (!is_number(property)) continue;
    if (property.contains("minimum")) {
      const Json value = property["minimum"].get<double>() - 1;
      range.take(key, value, trials.refusal(trials.with(key, value)));
    }
    if (property.contains("exclusiveMinimum"))
      range.take(key, property["exclusiveMinimum"], trials.refusal(trials.with(key, property["exclusiveMinimum"])));
    // A guard names the plugin if the factory threw something else than a sentence for the user.
    for (const double value : {0.0, -1.0, 1e30}) {
      if (property["type"] == "integer" && value > 1) continue;
      ++odd;
      const std::string refused = trials.refusal(trials.with(key, value));
      if (refused.find("(plugin ") != std::string::npos && thrown.empty())
        thrown = fmt::format("\"{}\": {}: {}", key, value, refused);
    }
  }
  return {unknown.row("an unknown option is refused", ""),
          missing.row("a missing option is refused", "all options have defaults"),
          types.row("values of another type are refused", "it has no options"),
          range.row("values out of range are refused", "its schema bounds no option"),
          odd > 0 ? judged("odd values are taken or refused with a sentence", thrown.empty(),
                           thrown.empty() ? fmt::format("{} values", odd) : thrown)
                  : not_applicable("odd values are taken or refused with a sentence",
                                   "it has no options that are numbers")};
}

}  // namespace scree::conformance
