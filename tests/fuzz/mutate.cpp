#include "mutate.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace scree::fuzz {

namespace {

using Range = std::pair<std::size_t, std::size_t>;  ///< begin, end

constexpr const char* kNumbers[] = {"0",
                                    "-1",
                                    "1",
                                    "-0.0",
                                    "1e308",
                                    "-1e308",
                                    "1e309",
                                    "1e-320",
                                    "nan",
                                    "inf",
                                    "0x10",
                                    "1e50",
                                    "1e10",
                                    "123456",
                                    "255",
                                    "65536",
                                    "2147483647",
                                    "2147483648",
                                    "4294967296",
                                    "9223372036854775807",
                                    "9223372036854775808",
                                    "18446744073709551615",
                                    "-9223372036854775808",
                                    "3e-1",
                                    "7"};
constexpr const char* kWords[] = {"null", "true",   "[]",      "{}",      "\"\"", "\"auto\"", "\"random\"", "[[[[[[[[",
                                  "}}}",  "/../..", "\\u0000", "\\ud800", "\xff", "\x1b[2J",  "\n\n",       ",,",
                                  "#",    "<",      ">",       "$End",    "*",    "\"*\""};

bool is_number_start(const std::string& text, std::size_t i) {
  const auto digit = [&](std::size_t k) {
    return k < text.size() && std::isdigit(static_cast<unsigned char>(text[k]));
  };
  return (digit(i) || (text[i] == '-' && digit(i + 1))) && !(i > 0 && (digit(i - 1) || text[i - 1] == '.'));
}

/// A number of the text at or behind a random place, or an empty range.
Range some_number(const std::string& text, Random& random) {
  for (std::size_t i = random.below(text.size()); i < text.size(); ++i) {
    if (!is_number_start(text, i)) continue;
    return {i, std::min(text.find_first_not_of("0123456789+-.eE", i), text.size())};
  }
  return {text.size(), text.size()};
}

/// A value of JSON at or behind a random place: a text, number, array or object; or an empty range.
Range some_value(const std::string& text, Random& random) {
  const std::size_t begin = text.find_first_of("\"[{-0123456789", random.below(text.size()));
  if (begin == std::string::npos) return {text.size(), text.size()};
  if (text[begin] == '"') {
    const std::size_t end = text.find('"', begin + 1);
    return {begin, end == std::string::npos ? text.size() : end + 1};
  }
  if (text[begin] != '[' && text[begin] != '{')
    return {begin, std::min(text.find_first_not_of("0123456789+-.eE", begin), text.size())};
  std::size_t depth = 0, at = begin;
  for (; at < text.size(); ++at) {
    if (text[at] == '[' || text[at] == '{') ++depth;
    if ((text[at] == ']' || text[at] == '}') && --depth == 0) return {begin, at + 1};
  }
  return {begin, text.size()};
}

Range some_line(const std::string& text, Random& random) {
  const std::size_t at = random.below(text.size());
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return {begin, std::min(text.find('\n', at), text.size())};
}

Range some_range(const std::string& text, Random& random, std::size_t longest) {
  const std::size_t begin = random.below(text.size());
  return {begin, std::min(begin + 1 + random.below(longest), text.size())};
}

std::string part(const std::string& text, Range r) { return text.substr(r.first, r.second - r.first); }
void put(std::string& text, Range r, const std::string& with) { text.replace(r.first, r.second - r.first, with); }

void damage_bytes(std::string& text, Random& random) {
  if (text.empty()) text = "x";
  switch (random.below(6)) {
    case 0:
      text[random.below(text.size())] ^= static_cast<char>(1u << random.below(8));
      break;
    case 1:
      text[random.below(text.size())] = static_cast<char>(random.next());
      break;
    case 2:
      text.insert(random.below(text.size() + 1), 1, static_cast<char>(random.next()));
      break;
    case 3:
      put(text, some_range(text, random, 64), "");
      break;
    case 4:
      text.insert(random.below(text.size() + 1), part(text, some_range(text, random, 256)));
      break;
    default:
      if (random.below(4) == 0)
        text.resize(random.below(text.size()));
      else
        put(text, some_range(text, random, 8), std::string(random.below(9), random.below(2) ? '\xff' : '\0'));
  }
}

void damage_text(std::string& text, const std::string& other, Random& random) {
  if (text.empty()) text = "0";
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2:
      return put(text, some_number(text, random), kNumbers[random.below(std::size(kNumbers))]);
    case 3:
      return put(text, some_value(text, random), part(text, some_value(text, random)));
    case 4:
      return put(text, some_value(text, random), part(other, some_value(other, random)));
    case 5:
      return put(text, some_value(text, random), kWords[random.below(std::size(kWords))]);
    case 6:
      return put(text, some_line(text, random), part(text, some_line(text, random)));
    case 7:
      return put(text, some_line(text, random), "");
    case 8:
      text.insert(random.below(text.size() + 1), kWords[random.below(std::size(kWords))]);
      return;
    default:
      return damage_bytes(text, random);
  }
}

}  // namespace

std::string damaged(const std::vector<std::string>& seeds, bool binary, std::uint64_t number) {
  Random random(number);
  random.next();
  std::string text = seeds[random.below(seeds.size())];
  const std::string& other = seeds[random.below(seeds.size())];
  for (std::size_t n = 1 + random.below(6); n > 0; --n)
    binary ? damage_bytes(text, random) : damage_text(text, other, random);
  return text;
}

}  // namespace scree::fuzz
