#include "csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <istream>
#include <string_view>

#include "import.hpp"
#include "orientation.hpp"
#include "scree/base/csv_table.hpp"
#include "scree/base/error.hpp"

namespace scree::packings {

namespace {

std::vector<std::string> known_columns(int dimension) {
  if (dimension == 2) return {"id", "x", "y", "theta", "vx", "vy", "omega", "scale", "radius"};
  return {"id", "x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz", "scale", "radius"};
}

/// Columns that only make sense together; those of the first group must be there.
std::vector<std::vector<std::string>> column_groups(int dimension) {
  if (dimension == 2) return {{"x", "y"}, {"vx", "vy"}};
  return {{"x", "y", "z"}, {"qw", "qx", "qy", "qz"}, {"vx", "vy", "vz"}, {"wx", "wy", "wz"}};
}

void check_groups(const CsvTable& table, int dimension) {
  bool required = true;
  for (const std::vector<std::string>& group : column_groups(dimension)) {
    const auto given = std::ranges::count_if(group, [&table](const std::string& column) { return table.has(column); });
    if (given != static_cast<std::ptrdiff_t>(group.size()) && (required || given > 0))
      table.fail(fmt::format("{} of the columns {} are there. Give all of them.", given, fmt::join(group, ", ")));
    required = false;
  }
}

double positive(const CsvTable& table, const char* column) {
  const double value = table.number(column);
  if (!(value > 0)) table.fail(fmt::format("column \"{}\": \"{}\" is not above 0.", column, table.text(column)));
  return value;
}

Id id_of(const CsvTable& table) {
  const std::string_view text = table.text("id");
  const auto value = parse_number<Id>(text);
  if (!value || *value == kNewId)
    table.fail(fmt::format("column \"id\": \"{}\" is not a whole number from 0 on.", text));
  return *value;
}

Vec3 vector(const CsvTable& table, const char* x, const char* y, const char* z) {
  return {table.number(x), table.number(y), table.has(z) ? table.number(z) : 0};
}

Placement read_row(const CsvTable& table, double radius) {
  Placement place;
  place.position = vector(table, "x", "y", "z");
  if (table.has("id")) place.id = id_of(table);
  if (table.has("scale")) place.scale = positive(table, "scale");
  if (table.has("radius")) place.scale = positive(table, "radius") / radius;
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
  CsvTable table(in, name, "x,y,theta");
  if (!options.skip_unknown)
    table.check_names(known_columns(dimension), dimension, "\"skip_unknown\": true passes over others.");
  check_groups(table, dimension);
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
