#include "scree/scene/detail/positions.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "scree/base/error.hpp"
#include "scree/scene/detail/json.hpp"

namespace scree {

namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

class Scanner {
 public:
  Scanner(const std::string& file, std::string_view text) : text_(text) { positions_.file = file; }

  Scene::Positions scan() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    skip_space();
    value("", 0);
    return std::move(positions_);
  }

 private:
  void value(const std::string& pointer, int depth) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) fail(pointer, "nested deeper than 100 levels");
    positions_.values[pointer] = here_;
    switch (peek()) {
      case '{':
        return object(pointer, depth);
      case '[':
        return array(pointer, depth);
      case '"':
        return advance(string_end());
      default:
        return literal(pointer);
    }
  }

  void object(const std::string& pointer, int depth) {
    step();
    while (peek() != '}') {
      const TextPosition key_position = here_;
      const std::string child = pointer_to(pointer, key());
      if (!positions_.keys.emplace(child, key_position).second) {
        here_ = key_position;
        fail(child, "this key stands twice in the same object. Remove one");
      }
      step();  // ':'
      value(child, depth + 1);
      skip_space();
      if (peek() == ',') step();
    }
    step();
  }

  void array(const std::string& pointer, int depth) {
    step();
    for (std::size_t i = 0; peek() != ']'; ++i) {
      value(pointer_to(pointer, i), depth + 1);
      skip_space();
      if (peek() == ',') step();
    }
    step();
  }

  std::string key() {
    const std::size_t end = string_end();
    const std::string_view quoted = text_.substr(at_, end - at_);
    std::string name = quoted.find('\\') == std::string_view::npos ? std::string(quoted.substr(1, quoted.size() - 2))
                                                                   : Json::parse(quoted).get<std::string>();
    advance(end);
    skip_space();
    return name;
  }

  void literal(const std::string& pointer) {
    const std::size_t end = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    const std::string token(text_.substr(at_, end - at_));
    if (std::isinf(std::strtod(token.c_str(), nullptr)))
      fail(pointer, "the number " + token + " is too large; at most 1.8e308 can be stored");
    advance(end);
  }

  std::size_t string_end() const {
    std::size_t i = at_ + 1;
    while (i < text_.size() && text_[i] != '"') i += text_[i] == '\\' ? 2 : 1;
    return std::min(i + 1, text_.size());
  }

  char peek() const {
    if (at_ >= text_.size()) throw InputError(positions_.file + ": ends inside an object or array.");
    return text_[at_];
  }

  void step() {
    advance(at_ + 1);
    skip_space();
  }

  void skip_space() { advance(std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size())); }

  void advance(std::size_t to) {
    for (; at_ < to && at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n')
        here_ = {here_.line + 1, 1};
      else if (starts_character(text_[at_]))
        ++here_.column;
    }
  }

  [[noreturn]] void fail(const std::string& pointer, const std::string& what) {
    positions_.values[pointer] = here_;
    throw InputError(positions_.where(pointer) + ": " + what + ".");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  TextPosition here_;
  Scene::Positions positions_;
};

bool is_at_or_below(const std::string& pointer, const std::string& root) {
  return pointer.compare(0, root.size(), root) == 0 && (pointer.size() == root.size() || pointer[root.size()] == '/');
}

}  // namespace

TextPosition position_of(std::string_view text, std::size_t byte) {
  TextPosition position;
  for (const char c : text.substr(0, byte)) {
    if (c == '\n')
      position = {position.line + 1, 1};
    else if (starts_character(c))
      ++position.column;
  }
  return position;
}

std::string Scene::Positions::describe(const std::string& pointer, bool key) const {
  const std::string name = pointer.empty() ? "/" : pointer;
  for (const std::string& set : sets)
    if (is_at_or_below(pointer, set)) return "--set " + name;
  const auto& first = key ? keys : values;
  auto found = first.find(pointer);
  if (found == first.end()) {
    std::string around = pointer;
    while ((found = values.find(around)) == values.end() && !around.empty()) around = parent_pointer(around);
    if (found == values.end()) return file + " " + name;
  }
  return file + ":" + std::to_string(found->second.line) + ":" + std::to_string(found->second.column) + " " + name;
}

std::string Scene::Positions::where(const std::string& pointer) const { return describe(pointer, false); }
std::string Scene::Positions::where_key(const std::string& pointer) const { return describe(pointer, true); }

std::string Scene::where(const std::string& pointer) const { return positions ? positions->where(pointer) : pointer; }

Scene::Positions scan_positions(const std::string& file, std::string_view text) { return Scanner(file, text).scan(); }

}  // namespace scree
