#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/scene/detail/pattern.hpp"
#include "scree/scene/detail/schema.hpp"

namespace scree {

namespace {

/// Returns the description that explains a value best: that of the outermost schema that has one.
std::string description_of(const Schemas& schemas) {
  for (const Json* schema : schemas)
    if (schema->contains("description")) return " " + schema->at("description").get<std::string>();
  return "";
}

std::string article(const std::string& type) {
  const bool vowel = !type.empty() && std::string("aeio").find(type[0]) != std::string::npos;
  return (vowel ? "an " : "a ") + type;
}

std::string type_names(const Json& schema) {
  if (schema.contains("const")) return schema.at("const").dump();
  if (!schema.contains("type")) return "";
  const Json& type = schema.at("type");
  if (type.is_string()) return article(type);
  std::string names;
  for (const Json& t : type) names += (names.empty() ? "" : " or ") + article(t);
  return names;
}

std::string number_text(const Json& number) { return number.dump(); }

/// Returns "greater than 0 and at most 1", or nothing if the schema sets no limits.
std::string range_text(const Json& schema) {
  std::string text;
  const auto add = [&](const char* key, const char* words) {
    if (schema.contains(key)) text += (text.empty() ? "" : " and ") + std::string(words) + number_text(schema.at(key));
  };
  add("minimum", "at least ");
  add("exclusiveMinimum", "greater than ");
  add("maximum", "at most ");
  add("exclusiveMaximum", "less than ");
  return text;
}

bool in_range(const Json& schema, double x) {
  return !(schema.contains("minimum") && x < schema.at("minimum").get<double>()) &&
         !(schema.contains("exclusiveMinimum") && x <= schema.at("exclusiveMinimum").get<double>()) &&
         !(schema.contains("maximum") && x > schema.at("maximum").get<double>()) &&
         !(schema.contains("exclusiveMaximum") && x >= schema.at("exclusiveMaximum").get<double>());
}

std::string size_text(const Json& schema) {
  const Json low = schema.value("minItems", Json()), high = schema.value("maxItems", Json());
  if (!low.is_null() && low == high) return "exactly " + number_text(low);
  if (high.is_null()) return "at least " + number_text(low);
  if (low.is_null()) return "at most " + number_text(high);
  return number_text(low) + " to " + number_text(high);
}

class Checker {
 public:
  Checker(const Json& root, const std::string& unloaded) : root_(root), unloaded_(unloaded) {}

  void check(const std::string& pointer, const Json& value, const Schemas& schemas) {
    for (const Json* schema : schemas) {
      if (!check_type(pointer, value, *schema, schemas)) return;
      check_choice(pointer, value, *schema, schemas);
      if (value.is_number()) check_range(pointer, value, *schema, schemas);
      if (value.is_array()) check_items(pointer, value, *schema, schemas);
      if (value.is_string()) check_length(pointer, value, *schema, schemas);
      if (value.is_string()) check_pattern(pointer, value, *schema, schemas);
      if (value.is_object()) check_keys(pointer, value, *schema, schemas);
    }
  }

  /// Checks parts that valijson does not: texts with a pattern, and values under keys with one.
  void check_patterns(const std::string& pointer, const Json& value, const Schemas& schemas) {
    const bool under_pattern = under_patterns_.erase(pointer) > 0;
    if (under_pattern) check(pointer, value, schemas);
    std::size_t index = 0;
    for (auto it = value.begin(); value.is_structured() && it != value.end(); ++it, ++index) {
      const auto is_of_pattern = [&](const Json* schema) { return has_pattern_for(*schema, it.key()); };
      const bool by_pattern = value.is_object() && std::any_of(schemas.begin(), schemas.end(), is_of_pattern);
      if (under_pattern || by_pattern)
        under_patterns_.insert(value.is_object() ? pointer_to(pointer, it.key()) : pointer_to(pointer, index));
    }
    for (const Json* schema : schemas) {
      if (value.is_string()) check_pattern(pointer, value, *schema, schemas);
      if (value.is_object() && schema->contains("patternProperties")) check_keys(pointer, value, *schema, schemas);
    }
  }

  std::vector<Fault> take() { return std::move(faults_); }

 private:
  void add(const std::string& pointer, const std::string& message, bool at_key = false) {
    if (told_.emplace(pointer, message).second) faults_.push_back({pointer, message, at_key});
  }

  bool check_type(const std::string& pointer, const Json& value, const Json& schema, const Schemas& schemas) {
    const std::string expected = expected_types(schema, value);
    if (expected.empty()) return true;
    add(pointer, "expected " + expected + ", got " + shown(value) + "." + description_of(schemas));
    return false;
  }

  /// Returns the types expected if the value's type does not fit; empty if it does.
  std::string expected_types(const Json& schema, const Json& value) const {
    for (const char* kind : {"anyOf", "oneOf"}) {
      if (!schema.contains(kind) || applicable(root_, schema, value).size() > 1) continue;
      std::string names;
      for (const Json& branch : schema.at(kind)) names += (names.empty() ? "" : " or ") + branch_name(branch);
      return names;
    }
    if (!schema.contains("type")) return "";
    const Json probe = {{"anyOf", Json::array({{{"type", schema.at("type")}}})}};
    return applicable(root_, probe, value).size() > 1 ? "" : type_names(schema);
  }

  std::string branch_name(const Json& branch) const {
    if (!branch.contains("$ref")) return type_names(branch);
    return type_names(root_.at(Json::json_pointer(branch.at("$ref").get<std::string>().substr(1))));
  }

  void check_choice(const std::string& pointer, const Json& value, const Json& schema, const Schemas& schemas) {
    if (schema.contains("const") && schema.at("const") != value)
      add(pointer, "expected " + schema.at("const").dump() + ", got " + shown(value) + "." + description_of(schemas));
    if (!schema.contains("enum")) return;
    const Json& allowed = schema.at("enum");
    if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
    std::vector<std::string> names;
    for (const Json& choice : allowed) names.push_back(choice.is_string() ? choice.get<std::string>() : choice.dump());
    const std::string hint = value.is_string() ? suggestion(value, names) : "";
    const bool of_plugins = schema.contains("x-scree-names");
    add(pointer, "unknown " + (value.is_structured() ? shown(value) : shortened(value.dump())) + "." + hint +
                     (of_plugins ? " Loaded: " : " Allowed: ") + (names.empty() ? "none" : listed(names)) + "." +
                     (of_plugins && !unloaded_.empty() ? "\n" + unloaded_ : ""));
  }

  void check_range(const std::string& pointer, const Json& value, const Json& schema, const Schemas& schemas) {
    if (!in_range(schema, value.get<double>()))
      add(pointer, value.dump() + " is out of range; must be " + range_text(schema) + "." + description_of(schemas));
  }

  void check_items(const std::string& pointer, const Json& value, const Json& schema, const Schemas& schemas) {
    const std::size_t n = value.size();
    if (schema.value("uniqueItems", false)) check_unique(pointer, value, schemas);
    if (n >= schema.value("minItems", std::size_t{0}) && n <= schema.value("maxItems", n)) return;
    add(pointer, "has " + std::to_string(n) + (n == 1 ? " item" : " items") + "; must have " + size_text(schema) + "." +
                     description_of(schemas));
  }

  void check_unique(const std::string& pointer, const Json& value, const Schemas& schemas) {
    std::map<std::string, std::size_t> first;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const auto [entry, is_new] = first.emplace(value[i].dump(-1, ' ', false, Json::error_handler_t::replace), i);
      if (!is_new)
        add(pointer_to(pointer, i), shown(value[i]) + " is there already, as item " + std::to_string(entry->second) +
                                        ". Remove one." + description_of(schemas));
    }
  }

  void check_length(const std::string& pointer, const Json& value, const Json& schema, const Schemas& schemas) {
    const std::size_t least = schema.value("minLength", std::size_t{0});
    if (value.get_ref<const std::string&>().size() < least)
      add(pointer, "must have at least " + std::to_string(least) + " characters." + description_of(schemas));
  }

  void check_pattern(const std::string& pointer, const Json& value, const Json& schema, const Schemas& schemas) {
    const auto pattern = schema.find("pattern");
    if (pattern == schema.end() || !pattern->is_string()) return;
    if (!fits_pattern(value.get_ref<const std::string&>(), *pattern))
      add(pointer,
          shown(value) + " does not fit the pattern " + pattern->get<std::string>() + "." + description_of(schemas));
  }

  void check_keys(const std::string& pointer, const Json& value, const Json& schema, const Schemas& schemas) {
    for (const Json& key : schema.value("required", Json::array()))
      if (!value.contains(key.get<std::string>())) add_missing(pointer, key, schemas);
    if (value.size() < schema.value("minProperties", std::size_t{0}))
      add(pointer, "must not be empty." + description_of(schemas));
    for (const auto& [key, member] : value.items())
      if (!allows_key(schema, key)) add_unknown(pointer, key, schemas);
  }

  void add_missing(const std::string& pointer, const std::string& key, const Schemas& schemas) {
    const Schemas of_member = applicable_to_member(root_, schemas, key, Json());
    add(pointer, "missing key \"" + key + "\"." + description_of(of_member));
  }

  void add_unknown(const std::string& pointer, const std::string& key, const Schemas& schemas) {
    const std::vector<std::string> known = known_keys(schemas), patterns = known_patterns(schemas);
    std::string allowed = known.empty() ? "" : " Known: " + listed(known) + ".";
    if (!patterns.empty()) allowed += " Allowed by pattern: " + listed(patterns) + ".";
    if (allowed.empty()) allowed = " This object has no keys.";
    add(pointer_to(pointer, key), "unknown key." + suggestion(key, known) + allowed, true);
  }

  const Json& root_;
  const std::string& unloaded_;
  std::vector<Fault> faults_;
  std::set<std::string> under_patterns_;  ///< pointers to values whose keys fit a pattern, and to values inside of them
  std::set<std::pair<std::string, std::string>> told_;  ///< pointers with their messages
};

}  // namespace

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(word, known);
  return nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?";
}

std::vector<Fault> validate(const SceneSchema& schema, const Json& document, const std::string& unloaded) {
  const std::vector<std::string> verdict = schema.judge(document);
  Json copy = document;
  Checker checker(schema.json(), unloaded);
  walk(schema.json(), copy, [&](const std::string& pointer, Json& value, const Schemas& schemas) {
    if (verdict.empty())
      checker.check_patterns(pointer, value, schemas);
    else
      checker.check(pointer, value, schemas);
  });
  std::vector<Fault> faults = checker.take();
  if (faults.empty() && !verdict.empty()) faults.push_back({"", verdict.front(), false});
  return faults;
}

}  // namespace scree
