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

std::string shown(const Json& value) {
  constexpr std::size_t kLongest = 60;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > kLongest) text = text.substr(0, kLongest) + "...";
  return text + " (" + value.type_name() + ")";
}

}  // namespace scree
