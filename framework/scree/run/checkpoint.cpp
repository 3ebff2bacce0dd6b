#include "scree/run/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "scree/base/error.hpp"
#include "scree/base/version.hpp"
#include "scree/output/checksum.hpp"
#include "scree/output/container.hpp"
#include "scree/run/detail/checkpoint_tables.hpp"

namespace scree {

namespace {

/// Version of the format, raised whenever the meaning of the arrays changes.
constexpr std::int64_t kFormat = 13;

constexpr const char* kTallyNames[] = {"candidate_pairs", "touching_pairs",   "contacts",        "history_hits",
                                       "max_overlap",     "max_overlap_time", "kinetic_initial", "energy_initial",
                                       "last_overlap",    "hasty_duration",   "hasty_at_once",   "hasty_body_a",
                                       "hasty_body_b",    "hasty_time"};

std::array<double*, 14> tally_fields(RunTally& t) {
  return {&t.candidate_pairs,  &t.touching_pairs,  &t.contacts,       &t.history_hits, &t.max_overlap,
          &t.max_overlap_time, &t.kinetic_initial, &t.energy_initial, &t.last_overlap, &t.hasty.duration,
          &t.hasty.at_once,    &t.hasty.body_a,    &t.hasty.body_b,   &t.hasty.time};
}

std::vector<std::string> pointers_of(const RunIdentity& identity) {
  std::vector<std::string> pointers;
  for (const RunIdentity::File& f : identity.files) pointers.push_back(f.pointer);
  return pointers;
}

void write_identity(CheckpointWriter& out, const RunIdentity& identity) {
  out.attribute("scene_fingerprint", fmt::format("{:016x}", identity.fingerprint));
  std::vector<std::uint64_t> checksums;
  for (const RunIdentity::File& f : identity.files) checksums.push_back(f.checksum);
  detail::write_lines(out, "files/pointers", pointers_of(identity));
  out.write<std::uint64_t>("files/checksums", std::span<const std::uint64_t>(checksums));
}

void check_version(const CheckpointReader& in) {
  if (in.integer("layout") != kFormat || in.text("version") != SCREE_VERSION)
    throw InputError(
        fmt::format("{}: written by scree {} (checkpoint layout {}); this is scree {} (layout {}). Resume it "
                    "with that version.",
                    in.file().string(), in.text("version"), in.integer("layout"), SCREE_VERSION, kFormat));
}

/// Reads a whole number that cannot be negative.
std::uint64_t read_count(const CheckpointReader& in, const std::string& name) {
  const std::int64_t value = in.integer(name);
  if (value < 0)
    throw IoError(fmt::format("{}: attribute \"{}\" is {}; it must not be negative.", in.file().string(), name, value));
  return static_cast<std::uint64_t>(value);
}

/// Reads arrays of one number each.
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

/// Returns the name of one of several hooks, with a number from the second one of the name on.
template <class Hooks>
std::string key_of(const Hooks& all, std::size_t index) {
  const std::string& name = all[index].name;
  const auto before = std::count_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index),
                                    [&](const auto& hook) { return hook.name == name; });
  return before == 0 ? name : fmt::format("{} {}", name, before + 1);
}

template <class T>
void write_numbers(CheckpointWriter& out, const std::string& folder, const std::map<std::string, T>& numbers) {
  for (const auto& [name, value] : numbers) out.write<T>(folder + "/" + name, std::span(&value, 1));
}

/// Sets reference positions of bodies that were added and in no list yet, which have rows of zeros. Lists are rebuilt
/// after all methods are notified; until then these bodies are listed in their present places.
void list_newcomers(World& world, const std::vector<Id>& ids) {
  ColumnStorage* const positions = world.find_column("reference_position");
  ColumnStorage* const orientations = world.find_column("reference_orientation");
  if (!positions) return;
  const auto at = Column<Vec3>(positions).write();
  for (const Id body : ids) {
    const auto row = world.row(body);
    if (!row || !at[*row].isZero(0)) continue;
    at[*row] = world.position[*row];
    if (orientations) Column<Quat>(orientations).write()[*row] = world.orientation[*row];
  }
}

/// Restores edits that waited for the next step. Called after the engine has made its lists, so that it notices.
void restore_edits(const Snapshot& s, World& world) {
  for (const TableCopy& copy : s.tables)
    for (Table* table : world.tables())
      if (table->name() == copy.name) table->set_edits(copy.edits);
  EditLog edits;
  static_cast<TableEdits&>(edits) = s.tables.at(0).edits;
  edits.attached = s.attached, edits.released = s.released;
  world.set_edits(std::move(edits));
}

}  // namespace

std::string frames_key(const Prepared& prepared, std::size_t observer) { return key_of(prepared.observers, observer); }
std::string modifier_key(const Prepared& prepared, std::size_t modifier) {
  return key_of(prepared.modifiers, modifier);
}

MethodStates states_of(const Prepared& prepared, bool with_observers) {
  MethodStates states;
  for (std::size_t i = 0; i < prepared.modifiers.size(); ++i) {
    states.modifiers.push_back(prepared.modifiers[i].modifier->save());
    states.modifier_names.push_back(modifier_key(prepared, i));
  }
  if (prepared.methods.integrator) states.integrator = prepared.methods.integrator->save();
  for (std::size_t i = 0; with_observers && i < prepared.observers.size(); ++i)
    states.observers[frames_key(prepared, i)] = prepared.observers[i].observer->save();
  return states;
}

Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally, MethodStates states) {
  const World& world = *prepared.world;
  Snapshot s;
  s.step = world.step;
  s.time = world.time;
  for (const Table* table : world.tables()) s.tables.push_back(copy_of(*table));
  const EditLog edits = world.edits();
  s.attached = edits.attached, s.released = edits.released;
  s.history = prepared.engine->history();
  s.prescribed = world.prescribed();
  s.surface_velocities = world.surface_velocities();
  s.cell = world.cell;
  s.reference_cell = world.reference_cell;
  s.tolerated = world.bonds().tolerated();
  s.figures = world.metrics();
  s.methods = std::move(states);
  s.tally = tally;
  s.plugins = plugins_to_text(prepared.plugins.deciding);
  s.clock = prepared.clock;
  for (std::size_t number = 0; number < prepared.methods.interactions.size(); ++number)
    s.interactions.push_back(meaning_of_history(prepared, number));
  return s;
}

std::vector<std::string> compare_plugins(const std::filesystem::path& file, const Snapshot& s, const Prepared& prepared,
                                         bool same_scene) {
  std::vector<PluginRecord> then = plugins_from_text(s.plugins, file.string());
  const auto gone = [&](const PluginRecord& p) {
    const auto& now = prepared.plugins.deciding;
    return std::ranges::find(now, p.name, &PluginRecord::name) == now.end();
  };
  if (!same_scene) std::erase_if(then, gone);
  const PluginChanges changes = plugin_changes(then, prepared.plugins.deciding);
  if (!changes.others.empty())
    throw InputError(fmt::format("{}: {}. Resume it with the plugins it was written with, or start again from step 0.",
                                 file.string(), fmt::join(changes.others, "; ")));
  std::vector<std::string> warnings;
  for (const std::string& change : changes.rebuilt)
    warnings.push_back(fmt::format("{}: {}. If its code differs, so may results.", file.string(), change));
  return warnings;
}

void restore(const Snapshot& s, Prepared& prepared) {
  World& world = *prepared.world;
  for (const auto& table : world.further_tables()) table->reset_rows(0);
  for (std::size_t k = 0; k < s.tables.size(); ++k)
    restore(s.tables[k], k < 2 ? *world.tables()[k] : world.table(s.tables[k].name));
  world.bonds().restore_tolerated(s.tolerated);
  world.rows_filled();
  for (const auto& [id, entry] : s.prescribed) world.set_prescribed(id, entry);
  for (const auto& [id, velocity] : s.surface_velocities) world.set_surface_velocity(id, velocity);
  for (const auto& [name, value] : s.figures) world.metric(name) = value;
  world.cell = s.cell;
  world.reference_cell = s.reference_cell;
  world.step = s.step;
  world.time = s.time;
  for (std::size_t i = 0; i < s.methods.modifiers.size(); ++i)
    if (!s.methods.new_modifiers.contains(i)) prepared.modifiers[i].modifier->load(s.methods.modifiers[i]);
  if (prepared.methods.integrator && !s.methods.new_integrator) prepared.methods.integrator->load(s.methods.integrator);
  if (!s.tables.at(0).edits.added.empty()) list_newcomers(world, s.tables[0].edits.added);
  prepared.engine->restore(s.history);
  restore_edits(s, world);
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
  out.attribute("rebuilds", static_cast<std::int64_t>(s.tally.rebuilds));
  if (s.tally.shown_end) out.attribute("shown_end", static_cast<std::int64_t>(*s.tally.shown_end));
  RunTally tally = s.tally;
  const auto fields = tally_fields(tally);
  for (std::size_t k = 0; k < fields.size(); ++k) out.attribute(kTallyNames[k], *fields[k]);
  for (const TableCopy& table : s.tables) write_table(out, table);
  detail::write_member_edits(out, s);
  detail::write_history(out, s.history);
  detail::write_contacts(out, s.contacts);
  detail::write_prescribed(out, s.prescribed);
  detail::write_surface_velocities(out, s.surface_velocities);
  detail::write_cell(out, "cell", s.cell);
  detail::write_cell(out, "reference_cell", s.reference_cell);
  detail::write_tolerated(out, s.tolerated);
  write_numbers(out, "figures", s.figures);
  write_numbers(out, "frames", s.tally.frames);
  detail::write_states(out, s.methods);
  detail::write_stages(out, s);
  out.finish();
}

bool Checkpoint::of_scene(const RunIdentity& identity) const {
  return fingerprint == fmt::format("{:016x}", identity.fingerprint) &&
         std::ranges::equal(pointers, identity.files, {}, {}, &RunIdentity::File::pointer);
}

void check_files(const std::filesystem::path& file, const Checkpoint& checkpoint, const RunIdentity& identity) {
  for (std::size_t i = 0; i < checkpoint.pointers.size(); ++i)
    for (const RunIdentity::File& f : identity.files)
      if (f.pointer == checkpoint.pointers[i] && f.checksum != checkpoint.checksums[i])
        throw InputError(
            fmt::format("{}: {} has changed since the checkpoint was written; the scene names it at {}. Put "
                        "back the file as it was, or start again without --resume.",
                        file.string(), f.path.string(), f.pointer));
}

Checkpoint open_checkpoint(const std::filesystem::path& file) {
  const CheckpointReader in(file);
  check_version(in);
  Checkpoint c;
  c.fingerprint = in.text("scene_fingerprint");
  c.pointers = detail::read_lines(in, "files/pointers");
  c.checksums = in.read<std::uint64_t>("files/checksums");
  if (c.checksums.size() != c.pointers.size())
    throw IoError(fmt::format("{}: {} names of files and {} checksums. The checkpoint is damaged.", file.string(),
                              c.pointers.size(), c.checksums.size()));
  Snapshot& s = c.snapshot;
  s.plugins = in.text("plugins");
  s.step = read_count(in, "step");
  s.time = in.number("time");
  s.tally.rebuilds = read_count(in, "rebuilds");
  if (in.has_attribute("shown_end")) s.tally.shown_end = read_count(in, "shown_end");
  const auto fields = tally_fields(s.tally);
  for (std::size_t k = 0; k < fields.size(); ++k) *fields[k] = in.number(kTallyNames[k]);
  s.tables = read_tables(in);
  detail::read_member_edits(in, s);
  s.history = detail::read_history(in);
  s.contacts = detail::read_contacts(in);
  s.prescribed = detail::read_prescribed(in);
  s.surface_velocities = detail::read_surface_velocities(in);
  s.cell = detail::read_cell(in, "cell");
  s.reference_cell = detail::read_cell(in, "reference_cell");
  s.tolerated = detail::read_tolerated(in);
  s.figures = read_numbers<double>(in, "figures");
  s.tally.frames = read_numbers<std::uint64_t>(in, "frames");
  s.methods = detail::read_states(in);
  detail::read_stages(in, s);
  return c;
}

Snapshot read_checkpoint(const std::filesystem::path& file, const RunIdentity& identity) {
  Checkpoint c = open_checkpoint(file);
  if (!c.of_scene(identity))
    throw InputError(
        fmt::format("{}: belongs to another scene (fingerprint {}, this scene has {:016x}). Resume it with the "
                    "scene.json beside it; only /run/duration and /output may differ.",
                    file.string(), c.fingerprint, identity.fingerprint));
  check_files(file, c, identity);
  return std::move(c.snapshot);
}

}  // namespace scree
