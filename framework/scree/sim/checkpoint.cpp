#include "scree/sim/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "scree/base/error.hpp"
#include "scree/base/version.hpp"
#include "scree/output/container.hpp"

namespace scree {

namespace {

/// Raised whenever the meaning of the arrays changes.
constexpr std::int64_t kFormat = 3;

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

ColumnType column_of(ElementType type) {
  switch (type) {
    case ElementType::int32:
      return ColumnType::int32;
    case ElementType::uint32:
      return ColumnType::uint32;
    case ElementType::uint64:
      return ColumnType::uint64;
    default:
      return ColumnType::float64;
  }
}

std::size_t scalar_bytes(ColumnType type) { return type == ColumnType::int32 || type == ColumnType::uint32 ? 4 : 8; }

/// A column at a time: all of them at once would be as much memory as the bodies.
void write_history(CheckpointWriter& out, const HistoryTable& history) {
  using Key = HistoryTable::Key;
  const auto places = history.places_in_order();
  const auto put = [&](const char* name, auto of) {
    using T = decltype(of(places[0]));
    std::vector<T> column;
    column.reserve(places.size());
    for (const auto& place : places) column.push_back(of(place));
    out.write<T>(std::string("history/") + name, std::span<const T>(column));
  };
  const auto put_key = [&](const char* name, auto Key::*part) {
    put(name, [&](const auto& place) { return history.key(place).*part; });
  };
  put_key("interaction", &Key::interaction);
  put_key("a", &Key::a);
  put_key("b", &Key::b);
  put_key("image", &Key::image);
  put_key("feature", &Key::feature);
  put_key("payload", &Key::payload);
  put("length", [&](const auto& place) { return static_cast<std::uint32_t>(history.values(place).size()); });
  std::size_t count = 0;
  for (const auto& place : places) count += history.values(place).size();
  std::vector<double> values;
  values.reserve(count);
  for (const auto& place : places) std::ranges::copy(history.values(place), std::back_inserter(values));
  out.write<double>("history/values", std::span<const double>(values));
}

HistoryTable read_history(const CheckpointReader& in) {
  const auto interaction = in.read<std::uint32_t>("history/interaction");
  const auto a = in.read<std::uint64_t>("history/a"), b = in.read<std::uint64_t>("history/b");
  const auto image = in.read<std::int32_t>("history/image");
  const auto feature = in.read<std::uint32_t>("history/feature"), length = in.read<std::uint32_t>("history/length");
  const auto payload = in.read<std::uint64_t>("history/payload");
  const auto values = in.read<double>("history/values");
  HistoryTable history;
  std::size_t at = 0;
  for (std::size_t i = 0; i < interaction.size(); ++i) {
    if (at + length[i] > values.size())
      throw IoError(fmt::format("{}: history/values is too short", in.file().string()));
    history.append({interaction[i], a[i], b[i], image[i], feature[i], payload[i]},
                   std::span(values).subspan(at, length[i]));
    at += length[i];
  }
  return history;
}

/// Owner id, then position and quaternion (w, x, y, z) in its frame.
void write_members(CheckpointWriter& out, const std::map<Id, World::Member>& members) {
  std::vector<std::uint64_t> ids;
  std::vector<double> poses;
  for (const auto& [id, m] : members) {
    ids.insert(ids.end(), {id, m.owner});
    const Vec3& p = m.local.position;
    const Quat& q = m.local.orientation;
    poses.insert(poses.end(), {p[0], p[1], p[2], q.w(), q.x(), q.y(), q.z()});
  }
  out.write<std::uint64_t>("members/ids", std::span<const std::uint64_t>(ids));
  out.write<double>("members/poses", std::span<const double>(poses));
}

constexpr int kBondReals = 16;  ///< section, branch, two quaternions (w, x, y, z), time of breaking, impulse

void write_bonds(CheckpointWriter& out, const Bonds& bonds) {
  std::vector<std::uint64_t> ids, tolerated;
  std::vector<double> reals, overlaps;
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    ids.insert(ids.end(), {bonds.a[k], bonds.b[k], bonds.entry[k]});
    const Vec3 &e = bonds.branch[k], &r = bonds.impulse[k];
    const Quat &p = bonds.made_a[k], &q = bonds.made_b[k];
    reals.insert(reals.end(), {bonds.section[k], e[0], e[1], e[2], p.w(), p.x(), p.y(), p.z(), q.w(), q.x(), q.y(),
                               q.z(), bonds.broken_at[k], r[0], r[1], r[2]});
  }
  for (const Bonds::Tolerated& pair : bonds.tolerated()) {
    tolerated.insert(tolerated.end(), {pair.a, pair.b});
    overlaps.push_back(pair.overlap);
  }
  out.write<std::uint64_t>("bonds/ids", std::span<const std::uint64_t>(ids));
  out.write<double>("bonds/reals", std::span<const double>(reals));
  out.write<std::uint64_t>("bonds/tolerated", std::span<const std::uint64_t>(tolerated));
  out.write<double>("bonds/overlaps", std::span<const double>(overlaps));
}

Bonds read_bonds(const CheckpointReader& in) {
  const auto ids = in.read<std::uint64_t>("bonds/ids"), tolerated = in.read<std::uint64_t>("bonds/tolerated");
  const auto reals = in.read<double>("bonds/reals"), overlaps = in.read<double>("bonds/overlaps");
  if (reals.size() / kBondReals != ids.size() / 3 || 2 * overlaps.size() != tolerated.size())
    throw IoError(fmt::format("{}: the arrays of bonds do not fit together", in.file().string()));
  Bonds bonds;
  for (std::size_t k = 0; k < ids.size() / 3; ++k) {
    const double* r = reals.data() + kBondReals * k;
    const Bonds::Spec spec{ids[3 * k],
                           ids[3 * k + 1],
                           static_cast<std::uint32_t>(ids[3 * k + 2]),
                           r[0],
                           {r[1], r[2], r[3]},
                           Quat(r[4], r[5], r[6], r[7]),
                           Quat(r[8], r[9], r[10], r[11])};
    bonds.add(std::span(&spec, 1));
    bonds.broken_at.back() = r[12];
    bonds.impulse.back() = {r[13], r[14], r[15]};
  }
  std::vector<Bonds::Tolerated> pairs;
  for (std::size_t k = 0; k < overlaps.size(); ++k)
    pairs.push_back({tolerated[2 * k], tolerated[2 * k + 1], overlaps[k]});
  bonds.tolerate(std::move(pairs));
  return bonds;
}

std::map<Id, World::Member> read_members(const CheckpointReader& in) {
  const auto ids = in.read<std::uint64_t>("members/ids");
  const auto p = in.read<double>("members/poses");
  std::map<Id, World::Member> members;
  for (std::size_t i = 0; i < ids.size() / 2; ++i) {
    const double* v = p.data() + 7 * i;
    members[ids[2 * i]] = {ids[2 * i + 1], {{v[0], v[1], v[2]}, Quat(v[3], v[4], v[5], v[6])}};
  }
  return members;
}

constexpr const char* kTallyNames[] = {"candidate_pairs", "touching_pairs",   "contacts",        "history_hits",
                                       "max_overlap",     "max_overlap_time", "kinetic_initial", "energy_initial"};

std::array<double*, 8> tally_fields(RunTally& t) {
  return {&t.candidate_pairs, &t.touching_pairs,   &t.contacts,        &t.history_hits,
          &t.max_overlap,     &t.max_overlap_time, &t.kinetic_initial, &t.energy_initial};
}

}  // namespace

Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally) {
  const World& world = *prepared.world;
  Snapshot s;
  s.step = world.step;
  s.time = world.time;
  s.next_id = world.next_id();
  s.bodies = world.size();
  for (const auto& column : world.columns())
    s.columns.push_back({column->name(), column->type(), column->components(),
                         RowCopies({column->data(), column->rows() * column->row_bytes()}, column->row_bytes())});
  s.history = prepared.mechanics->pipeline().history();
  s.members = world.members();
  s.bonds = world.bonds();
  s.figures = world.figures();
  for (const ScheduledModifier& m : prepared.modifiers) s.modifiers.push_back(m.modifier->save());
  s.tally = tally;
  return s;
}

void restore(const Snapshot& s, Prepared& prepared) {
  World& world = *prepared.world;
  world.reset_rows(s.bodies);
  for (const auto& copy : s.columns) {
    ColumnStorage& column = world.storage(copy.name, copy.type, copy.components, "", false);
    const std::vector<std::byte> bytes = copy.rows.bytes();
    if (bytes.size() != s.bodies * column.row_bytes())
      throw IoError(fmt::format("checkpoint: column \"{}\" has {} bytes, {} bodies need {}", copy.name, bytes.size(),
                                s.bodies, s.bodies * column.row_bytes()));
    std::memcpy(column.data(), bytes.data(), bytes.size());
  }
  for (const auto& [id, member] : s.members) world.set_member(id, member);
  for (const auto& [name, value] : s.figures) world.figure(name) = value;
  world.bonds().restore(Bonds(s.bonds));
  world.set_next_id(s.next_id);
  world.rows_filled();
  world.step = s.step;
  world.time = s.time;
  if (s.modifiers.size() != prepared.modifiers.size())
    throw IoError(fmt::format("checkpoint: holds the state of {} modifiers, the scene has {}", s.modifiers.size(),
                              prepared.modifiers.size()));
  for (std::size_t i = 0; i < s.modifiers.size(); ++i) prepared.modifiers[i].modifier->load(s.modifiers[i]);
  prepared.mechanics->restore(s.history.records());
}

void write_checkpoint(const std::filesystem::path& file, const Snapshot& s, std::uint64_t fingerprint) {
  CheckpointWriter out(file);
  out.attribute("layout", kFormat);
  out.attribute("version", SCREE_VERSION);
  out.attribute("scene_fingerprint", fmt::format("{:016x}", fingerprint));
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
  write_history(out, s.history);
  write_members(out, s.members);
  if (s.bonds.size() > 0) write_bonds(out, s.bonds);
  for (const auto& [name, value] : s.figures) out.write<double>("figures/" + name, std::span(&value, 1));
  for (std::size_t i = 0; i < s.modifiers.size(); ++i)
    out.write<std::byte>(fmt::format("modifiers/{:04}", i), std::span<const std::byte>(s.modifiers[i]));
  out.finish();
}

Snapshot read_checkpoint(const std::filesystem::path& file, std::uint64_t fingerprint) {
  const CheckpointReader in(file);
  if (in.integer("layout") != kFormat || in.text("version") != SCREE_VERSION)
    throw InputError(
        fmt::format("{}: written by scree {} (checkpoint layout {}); this is scree {} (layout {}). Resume it "
                    "with that version.",
                    file.string(), in.text("version"), in.integer("layout"), SCREE_VERSION, kFormat));
  const std::string expected = fmt::format("{:016x}", fingerprint);
  if (in.text("scene_fingerprint") != expected)
    throw InputError(
        fmt::format("{}: belongs to another scene (fingerprint {}, this scene has {}). Resume it with the "
                    "scene.json beside it; only /run/duration and /output may differ.",
                    file.string(), in.text("scene_fingerprint"), expected));
  Snapshot s;
  s.step = static_cast<std::uint64_t>(in.integer("step"));
  s.time = in.number("time");
  s.next_id = static_cast<Id>(in.integer("next_id"));
  s.bodies = static_cast<std::size_t>(in.integer("bodies"));
  s.tally.rebuilds = static_cast<std::uint64_t>(in.integer("rebuilds"));
  const auto fields = tally_fields(s.tally);
  for (std::size_t k = 0; k < fields.size(); ++k) *fields[k] = in.number(kTallyNames[k]);
  for (const std::string& name : in.list("columns")) {
    const std::string path = "columns/" + name;
    const auto shape = in.shape(path);
    const ColumnType type = column_of(in.type(path));
    const std::size_t components = shape.size() > 1 ? std::max<std::size_t>(1, shape[1]) : 1;
    std::size_t scalars = 1;
    for (const std::size_t extent : shape) scalars *= extent;
    std::vector<std::byte> bytes(scalars * scalar_bytes(type));
    in.read_array(path, in.type(path), bytes.data(), scalars);
    s.columns.push_back({name, type, static_cast<int>(components), RowCopies(bytes, components * scalar_bytes(type))});
  }
  s.history = read_history(in);
  s.members = read_members(in);
  if (in.has("bonds")) s.bonds = read_bonds(in);
  if (in.has("figures"))
    for (const std::string& name : in.list("figures")) s.figures[name] = in.read<double>("figures/" + name).at(0);
  if (in.has("modifiers"))
    for (const std::string& name : in.list("modifiers")) s.modifiers.push_back(in.read<std::byte>("modifiers/" + name));
  return s;
}

}  // namespace scree
