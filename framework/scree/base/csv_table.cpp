#include "scree/base/csv_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree {

namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = line.find(',', begin);
    fields.push_back(trimmed(line.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return fields;
    begin = comma + 1;
  }
}

}  // namespace

CsvTable::CsvTable(std::istream& in, std::string name, const std::string& example) : lines_(in, std::move(name), '#') {
  if (!lines_.next()) fail(fmt::format("is empty; expected a line of column names such as \"{}\".", example));
  for (const std::string_view field : fields_of(lines_.text())) {
    if (has(field)) fail(fmt::format("column \"{}\" is there twice. Remove one.", field));
    columns_.emplace_back(field);
  }
}

void CsvTable::check_names(const std::vector<std::string>& known, int dimension, const std::string& fix) const {
  for (const std::string& column : columns_) {
    if (std::ranges::find(known, column) != known.end()) continue;
    const std::string near = nearest_name(column, known);
    fail(fmt::format("unknown column \"{}\" in {} dimensions.{} Known: {}. {}", column, dimension,
                     near.empty() ? "" : " Did you mean \"" + near + "\"?", fmt::join(known, ", "), fix));
  }
}

bool CsvTable::has(std::string_view column) const { return std::ranges::find(columns_, column) != columns_.end(); }

bool CsvTable::next_row() {
  if (!lines_.next()) return false;
  values_ = fields_of(lines_.text());
  if (values_.size() != columns_.size())
    fail(fmt::format("{} values for {} columns. Give one value per column.", values_.size(), columns_.size()));
  return true;
}

std::string_view CsvTable::text(std::string_view column) const {
  return values_[static_cast<std::size_t>(std::ranges::find(columns_, column) - columns_.begin())];
}

double CsvTable::number(std::string_view column) const {
  const auto value = parse_number<double>(text(column));
  if (!value) fail(fmt::format("column \"{}\": \"{}\" is not a finite number.", column, text(column)));
  return *value;
}

}  // namespace scree
