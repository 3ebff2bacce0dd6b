#include "cli/variation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "scree/base/content_hash.hpp"
#include "scree/base/error.hpp"

namespace scree::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRuns = 100000;

/// Splits text at commas outside of brackets and quotes.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      parts.back() += c;
      parts.back() += text[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted && (c == '[' || c == '{')) ++depth;
    if (!quoted && (c == ']' || c == '}')) --depth;
    if (c == ',' && !quoted && depth <= 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw InputError(fmt::format("--vary {}: {}", text, what));
}

/// Returns the last key of a pointer: "/interactions/0/law/friction" -> "friction"; an index includes the key before
/// it.
std::string last_key(const std::string& pointer, int keys = 1) {
  std::size_t at = pointer.size();
  for (int k = 0; k < keys && at != std::string::npos && at > 0; ++k) at = pointer.rfind('/', at - 1);
  return at == std::string::npos ? pointer.substr(1) : pointer.substr(at + 1);
}

bool is_index(const std::string& key) {
  return !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
}

Axis pointer_axis(const std::string& text, const std::vector<std::string>& pointers,
                  const std::vector<std::string>& values) {
  for (const std::string& pointer : pointers)
    if (pointer.size() < 2 || pointer[0] != '/')
      refuse(text, fmt::format("\"{}\" is no pointer into the scene. Write /pointer=v1,v2, e.g. "
                               "/interactions/0/law/friction=0.1,0.3.",
                               pointer));
  Axis axis{.name = fmt::format("{}", fmt::join(pointers, ",")), .label = last_key(pointers[0]), .choices = {}};
  if (is_index(axis.label)) axis.label = last_key(pointers[0], 2);
  for (const std::string& value : values) {
    if (value.empty()) refuse(text, "a value is empty. Write /pointer=v1,v2 without a comma at the end.");
    Choice& choice = axis.choices.emplace_back(Choice{value, {}});
    for (const std::string& pointer : pointers) choice.sets.push_back(pointer + "=" + value);
  }
  return axis;
}

const FactoryInfo* info_of(const std::vector<FactoryInfo>& all, const std::string& kind, const std::string& name) {
  const auto found =
      std::ranges::find_if(all, [&](const FactoryInfo& info) { return info.kind == kind && info.name == name; });
  return found == all.end() ? nullptr : &*found;
}

/// Returns options of one method that another one has too, without those at their default.
Json shared_options(const Json& own, const FactoryInfo& before, const FactoryInfo& after) {
  const Json known = Json::parse(before.schema).value("properties", Json::object()),
             wanted = Json::parse(after.schema).value("properties", Json::object());
  Json options = {{"type", after.name}};
  for (const auto& [key, value] : own.items()) {
    if (key == "type" || !wanted.contains(key)) continue;
    if (known.contains(key) && known[key].contains("default") && known[key]["default"] == value) continue;
    options[key] = value;
  }
  return options;
}

/// Puts methods of a kind into the scene.
class MethodSwap {
 public:
  MethodSwap(const std::string& kind, const Scene& scene, const Registry& registry)
      : kind_(kind), document_(Json::parse(scene.resolved)), all_(registry.list()) {}

  /// Returns the scene's own methods, all of them: "linear", "linear+coulomb".
  std::string own() const {
    if (kind_ == "integrator") return document_.at("integrator").at("type");
    std::vector<std::string> types;
    for (const Json& interaction : document_.value("interactions", Json::array()))
      if (interaction.at("law").is_object() && interaction["law"].at("type") != "none")
        if (const std::string type = interaction.at(kind_).at("type"); std::ranges::find(types, type) == types.end())
          types.push_back(type);
    return fmt::format("{}", fmt::join(types, "+"));
  }

  /// Returns the arguments of --set; nothing if the method is there already.
  std::vector<std::string> sets(const std::string& name) const {
    std::vector<std::string> sets;
    if (kind_ == "integrator") {
      add(sets, "/integrator", document_.at("integrator"), name);
      return sets;
    }
    const Json interactions = document_.value("interactions", Json::array());
    for (std::size_t i = 0; i < interactions.size(); ++i) {
      if (!interactions[i].at("law").is_object() || interactions[i]["law"].at("type") == "none") continue;
      const std::string pointer = fmt::format("/interactions/{}/{}", i, kind_);
      if (kind_ == "detector") {
        if (interactions[i]["detector"].at("type") != name) sets.push_back(fmt::format("{}=\"{}\"", pointer, name));
      } else {
        add(sets, pointer, interactions[i]["law"], name);
      }
    }
    return sets;
  }

 private:
  void add(std::vector<std::string>& sets, const std::string& pointer, const Json& own, const std::string& name) const {
    const std::string before = own.at("type");
    const FactoryInfo *from = info_of(all_, kind_, before), *to = info_of(all_, kind_, name);
    if (before == name || !from || !to) return;
    Json options = shared_options(own, *from, *to);
    if (kind_ == "integrator") options["dt"] = own.at("dt");
    sets.push_back(pointer + "=" + options.dump());
  }

  std::string kind_;
  Json document_;
  std::vector<FactoryInfo> all_;
};

constexpr const char* kMethodKinds[] = {"law", "detector", "integrator"};

bool is_method_kind(const std::string& text) { return std::ranges::find(kMethodKinds, text) != std::end(kMethodKinds); }

Axis method_axis(const std::string& text, const std::string& kind, std::vector<std::string> names, const Scene& scene,
                 const Registry& registry, bool with_own) {
  std::vector<std::string> known = registry.names(kind);
  if (kind == "detector") known.insert(known.begin(), "auto");
  Axis axis{.name = kind, .label = kind, .choices = {}, .all_loaded = names.empty()};
  const MethodSwap swap(kind, scene, registry);
  const std::string own = swap.own();
  if (names.empty()) names = known;
  if (with_own || axis.all_loaded) {
    std::erase(names, own);
    axis.choices.push_back({own, {}});
  }
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end()) {
      const std::string nearest = nearest_name(name, known);
      refuse(text, fmt::format("there is no {} \"{}\".{} Loaded: {}.", kind, name,
                               nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?", fmt::join(known, ", ")));
    }
    axis.choices.push_back({name, swap.sets(name)});
  }
  return axis;
}

void collect_seeds(const Json& value, const std::string& pointer,
                   std::vector<std::pair<std::string, std::int64_t>>& to) {
  if (!value.is_structured()) return;
  for (const auto& [key, member] : value.items()) {
    std::string escaped = key;
    for (std::size_t at = 0; (at = escaped.find_first_of("~/", at)) != std::string::npos; at += 2)
      escaped.replace(at, 1, escaped[at] == '~' ? "~0" : "~1");
    const std::string place = pointer + "/" + escaped;
    if (key == "seed" && member.is_number_integer())
      to.emplace_back(place, member.get<std::int64_t>());
    else
      collect_seeds(member, place, to);
  }
}

/// Makes labels longer until they differ.
void part_labels(std::vector<Axis>& axes) {
  for (Axis& axis : axes)
    for (int keys = 2; keys < 10; ++keys) {
      const auto same = std::ranges::count_if(axes, [&](const Axis& other) { return other.label == axis.label; });
      if (same < 2 || axis.name[0] != '/') break;
      axis.label = last_key(axis.name.substr(0, axis.name.find(',')), keys);
    }
}

}  // namespace

std::vector<Axis> read_vary(const std::string& text, const Scene& scene, const Registry& registry, bool with_own) {
  const std::size_t equals = text.find('=');
  const std::vector<std::string> names = split(text.substr(0, equals));
  std::vector<Axis> axes;
  if (equals == std::string::npos) {
    for (const std::string& kind : names) {
      if (!is_method_kind(kind))
        refuse(text, fmt::format("\"{}\" is no kind of method. Write /pointer=v1,v2, or one of {}.", kind,
                                 fmt::join(kMethodKinds, ", ")));
      axes.push_back(method_axis(text, kind, {}, scene, registry, with_own));
    }
    return axes;
  }
  const std::vector<std::string> values = split(text.substr(equals + 1));
  if (names.size() == 1 && is_method_kind(names[0]))
    axes.push_back(method_axis(text, names[0], values, scene, registry, with_own));
  else
    axes.push_back(pointer_axis(text, names, values));
  return axes;
}

Axis seed_axis(int seeds, const Scene& scene) {
  if (seeds < 1) throw InputError(fmt::format("--seeds {}: must be at least 1.", seeds));
  std::vector<std::pair<std::string, std::int64_t>> places;
  collect_seeds(Json::parse(scene.resolved), "", places);
  Axis axis{.name = "seed", .label = "seed", .choices = {}};
  for (int k = 0; k < seeds; ++k) {
    Choice& choice = axis.choices.emplace_back(Choice{std::to_string(k), {}});
    for (const auto& [pointer, seed] : places) {
      if (seed > std::numeric_limits<std::int64_t>::max() - k)
        throw InputError(fmt::format("--seeds {}: {} is {}, and there is no larger seed. Give a smaller one.", seeds,
                                     pointer, seed));
      if (k > 0) choice.sets.push_back(fmt::format("{}={}", pointer, seed + k));
    }
  }
  return axis;
}

std::string file_name_part(const std::string& text) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.";
  constexpr std::size_t kLongest = 40;
  if (!text.empty() && text.size() <= kLongest && text[0] != '.' && text.find_first_not_of(kPlain) == std::string::npos)
    return text;
  return fmt::format("{:08x}", static_cast<std::uint32_t>(content_hash(std::as_bytes(std::span(text)))));
}

std::vector<Combination> combinations(std::vector<Axis> axes) {
  std::size_t count = 1;
  for (const Axis& axis : axes) {
    const auto same = std::ranges::count_if(axes, [&](const Axis& other) { return other.name == axis.name; });
    if (same > 1) throw InputError(fmt::format("--vary {}: is there twice. Name all values in one.", axis.name));
    std::set<std::string> values;
    for (const Choice& choice : axis.choices)
      if (!values.insert(choice.value).second)
        throw InputError(fmt::format("--vary {}: has the value {} twice.", axis.name, choice.value));
    count *= axis.choices.size();
    if (count > kMostRuns) throw InputError(fmt::format("--vary: more than {} runs are too many.", kMostRuns));
  }
  part_labels(axes);
  std::vector<Combination> all(1);
  for (const Axis& axis : axes) {
    std::vector<Combination> longer;
    for (const Combination& before : all)
      for (const Choice& choice : axis.choices) {
        Combination& c = longer.emplace_back(before);
        c.name += (c.name.empty() ? "" : ",") + file_name_part(axis.label) + "=" + file_name_part(choice.value);
        c.values.push_back(choice.value);
        c.sets.insert(c.sets.end(), choice.sets.begin(), choice.sets.end());
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace scree::cli
