#include "cli/agreement.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::cli {

namespace {

bool of_computing(const std::string& figure) { return figure.starts_with("wall_seconds"); }

std::string percent_text(double percent) {
  if (std::isinf(percent)) return percent > 0 ? "+inf %" : "-inf %";
  if (percent == 0) return "0 %";
  return std::abs(percent) < 100 ? fmt::format("{:+.2g} %", percent) : fmt::format("{:+.0f} %", percent);
}

/// What is to be said of one figure of one run; "" when it is within its limit.
std::string beyond(const std::string& figure, const std::string& name, const std::string& value,
                   const std::string& reference, const Bound& bound) {
  const auto percent = deviation(value, reference);
  if (percent && std::abs(*percent) <= bound.percent) return "";
  if (!percent && bound.figure.empty()) return "";
  if (!percent)
    return fmt::format("{}: {} has \"{}\", the first run \"{}\"; both must be numbers.\n", figure, name, value,
                       reference);
  return fmt::format("{}: {} has {}, {} from {} of the first run; at most {} % is allowed.\n", figure, name,
                     short_number(value), percent_text(*percent), short_number(reference), bound.percent);
}

}  // namespace

Bound read_bound(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const bool named = equals != std::string::npos;
  const auto percent = parse_number<double>(named ? std::string_view(text).substr(equals + 1) : text);
  if (!percent || *percent < 0 || (named && equals == 0))
    throw InputError(fmt::format(
        "--within {}: must be a number of percent from 0 up, or FIGURE=PCT, e.g. --within contacts=5.", text));
  return {named ? text.substr(0, equals) : "", *percent};
}

std::optional<double> deviation(const std::string& value, const std::string& reference) {
  const auto a = parse_number<double>(value), b = parse_number<double>(reference);
  if (!a || !b) return std::nullopt;
  if (*a == *b) return 0;
  if (*b == 0) return std::copysign(std::numeric_limits<double>::infinity(), *a);
  return 100 * (*a - *b) / std::abs(*b);
}

std::string side_by_side(const BatchTable& table, const Batch& batch, const std::vector<std::string>& names) {
  TableRows rows = {{"figure"}};
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  for (std::size_t f = 0; f < table.figures().size(); ++f) {
    auto& row = rows.emplace_back();
    row.push_back(table.figures()[f]);
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::string& value = table.value(k, f);
      const auto percent = k > 0 ? deviation(value, table.value(0, f)) : std::nullopt;
      row.push_back(value.empty() ? "-"
                    : percent     ? fmt::format("{} ({})", short_number(value), percent_text(*percent))
                                  : short_number(value));
    }
  }
  auto& codes = rows.emplace_back();
  codes.push_back("exit code");
  for (const BatchOutcome& outcome : batch.outcomes())
    codes.push_back(outcome.exit_code < 0 ? "not run" : std::to_string(outcome.exit_code));
  return table_text(rows);
}

std::string disagreements(const BatchTable& table, const Batch& batch, const std::vector<std::string>& names,
                          const std::vector<Bound>& bounds) {
  std::string text;
  for (std::size_t f = 0; f < table.figures().size(); ++f) {
    const std::string& figure = table.figures()[f];
    const Bound* holds = nullptr;  // one with a name before one without
    for (const Bound& bound : bounds)
      if (bound.figure == figure || (!holds && bound.figure.empty() && !of_computing(figure))) holds = &bound;
    for (std::size_t k = 1; holds && k < names.size(); ++k)
      if (batch.outcomes()[k].completed())
        text += beyond(figure, names[k], table.value(k, f), table.value(0, f), *holds);
  }
  return text;
}

}  // namespace scree::cli
