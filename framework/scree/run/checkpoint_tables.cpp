#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/run/detail/checkpoint_tables.hpp"

namespace scree::detail {

namespace {

/// Reads an array of this many rows.
template <class T>
std::vector<T> read_rows(const CheckpointReader& in, const std::string& name, std::size_t rows,
                         std::size_t columns = 1) {
  std::vector<T> values = in.read<T>(name);
  if (values.size() != rows * columns)
    throw IoError(fmt::format("{}: array \"{}\" holds {} values, {} rows of {} need {}.", in.file().string(), name,
                              values.size(), rows, columns, rows * columns));
  return values;
}

/// Reads ids that each own a row of a table.
std::vector<Id> read_ids(const CheckpointReader& in, const std::string& name) {
  std::vector<Id> ids = in.read<std::uint64_t>(name);
  if (std::ranges::adjacent_find(ids, std::greater_equal()) != ids.end())
    throw IoError(fmt::format("{}: array \"{}\" does not ascend.", in.file().string(), name));
  return ids;
}

template <class T>
void write(CheckpointWriter& out, const std::string& name, const std::vector<T>& values) {
  out.write<T>(name, std::span<const T>(values));
}

void append(std::vector<double>& to, const Vec3& v) { to.insert(to.end(), {v[0], v[1], v[2]}); }
void append(std::vector<double>& to, const Quat& q) { to.insert(to.end(), {q.w(), q.x(), q.y(), q.z()}); }

/// Takes numbers in the order of append().
struct Taker {
  const double* at;
  double number() { return *at++; }
  Vec3 vector() {
    at += 3;
    return {at[-3], at[-2], at[-1]};
  }
  Quat quaternion() {
    at += 4;
    return {at[-4], at[-3], at[-2], at[-1]};
  }
};

constexpr std::size_t kPoseReals = 7;     ///< position, quaternion (w, x, y, z)
constexpr std::size_t kMotionReals = 16;  ///< four vectors of Motion, about_origin, frequency, start, stop
constexpr std::size_t kRowReals = 4;      ///< time, vector

void append(std::vector<double>& to, const std::vector<MotionRow>& rows) {
  for (const MotionRow& row : rows) {
    to.push_back(row.time);
    append(to, row.value);
  }
}

std::vector<MotionRow> take_rows(Taker& next, std::size_t count) {
  std::vector<MotionRow> rows(count);
  for (MotionRow& row : rows) {
    row.time = next.number();
    row.value = next.vector();
  }
  return rows;
}

std::size_t sum_of(const std::vector<std::uint32_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

}  // namespace

/// Writes one column at a time: all of them at once would take as much memory as the bodies.
void write_history(CheckpointWriter& out, const HistoryTable& history) {
  using Key = HistoryTable::Key;
  const auto places = history.places_in_order();
  const auto put = [&](const char* name, auto of) {
    using T = decltype(of(places[0]));
    std::vector<T> column;
    column.reserve(places.size());
    for (const auto& place : places) column.push_back(of(place));
    write(out, std::string("history/") + name, column);
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
  write(out, "history/values", values);
}

HistoryTable read_history(const CheckpointReader& in) {
  const auto interaction = in.read<std::uint32_t>("history/interaction");
  const std::size_t rows = interaction.size();
  // Records of an interaction are consecutive, so that the table has few blocks.
  if (!std::ranges::is_sorted(interaction))
    throw IoError(fmt::format("{}: array \"history/interaction\" does not ascend.", in.file().string()));
  const auto a = read_rows<std::uint64_t>(in, "history/a", rows), b = read_rows<std::uint64_t>(in, "history/b", rows);
  const auto image = read_rows<std::int32_t>(in, "history/image", rows);
  const auto feature = read_rows<std::uint32_t>(in, "history/feature", rows);
  const auto length = read_rows<std::uint32_t>(in, "history/length", rows);
  const auto payload = read_rows<std::uint64_t>(in, "history/payload", rows);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (i > 0 && interaction[i] == interaction[i - 1] && length[i] != length[i - 1])
      throw IoError(fmt::format("{}: array \"history/length\" differs within an interaction.", in.file().string()));
    count += length[i];
  }
  const auto values = read_rows<double>(in, "history/values", count);
  HistoryTable history;
  std::size_t at = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    history.append({interaction[i], a[i], b[i], image[i], feature[i], payload[i]},
                   std::span(values).subspan(at, length[i]));
    at += length[i];
  }
  return history;
}

void write_prescribed(CheckpointWriter& out, const std::map<Id, World::Prescribed>& prescribed) {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> motions, rows;
  std::vector<double> poses, reals, tables;
  for (const auto& [id, entry] : prescribed) {
    ids.push_back(id);
    motions.push_back(static_cast<std::uint32_t>(entry.motions.size()));
    append(poses, entry.initial.position);
    append(poses, entry.initial.orientation);
    for (const Motion& m : entry.motions) {
      for (const Vec3* v : {&m.velocity, &m.angular_velocity, &m.centre, &m.amplitude}) append(reals, *v);
      reals.insert(reals.end(), {m.about_origin ? 1.0 : 0.0, m.frequency, m.start, m.stop});
      for (const auto* table : {&m.velocities, &m.displacements}) {
        rows.push_back(static_cast<std::uint32_t>(table->size()));
        append(tables, *table);
      }
    }
  }
  write(out, "prescribed/ids", ids);
  write(out, "prescribed/poses", poses);
  write(out, "prescribed/motions", motions);
  write(out, "prescribed/reals", reals);
  write(out, "prescribed/rows", rows);
  write(out, "prescribed/tables", tables);
}

std::map<Id, World::Prescribed> read_prescribed(const CheckpointReader& in) {
  const auto ids = read_ids(in, "prescribed/ids");
  const auto poses = read_rows<double>(in, "prescribed/poses", ids.size(), kPoseReals);
  const auto motions = read_rows<std::uint32_t>(in, "prescribed/motions", ids.size());
  const auto reals = read_rows<double>(in, "prescribed/reals", sum_of(motions), kMotionReals);
  const auto rows = read_rows<std::uint32_t>(in, "prescribed/rows", sum_of(motions), 2);
  const auto tables = read_rows<double>(in, "prescribed/tables", sum_of(rows), kRowReals);
  std::map<Id, World::Prescribed> prescribed;
  Taker pose{poses.data()}, next{reals.data()}, table{tables.data()};
  auto count = rows.begin();
  for (std::size_t k = 0; k < ids.size(); ++k) {
    World::Prescribed& entry = prescribed[ids[k]];
    entry.initial.position = pose.vector();
    entry.initial.orientation = pose.quaternion();
    entry.motions.resize(motions[k]);
    for (Motion& m : entry.motions) {
      for (Vec3* v : {&m.velocity, &m.angular_velocity, &m.centre, &m.amplitude}) *v = next.vector();
      m.about_origin = next.number() != 0;
      for (double* x : {&m.frequency, &m.start, &m.stop}) *x = next.number();
      for (auto* list : {&m.velocities, &m.displacements}) *list = take_rows(table, *count++);
    }
  }
  return prescribed;
}

void write_surface_velocities(CheckpointWriter& out, const std::map<Id, Vec3>& velocities) {
  std::vector<std::uint64_t> ids;
  std::vector<double> reals;
  for (const auto& [id, velocity] : velocities) {
    ids.push_back(id);
    append(reals, velocity);
  }
  write(out, "surface_velocities/ids", ids);
  write(out, "surface_velocities/vectors", reals);
}

std::map<Id, Vec3> read_surface_velocities(const CheckpointReader& in) {
  const auto ids = read_ids(in, "surface_velocities/ids");
  const auto reals = read_rows<double>(in, "surface_velocities/vectors", ids.size(), 3);
  std::map<Id, Vec3> velocities;
  Taker next{reals.data()};
  for (const Id id : ids) velocities[id] = next.vector();
  return velocities;
}

void write_contacts(CheckpointWriter& out, const std::optional<ContactView>& contacts) {
  if (!contacts) return;
  std::vector<std::uint64_t> ids;
  std::vector<std::int32_t> images;
  std::vector<std::uint32_t> features;
  std::vector<double> reals;
  for (const ContactRecord& c : *contacts) {
    ids.insert(ids.end(), {c.a, c.b});
    images.push_back(c.image), features.push_back(c.feature);
    reals.push_back(c.overlap);
    for (const Vec3& v : {c.normal, c.point, c.force}) append(reals, v);
  }
  write(out, "contacts/ids", ids);
  write(out, "contacts/images", images);
  write(out, "contacts/features", features);
  write(out, "contacts/numbers", reals);
}

std::optional<ContactView> read_contacts(const CheckpointReader& in) {
  if (!in.has("contacts")) return std::nullopt;
  const auto images = in.read<std::int32_t>("contacts/images");
  const std::size_t count = images.size();
  const auto features = read_rows<std::uint32_t>(in, "contacts/features", count);
  const auto ids = read_rows<std::uint64_t>(in, "contacts/ids", count, 2);
  const auto reals = read_rows<double>(in, "contacts/numbers", count, 10);
  if (!std::ranges::all_of(reals, [](double x) { return std::isfinite(x); }))
    throw IoError(fmt::format("{}: array \"contacts/numbers\" holds what is no number.", in.file().string()));
  ContactView contacts(count);
  Taker next{reals.data()};
  for (std::size_t k = 0; k < count; ++k) {
    ContactRecord& c = contacts[k];
    c.a = ids[2 * k], c.b = ids[2 * k + 1];
    c.image = images[k], c.feature = features[k];
    c.overlap = next.number();
    c.normal = next.vector(), c.point = next.vector(), c.force = next.vector();
  }
  return contacts;
}

void write_member_edits(CheckpointWriter& out, const Snapshot& s) {
  if (!s.attached.empty()) write(out, "member_edits/attached", s.attached);
  if (!s.released.empty()) write(out, "member_edits/released", s.released);
}

void read_member_edits(const CheckpointReader& in, Snapshot& s) {
  if (!in.has("member_edits")) return;
  if (in.has("member_edits/attached")) s.attached = in.read<std::uint64_t>("member_edits/attached");
  if (in.has("member_edits/released")) s.released = in.read<std::uint64_t>("member_edits/released");
}

void write_cell(CheckpointWriter& out, const std::string& name, const PeriodicCell& cell) {
  std::vector<double> reals;
  append(reals, cell.lower);
  for (const Mat3* const matrix : {&cell.edges, &cell.rate})
    for (int k = 0; k < 3; ++k) append(reals, Vec3(matrix->col(k)));
  write(out, name, reals);
}

PeriodicCell read_cell(const CheckpointReader& in, const std::string& name) {
  const auto reals = read_rows<double>(in, name, 1, 21);
  PeriodicCell cell;
  Taker next{reals.data()};
  cell.lower = next.vector();
  for (Mat3* const matrix : {&cell.edges, &cell.rate})
    for (int k = 0; k < 3; ++k) matrix->col(k) = next.vector();
  return cell;
}

void write_tolerated(CheckpointWriter& out, const std::vector<Bonds::Tolerated>& pairs) {
  std::vector<std::uint64_t> ids;
  std::vector<double> overlaps;
  for (const Bonds::Tolerated& pair : pairs) {
    ids.insert(ids.end(), {pair.a, pair.b});
    overlaps.push_back(pair.overlap);
  }
  write(out, "tolerated/ids", ids);
  write(out, "tolerated/overlaps", overlaps);
}

std::vector<Bonds::Tolerated> read_tolerated(const CheckpointReader& in) {
  const auto overlaps = in.read<double>("tolerated/overlaps");
  const auto ids = read_rows<std::uint64_t>(in, "tolerated/ids", overlaps.size(), 2);
  std::vector<Bonds::Tolerated> pairs;
  for (std::size_t k = 0; k < overlaps.size(); ++k) {
    pairs.push_back({ids[2 * k], ids[2 * k + 1], overlaps[k]});
    if (k > 0 && !(pairs[k - 1] < pairs[k]))
      throw IoError(fmt::format("{}: array \"tolerated/ids\" does not ascend.", in.file().string()));
  }
  return pairs;
}

void write_states(CheckpointWriter& out, const MethodStates& states) {
  const auto put = [&](const std::string& name, const std::vector<std::byte>& state) {
    out.write<std::byte>(name, std::span<const std::byte>(state));
  };
  for (std::size_t i = 0; i < states.modifiers.size(); ++i) put(fmt::format("modifiers/{:06}", i), states.modifiers[i]);
  write_lines(out, "modifier_names", states.modifier_names);
  put("integrator", states.integrator);
  for (const auto& [name, state] : states.observers) put("observers/" + name, state);
}

MethodStates read_states(const CheckpointReader& in) {
  MethodStates states;
  if (in.has("modifiers"))
    for (const std::string& name : in.list("modifiers"))
      states.modifiers.push_back(in.read<std::byte>("modifiers/" + name));
  states.modifier_names = read_lines(in, "modifier_names");
  states.integrator = in.read<std::byte>("integrator");
  if (in.has("observers"))
    for (const std::string& name : in.list("observers"))
      states.observers[name] = in.read<std::byte>("observers/" + name);
  return states;
}

}  // namespace scree::detail
