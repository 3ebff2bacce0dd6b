#include "scree/run/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "scree/base/error.hpp"
#include "scree/base/version.hpp"
#include "scree/output/checksum.hpp"
#include "scree/output/container.hpp"
#include "scree/run/detail/checkpoint_tables.hpp"

namespace scree {

namespace {

/// Raised whenever the meaning of the arrays changes.
constexpr std::int64_t kFormat = 5;

ElementType element_of(ColumnType type) {
  switch (type) {
    case ColumnType::float64:
      return ElementType::float64;
    case ColumnType::int32:
      return ElementType::int32;
    case ColumnType::uint32:
      return ElementType::uint32;
    case ColumnType::uint64:
      return ElementType::uint64;
  }
  return ElementType::byte;
}

std::optional<ColumnType> column_of(ElementType type) {
  for (const ColumnType t : {ColumnType::float64, ColumnType::int32, ColumnType::uint32, ColumnType::uint64})
    if (element_of(t) == type) return t;
  return std::nullopt;
}

std::size_t scalar_bytes(ColumnType type) { return type == ColumnType::int32 || type == ColumnType::uint32 ? 4 : 8; }

constexpr const char* kTallyNames[] = {"candidate_pairs", "touching_pairs",   "contacts",        "history_hits",
                                       "max_overlap",     "max_overlap_time", "kinetic_initial", "energy_initial"};

std::array<double*, 8> tally_fields(RunTally& t) {
  return {&t.candidate_pairs, &t.touching_pairs,   &t.contacts,        &t.history_hits,
          &t.max_overlap,     &t.max_overlap_time, &t.kinetic_initial, &t.energy_initial};
}

/// The pointers of the scene's files, one a line.
std::string pointers_of(const RunIdentity& identity) {
  std::string text;
  for (const RunIdentity::File& f : identity.files) text += f.pointer + "\n";
  return text;
}

void write_identity(CheckpointWriter& out, const RunIdentity& identity) {
  out.attribute("scene_fingerprint", fmt::format("{:016x}", identity.fingerprint));
  const std::string pointers = pointers_of(identity);
  std::vector<std::uint64_t> checksums;
  for (const RunIdentity::File& f : identity.files) checksums.push_back(f.checksum);
  out.write<std::byte>("files/pointers", std::as_bytes(std::span<const char>(pointers)));
  out.write<std::uint64_t>("files/checksums", std::span<const std::uint64_t>(checksums));
}

void check_version(const CheckpointReader& in) {
  if (in.integer("layout") != kFormat || in.text("version") != SCREE_VERSION)
    throw InputError(
        fmt::format("{}: written by scree {} (checkpoint layout {}); this is scree {} (layout {}). Resume it "
                    "with that version.",
                    in.file().string(), in.text("version"), in.integer("layout"), SCREE_VERSION, kFormat));
}

void check_identity(const CheckpointReader& in, const RunIdentity& identity) {
  const std::string expected = fmt::format("{:016x}", identity.fingerprint);
  const std::string named = pointers_of(identity);
  const auto pointers = in.read<std::byte>("files/pointers");
  const auto checksums = in.read<std::uint64_t>("files/checksums");
  if (in.text("scene_fingerprint") != expected || checksums.size() != identity.files.size() ||
      !std::ranges::equal(pointers, std::as_bytes(std::span(named))))
    throw InputError(
        fmt::format("{}: belongs to another scene (fingerprint {}, this scene has {}). Resume it with the "
                    "scene.json beside it; only /run/duration and /output may differ.",
                    in.file().string(), in.text("scene_fingerprint"), expected));
  for (std::size_t i = 0; i < checksums.size(); ++i)
    if (const RunIdentity::File& f = identity.files[i]; f.checksum != checksums[i])
      throw InputError(
          fmt::format("{}: {} has changed since the checkpoint was written; the scene names it at {}. Put "
                      "back the file as it was, or start anew without --resume.",
                      in.file().string(), f.path.string(), f.pointer));
}

/// A whole number that cannot be negative.
std::uint64_t read_count(const CheckpointReader& in, const std::string& name) {
  const std::int64_t value = in.integer(name);
  if (value < 0)
    throw IoError(fmt::format("{}: attribute \"{}\" is {}; it must not be negative.", in.file().string(), name, value));
  return static_cast<std::uint64_t>(value);
}

Snapshot::ColumnCopy read_column(const CheckpointReader& in, const std::string& name, std::size_t rows) {
  constexpr std::size_t kMostComponents = 1024;
  const std::string path = "columns/" + name;
  const auto shape = in.shape(path);
  const auto type = column_of(in.type(path));
  if (!type || shape.size() != 2 || shape[0] != rows || shape[1] == 0 || shape[1] > kMostComponents)
    throw IoError(fmt::format("{}: array \"{}\" is no column of {} bodies.", in.file().string(), path, rows));
  const std::size_t row_bytes = shape[1] * scalar_bytes(*type);
  std::vector<std::byte> bytes(rows * row_bytes);
  in.read_array(path, in.type(path), bytes.data(), rows * shape[1]);
  return {name, *type, static_cast<int>(shape[1]), RowCopies(bytes, row_bytes)};
}

/// Arrays of one number each.
template <class T>
std::map<std::string, T> read_numbers(const CheckpointReader& in, const std::string& folder) {
  std::map<std::string, T> numbers;
  if (!in.has(folder)) return numbers;
  for (const std::string& name : in.list(folder)) {
    const std::string path = folder + "/" + name;
    in.read_array(path, element_type<T>(), &numbers[name], 1);
  }
  return numbers;
}

template <class T>
void write_numbers(CheckpointWriter& out, const std::string& folder, const std::map<std::string, T>& numbers) {
  for (const auto& [name, value] : numbers) out.write<T>(folder + "/" + name, std::span(&value, 1));
}

}  // namespace

std::vector<std::vector<std::byte>> modifier_states(const Prepared& prepared) {
  std::vector<std::vector<std::byte>> states;
  for (const ScheduledModifier& m : prepared.modifiers) states.push_back(m.modifier->save());
  return states;
}

Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally, std::vector<std::vector<std::byte>> modifiers) {
  const World& world = *prepared.world;
  Snapshot s;
  s.step = world.step;
  s.time = world.time;
  s.next_id = world.next_id();
  s.bodies = world.size();
  for (const auto& column : world.columns())
    s.columns.push_back({column->name(), column->type(), column->components(),
                         RowCopies({column->data(), column->rows() * column->row_bytes()}, column->row_bytes())});
  s.history = prepared.engine->history();
  s.prescribed = world.prescribed();
  s.surface_velocities = world.surface_velocities();
  s.bonds = world.bonds();
  s.figures = world.figures();
  s.modifiers = std::move(modifiers);
  s.tally = tally;
  s.plugins = plugins_to_text(prepared.plugins.deciding);
  return s;
}

std::vector<std::string> compare_plugins(const std::filesystem::path& file, const Snapshot& s,
                                         const Prepared& prepared) {
  const PluginChanges changes = plugin_changes(plugins_from_text(s.plugins, file.string()), prepared.plugins.deciding);
  if (!changes.others.empty())
    throw InputError(fmt::format("{}: {}. Resume it with the plugins it was written with, or start anew.",
                                 file.string(), fmt::join(changes.others, "; ")));
  std::vector<std::string> warnings;
  for (const std::string& change : changes.rebuilt)
    warnings.push_back(fmt::format("{}: {}. If its code differs, so may results.", file.string(), change));
  return warnings;
}

void restore(const Snapshot& s, Prepared& prepared) {
  World& world = *prepared.world;
  world.reset_rows(s.bodies);
  for (const auto& copy : s.columns) {
    ColumnStorage& column = world.storage(copy.name, copy.type, copy.components, "", false);
    const std::vector<std::byte> bytes = copy.rows.bytes();
    std::memcpy(column.data(), bytes.data(), bytes.size());
  }
  for (const auto& [id, entry] : s.prescribed) world.set_prescribed(id, entry);
  for (const auto& [id, velocity] : s.surface_velocities) world.set_surface_velocity(id, velocity);
  for (const auto& [name, value] : s.figures) world.figure(name) = value;
  world.bonds().restore(Bonds(s.bonds));
  world.set_next_id(s.next_id);
  world.rows_filled();
  world.step = s.step;
  world.time = s.time;
  for (std::size_t i = 0; i < s.modifiers.size(); ++i) prepared.modifiers[i].modifier->load(s.modifiers[i]);
  prepared.engine->restore(s.history);
}

RunIdentity identity_of(const Scene& scene) {
  RunIdentity identity{scene.fingerprint, {}};
  for (const NamedFile& f : scene.files) identity.files.push_back({f.pointer, f.path, file_checksum(f.path)});
  return identity;
}

void write_checkpoint(const std::filesystem::path& file, const Snapshot& s, const RunIdentity& identity) {
  CheckpointWriter out(file);
  out.attribute("layout", kFormat);
  out.attribute("version", SCREE_VERSION);
  write_identity(out, identity);
  out.attribute("plugins", s.plugins);
  out.attribute("step", static_cast<std::int64_t>(s.step));
  out.attribute("time", s.time);
  out.attribute("next_id", static_cast<std::int64_t>(s.next_id));
  out.attribute("bodies", static_cast<std::int64_t>(s.bodies));
  out.attribute("rebuilds", static_cast<std::int64_t>(s.tally.rebuilds));
  RunTally tally = s.tally;
  const auto fields = tally_fields(tally);
  for (std::size_t k = 0; k < fields.size(); ++k) out.attribute(kTallyNames[k], *fields[k]);
  for (const auto& c : s.columns) {
    const std::vector<std::byte> bytes = c.rows.bytes();
    const std::size_t scalars = bytes.size() / scalar_bytes(c.type);
    out.write_array("columns/" + c.name, element_of(c.type), bytes.data(), scalars,
                    {s.bodies, static_cast<std::size_t>(c.components)});
  }
  detail::write_history(out, s.history);
  detail::write_prescribed(out, s.prescribed);
  detail::write_surface_velocities(out, s.surface_velocities);
  if (s.bonds.size() > 0) detail::write_bonds(out, s.bonds);
  write_numbers(out, "figures", s.figures);
  write_numbers(out, "frames", s.tally.frames);
  for (std::size_t i = 0; i < s.modifiers.size(); ++i)
    out.write<std::byte>(fmt::format("modifiers/{:06}", i), std::span<const std::byte>(s.modifiers[i]));
  out.finish();
}

Snapshot read_checkpoint(const std::filesystem::path& file, const RunIdentity& identity) {
  const CheckpointReader in(file);
  check_version(in);
  check_identity(in, identity);
  Snapshot s;
  s.plugins = in.text("plugins");
  s.step = read_count(in, "step");
  s.time = in.number("time");
  s.next_id = static_cast<Id>(in.integer("next_id"));
  s.bodies = read_count(in, "bodies");
  s.tally.rebuilds = read_count(in, "rebuilds");
  const auto fields = tally_fields(s.tally);
  for (std::size_t k = 0; k < fields.size(); ++k) *fields[k] = in.number(kTallyNames[k]);
  for (const std::string& name : in.list("columns")) s.columns.push_back(read_column(in, name, s.bodies));
  s.history = detail::read_history(in);
  s.prescribed = detail::read_prescribed(in);
  s.surface_velocities = detail::read_surface_velocities(in);
  if (in.has("bonds")) s.bonds = detail::read_bonds(in);
  s.figures = read_numbers<double>(in, "figures");
  s.tally.frames = read_numbers<std::uint64_t>(in, "frames");
  if (in.has("modifiers"))
    for (const std::string& name : in.list("modifiers")) s.modifiers.push_back(in.read<std::byte>("modifiers/" + name));
  return s;
}

}  // namespace scree
