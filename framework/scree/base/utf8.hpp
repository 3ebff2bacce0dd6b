#pragma once
/// \file Characters of UTF-8 text.

#include <cstddef>
#include <string_view>

namespace scree {

/// Returns the number of bytes of the character that the text begins with; 0 if it is not valid. \source RFC 3629, sec.
/// 4
constexpr std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (text.empty()) return 0;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4 || !tail(1)) return 0;
  if (first < 0xE0) return 2;
  if (!tail(2)) return 0;
  if (first == 0xE0) return second < 0xA0 ? 0 : 3;
  if (first == 0xED) return second > 0x9F ? 0 : 3;
  if (first < 0xF0) return 3;
  if (!tail(3) || (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return 4;
}

constexpr bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

/// Checks whether a valid character would act on a terminal or reverse the text around it, instead of being shown.
/// These are controls (C0 but tab and line feed, DEL, C1), line and paragraph separators, and marks of direction.
constexpr bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return (byte(0) < 0x20 && byte(0) != '\t' && byte(0) != '\n') || byte(0) == 0x7F;
  if (character.size() == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (character.size() != 3 || byte(0) != 0xE2) return false;
  const bool marks = byte(1) == 0x80 && (byte(2) == 0x8E || byte(2) == 0x8F || (byte(2) >= 0xA8 && byte(2) <= 0xAE));
  return marks || (byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9);
}

}  // namespace scree
