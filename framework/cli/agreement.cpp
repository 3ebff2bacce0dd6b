#include "cli/agreement.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

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

/// Metrics of variants.
class Figures {
 public:
  Figures(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants)
      : table_(table), batch_(batch), variants_(variants) {}

  std::optional<Sample> sample(std::size_t variant, std::size_t figure) const {
    return sample_of(table_, batch_, variants_[variant], figure);
  }
  /// Returns a number with its spread, a text as it is, or "" if there is none or runs have several.
  std::string text(std::size_t variant, std::size_t figure) const {
    const auto s = sample(variant, figure);
    if (s && s->count > 1) return fmt::format("{:.6g} ± {:.2g}", s->mean, s->deviation);
    if (s) return fmt::format("{:.6g}", s->mean);
    std::set<std::string> texts;
    for (const std::size_t run : variants_[variant].runs) texts.insert(table_.value(run, figure));
    return texts.size() == 1 ? short_number(*texts.begin()) : "";
  }
  /// Returns the text with the difference from the first variant.
  std::string cell(std::size_t variant, std::size_t figure) const {
    const std::string value = text(variant, figure);
    if (value.empty()) return "-";
    const auto own = sample(variant, figure), first = sample(0, figure);
    if (variant == 0 || !own || !first) return value;
    const auto chance = chance_difference(*own, *first);
    const bool beyond = chance && std::abs(own->mean - first->mean) > *chance;
    return fmt::format("{} ({}){}", value, percent_text(deviation(own->mean, first->mean)), beyond ? " *" : "");
  }

 private:
  const BatchTable& table_;
  const Batch& batch_;
  const std::vector<Variant>& variants_;
};

/// Returns the message on one metric of one variant; "" if it is within its limit.
std::string beyond(const Figures& figures, const std::string& figure, std::size_t f, const Variant& variant,
                   std::size_t k, const Bound& bound) {
  const auto own = figures.sample(k, f), first = figures.sample(0, f);
  if (!own || !first)
    return bound.figure.empty() ? ""
                                : fmt::format("{}: {} has \"{}\", the first run \"{}\"; both must be numbers.\n",
                                              figure, variant.name, figures.text(k, f), figures.text(0, f));
  const double percent = deviation(own->mean, first->mean);
  const double chance = chance_difference(*own, *first).value_or(0);
  if (bound.percent ? std::abs(percent) <= *bound.percent : std::abs(own->mean - first->mean) <= chance) return "";
  const std::string limit =
      bound.percent ? fmt::format("at most {} % is allowed", *bound.percent)
                    : fmt::format("the spread of {} seeds explains a difference of {:.2g}", own->count, chance);
  return fmt::format("{}: {} has {}, {} from {} of the first run; {}.\n", figure, variant.name, figures.text(k, f),
                     percent_text(percent), figures.text(0, f), limit);
}

}  // namespace

Bound read_bound(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const bool named = equals != std::string::npos;
  const std::string limit = named ? text.substr(equals + 1) : text;
  const auto percent = parse_number<double>(limit);
  if ((limit != "seeds" && (!percent || *percent < 0)) || (named && equals == 0))
    throw InputError(fmt::format(
        "--within {}: must be a number of percent from 0 up, or FIGURE=PCT, e.g. --within contacts=5, or \"seeds\" "
        "in place of the number.",
        text));
  return {named ? text.substr(0, equals) : "", percent};
}

double deviation(double value, double reference) {
  if (value == reference) return 0;
  if (reference == 0) return std::copysign(std::numeric_limits<double>::infinity(), value);
  return 100 * (value - reference) / std::abs(reference);
}

std::string side_by_side(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants) {
  const Figures figures(table, batch, variants);
  TableRows rows = {{"figure"}};
  for (const Variant& variant : variants) rows[0].push_back(variant.name);
  for (std::size_t f = 0; f < table.metrics().size(); ++f) {
    auto& row = rows.emplace_back();
    row.push_back(table.metrics()[f]);
    for (std::size_t k = 0; k < variants.size(); ++k) row.push_back(figures.cell(k, f));
  }
  auto& codes = rows.emplace_back();
  codes.push_back("exit code");
  for (const Variant& variant : variants) {
    std::set<int> of_runs;
    for (const std::size_t run : variant.runs) of_runs.insert(batch.outcomes()[run].exit_code);
    std::string& text = codes.emplace_back();
    for (const int code : of_runs) text += (text.empty() ? "" : ", ") + (code < 0 ? "not run" : std::to_string(code));
  }
  return table_text(rows);
}

std::string disagreements(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants,
                          const std::vector<Bound>& bounds) {
  const Figures figures(table, batch, variants);
  std::string text;
  for (std::size_t f = 0; f < table.metrics().size(); ++f) {
    const std::string& figure = table.metrics()[f];
    const Bound* holds = nullptr;  // a bound with a name goes before one without
    for (const Bound& bound : bounds)
      if (bound.figure == figure || (!holds && bound.figure.empty() && !of_computing(figure))) holds = &bound;
    for (std::size_t k = 1; holds && k < variants.size(); ++k)
      text += beyond(figures, figure, f, variants[k], k, *holds);
  }
  return text;
}

}  // namespace scree::cli
