#include "scree/scene/detail/pattern.hpp"

#include <regex.h>

#include <cctype>
#include <map>
#include <memory>
#include <mutex>

#include "scree/base/error.hpp"

namespace scree {

namespace {

[[noreturn]] void refuse(const std::string& pattern, const std::string& why) {
  throw Error("the JSON Schema is broken: pattern \"" + pattern + "\": " + why);
}

/// Returns the meaning of an escape of ECMAScript inside brackets of a POSIX expression.
std::string in_brackets(const std::string& pattern, char escaped) {
  if (escaped == 'd') return "0-9";
  if (escaped == 'w') return "A-Za-z0-9_";
  if (escaped == 's') return " \t\r\n\f\v";
  if (std::isalnum(static_cast<unsigned char>(escaped)) || escaped == ']' || escaped == '^' || escaped == '-')
    refuse(pattern, std::string("\\") + escaped + " in brackets is not understood here.");
  return {escaped};
}

/// Returns the expression in POSIX form: JSON Schema has those of ECMAScript.
std::string posix(const std::string& pattern) {
  std::string text;
  bool brackets = false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i], next = i + 1 < pattern.size() ? pattern[i + 1] : '\0';
    if (c == '\\') {
      if (next == '\0') refuse(pattern, "it ends with a backslash.");
      ++i;
      if (brackets)
        text += in_brackets(pattern, next);
      else if (next == 'd')
        text += "[0-9]";
      else if (next == 'D')
        text += "[^0-9]";
      else if (std::isalnum(static_cast<unsigned char>(next)) &&
               std::string_view("wWsSbB").find(next) == std::string::npos)
        refuse(pattern, std::string("\\") + next + " is not understood here.");
      else
        text += {c, next};
    } else if (c == '(' && next == '?' && !brackets) {
      if (pattern.compare(i, 3, "(?:") != 0) refuse(pattern, "it looks ahead, which is not understood here.");
      text += '(';
      i += 2;
    } else {
      if (c == '[' && !brackets)
        brackets = true;
      else if (c == ']')
        brackets = false;
      text += c;
    }
  }
  return text;
}

/// Expression of the C library: its time grows with the length of the text, and its stack does not grow.
class Expression {
 public:
  explicit Expression(const std::string& pattern) {
    if (const int code = ::regcomp(&regex_, posix(pattern).c_str(), REG_EXTENDED | REG_NOSUB); code != 0) {
      char why[200];
      ::regerror(code, &regex_, why, sizeof why);
      refuse(pattern, why);
    }
  }
  ~Expression() { ::regfree(&regex_); }
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  bool found_in(std::string_view text) const {
    regmatch_t whole{0, static_cast<regoff_t>(text.size())};
    return ::regexec(&regex_, text.data(), 1, &whole, REG_STARTEND) == 0;
  }

 private:
  regex_t regex_;
};

}  // namespace

bool fits_pattern(std::string_view text, const std::string& pattern) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const Expression>> known;
  const std::lock_guard lock(mutex);
  std::unique_ptr<const Expression>& expression = known[pattern];
  if (!expression) expression = std::make_unique<const Expression>(pattern);
  return expression->found_in(text);
}

}  // namespace scree
