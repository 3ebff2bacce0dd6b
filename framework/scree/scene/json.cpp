#include "scree/scene/detail/json.hpp"

#include "scree/base/api.hpp"

namespace scree {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

}  // namespace

std::string pointer_to(const std::string& pointer, std::string_view key) {
  std::string escaped(key);
  replace_all(escaped, "~", "~0");
  replace_all(escaped, "/", "~1");
  return pointer + "/" + escaped;
}

std::string pointer_to(const std::string& pointer, std::size_t index) { return pointer + "/" + std::to_string(index); }

std::vector<std::string> pointer_keys(std::string_view pointer) {
  std::vector<std::string> keys;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    std::string key(pointer.substr(0, end));
    replace_all(key, "~1", "/");
    replace_all(key, "~0", "~");
    keys.push_back(std::move(key));
    pointer.remove_prefix(end);
  }
  return keys;
}

std::string parent_pointer(const std::string& pointer) {
  const std::size_t slash = pointer.rfind('/');
  return slash == std::string::npos ? "" : pointer.substr(0, slash);
}

std::string extent_fault(std::string_view text, bool deepest) {
  struct Open {
    bool object;
    std::size_t members = 1;
  };
  constexpr std::size_t kMostCompared = 400'000'000;  // pairs of keys, a second or two
  std::size_t values = 1, compared = 0;
  std::vector<Open> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"'; ++i) i += text[i] == '\\';
    } else if (c == '[' || c == '{') {
      open.push_back({c == '{'});
      if (deepest && open.size() > kDeepest) return "nested deeper than " + std::to_string(kDeepest) + " levels";
    } else if (c == ',' && !open.empty() && ++open.back().members > kMostKeys && open.back().object) {
      return "holds an object of more than " + std::to_string(kMostKeys) + " keys";
    } else if ((c == ']' || c == '}') && !open.empty()) {
      if (open.back().object) compared += open.back().members * open.back().members;
      if (compared > kMostCompared) return "holds too many objects of thousands of keys";
      open.pop_back();
    }
    values += c == '[' || c == '{' || c == ',';
    if (values > kMostValues)
      return "holds more than " + std::to_string(kMostValues) +
             " values. Give many bodies as a packing, for instance \"csv\" with a file of their places";
  }
  return "";
}

std::string shortened(const std::string& text) {
  constexpr std::size_t kMost = 400;
  if (text.size() <= kMost) return text;
  return text.substr(0, kMost / 2) + "[...]" + text.substr(text.size() - kMost / 4);
}

std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 60;
  if (value.is_structured() && value.size() > kLongest) {
    const bool array = value.is_array();
    return (array ? "[...] (array of " : "{...} (object of ") + std::to_string(value.size()) + ")";
  }
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text + " (" + value.type_name() + ")";
}

}  // namespace scree
