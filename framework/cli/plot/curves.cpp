#include "curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "scree/base/csv_table.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::plot {

namespace {

namespace fs = std::filesystem;

/// Place of a column.
struct Source {
  fs::path file;
  std::string column;
};

Source source_of(const std::string& run, const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string column = slash == std::string::npos ? name : name.substr(slash + 1);
  if (fs::is_regular_file(run)) {
    if (slash == std::string::npos) return {run, column};
    throw InputError(fmt::format(
        "scree plot: --columns {}: {} is a file; name the run's folder, or a column of the file.", name, run));
  }
  const std::string file = slash == std::string::npos ? "metrics" : name.substr(0, slash);
  return {fs::path(run) / (file + ".csv"), column};
}

std::vector<std::string> columns_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::istringstream words(line);
  std::vector<std::string> columns;
  for (std::string word; std::getline(words, word, ',');) columns.push_back(word);
  return columns;
}

void require_column(const Source& source, const std::string& column, const char* option) {
  const std::vector<std::string> known = columns_of(source.file);
  if (std::ranges::find(known, column) != known.end()) return;
  const std::string nearest = nearest_name(column, known);
  throw InputError(fmt::format("scree plot: {} {}: {} has no such column.{} There are: {}.", option, column,
                               source.file.string(), nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?",
                               fmt::join(known, ", ")));
}

/// Rows of a file with numbers in the columns of a curve, and what they are chosen by.
struct Points {
  std::vector<double> x, y, key;
};

Points read_points(const Source& source, const std::string& x, const RowChoice& choice) {
  require_regular_file(source.file);
  std::ifstream in(source.file);
  if (!in)
    throw IoError(fmt::format("{}: is not there, or cannot be read. Give the output folder of a run, or a .csv file.",
                              source.file.string()));
  require_column(source, source.column, "--columns");
  require_column(source, x, "--x");
  if (!choice.column.empty()) require_column(source, choice.column, "--where");
  Points points;
  CsvTable table(in, source.file.string(), "time_s,step");
  while (table.next_row()) {
    const auto a = parse_number<double>(table.text(x)), b = parse_number<double>(table.text(source.column));
    const auto key = choice.column.empty() ? std::optional(0.) : parse_number<double>(table.text(choice.column));
    if (!a || !b || !key) continue;
    points.x.push_back(*a), points.y.push_back(*b), points.key.push_back(*key);
  }
  if (points.x.empty())
    throw InputError(
        fmt::format("scree plot: {} has no row with numbers in {} and {}.", source.file.string(), x, source.column));
  return points;
}

/// Returns the key nearest to a value: the lower one of two.
double nearest_key(const Points& points, const std::string& value) {
  if (value == "last") return points.key.back();
  const double wanted = *parse_number<double>(value);
  return *std::ranges::min_element(points.key, {}, [&](double key) { return std::pair(std::abs(key - wanted), key); });
}

/// Returns a curve of all points, or one for each value of the choice.
std::vector<Curve> curves_of(const Points& points, const std::string& column, const RowChoice& choice) {
  if (choice.column.empty()) return {{"", column, points.x, points.y}};
  std::vector<Curve> curves;
  for (const std::string& value : choice.values) {
    const double key = nearest_key(points, value);
    Curve& curve = curves.emplace_back();
    curve.column = fmt::format("{} at {}={}", column, choice.column, key);
    for (std::size_t k = 0; k < points.key.size(); ++k)
      if (points.key[k] == key) curve.x.push_back(points.x[k]), curve.y.push_back(points.y[k]);
  }
  return curves;
}

/// Returns the shortest ends of the paths that differ.
std::vector<std::string> names_of(const std::vector<std::string>& runs) {
  std::vector<fs::path> paths;
  for (const std::string& run : runs) {
    fs::path path = fs::absolute(run).lexically_normal();
    if (path.filename().empty()) path = path.parent_path();
    paths.push_back(path);
  }
  std::vector<std::string> names;
  for (const fs::path& path : paths) names.push_back(path.filename().string());
  if (std::set(names.begin(), names.end()).size() < names.size())
    for (std::size_t k = 0; k < names.size(); ++k)
      names[k] = (paths[k].parent_path().filename() / paths[k].filename()).string();
  return std::set(names.begin(), names.end()).size() < names.size() ? runs : names;
}

}  // namespace

std::vector<Curve> read_curves(const std::vector<std::string>& runs, const std::vector<std::string>& columns,
                               const std::string& x, const RowChoice& choice) {
  const std::vector<std::string> names = names_of(runs);
  std::vector<Curve> curves;
  for (std::size_t k = 0; k < runs.size(); ++k)
    for (const std::string& column : columns)
      for (Curve& curve : curves_of(read_points(source_of(runs[k], column), x, choice), column, choice)) {
        curve.run = names[k];
        curves.push_back(std::move(curve));
      }
  return curves;
}

void average_over(Curve& curve, double width) {
  constexpr double kSame = 1e-9;  // as in meters: rows are at whole numbers of steps, rounded
  if (!std::ranges::is_sorted(curve.x))
    throw InputError(
        fmt::format("scree plot: --mean: {} of {} is not over rows in order. Choose rows with --where, or "
                    "draw over time.",
                    curve.column, curve.run));
  const std::vector<double> y = curve.y;
  std::size_t first = 0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    while (curve.x[k] - curve.x[first] >= width * (1 - kSame)) ++first;
    double sum = 0;
    for (std::size_t j = first; j <= k; ++j) sum += y[j];
    curve.y[k] = sum / static_cast<double>(k - first + 1);
  }
}

std::string label_of(const Curve& curve, const std::vector<Curve>& among) {
  const bool one_run = std::ranges::all_of(among, [&](const Curve& c) { return c.run == curve.run; });
  const bool one_column = std::ranges::all_of(among, [&](const Curve& c) { return c.column == curve.column; });
  if (one_run) return curve.column;
  return one_column ? curve.run : curve.run + ": " + curve.column;
}

std::string csv_of(const std::vector<Curve>& curves, const std::string& x) {
  std::vector<std::string> columns;
  for (const Curve& curve : curves)
    if (std::ranges::find(columns, curve.column) == columns.end()) columns.push_back(curve.column);
  std::string text = fmt::format("run,{},{}\n", x, fmt::join(columns, ","));
  for (const Curve& curve : curves) {
    // Curves of one run with the same x share their rows.
    const auto sibling = [&](const Curve& other) { return other.run == curve.run && other.x == curve.x; };
    if (&*std::ranges::find_if(curves, sibling) != &curve) continue;
    const bool quoted = curve.run.find_first_of(",\"") != std::string::npos;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      text += quoted ? "\"" + curve.run + "\"" : curve.run;
      text += fmt::format(",{}", curve.x[i]);
      for (const std::string& column : columns) {
        const auto found =
            std::ranges::find_if(curves, [&](const Curve& other) { return sibling(other) && other.column == column; });
        text += found == curves.end() ? "," : fmt::format(",{}", found->y[i]);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace scree::plot
