#pragma once
/// \file Text files of numbers, read line by line, with errors that name the line.

#include <charconv>
#include <cmath>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "scree/base/api.hpp"

namespace scree {

/// Returns the number if the whole text is one, else nothing. No blanks, nothing behind it, finite, and in T's range.
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

/// Returns the text without blanks around it.
SCREE_API std::string_view trimmed(std::string_view text);

/// Lines of a text that are neither empty nor comments, one at a time.
class SCREE_API TextLines {
 public:
  /// \param name     name of the file, for errors
  /// \param comment  first character of lines to skip; 0: there are no comments
  TextLines(std::istream& in, std::string name, char comment = 0);

  /// Goes to the next line that is neither empty nor a comment. \return false at the end of the file
  bool next();
  /// Returns this line without blanks around it; valid until next().
  std::string_view text() const { return text_; }
  /// Returns the next word of this line, or "" at its end.
  std::string_view word();

  /// Number of this line in the file, counted from 1.
  int line() const { return number_; }

  /// Throws an error at this line. \throws InputError "name:line: message"
  [[noreturn]] void fail(const std::string& message) const;
  /// Throws an error at a line. \throws InputError "name:line: message"
  [[noreturn]] void fail_at(int line, const std::string& message) const;

 private:
  std::istream& in_;
  std::string name_, line_;
  char comment_;
  std::string_view text_, rest_;
  int number_ = 0;
};

}  // namespace scree
