#include "scree/scene/detail/scene_changes.hpp"

#include <algorithm>

#include "scree/scene/detail/json.hpp"

namespace scree {

namespace {

bool one_of(const std::string& key, std::initializer_list<const char*> keys) {
  return std::ranges::find(keys, key) != keys.end();
}

/// Returns the reason why a value at this pointer cannot change while bodies exist.
std::string refusal_of(const std::string& pointer, const Json* before, const Json* after) {
  const std::vector<std::string> keys = pointer_keys(pointer);
  const std::string section = keys.empty() ? "" : keys[0], part = keys.size() > 2 ? keys[2] : "";
  if (one_of(section, {"gravity", "damping", "interactions", "integrator", "hooks", "grid", "domain", "run", "output"}))
    return "";
  if (section == "materials" && one_of(part, {"youngs_modulus", "poisson_ratio"})) return "";
  if (section == "bodies" && part == "removed" && before && *before == true && after && *after == false)
    return "bodies that are gone do not come back";
  if (section == "bodies" && one_of(part, {"fixed", "motion", "held", "remove_at", "removed", "surface_velocity"}))
    return "";
  return "bodies, shapes, masses, bonds and the cell go on as they are";
}

/// Checks whether a pointer is a velocity. Velocities are those of the start: dropping them changes nothing. See
/// forget_velocities().
bool is_velocity(const std::string& pointer) {
  const std::vector<std::string> keys = pointer_keys(pointer);
  return keys.size() == 3 && keys[0] == "bodies" && one_of(keys[2], {"velocity", "angular_velocity", "random_speed"});
}

class Comparison {
 public:
  std::vector<SceneChange> changes;

  void values(const std::string& pointer, const Json* before, const Json* after) {
    if (before && after && *before == *after) return;
    if (!after && is_velocity(pointer)) return;
    if (before && after && before->is_object() && after->is_object()) return objects(pointer, *before, *after);
    if (before && after && before->is_array() && after->is_array() && before->size() == after->size())
      return arrays(pointer, *before, *after);
    changes.push_back({pointer, before ? shown_plain(*before) : "", after ? shown_plain(*after) : "",
                       refusal_of(pointer, before, after)});
  }

 private:
  static std::string shown_plain(const Json& value) {
    return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  static const Json* member(const Json& object, const std::string& key) {
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }

  void objects(const std::string& pointer, const Json& before, const Json& after) {
    for (const auto& [key, value] : before.items()) values(pointer_to(pointer, key), &value, member(after, key));
    for (const auto& [key, value] : after.items())
      if (!before.contains(key)) values(pointer_to(pointer, key), nullptr, &value);
  }

  void arrays(const std::string& pointer, const Json& before, const Json& after) {
    for (std::size_t i = 0; i < before.size(); ++i) values(pointer_to(pointer, i), &before[i], &after[i]);
  }
};

}  // namespace

std::string SceneChange::text() const {
  return pointer + ": " + (before.empty() ? "nothing" : before) + " -> " + (after.empty() ? "nothing" : after);
}

std::vector<SceneChange> scene_changes(const std::string& before, const std::string& after) {
  const Json from = Json::parse(before), to = Json::parse(after);
  Comparison comparison;
  comparison.values("", &from, &to);
  return std::move(comparison.changes);
}

}  // namespace scree
