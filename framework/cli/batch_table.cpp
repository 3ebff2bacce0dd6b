#include "cli/batch_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/run_metrics.hpp"
#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::cli {

BatchTable::BatchTable(const Plan& plan, const Batch& batch, std::vector<std::string> figures, double from)
    : plan_(plan), batch_(batch), figures_(std::move(figures)) {
  for (std::size_t k = 0; k < batch.runs().size(); ++k) {
    const RunMetrics of_run(batch.folder_of(k), from);
    auto& row = values_.emplace_back();
    for (const std::string& figure : figures_) row.push_back(of_run.text(figure));
  }
}

std::vector<std::string> BatchTable::head() const {
  std::vector<std::string> names = {"run"};
  names.insert(names.end(), plan_.axes.begin(), plan_.axes.end());
  names.push_back("exit_code");
  names.insert(names.end(), figures_.begin(), figures_.end());
  return names;
}

std::string BatchTable::csv() const {
  TableRows rows = {head()};
  rows[0].push_back("message");
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const BatchOutcome& outcome = batch_.outcomes()[k];
    auto& row = rows.emplace_back();
    row.push_back(batch_.runs()[k].name);
    row.insert(row.end(), plan_.combinations[k].values.begin(), plan_.combinations[k].values.end());
    row.push_back(outcome.exit_code < 0 ? "" : std::to_string(outcome.exit_code));
    row.insert(row.end(), values_[k].begin(), values_[k].end());
    row.push_back(outcome.message);
  }
  return csv_text(rows);
}

std::string BatchTable::text() const {
  TableRows rows = {head()};
  rows[0].erase(rows[0].begin());
  for (std::size_t k = 0; k < values_.size(); ++k) {
    auto& row = rows.emplace_back(plan_.combinations[k].values);
    const int code = batch_.outcomes()[k].exit_code;
    row.push_back(code < 0 ? "not run" : std::to_string(code));
    for (const std::string& value : values_[k]) row.push_back(short_number(value));
  }
  return table_text(rows);
}

std::string BatchTable::missing(double from) const {
  std::string text;
  for (std::size_t f = 0; f < figures_.size(); ++f)
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (!batch_.outcomes()[k].completed()) continue;
      const bool none = std::ranges::all_of(values_, [&](const auto& row) { return row[f].empty(); });
      if (!none) break;
      const std::string nearest = nearest_name(figures_[f], RunMetrics(batch_.folder_of(k), from).known());
      text += fmt::format("warning: no run has the figure \"{}\".{} It is to be {}.\n", figures_[f],
                          nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?", kMetricNames);
      break;
    }
  return text;
}

std::string short_number(const std::string& text) {
  const auto number = parse_number<double>(text);
  return number ? fmt::format("{:.6g}", *number) : text;
}

}  // namespace scree::cli
