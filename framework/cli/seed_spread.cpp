#include "cli/seed_spread.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "scree/base/text_lines.hpp"

namespace scree::cli {

std::vector<Variant> variants_of(const Plan& plan, bool seeded) {
  std::vector<Variant> variants;
  for (std::size_t k = 0; k < plan.combinations.size(); ++k) {
    std::vector<std::string> values = plan.combinations[k].values;
    if (seeded) values.pop_back();
    const std::string name = fmt::format("{}", fmt::join(values, ", "));
    if (!seeded || variants.empty() || variants.back().name != name) variants.push_back({name, {}});
    variants.back().runs.push_back(k);
  }
  return variants;
}

std::optional<Sample> sample_of(const BatchTable& table, const Batch& batch, const Variant& variant,
                                std::size_t figure) {
  std::vector<double> numbers;
  for (const std::size_t run : variant.runs) {
    if (!batch.outcomes()[run].completed()) continue;
    const auto number = parse_number<double>(table.value(run, figure));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  if (numbers.empty()) return std::nullopt;
  Sample sample{numbers.size()};
  for (const double x : numbers) sample.mean += x / static_cast<double>(numbers.size());
  double squares = 0;
  for (const double x : numbers) squares += (x - sample.mean) * (x - sample.mean);
  if (numbers.size() > 1) sample.deviation = std::sqrt(squares / static_cast<double>(numbers.size() - 1));
  return sample;
}

std::optional<double> chance_difference(const Sample& one, const Sample& other) {
  if (one.count < 2 || other.count < 2) return std::nullopt;
  const auto n = static_cast<double>(one.count), m = static_cast<double>(other.count);
  const double a = one.deviation * one.deviation / n, b = other.deviation * other.deviation / m;
  if (!(a + b > 0)) return 0;
  const double freedom = (a + b) * (a + b) / (a * a / (n - 1) + b * b / (m - 1));
  return boost::math::quantile(boost::math::students_t(freedom), 0.975) * std::sqrt(a + b);
}

std::string spread_csv(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants) {
  TableRows rows = {{"variant", "runs"}};
  for (const std::string& figure : table.metrics()) {
    rows[0].push_back(figure);
    rows[0].push_back(figure + "_deviation");
  }
  for (const Variant& variant : variants) {
    auto& row = rows.emplace_back();
    row.push_back(variant.name);
    std::size_t completed = 0;
    for (const std::size_t run : variant.runs) completed += batch.outcomes()[run].completed();
    row.push_back(std::to_string(completed));
    for (std::size_t f = 0; f < table.metrics().size(); ++f) {
      const auto sample = sample_of(table, batch, variant, f);
      row.push_back(sample ? fmt::format("{}", sample->mean) : "");
      row.push_back(sample && sample->count > 1 ? fmt::format("{}", sample->deviation) : "");
    }
  }
  return csv_text(rows);
}

}  // namespace scree::cli
