#include "scree/run/checkpoint.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <limits>

#include "catch.hpp"
#include "checkpoint_world.hpp"
#include "scree/base/error.hpp"
#include "scree/output/container.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::test;

namespace {

RunTally some_tally() {
  RunTally tally;
  tally.candidate_pairs = 1, tally.touching_pairs = 2, tally.contacts = 3, tally.history_hits = 4;
  tally.max_overlap = 5, tally.max_overlap_time = 5.5, tally.last_overlap = 5.2, tally.kinetic_initial = 6,
  tally.energy_initial = 7, tally.rebuilds = 8;
  tally.frames = {{"vtk", 9}, {"probe 2", 10}};
  return tally;
}

const RunIdentity kIdentity{42, {{"/shapes/a/file", "a.csv", 1}, {"/shapes/b/file", "b.csv", 2}}};

bool equal(const Pose& p, const Pose& q) {
  return p.position == q.position && p.orientation.coeffs() == q.orientation.coeffs();
}

bool equal(const PeriodicCell& c, const PeriodicCell& d) {
  return c.lower == d.lower && c.edges == d.edges && c.rate == d.rate;
}

bool equal(const Motion& m, const Motion& n) {
  const auto same = [](const MotionRow& p, const MotionRow& q) { return p.time == q.time && p.value == q.value; };
  return m.velocity == n.velocity && m.angular_velocity == n.angular_velocity && m.centre == n.centre &&
         m.about_origin == n.about_origin && m.amplitude == n.amplitude && m.frequency == n.frequency &&
         m.start == n.start && m.stop == n.stop && std::ranges::equal(m.velocities, n.velocities, same) &&
         std::ranges::equal(m.displacements, n.displacements, same);
}

void check_equal_history(const Snapshot& s, const Snapshot& t) {
  const auto p = s.history.records(), q = t.history.records();
  REQUIRE(p.size() == q.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    INFO(i);
    CHECK(p[i].interaction == q[i].interaction);
    CHECK((p[i].a == q[i].a && p[i].b == q[i].b && p[i].image == q[i].image));
    CHECK((p[i].feature == q[i].feature && p[i].payload == q[i].payload));
    CHECK(p[i].values == q[i].values);
  }
}

void check_equal_tables(const TableCopy& s, const TableCopy& t) {
  INFO(s.name);
  CHECK((s.name == t.name && s.rows == t.rows && s.next_id == t.next_id));
  for (const auto& column : s.columns) {
    INFO(column.name);
    const TableCopy::ColumnCopy* const found = t.find(column.name);
    REQUIRE(found);
    CHECK((found->type == column.type && found->components == column.components));
    CHECK(found->rows.bytes() == column.rows.bytes());
  }
  CHECK(s.columns.size() == t.columns.size());
  CHECK((s.edits.added == t.edits.added && s.edits.removed == t.edits.removed && s.edits.moved == t.edits.moved));
}

void check_equal_tolerated(const std::vector<Bonds::Tolerated>& s, const std::vector<Bonds::Tolerated>& t) {
  const auto same = [](const auto& p, const auto& q) { return p.a == q.a && p.b == q.b && p.overlap == q.overlap; };
  CHECK(std::ranges::equal(s, t, same));
}

void check_equal(const Snapshot& s, const Snapshot& t) {
  CHECK((s.step == t.step && s.time == t.time));
  REQUIRE(s.tables.size() == t.tables.size());
  for (std::size_t k = 0; k < s.tables.size(); ++k) check_equal_tables(s.tables[k], t.tables[k]);
  CHECK((s.attached == t.attached && s.released == t.released));
  check_equal_history(s, t);
  REQUIRE(s.prescribed.size() == t.prescribed.size());
  for (const auto& [id, entry] : s.prescribed) {
    CHECK(std::ranges::equal(t.prescribed.at(id).motions, entry.motions,
                             [](const Motion& m, const Motion& n) { return equal(m, n); }));
    CHECK(equal(t.prescribed.at(id).initial, entry.initial));
  }
  CHECK(s.surface_velocities == t.surface_velocities);
  CHECK((equal(s.cell, t.cell) && equal(s.reference_cell, t.reference_cell)));
  check_equal_tolerated(s.tolerated, t.tolerated);
  CHECK(s.figures == t.figures);
  CHECK((s.methods.modifiers == t.methods.modifiers && s.methods.integrator == t.methods.integrator));
  const RunTally &p = s.tally, &q = t.tally;
  CHECK((p.candidate_pairs == q.candidate_pairs && p.touching_pairs == q.touching_pairs && p.contacts == q.contacts));
  CHECK((p.history_hits == q.history_hits && p.max_overlap == q.max_overlap && p.last_overlap == q.last_overlap &&
         p.max_overlap_time == q.max_overlap_time && p.rebuilds == q.rebuilds));
  CHECK((p.kinetic_initial == q.kinetic_initial && p.energy_initial == q.energy_initial && p.frames == q.frames));
}

/// Returns the fault of a changed snapshot, found for a run that has only begun.
template <class Change>
std::string fault_of(Change&& change) {
  static const Everything later(true), fresh(false);
  Snapshot s = take_snapshot(later.prepared, some_tally());
  change(s);
  return message_of<IoError>([&] { check_snapshot("x.h5", s, fresh.prepared); });
}

constexpr std::size_t kBodies = 0, kBonds = 1, kNodes = 2;

/// Writes `value` into the bytes of a column from row `row` on.
template <class T>
void put(Snapshot& s, const std::string& name, std::size_t row, const T& value, std::size_t table = kBodies) {
  for (auto& column : s.tables[table].columns) {
    if (column.name != name) continue;
    std::vector<std::byte> bytes = column.rows.bytes();
    std::memcpy(bytes.data() + row * sizeof(T), &value, sizeof(T));
    column.rows = RowCopies(bytes, sizeof(T));
  }
}

void rename(Snapshot& s, const std::string& name) {
  for (auto& column : s.tables[kBodies].columns)
    if (column.name == name) column.name = "another";
}

}  // namespace

TEST_CASE("all that decides the future of a run comes back from a checkpoint into a run that has only begun") {
  const TemporaryFolder folder;
  const Everything later(true);
  Everything fresh(false);
  later.prepared.world->cell.rate(0, 1) = 0.5;
  later.prepared.world->reference_cell.lower = {1, 2, 3};
  const Snapshot saved = take_snapshot(later.prepared, some_tally());
  const std::vector<HistoryRecord> records = saved.history.records();
  CHECK(std::any_of(records.begin(), records.end(), [](const HistoryRecord& r) { return r.payload == 77; }));  // waits
  REQUIRE(records.size() >= 3);
  write_checkpoint(folder / "a.h5", saved, kIdentity);
  const Snapshot read = read_checkpoint(folder / "a.h5", kIdentity);
  check_equal(saved, read);
  check_snapshot(folder / "a.h5", read, fresh.prepared);
  restore(read, fresh.prepared);
  check_equal(saved, take_snapshot(fresh.prepared, read.tally));
  CHECK(fresh.prepared.world->bonds().size() == 2);
  CHECK(fresh.prepared.world->bonds().alive() == 1);  // the other broke before
}

TEST_CASE("edits of every kind that nobody has heard of come back from a checkpoint") {
  const TemporaryFolder folder;
  const Everything later(true);
  World& w = *later.prepared.world;
  w.take_edits();
  const Id gone = 1;
  w.remove(std::array{gone, Id{5}});
  BodySpec again;
  again.id = gone;
  again.position = {30, 30, 0};
  w.add(std::array{again, BodySpec{}});
  w.mark_moved(std::array{Id{4}});
  w.release(std::array{Id{14}});
  const Snapshot saved = take_snapshot(later.prepared, some_tally());
  CHECK(saved.tables[kBodies].edits.added == std::vector<Id>{gone, 15});
  CHECK(saved.tables[kBodies].edits.removed == std::vector<Id>{gone, 5});
  CHECK(saved.released == std::vector<Id>{14});
  write_checkpoint(folder / "a.h5", saved, kIdentity);
  const Snapshot read = read_checkpoint(folder / "a.h5", kIdentity);
  Everything fresh(false);
  check_snapshot(folder / "a.h5", read, fresh.prepared);
  const std::uint64_t before = fresh.prepared.world->layout_version();
  restore(read, fresh.prepared);
  const World& back = *fresh.prepared.world;
  CHECK((back.edits().added == saved.tables[kBodies].edits.added && back.edits().moved == std::vector<Id>{4}));
  CHECK((back.edits().removed == saved.tables[kBodies].edits.removed && back.edits().released == saved.released));
  CHECK(back.tables()[kNodes]->edits().added == std::vector<Id>{0, 2});
  CHECK(back.layout_version() > before);  // the engine makes its lists anew
  // Bodies in no list yet are listed in their present places until then.
  const auto reference = back.find_column("reference_position")->as<Vec3>();
  CHECK(reference[*back.row(gone)] == Vec3(30, 30, 0));
}

TEST_CASE("bodies that came, and their motion, go on after a resume with the same bits") {
  Everything later(true), fresh(false);
  restore(take_snapshot(later.prepared, {}), fresh.prepared);
  for (Everything* run : {&later, &fresh}) run->prepared.world->move_prescribed(0.7);
  CHECK(state_hash(*later.prepared.world) == state_hash(*fresh.prepared.world));
}

TEST_CASE("a checkpoint of another scene, or of changed files, is refused with what differs") {
  const TemporaryFolder folder;
  const std::string file = (folder / "a.h5").string();
  write_checkpoint(file, take_snapshot(Everything(false).prepared, {}), kIdentity);
  const auto refusal = [&](auto change) {
    RunIdentity other = kIdentity;
    change(other);
    return message_of<InputError>([&] { read_checkpoint(file, other); });
  };
  CHECK_THAT(refusal([](RunIdentity& r) { ++r.fingerprint; }), Catch::Matchers::ContainsSubstring("another scene"));
  CHECK_THAT(refusal([](RunIdentity& r) { r.files.pop_back(); }), Catch::Matchers::ContainsSubstring("another scene"));
  CHECK(refusal([](RunIdentity& r) { r.files[1].checksum = 3; }) ==
        file +
            ": b.csv has changed since the checkpoint was written; the scene names it at /shapes/b/file. Put back the "
            "file as it was, or start again without --resume.");
  CHECK(refusal([](RunIdentity& r) { r.files[1].path = "elsewhere/b.csv"; }).empty());
}

TEST_CASE("a snapshot that no run can have is refused with the array's name") {
  using Catch::Matchers::ContainsSubstring;
  CHECK(fault_of([](Snapshot&) {}).empty());
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    const char* named;
    std::function<void(Snapshot&)> change;
  };
  const Id gone = 99, rider = 14;
  const std::uint32_t many = 1000;
  const Case cases[] = {
      {"attribute \"time\"", [&](Snapshot& s) { s.time = nan; }},
      {"attribute \"time\"", [&](Snapshot& s) { s.time = -1; }},
      {"sum for the summary", [&](Snapshot& s) { s.tally.contacts = nan; }},
      {"figures/work_J", [&](Snapshot& s) { s.figures["work_J"] = nan; }},
      {"array \"cell\"", [&](Snapshot& s) { s.cell.rate(0, 1) = nan; }},
      {"array \"cell\" has edges that have turned", [&](Snapshot& s) { s.cell.edges(1, 0) = 0.1; }},
      {"array \"cell\" is 2 m long in y", [&](Snapshot& s) { s.cell.edges(1, 1) = 2; }},
      {"array \"reference_cell\"", [&](Snapshot& s) { s.reference_cell.edges(2, 2) = -1; }},
      {"columns/position", [&](Snapshot& s) { put(s, "position", 0, Vec3(0, nan, 0)); }},
      {"columns/reference_position", [&](Snapshot& s) { put(s, "reference_position", 0, Vec3(nan, 0, 0)); }},
      {"columns/reference_position",
       [&](Snapshot& s) {
         std::erase_if(s.tables[0].columns, [](auto& c) { return c.name == "reference_position"; });
       }},
      {"columns/torque", [&](Snapshot& s) { rename(s, "torque"); }},
      {"columns/orientation", [&](Snapshot& s) { put(s, "orientation", 2, Quat(2, 0, 0, 0)); }},
      {"columns/list_reach",
       [&](Snapshot& s) {
         TableCopy::ColumnCopy reach = *s.tables[0].find("mass");
         reach.name = kListReach;
         s.tables[0].columns.push_back(reach);
         put(s, kListReach, 1, -0.5);
       }},
      {"columns/velocity", [&](Snapshot& s) { put(s, "velocity", 2, Vec3(1e160, 0, 0)); }},
      {"columns/shape", [&](Snapshot& s) { put(s, "shape", 1, many); }},
      {"columns/material", [&](Snapshot& s) { put(s, "material", 1, many); }},
      {"columns/group", [&](Snapshot& s) { put(s, "group", 1, many); }},
      {"columns/kind", [&](Snapshot& s) { put(s, "kind", 1, many); }},
      {"columns/owner", [&](Snapshot& s) { put(s, "owner", 1, gone); }},
      {"columns/", [&](Snapshot& s) { put(s, "id", 1, gone); }},
      {"columns/id", [&](Snapshot& s) { put(s, "id", 1, Id{3}), put(s, "id", 2, Id{3}); }},
      {"columns/scale", [&](Snapshot& s) { put(s, "scale", 1, 0.0); }},
      {"columns/radius", [&](Snapshot& s) { put(s, "radius", 1, 1e9); }},
      {"columns/mass", [&](Snapshot& s) { put(s, "mass", 1, -1.0); }},
      {"columns/inverse_mass", [&](Snapshot& s) { put(s, "inverse_mass", 1, -1.0); }},
      {"columns/owner", [&](Snapshot& s) { put(s, "owner", 1, rider), put(s, "inverse_mass", 1, 0.0); }},
      {"columns/member_position",
       [&](Snapshot& s) { std::erase_if(s.tables[0].columns, [](auto& c) { return c.name == "member_position"; }); }},
      {"columns/member_orientation",
       [&](Snapshot& s) {
         for (std::size_t row = 0; row < s.tables[0].rows; ++row) put(s, "member_orientation", row, Quat(2, 0, 0, 0));
       }},
      {"prescribed/ids", [&](Snapshot& s) { s.prescribed[gone] = s.prescribed.begin()->second; }},
      {"prescribed/reals", [&](Snapshot& s) { s.prescribed.begin()->second.motions[0].frequency = nan; }},
      {"prescribed/poses", [&](Snapshot& s) { s.prescribed.begin()->second.initial.position[0] = nan; }},
      {"prescribed/tables", [&](Snapshot& s) { s.prescribed.begin()->second.motions[1].velocities[1].time = 0; }},
      {"surface_velocities/ids", [&](Snapshot& s) { s.surface_velocities[gone] = Vec3::Zero(); }},
      {"surface_velocities/vectors", [&](Snapshot& s) { s.surface_velocities.begin()->second[0] = nan; }},
      {"bonds/columns/b", [&](Snapshot& s) { put(s, "b", 0, Id{12345}, kBonds); }},
      {"bonds/columns/entry", [&](Snapshot& s) { put(s, "entry", 0, many, kBonds); }},
      {"bonds/columns/broken_at", [&](Snapshot& s) { put(s, "broken_at", 1, -1.0, kBonds); }},
      {"bonds/columns/branch", [&](Snapshot& s) { put(s, "branch", 1, Vec3(nan, 0, 0), kBonds); }},
      {"bonds/columns/made_a", [&](Snapshot& s) { put(s, "made_a", 1, Quat(2, 0, 0, 0), kBonds); }},
      {"bonds/columns/id", [&](Snapshot& s) { put(s, "id", 1, Id{0}, kBonds); }},
      {"table \"bonds\"", [&](Snapshot& s) { s.tables[kBonds].rows = std::size_t{1} << 40; }},
      {"nodes/columns/id", [&](Snapshot& s) { put(s, "id", 1, Id{70}, kNodes); }},
      {"nodes/columns/position", [&](Snapshot& s) { put(s, "position", 1, Vec3(0, nan, 0), kNodes); }},
      {"../nodes", [&](Snapshot& s) { s.tables[kNodes].name = "../nodes"; }},
      {"tables/bodies/added",
       [&](Snapshot& s) {
         s.tables[kBodies].edits.added = {0, gone};
       }},
      {"tables/nodes/added", [&](Snapshot& s) { s.tables[kNodes].edits.added = {1}; }},
      {"member_edits/attached", [&](Snapshot& s) { s.attached = {gone}; }},
      {"member_edits/released", [&](Snapshot& s) { s.released = {gone}; }},
      {"tolerated/overlaps",
       [&](Snapshot& s) {
         s.tolerated.push_back({4, 5, nan});
       }},
      {"tolerated/ids",
       [&](Snapshot& s) {
         s.tolerated.push_back({4, 4, 1});
       }},
      {"history/interaction",
       [&](Snapshot& s) {
         s.history.append({7, 1, 2, 0, 0, 0}, std::array{0., 0.});
       }},
      {"history/length",
       [&](Snapshot& s) {
         s.history.append({0, 1, 2, 0, 0, 0}, std::array{0.});
       }},
      {"history/a",
       [&](Snapshot& s) {
         s.history.append({0, 1, 1, 0, 0, 0}, std::array{0., 0.});
       }},
      {"history/b",
       [&](Snapshot& s) {
         s.history.append({0, 1, gone, 0, 0, 0}, std::array{0., 0.});
       }},
      {"history/values",
       [&](Snapshot& s) {
         s.history.append({0, 1, 2, 0, 0, 0}, std::array{0., nan});
       }},
      {"modifiers", [&](Snapshot& s) { s.methods.modifiers.clear(); }},
  };
  for (const Case& c : cases) {
    const std::string fault = fault_of(c.change);
    INFO(c.named << ": " << fault);
    CHECK_THAT(fault, ContainsSubstring("x.h5: ") && ContainsSubstring(c.named));
  }
}
