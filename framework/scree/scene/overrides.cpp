#include "scree/base/error.hpp"
#include "scree/base/utf8.hpp"
#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

[[noreturn]] void fail(const std::string& pointer, const std::string& what) {
  throw InputError("--set " + shortened(pointer) + ": " + what);
}

/// Returns the value of a text: JSON within the limits of a file, or else a string.
Json value_of(const std::string& pointer, const std::string& text) {
  if (!is_utf8(text)) fail(pointer, "the value is no UTF-8 text. Is the terminal set to UTF-8?");
  if (!Json::accept(text)) return text;
  if (const std::string fault = extent_fault(text); !fault.empty()) fail(pointer, fault + ".");
  try {
    scan_positions("--set", text, pointer);
    return Json::parse(text);
  } catch (const Json::exception&) {
    return text;
  }
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

std::size_t index_in(const std::string& pointer, const std::string& around, const Json& array, const std::string& key) {
  const bool digits = !key.empty() && key.size() < 10 && key.find_first_not_of("0123456789") == std::string::npos;
  if (digits && std::stoul(key) < array.size()) return std::stoul(key);
  const std::string range =
      array.empty() ? "it is empty" : "give an index from 0 to " + std::to_string(array.size() - 1);
  fail(pointer, around + " is an array without item \"" + key + "\"; " + range + ".");
}

/// Descends into the document; missing objects that the schema knows are made on the way.
class Descent {
 public:
  Descent(const Json& schema, Json& document, const std::string& pointer)
      : root_(schema), pointer_(pointer), at_(&document), schemas_(applicable(schema, schema, document)) {}

  void into(const std::string& key, bool last) {
    if (at_->is_array()) {
      at_ = &(*at_)[index_in(pointer_, around_, *at_, key)];
    } else if (at_->is_object()) {
      if (!last && !at_->contains(key)) make(key);
      at_ = &(*at_)[key];
    } else {
      fail(pointer_, around_ + " is " + shown(*at_) + " and has no members.");
    }
    schemas_ = applicable_to_member(root_, schemas_, key, *at_);
    around_ = pointer_to(around_, key);
  }

  Json& value() { return *at_; }

 private:
  void make(const std::string& key) {
    const std::vector<std::string> known = known_keys(schemas_), there = keys_of(*at_);
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail(pointer_, "the scene has no " + pointer_to(around_, key) + "." + suggestion(key, there) +
                         " There are: " + listed(there) + ".");
    (*at_)[key] = Json::object();
  }

  const Json& root_;
  const std::string& pointer_;
  std::string around_;
  Json* at_;
  Schemas schemas_;
};

/// Applies an object in place of /pointer=value: changes like those of a stage.
void apply_object(const std::string& text, Json& document, Scene::Positions& positions) {
  if (const std::string fault = extent_fault(text); !fault.empty()) fail("", fault + ".");
  const Json change = parse_json("--set", text);
  scan_positions("--set", text);  // for keys that stand twice, and numbers that overflow
  std::vector<std::pair<std::string, std::string>> moved;
  const std::vector<Fault> faults = apply_change(change, "", document, moved);
  if (!faults.empty()) fail(faults.front().pointer, faults.front().message);
  for (const auto& [to, from] : moved) positions.sets.push_back(to);
}

}  // namespace

void apply_set(const Json& schema, const std::string& set, Json& document, Scene::Positions& positions) {
  if (set.starts_with('{')) return apply_object(set, document, positions);
  const std::size_t equals = set.find('=');
  if (set.empty() || set[0] != '/' || equals == std::string::npos || equals < 2)
    throw InputError("--set \"" + set +
                     "\": must have the form /pointer=value, e.g. --set /run/duration=2, or be an object of changes "
                     "like that of a stage.");
  const std::string pointer = set.substr(0, equals);
  if (!is_utf8(pointer)) throw InputError("--set \"" + pointer + "\": is no UTF-8 text. Is the terminal set to UTF-8?");
  const std::vector<std::string> keys = pointer_keys(pointer);
  Descent descent(schema, document, pointer);
  for (std::size_t i = 0; i < keys.size(); ++i) descent.into(keys[i], i + 1 == keys.size());
  descent.value() = value_of(pointer, set.substr(equals + 1));
  positions.sets.push_back(pointer);
}

}  // namespace scree
