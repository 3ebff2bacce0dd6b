#include "import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>

#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"
#include "scree/shape/facets.hpp"

namespace scree::packings {

namespace {

/// The words of a line as numbers, by column.
class Row {
 public:
  explicit Row(TextLines& lines) : lines_(lines) {
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) words_.emplace_back(word);
  }

  std::size_t size() const { return words_.size(); }
  double number(std::size_t column) const {
    const auto value = column < words_.size() ? parse_number<double>(words_[column]) : std::nullopt;
    if (!value)
      lines_.fail(fmt::format("column {}: \"{}\" is not a finite number.", column + 1,
                              column < words_.size() ? words_[column] : ""));
    return *value;
  }
  Vec3 vector(std::size_t x, int dimension) const {
    return {number(x), number(x + 1), dimension == 3 ? number(x + 2) : 0};
  }
  double positive(std::size_t column) const {
    const double value = number(column);
    if (!(value > 0))
      lines_.fail(fmt::format("column {}: a radius or diameter of {} m is not above 0.", column + 1, value));
    return value;
  }
  /// Returns the id of a body: that of the file less one, as ids begin at 1 there and at 0 here.
  Id id(std::size_t column) const { return static_cast<Id>(from_one(column, "id")) - 1; }
  std::int64_t type(std::size_t column) const { return from_one(column, "type"); }

 private:
  std::int64_t from_one(std::size_t column, const char* what) const {
    const std::string_view text = column < words_.size() ? std::string_view(words_[column]) : "";
    const auto value = parse_number<std::int64_t>(text);
    if (!value || *value < 1)
      lines_.fail(
          fmt::format("column {}: \"{}\" is no {}. These are whole numbers from 1 on.", column + 1, text, what));
    return *value;
  }

  TextLines& lines_;
  std::vector<std::string> words_;
};

/// A sphere of a file.
struct Sphere {
  Placement place;
  std::int64_t type = 0;  ///< 0: not read, as all types are wanted
};

/// Returns the places of spheres of these types, of all if there are none. \throws InputError for a type without
/// spheres
std::vector<Placement> of_types(const std::vector<std::int64_t>& types, const std::vector<Sphere>& spheres,
                                const TextLines& lines) {
  std::set<std::int64_t> seen;
  std::vector<Placement> places;
  for (const auto& [place, type] : spheres) {
    seen.insert(type);
    if (types.empty() || std::ranges::find(types, type) != types.end()) places.push_back(place);
  }
  for (const std::int64_t type : types)
    if (!seen.contains(type))
      lines.fail(fmt::format("there are no spheres of type {}. Types up to this line: {}.", type,
                             seen.empty() ? "none" : fmt::format("{}", fmt::join(seen, ", "))));
  return places;
}

/// Places of the columns of a dump.
class DumpColumns {
 public:
  DumpColumns(TextLines& lines, bool typed) {
    lines.word(), lines.word();  // ITEM: ATOMS
    for (std::string_view word = lines.word(); !word.empty(); word = lines.word()) names_.emplace_back(word);
    for (const char* wanted : {"id", "x", "y", "z"})
      if (!has(wanted))
        lines.fail(fmt::format("the dump has no column \"{}\". Write it with the columns id x y z radius.", wanted));
    if (!has("radius") && !has("diameter"))
      lines.fail("the dump has neither a column \"radius\" nor \"diameter\". Write it with one of them.");
    if (typed && !has("type"))
      lines.fail("the dump has no column \"type\". Write it with this column, or leave \"types\" out.");
  }

  bool has(const std::string& name) const { return std::ranges::find(names_, name) != names_.end(); }
  std::size_t at(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
  }

  Placement read(const Row& row, int dimension, double radius) const {
    Placement place;
    place.id = row.id(at("id"));
    place.position = {row.number(at("x")), row.number(at("y")), dimension == 3 ? row.number(at("z")) : 0};
    place.scale = (has("radius") ? row.positive(at("radius")) : row.positive(at("diameter")) / 2) / radius;
    if (has("vx") && has("vy") && has("vz"))
      place.velocity = Vec3(row.number(at("vx")), row.number(at("vy")), dimension == 3 ? row.number(at("vz")) : 0);
    if (has("omegax") && has("omegay") && has("omegaz"))
      place.angular_velocity = dimension == 3
                                   ? Vec3(row.number(at("omegax")), row.number(at("omegay")), row.number(at("omegaz")))
                                   : Vec3(0, 0, row.number(at("omegaz")));
    return place;
  }

 private:
  std::vector<std::string> names_;
};

constexpr const char* kEarlierFrame = " Give \"timestep\" of a whole frame before it, or write the dump again.";

std::int64_t whole_number(TextLines& lines, const char* what) {
  const auto value = lines.next() ? parse_number<std::int64_t>(lines.text()) : std::nullopt;
  if (!value || *value < 0) lines.fail(fmt::format("\"{}\" is no {}.", lines.text(), what));
  return *value;
}

std::vector<Sphere> read_atoms(TextLines& lines, std::int64_t count, const ImportOptions& options) {
  const bool typed = !options.types.empty();
  const DumpColumns columns(lines, typed);
  std::vector<Sphere> spheres;
  for (std::int64_t i = 0; i < count; ++i) {
    if (!lines.next()) lines.fail(fmt::format("the file ends after {} of {} atoms.{}", i, count, kEarlierFrame));
    const Row row(lines);
    spheres.push_back({columns.read(row, options.dimension, options.radius), typed ? row.type(columns.at("type")) : 0});
  }
  return spheres;
}

/// Returns the name on a heading line of a data file: "Atoms # sphere" is "Atoms".
std::string section(std::string_view text) { return std::string(trimmed(text.substr(0, text.find('#')))); }

/// Checks the style on the heading "Atoms # sphere" where there is one: columns of others have other meanings.
void check_style(const TextLines& lines) {
  const std::size_t mark = lines.text().find('#');
  if (mark == std::string_view::npos) return;
  const std::string_view style = trimmed(lines.text().substr(mark + 1));
  if (!style.empty() && style != "sphere" && style != "granular")
    lines.fail(
        fmt::format("these atoms are of style \"{}\". Write the file with atom_style sphere or granular.", style));
}

/// "12 atoms" -> 12
std::optional<std::int64_t> atoms_of(std::string_view text) {
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos || trimmed(text.substr(blank)) != "atoms") return std::nullopt;
  return parse_number<std::int64_t>(text.substr(0, blank));
}

}  // namespace

std::vector<Placement> read_dump(std::istream& in, const std::string& name, const ImportOptions& options,
                                 std::optional<std::int64_t> timestep) {
  TextLines lines(in, name);
  std::vector<Sphere> spheres;
  std::int64_t step = -1, count = -1;
  bool found = false, begun = false;
  while (!(found && timestep) && lines.next()) {
    if (lines.text() == "ITEM: TIMESTEP") step = whole_number(lines, "timestep"), begun = true;
    if (lines.text() == "ITEM: NUMBER OF ATOMS") count = whole_number(lines, "number of atoms");
    if (!lines.text().starts_with("ITEM: ATOMS")) continue;
    if (count < 0) lines.fail("atoms come before their number. A dump has a line \"ITEM: NUMBER OF ATOMS\" first.");
    begun = false;
    std::vector<Sphere> frame = read_atoms(lines, count, options);
    if (timestep && *timestep != step) continue;
    spheres = std::move(frame);
    found = true;
  }
  if (!found && timestep)
    lines.fail(fmt::format("there is no timestep {} in this dump; the last is {}.", *timestep, step));
  if (found && begun) lines.fail(fmt::format("the file ends before the atoms of timestep {}.{}", step, kEarlierFrame));
  if (!found) lines.fail("there is no line \"ITEM: ATOMS ...\". Give a dump file of LAMMPS or LIGGGHTS.");
  return of_types(options.types, spheres, lines);
}

std::vector<Placement> read_data(std::istream& in, const std::string& name, const ImportOptions& options) {
  TextLines lines(in, name, '#');
  std::vector<Sphere> spheres;
  std::map<Id, std::size_t> sphere_of;
  std::int64_t count = -1;
  while (lines.next()) {
    if (const auto atoms = atoms_of(section(lines.text()))) count = *atoms;
    const std::string heading = section(lines.text());
    if (heading != "Atoms" && heading != "Velocities") continue;
    if (heading == "Atoms") check_style(lines);
    if (count < 0) lines.fail("there is no line \"<number> atoms\" before this section.");
    for (std::int64_t i = 0; i < count; ++i) {
      if (!lines.next()) lines.fail(fmt::format("the file ends after {} of {} lines of {}.", i, count, heading));
      const Row row(lines);
      constexpr std::size_t wanted = 7;
      if (row.size() < wanted)
        lines.fail(fmt::format(
            "{} numbers; a line of {} has {}: {}.", row.size(), heading, wanted,
            heading == "Atoms" ? "id type diameter density x y z (atom_style sphere)" : "id vx vy vz wx wy wz"));
      if (heading == "Atoms") {
        auto& [place, type] = spheres.emplace_back();
        place.id = row.id(0);
        if (!options.types.empty()) type = row.type(1);
        place.scale = row.positive(2) / 2 / options.radius;
        place.position = row.vector(4, options.dimension);
        sphere_of[place.id] = spheres.size() - 1;
      } else {
        const auto of = sphere_of.find(row.id(0));
        if (of == sphere_of.end()) lines.fail(fmt::format("there is no atom {} before its velocity.", row.id(0) + 1));
        Placement& place = spheres[of->second].place;
        place.velocity = row.vector(1, options.dimension);
        place.angular_velocity = options.dimension == 3 ? row.vector(4, 3) : Vec3(0, 0, row.number(6));
      }
    }
  }
  if (spheres.empty()) lines.fail("there is no section \"Atoms\". Give a data file of LAMMPS with atom_style sphere.");
  return of_types(options.types, spheres, lines);
}

std::vector<Placement> read_xyzr(std::istream& in, const std::string& name, const ImportOptions& options) {
  TextLines lines(in, name, '#');
  std::vector<Placement> places;
  while (lines.next()) {
    const Row row(lines);
    if (row.size() < 4) lines.fail(fmt::format("{} numbers; a line has four or more: x y z r.", row.size()));
    Placement& place = places.emplace_back();
    place.position = row.vector(0, options.dimension);
    place.scale = row.positive(3) / options.radius;
  }
  return places;
}

std::optional<double> sphere_radius(const PackingContext& context) {
  if (context.shapes.size() != 1) return std::nullopt;
  const auto* spheres = facet<SphereSet>(*context.shapes[0].shape);
  if (spheres == nullptr || spheres->radii().size() != 1) return std::nullopt;
  return spheres->radii()[0];
}

std::vector<Placement> read_import(const Options& options, const PackingContext& context) {
  const auto radius = sphere_radius(context);
  if (!radius)
    throw OptionError(
        "",
        "such files have radii, which are those of spheres. Give the entry one shape of type sphere, of any "
        "radius: bodies get the sizes of the file.");
  const std::string format = options.text("format"), file = options.file("file").string();
  std::ifstream in(file);
  std::optional<std::int64_t> timestep;
  if (options.has("timestep")) timestep = options.integer("timestep");
  if (timestep && format != "dump") throw OptionError("/timestep", "only dumps have timesteps. Leave it out.");
  ImportOptions import{context.dimension, *radius, {}};
  if (options.has("types"))
    for (const double type : options.numbers("types")) import.types.push_back(static_cast<std::int64_t>(type));
  if (!import.types.empty() && format == "xyzr")
    throw OptionError("/types", "lines x y z r have no types. Leave it out, or write a dump.");
  if (format == "dump") return read_dump(in, file, import, timestep);
  if (format == "data") return read_data(in, file, import);
  return read_xyzr(in, file, import);
}

}  // namespace scree::packings
