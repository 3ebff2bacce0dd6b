#include "scree/scene/detail/positions.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <unordered_set>

#include "scree/base/error.hpp"
#include "scree/scene/detail/json.hpp"

namespace scree {

namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Returns the reason why a literal of JSON is no number that can be computed with; empty for all others.
std::string number_fault(std::string_view literal) {
  const std::string token(literal);
  if (std::isinf(std::strtod(token.c_str(), nullptr)))
    return "the number " + shortened(token) + " is too large; at most 1.8e308 can be stored";
  const bool whole = token.find_first_not_of("-0123456789") == std::string::npos;
  errno = 0;
  if (whole && (std::strtoll(token.c_str(), nullptr, 10), errno == ERANGE))
    return "the whole number " + shortened(token) +
           " is out of range; whole numbers go from -9223372036854775808 to 9223372036854775807. Where any number may "
           "stand, write it as 1e19";
  return "";
}

class Scanner {
 public:
  Scanner(const std::string& file, std::string_view text, const std::string& set) : text_(text), path_(set) {
    positions_.file = file;
    if (!set.empty()) positions_.sets.push_back(set);
  }

  Scene::Positions scan() {
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
    skip_space();
    value(hash_of(path_), {0, 0}, 0);
    return std::move(positions_);
  }

 private:
  /// Scans a value. \param hash  hash of the pointer of this value, which is path_
  void value(std::uint64_t hash, const TextPosition& key, std::size_t depth) {
    if (depth > kDeepest) fail("nested deeper than " + std::to_string(kDeepest) + " levels");
    positions_.places[hash] = {here_, key};
    switch (peek()) {
      case '{':
        return object(hash, depth);
      case '[':
        return array(hash, depth);
      case '"':
        return advance(string_end());
      default:
        return literal();
    }
  }

  /// Scans the value behind a key or an index.
  void member(const std::string& step, std::uint64_t hash, const TextPosition& key, std::size_t depth) {
    const std::size_t length = path_.size();
    path_ += step;
    value(hash_of(step, hash), key, depth + 1);
    path_.resize(length);
  }

  void object(std::uint64_t hash, std::size_t depth) {
    std::unordered_set<std::string> keys;
    step();
    while (peek() != '}') {
      const TextPosition key_position = here_;
      const std::string name = key();
      if (!keys.insert(name).second) {
        path_ = pointer_to(path_, name);
        here_ = key_position;
        fail("this key stands twice in the same object. Remove one");
      }
      step();  // ':'
      member(pointer_to("", name), hash, key_position, depth);
      skip_space();
      if (peek() == ',') step();
    }
    step();
  }

  void array(std::uint64_t hash, std::size_t depth) {
    step();
    for (std::size_t i = 0; peek() != ']'; ++i) {
      member(pointer_to("", i), hash, {0, 0}, depth);
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

  void literal() {
    const std::size_t end = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    if (const std::string fault = number_fault(text_.substr(at_, end - at_)); !fault.empty()) fail(fault);
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

  [[noreturn]] void fail(const std::string& what) {
    positions_.places[hash_of(path_)] = {here_, here_};
    throw InputError(positions_.where(path_) + ": " + what + ".");
  }

  std::string_view text_;
  std::string path_;  ///< pointer of the value being read
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

std::uint64_t hash_of(std::string_view text, std::uint64_t before) {
  for (const char c : text) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
  return before;
}

/// Returns the position in the source, by the longest pointer that it is at or below; of two equal ones, by the later
/// one.
std::string Scene::Positions::in_source(const std::string& pointer) const {
  const std::pair<std::string, std::string>* best = nullptr;
  for (const auto& from_to : moved)
    if (is_at_or_below(pointer, from_to.first) && (!best || from_to.first.size() >= best->first.size()))
      best = &from_to;
  return best ? best->second + pointer.substr(best->first.size()) : pointer;
}

TextPosition Scene::Positions::position(const std::string& pointer, bool key) const {
  if (source) return source->position(in_source(pointer), key);
  const auto found = places.find(hash_of(pointer));
  if (found == places.end()) return {0, 0};
  return key ? found->second.key : found->second.value;
}

std::string Scene::Positions::describe(const std::string& pointer, bool key) const {
  if (source) return source->describe(in_source(pointer), key);
  const std::string name = pointer.empty() ? "/" : shortened(pointer);
  for (const std::string& set : sets)
    if (is_at_or_below(pointer, set)) return "--set " + name;
  TextPosition at = position(pointer, key);
  for (std::string around = pointer; at.line == 0; around = parent_pointer(around)) {
    at = position(around, false);
    if (around.empty()) break;
  }
  if (at.line == 0) return file + " " + name;
  return file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + " " + name;
}

std::string Scene::Positions::where(const std::string& pointer) const { return describe(pointer, false); }
std::string Scene::Positions::where_key(const std::string& pointer) const { return describe(pointer, true); }

std::string Scene::where(const std::string& pointer) const { return positions ? positions->where(pointer) : pointer; }

Scene::Positions scan_positions(const std::string& file, std::string_view text, const std::string& set) {
  return Scanner(file, text, set).scan();
}

}  // namespace scree
