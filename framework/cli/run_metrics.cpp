#include "cli/run_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scree/base/csv_table.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Checks for a regular file, not a pipe, which may never end.
bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Returns the summary in a folder; null if there is none, or none that can be read.
Json summary_in(const fs::path& folder) {
  if (!is_file(folder / "summary.json")) return {};
  Json summary = Json::parse(read_file(folder / "summary.json"), nullptr, false);
  return summary.is_discarded() ? Json() : summary;
}

std::string scalar_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number() || value.is_boolean() ? value.dump() : "";
}

/// Returns the value of a name with dots, or null.
Json member_of(const Json& document, const std::string& name) {
  Json at = document;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string key = name.substr(begin, end - begin);
    const auto index = parse_number<std::size_t>(key);
    if (at.is_object() && at.contains(key))
      at = Json(at[key]);
    else if (at.is_array() && index && *index < at.size())
      at = Json(at[*index]);
    else
      return {};
    begin = end + 1;
  }
  return at;
}

std::string seconds_per_second(const Json& summary) {
  const auto number = [&](const char* key) {
    const Json value = member_of(summary, key);
    return value.is_number() ? value.get<double>() : 0.;
  };
  const double time = number("simulated_time"), wall = number("wall_seconds");
  return time > 0 ? fmt::format("{:.6g}", wall / time) : "";
}

/// Fold of one column over the rows of a file.
class ColumnFold {
 public:
  explicit ColumnFold(std::string_view how) : how_(how) {}
  void add(double value) {
    sum_ += value;
    low_ = count_ ? std::min(low_, value) : value;
    high_ = count_ ? std::max(high_, value) : value;
    last_ = value;
    ++count_;
  }
  std::string text() const {
    if (count_ == 0) return "";
    const double value = how_ == "mean"  ? sum_ / static_cast<double>(count_)
                         : how_ == "min" ? low_
                         : how_ == "max" ? high_
                                         : last_;
    return fmt::format("{}", value);
  }

 private:
  std::string_view how_;
  std::size_t count_ = 0;
  double sum_ = 0, low_ = 0, high_ = 0, last_ = 0;
};

std::string column_text(const fs::path& file, const std::string& column, std::string_view how, double from) {
  if (!is_file(file)) return "";
  std::ifstream in(file);
  ColumnFold fold(how);
  try {
    CsvTable table(in, file.string(), "time_s,...");
    if (!table.has(column)) return "";
    while (table.next_row()) {
      const auto value = parse_number<double>(table.text(column));
      if (!value) continue;  // infinite, as a ratio may be
      if (!how.empty() && table.has("time_s") && table.number("time_s") < from) continue;
      fold.add(*value);
    }
  } catch (const InputError&) {
    return "";  // no table of a run
  }
  return fold.text();
}

std::vector<std::string> columns_in(const fs::path& file) {
  if (!is_file(file)) return {};
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::vector<std::string> columns;
  std::istringstream words(line);
  for (std::string word; std::getline(words, word, ',');) columns.push_back(word);
  return columns;
}

}  // namespace

std::string RunMetrics::text(const std::string& name) const {
  const Json summary = summary_in(folder_);
  if (summary.is_object()) {
    if (name == "wall_seconds_per_second") return seconds_per_second(summary);
    if (const std::string text = scalar_text(member_of(summary, name)); !text.empty()) return text;
  }
  std::string column = name, how, file = "metrics";
  for (const char* known : {"mean", "min", "max"})
    if (name.ends_with(std::string(":") + known)) {
      how = known;
      column.resize(name.size() - how.size() - 1);
    }
  if (const std::size_t slash = column.find('/'); slash != std::string::npos) {
    file = column.substr(0, slash);
    column.erase(0, slash + 1);
  }
  if (file.empty() || file.starts_with('.')) return "";
  return column_text(folder_ / (file + ".csv"), column, how, from_);
}

std::vector<std::string> RunMetrics::of_columns(const std::vector<std::string>& wanted) const {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const fs::path file = entry.path();
    if (file.extension() != ".csv" || file.filename() == "metrics.csv") continue;
    for (const std::string& column : columns_in(file))
      if (std::ranges::find(wanted, column) != wanted.end()) found.push_back(file.stem().string() + "/" + column);
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> RunMetrics::known() const {
  std::vector<std::string> names;
  const Json summary = summary_in(folder_);
  if (summary.is_object())
    for (const auto& [key, value] : summary.items())
      if (!scalar_text(value).empty()) names.push_back(key);
  if (summary.is_object() && summary.contains("figures") && summary["figures"].is_object())
    for (const auto& [key, value] : summary["figures"].items()) names.push_back("figures." + key);
  for (std::string& column : columns_in(folder_ / "metrics.csv")) names.push_back(std::move(column));
  return names;
}

}  // namespace scree::cli
