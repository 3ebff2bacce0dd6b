#include <algorithm>

#include "scree/base/utf8.hpp"
#include "scree/scene/detail/reading.hpp"

namespace scree {

namespace {

constexpr std::size_t kMostCharacters = 120;
/// Limit of a name's length: names become names of files, which have 255 bytes at most, with endings.
constexpr std::size_t kMostBytes = 200;

/// Returns the code of a character. \param character  valid UTF-8
char32_t code_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  char32_t code = byte(0) & (0x7Fu >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3Fu);
  return code;
}

/// Checks whether a character is allowed in names. Of ASCII, those without meaning to shells, tables and file systems;
/// letters of other scripts. Blocks of signs, blanks, marks of direction and characters that fonts draw freely are not
/// allowed.
bool is_allowed(char32_t c) {
  if (c < 0x80) {
    const char ascii = static_cast<char>(c);
    const bool letter = (ascii >= 'a' && ascii <= 'z') || (ascii >= 'A' && ascii <= 'Z');
    return letter || (ascii >= '0' && ascii <= '9') || std::string_view("_-. ").find(ascii) != std::string_view::npos;
  }
  if (c < 0xC0 || c == 0xD7 || c == 0xF7 || c == 0x61C || c == 0x180E) return false;
  if (c < 0x2000) return true;
  return (c >= 0x2C00 && c < 0xD800 && !(c >= 0x2E00 && c < 0x2E80) && !(c >= 0x3000 && c < 0x3005)) ||
         (c >= 0xF900 && c < 0xFE00) || (c >= 0x20000 && c < 0xE0000);
}

}  // namespace

std::string name_fault(std::string_view name) {
  std::size_t characters = 0;
  if (name.empty()) return "is empty";
  for (std::string_view rest = name; !rest.empty(); ++characters) {
    const std::size_t length = utf8_length(rest);
    if (length == 0) return "is no UTF-8 text";
    const std::string_view character = rest.substr(0, length);
    if (!is_allowed(code_of(character))) return "holds \"" + std::string(character) + "\"";
    rest.remove_prefix(length);
  }
  if (characters > kMostCharacters || name.size() > kMostBytes)
    return "has " + std::to_string(characters) + " characters (" + std::to_string(name.size()) + " bytes)";
  return "";
}

std::string name_rule() {
  return "A name has letters, digits, \"_\", \"-\", \".\" and spaces, at most " + std::to_string(kMostCharacters) +
         " characters and " + std::to_string(kMostBytes) + " bytes.";
}

std::string as_name(std::string_view text) {
  std::string name;
  for (std::size_t characters = 0; !text.empty() && characters < kMostCharacters; ++characters) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(length, 1));
    if (name.size() + character.size() > kMostBytes) break;
    name += length > 0 && is_allowed(code_of(character)) ? character : "_";
    text.remove_prefix(character.size());
  }
  return name;
}

}  // namespace scree
