/// \file Meaning of contact history, by which another scene decides whether it may be kept.

#include <fmt/format.h>

#include "scree/scene/detail/json.hpp"
#include "scree/setup/detail/set_up.hpp"

namespace scree {

namespace {

/// Returns options without numbers: texts and switches choose what is kept; numbers are parameters.
Json without_numbers(const Json& value) {
  if (!value.is_object()) return value.is_number() || value.is_array() ? Json() : value;
  Json left = Json::object();
  for (const auto& [key, part] : value.items())
    if (const Json kept = without_numbers(part); !kept.is_null()) left[key] = kept;
  return left;
}

std::string text_of(const ObjectDef& object) {
  const std::string options = without_numbers(Json::parse(object.options.dump())).dump();
  return object.type + (options == "{}" ? "" : " " + options);
}

}  // namespace

namespace detail {

std::vector<std::string> laws_of(const Scene& scene) {
  std::vector<std::string> laws;
  for (const InteractionDef& def : scene.interactions)
    laws.push_back(fmt::format("law {}, detector {}", text_of(def.law), text_of(def.detector)));
  return laws;
}

}  // namespace detail

std::string meaning_of_history(const Prepared& prepared, std::size_t number) {
  const Interaction& interaction = prepared.methods.interactions[number];
  const std::string law = interaction.entry < prepared.laws.size() ? prepared.laws[interaction.entry] : "";
  const std::string_view face =
      prepared.methods.integrator ? prepared.methods.integrator->traits().face : std::string_view();
  return fmt::format("{} numbers of {}, face {}", interaction.history, law, face);
}

}  // namespace scree
