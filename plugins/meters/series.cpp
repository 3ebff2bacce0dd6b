#include "series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree::meters {

Series::Series(const std::string& name) : file_(name + ".csv") {
  for (const char* const taken : {"metrics", "culling"})
    if (name == taken)
      throw OptionError("/name",
                        fmt::format("\"{}\" is the name of another file of the run. Choose another one.", file_));
}

/// Columns that the file has from an earlier part of the run stay, also where the meter has them no longer: with 0.
void Series::begin_table(const std::vector<std::string>& columns, double time) {
  std::vector<std::string> all = continued_ ? columns_of_table(folder_ / file_) : std::vector<std::string>{};
  if (all.empty() || all[0] != columns[0]) all = columns;
  for (const std::string& name : columns)
    if (std::ranges::find(all, name) == all.end()) all.push_back(name);
  for (const std::string& name : columns)
    places_.push_back(static_cast<std::size_t>(std::ranges::find(all, name) - all.begin()));
  table_.emplace(folder_ / file_, all, continued_ ? std::optional(time) : std::nullopt, KeptRows::before);
}

void Series::add(const Frame& frame, const std::vector<std::string>& columns, std::span<const double> values) {
  if (!table_) {
    std::vector<std::string> all = {"time_s"};
    all.insert(all.end(), columns.begin(), columns.end());
    begin_table(all, frame.time);
  }
  const std::size_t width = table_->columns().size();
  std::vector<double> rows;
  for (; values.size() >= columns.size() && !columns.empty(); values = values.subspan(columns.size())) {
    rows.resize(rows.size() + width, 0);
    double* const row = &rows[rows.size() - width];
    row[places_[0]] = frame.time;
    for (std::size_t k = 0; k < columns.size(); ++k) row[places_[k + 1]] = values[k];
  }
  table_->append(rows);
}

}  // namespace scree::meters
