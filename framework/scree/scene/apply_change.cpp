/// \file Application of a stage's changes to the scene.

#include <algorithm>

#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

/// Returns the names by which a change may refer to entry `index` of an array.
std::vector<std::string> names_of(const Json& entry, std::size_t index) {
  std::vector<std::string> names;
  if (entry.is_object()) {
    if (entry.contains("between") && entry["between"].is_array() && entry["between"].size() == 2) {
      const Json &a = entry["between"][0], &b = entry["between"][1];
      if (a.is_string() && b.is_string())
        for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
          names.push_back(one->get<std::string>() + "-" + other->get<std::string>());
    } else if (entry.contains("shape")) {
      names.push_back(entry.value("name", "bodies" + std::to_string(index)));
    } else if (entry.contains("type") && entry["type"].is_string()) {
      names.push_back(entry["type"]);
    }
  }
  names.push_back(std::to_string(index));
  return names;
}

class Merge {
 public:
  explicit Merge(std::vector<std::pair<std::string, std::string>>& moved) : moved_(moved) {}

  void object(const Json& change, const std::string& from, Json& target, const std::string& to) {
    for (const auto& [key, value] : change.items())
      member(value, pointer_to(from, key), target, key, pointer_to(to, key));
  }

  std::vector<Fault> faults;

 private:
  void member(const Json& value, const std::string& from, Json& target, const std::string& key, const std::string& to) {
    if (value.is_null()) {
      target.erase(key);
      moved_.emplace_back(to, from);
    } else if (value.is_object() && target.contains(key) && target[key].is_array() && !replaces(value, target[key])) {
      entries(value, from, target[key], to);
    } else if (value.is_object() && target.contains(key) && target[key].is_object() &&
               !other_type(value, target[key])) {
      object(value, from, target[key], to);
    } else {
      target[key] = value;
      moved_.emplace_back(to, from);
    }
  }

  static bool other_type(const Json& value, const Json& target) {
    return value.contains("type") && target.contains("type") && value["type"] != target["type"];
  }

  /// Checks whether a change replaces an array. Some keys take a list or one object. An object replaces the list if
  /// that is a vector of numbers, or if it cannot be a change of entries by their names.
  static bool replaces(const Json& change, const Json& array) {
    if (!array.empty() && std::ranges::none_of(array, [](const Json& entry) { return entry.is_object(); })) return true;
    bool changes_entries = true;
    for (const auto& [name, value] : change.items()) {
      if (find(array, name) < array.size()) return false;
      changes_entries = changes_entries && value.is_object();
    }
    return !changes_entries;
  }

  void entries(const Json& change, const std::string& from, Json& array, const std::string& to) {
    for (const auto& [name, value] : change.items()) {
      const std::string place = pointer_to(from, name);
      const std::size_t index = find(array, name);
      if (index == array.size()) {
        faults.push_back({place, no_entry(array, name, to), true});
      } else if (!value.is_object()) {
        faults.push_back({place, "an object with the keys that change is needed here, got " + shown(value) +
                                     ". Entries keep their places; to take bodies out, say {\"removed\": true}."});
      } else if (other_type(value, array[index])) {
        array[index] = value;
        moved_.emplace_back(pointer_to(to, index), place);
      } else {
        object(value, place, array[index], pointer_to(to, index));
      }
    }
  }

  static std::size_t find(const Json& array, const std::string& name) {
    for (std::size_t i = 0; i < array.size(); ++i) {
      const auto names = names_of(array[i], i);
      if (std::ranges::find(names, name) != names.end()) return i;
    }
    return array.size();
  }

  static std::string no_entry(const Json& array, const std::string& name, const std::string& to) {
    std::vector<std::string> first;
    for (std::size_t i = 0; i < array.size(); ++i) first.push_back(names_of(array[i], i).front());
    return to + " has no entry \"" + shortened(name) + "\"." + suggestion(name, first) +
           (first.empty() ? " It is empty." : " There are: " + shortened(listed(first)) + "; or give an index.");
  }

  std::vector<std::pair<std::string, std::string>>& moved_;
};

}  // namespace

std::vector<Fault> apply_change(const Json& change, const std::string& pointer, Json& document,
                                std::vector<std::pair<std::string, std::string>>& moved) {
  Merge merge(moved);
  merge.object(change, pointer, document, "");
  return std::move(merge.faults);
}

}  // namespace scree
