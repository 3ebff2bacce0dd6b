#pragma once
/// \file Text files of numbers: line by line, with errors that name the line.

#include <charconv>
#include <cmath>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "scree/base/api.hpp"

namespace scree {

/// The number that the whole text is, or nothing: neither blanks nor anything behind it, finite, and in T's range.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) return std::nullopt;
  }
  return value;
}

/// The text without blanks around it.
SCREE_API std::string_view trimmed(std::string_view text);

/// The lines of a text that say something, one at a time.
class SCREE_API TextLines {
 public:
  /// \param name     of the file, for errors
  /// \param comment  lines that begin with it are passed over; 0: there are no comments
  TextLines(std::istream& in, std::string name, char comment = 0);

  /// Goes to the next line that is neither empty nor a comment. \return false at the end of the file
  bool next();
  /// This line without blanks around it; until next().
  std::string_view text() const { return text_; }
  /// The next word of this line, or "" where none is left.
  std::string_view word();

  /// Number of this line in the file, counted from 1.
  int line() const { return number_; }

  /// \throws InputError "name:line: message", with the number of this line
  [[noreturn]] void fail(const std::string& message) const;
  /// \throws InputError "name:line: message"
  [[noreturn]] void fail_at(int line, const std::string& message) const;

 private:
  std::istream& in_;
  std::string name_, line_;
  char comment_;
  std::string_view text_, rest_;
  int number_ = 0;
};

}  // namespace scree
