#include "scree/base/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree {

namespace {

constexpr const char* kBlanks = " \t\r";

}  // namespace

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

TextLines::TextLines(std::istream& in, std::string name, char comment)
    : in_(in), name_(std::move(name)), comment_(comment) {}

bool TextLines::next() {
  while (std::getline(in_, line_)) {
    ++number_;
    rest_ = text_ = trimmed(line_);
    if (!text_.empty() && (comment_ == 0 || text_.front() != comment_)) return true;
  }
  rest_ = text_ = {};
  return false;
}

std::string_view TextLines::word() {
  const std::string_view result = rest_.substr(0, rest_.find_first_of(kBlanks));
  rest_ = trimmed(rest_.substr(result.size()));
  return result;
}

void TextLines::fail(const std::string& message) const { fail_at(std::max(number_, 1), message); }

void TextLines::fail_at(int line, const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", name_, line, message));
}

}  // namespace scree
