#include "csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <istream>
#include <string_view>

#include "import.hpp"
#include "orientation.hpp"
#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::packings {

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

std::vector<std::string> known_columns(int dimension) {
  if (dimension == 2) return {"id", "x", "y", "theta", "vx", "vy", "omega", "scale", "radius"};
  return {"id", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz", "scale", "radius"};
}

/// Columns that only make sense together; those of the first group must be there.
std::vector<std::vector<std::string>> column_groups(int dimension) {
  if (dimension == 2) return {{"x", "y"}, {"vx", "vy"}};
  return {{"x", "y", "z"}, {"qw", "qx", "qy", "qz"}, {"vx", "vy", "vz"}, {"wx", "wy", "wz"}};
}

class Table {
 public:
  Table(std::istream& in, std::string name, int dimension, bool skip_unknown)
      : lines_(in, std::move(name), '#'), dimension_(dimension), skip_unknown_(skip_unknown) {
    if (!lines_.next()) fail("is empty; expected a line of column names such as \"x,y,theta\".");
    for (const std::string_view field : fields_of(lines_.text())) columns_.emplace_back(field);
    check_names();
    check_groups();
  }

  /// Goes to the next row. \return false at the end of the file
  bool next_row() {
    if (!lines_.next()) return false;
    values_ = fields_of(lines_.text());
    if (values_.size() != columns_.size())
      fail(fmt::format("{} values for {} columns. Give one value per column.", values_.size(), columns_.size()));
    return true;
  }

  bool has(const char* column) const { return find(column) != columns_.end(); }

  double number(const char* column) const {
    const std::string_view text = values_[place(column)];
    const auto value = parse_number<double>(text);
    if (!value) fail(fmt::format("column \"{}\": \"{}\" is not a finite number.", column, text));
    return *value;
  }

  double positive(const char* column) const {
    const double value = number(column);
    if (!(value > 0)) fail(fmt::format("column \"{}\": \"{}\" is not above 0.", column, values_[place(column)]));
    return value;
  }

  Id id() const {
    const std::string_view text = values_[place("id")];
    const auto value = parse_number<Id>(text);
    if (!value || *value == kNewId) fail(fmt::format("column \"id\": \"{}\" is not a whole number from 0 on.", text));
    return *value;
  }

  [[noreturn]] void fail(const std::string& message) const { lines_.fail(message); }

 private:
  void check_names() const {
    const std::vector<std::string> known = known_columns(dimension_);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& column = columns_[i];
      if (std::find(known.begin(), known.end(), column) == known.end()) {
        if (skip_unknown_) continue;
        const std::string near = nearest_name(column, known);
        fail(fmt::format(
            "unknown column \"{}\" in {} dimensions.{} Known: {}. \"skip_unknown\": true passes over others.", column,
            dimension_, near.empty() ? "" : " Did you mean \"" + near + "\"?", fmt::join(known, ", ")));
      }
      if (std::count(columns_.begin(), columns_.end(), column) > 1)
        fail(fmt::format("column \"{}\" is there twice. Remove one.", column));
    }
  }

  void check_groups() const {
    bool required = true;
    for (const std::vector<std::string>& group : column_groups(dimension_)) {
      const auto given = std::count_if(group.begin(), group.end(), [this](const auto& c) { return has(c.c_str()); });
      if (given != static_cast<std::ptrdiff_t>(group.size()) && (required || given > 0))
        fail(fmt::format("{} of the columns {} are there. Give all of them.", given, fmt::join(group, ", ")));
      required = false;
    }
  }

  std::vector<std::string>::const_iterator find(const char* column) const {
    return std::find(columns_.begin(), columns_.end(), column);
  }
  std::size_t place(const char* column) const { return static_cast<std::size_t>(find(column) - columns_.begin()); }

  TextLines lines_;
  int dimension_;
  bool skip_unknown_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> values_;  ///< into the line
};

Vec3 vector(const Table& table, const char* x, const char* y, const char* z) {
  return {table.number(x), table.number(y), table.has(z) ? table.number(z) : 0};
}

Placement read_row(const Table& table, double radius) {
  Placement place;
  place.position = vector(table, "x", "y", "z");
  if (table.has("id")) place.id = table.id();
  if (table.has("scale")) place.scale = table.positive("scale");
  if (table.has("radius")) place.scale = table.positive("radius") / radius;
  if (table.has("theta")) place.orientation = about_z(table.number("theta"));
  if (table.has("qw"))
    place.orientation = unit_quaternion(table.number("qw"), table.number("qx"), table.number("qy"), table.number("qz"),
                                        [&table](const std::string& fault) -> InputError { table.fail(fault); });
  if (table.has("vx")) place.velocity = vector(table, "vx", "vy", "vz");
  if (table.has("omega")) place.angular_velocity = Vec3(0, 0, table.number("omega"));
  if (table.has("wx")) place.angular_velocity = vector(table, "wx", "wy", "wz");
  return place;
}

}  // namespace

std::vector<Placement> read_csv(std::istream& in, const std::string& name, int dimension, const CsvOptions& options) {
  Table table(in, name, dimension, options.skip_unknown);
  if (table.has("radius") && !(options.radius > 0))
    table.fail(
        "column \"radius\" is that of spheres. Give the entry one shape of type sphere, of any radius, or a column "
        "\"scale\" in its place.");
  if (table.has("radius") && table.has("scale"))
    table.fail("there are a column \"radius\" and one \"scale\". Remove one.");
  std::vector<Placement> places;
  while (table.next_row()) places.push_back(read_row(table, options.radius));
  return places;
}

std::vector<Placement> read_csv_file(const Options& options, const PackingContext& context) {
  const std::filesystem::path file = options.file("file");
  std::ifstream in(file);
  return read_csv(in, file.string(), context.dimension,
                  {options.boolean("skip_unknown"), sphere_radius(context).value_or(0)});
}

}  // namespace scree::packings
