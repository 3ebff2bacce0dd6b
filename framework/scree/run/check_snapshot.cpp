/// \file Conditions on a snapshot before anything is made from it: a file may be intact and yet not belong to this run.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/contacts/lists/list_reach.hpp"
#include "scree/model/methods.hpp"
#include "scree/run/checkpoint.hpp"
#include "scree/run/detail/columns_of_copy.hpp"

namespace scree {

namespace {

using detail::values_of;

/// Tolerance of a quaternion's squared length about 1: integrators normalise it after each step.
constexpr double kUnitTolerance = 1e-3;

/// Tolerance of a radius relative to that of its shape.
constexpr double kRadiusTolerance = 1e-9;

bool is_unit(const Quat& q) { return std::abs(q.squaredNorm() - 1) < kUnitTolerance; }

class Checker {
 public:
  Checker(const std::filesystem::path& file, const Snapshot& snapshot, const Prepared& prepared)
      : file_(file), s_(snapshot), prepared_(prepared), world_(*prepared.world), bodies_(s_.tables.at(0)) {}

  void all() {
    check_numbers();
    for (std::size_t k = 0; k < s_.tables.size(); ++k) check_table(s_.tables[k], k);
    check_edits();
    check_bodies();
    check_state();
    check_members();
    check_prescribed();
    check_cell("cell", s_.cell);
    check_cell("reference_cell", s_.reference_cell);
    check_bonds();
    check_history();
    check_modifiers();
  }

 private:
  [[noreturn]] void fail(std::string_view name, const std::string& what) const {
    throw IoError(fmt::format("{}: {} {}. The checkpoint is damaged, or was not written by this scene's run.",
                              file_.string(), name, what));
  }
  void require(bool good, std::string_view name, const std::string& what) const {
    if (!good) fail(name, what);
  }
  [[noreturn]] void fail_at(std::string_view array, Id body, std::string_view what) const {
    fail(fmt::format("array \"{}\"", array), fmt::format("is wrong for body {}: {}", body, what));
  }
  template <class T>
  std::vector<T> column(const char* name) const {
    return values_of<T>(*bodies_.find(name));
  }
  bool known(Id id) const { return ids_.contains(id); }

  void check_numbers() const {
    require(std::isfinite(s_.time) && s_.time >= 0, "attribute \"time\"", fmt::format("is {}", s_.time));
    const RunTally& t = s_.tally;
    for (const double x : {t.candidate_pairs, t.touching_pairs, t.contacts, t.history_hits, t.max_overlap,
                           t.max_overlap_time, t.last_overlap, t.kinetic_initial, t.energy_initial, t.hasty.duration,
                           t.hasty.at_once, t.hasty.body_a, t.hasty.body_b, t.hasty.time})
      require(std::isfinite(x), "a sum for the summary", fmt::format("is {}", x));
    const StepClock& clock = s_.clock;
    require(std::isfinite(clock.dt) && clock.dt >= 0, "attribute \"dt\"", fmt::format("is {}", clock.dt));
    require(clock.origin.step <= s_.step, "attribute \"origin_step\"", fmt::format("is {}", clock.origin.step));
    require(std::isfinite(clock.origin.time) && clock.origin.time <= s_.time, "attribute \"origin_time\"",
            fmt::format("is {}", clock.origin.time));
    require(s_.stage.first_step <= s_.step && std::isfinite(s_.stage.first_time), "array \"stages/stage\"",
            "is ahead of the run");
    for (const auto& [name, value] : s_.figures) {
      require(!std::isnan(value), fmt::format("array \"figures/{}\"", name), "is not a number");
      if (name == kSkin)
        require(value > 0 && std::isfinite(value), fmt::format("array \"figures/{}\"", name),
                fmt::format("is {}", value));
    }
  }

  /// Checks that every column of the run exists, with its type; further ones are made by their names.
  void check_table(const TableCopy& copy, std::size_t k) const {
    const std::string table = fmt::format("table \"{}\"", copy.name);
    require(copy.rows <= std::numeric_limits<std::uint32_t>::max(), table, fmt::format("has {} rows", copy.rows));
    const auto here = std::as_const(world_).tables();
    const auto found = std::ranges::find(here, copy.name, [](const Table* t) { return t->name(); });
    require(k < 2 || is_table_name(copy.name), table, "has no name that a table can have");
    if (found != here.end()) check_columns(copy, **found);
    check_numbers(copy);
    check_ids(copy);
  }
  static std::string array_of(const TableCopy& table, const std::string& column) {
    return fmt::format("array \"tables/{}/columns/{}\"", table.name, column);
  }
  void check_columns(const TableCopy& copy, const Table& table) const {
    for (const auto& wanted : table.columns()) {
      const TableCopy::ColumnCopy* const found = copy.find(wanted->name());
      const std::string array = array_of(copy, wanted->name());
      require(found != nullptr, array, "is missing");
      require(found->type == wanted->type() && found->components == wanted->components(), array,
              "holds values of another type or number");
    }
  }
  void check_numbers(const TableCopy& copy) const {
    for (const auto& column : copy.columns) {
      if (column.type != ColumnType::float64) continue;
      const bool may_be_infinite = column.name == "radius" || column.name == "broken_at";
      const bool may_be_negative = column.name != kListReach;
      for (const double x : values_of<double>(column))
        require((std::isfinite(x) || (may_be_infinite && x > 0)) && (may_be_negative || x >= 0),
                array_of(copy, column.name), fmt::format("holds {}", x));
    }
  }
  void check_ids(const TableCopy& copy) const {
    const TableCopy::ColumnCopy& column = *copy.find("id");
    require(column.type == ColumnType::uint64 && column.components == 1, array_of(copy, "id"), "holds no ids");
    auto ids = values_of<Id>(column);
    std::ranges::sort(ids);
    require(std::ranges::adjacent_find(ids) == ids.end(), array_of(copy, "id"), "names a row twice");
    require(ids.empty() || ids.back() < copy.next_id, array_of(copy, "id"), "names a row to which no id was given");
  }

  /// Checks that bodies added and not reported yet exist. Removed or moved ones may be missing.
  void check_edits() const {
    const auto there = [&](const TableCopy& table, const std::vector<Id>& listed, const std::string& array) {
      const auto ids = values_of<Id>(*table.find("id"));
      const std::unordered_set<Id> known(ids.begin(), ids.end());
      for (const Id id : listed)
        require(known.contains(id), fmt::format("array \"{}\"", array),
                fmt::format("names row {}, which is not there", id));
    };
    for (const TableCopy& table : s_.tables)
      there(table, table.edits.added, fmt::format("tables/{}/added", table.name));
    there(bodies_, s_.attached, "member_edits/attached");
    there(bodies_, s_.released, "member_edits/released");
  }

  void check_bodies() {
    const auto id = column<Id>("id"), owner = column<Id>("owner");
    const auto shape = column<std::uint32_t>("shape"), material = column<std::uint32_t>("material");
    const auto group = column<std::uint32_t>("group"), kind = column<std::uint32_t>("kind");
    const auto radius = column<double>("radius"), scale = column<double>("scale"), mass = column<double>("mass");
    const auto inverse_mass = column<double>("inverse_mass");
    ids_ = {id.begin(), id.end()};
    for (std::size_t i = 0; i < bodies_.rows; ++i) {
      const Id body = id[i];
      if (!known(owner[i])) fail_at("tables/bodies/columns/owner", body, "its owner is not there");
      if (shape[i] >= world_.shapes().size())
        fail_at("tables/bodies/columns/shape", body,
                "the scene has no such shape, and a run with shapes made by a hook during the run cannot be resumed");
      if (material[i] >= world_.materials().size())
        fail_at("tables/bodies/columns/material", body, "the scene has no such material");
      if (group[i] >= world_.group_names.size())
        fail_at("tables/bodies/columns/group", body, "the scene has no such entry");
      if (kind[i] > static_cast<std::uint32_t>(BodyKind::prescribed))
        fail_at("tables/bodies/columns/kind", body, "no such kind");
      if (!(scale[i] > 0)) fail_at("tables/bodies/columns/scale", body, "not above 0");
      const double bound = scale[i] * world_.shapes()[shape[i]].shape->bounding_radius();
      const double tolerance = std::isfinite(bound) ? kRadiusTolerance * bound : 0;
      if (!(radius[i] == bound || std::abs(radius[i] - bound) <= tolerance))
        fail_at("tables/bodies/columns/radius", body, "not that of its shape");
      if (!(mass[i] >= 0)) fail_at("tables/bodies/columns/mass", body, "negative");
      const bool moves = inverse_mass[i] != 0;
      if (!(inverse_mass[i] >= 0)) fail_at("tables/bodies/columns/inverse_mass", body, "negative");
      if (moves && (kind[i] != static_cast<std::uint32_t>(BodyKind::dynamic) || owner[i] != body))
        fail_at("tables/bodies/columns/inverse_mass", body, "it does not move freely");
      if (moves && !std::isfinite(radius[i]))
        fail_at("tables/bodies/columns/inverse_mass", body, "its shape is without bound");
    }
  }

  void check_state() const {
    const auto id = column<Id>("id");
    const auto x = column<Vec3>("position"), v = column<Vec3>("velocity"), w = column<Vec3>("angular_velocity");
    const auto q = column<Quat>("orientation");
    const auto inverse_mass = column<double>("inverse_mass");
    const auto inverse_inertia = column<Vec3>("inverse_inertia");
    const DomainBox& domain = prepared_.methods.domain;
    for (std::size_t i = 0; i < bodies_.rows; ++i) {
      if (!is_unit(q[i])) fail_at("tables/bodies/columns/orientation", id[i], "not of length 1");
      if (!(inverse_inertia[i].array() >= 0).all()) fail_at("tables/bodies/columns/inverse_inertia", id[i], "negative");
      if (inverse_mass[i] == 0) continue;  // walls may outrun numbers that can be squared
      if (!(v[i].squaredNorm() + w[i].squaredNorm() < 1e300))
        fail_at("tables/bodies/columns/velocity", id[i], "too large");
      if (!(x[i].array() >= domain.lower.array()).all() || !(x[i].array() <= domain.upper.array()).all())
        fail_at("tables/bodies/columns/position", id[i], "outside the domain");
    }
  }

  /// Checks membership, and poses of members in the owner's frame.
  void check_members() const {
    const auto id = column<Id>("id"), owner = column<Id>("owner");
    std::unordered_set<Id> members;
    for (std::size_t i = 0; i < bodies_.rows; ++i)
      if (owner[i] != id[i]) members.insert(id[i]);
    if (members.empty()) return;
    const auto position = member_column<Vec3>("member_position");
    const auto orientation = member_column<Quat>("member_orientation");
    for (std::size_t i = 0; i < bodies_.rows; ++i) {
      if (owner[i] == id[i]) continue;
      if (members.contains(owner[i])) fail_at("tables/bodies/columns/owner", id[i], "its owner is itself a member");
      check_pose("tables/bodies/columns/member_orientation", id[i], {position[i], orientation[i]});
    }
  }

  /// Returns a column that exists if there are members.
  template <class T>
  std::vector<T> member_column(const char* name) const {
    const TableCopy::ColumnCopy* const found = bodies_.find(name);
    const std::string array = array_of(bodies_, name);
    require(found != nullptr, array, "is missing");
    require(found->type == ColumnTraits<T>::type && found->components == ColumnTraits<T>::components, array,
            "holds values of another type or number");
    return values_of<T>(*found);
  }

  void check_pose(std::string_view array, Id body, const Pose& pose) const {
    if (!pose.position.allFinite() || !is_unit(pose.orientation)) fail_at(array, body, "no position and orientation");
  }

  void check_motion(Id body, const Motion& m) const {
    const Vec3 times(m.frequency, m.start, m.stop);
    for (const Vec3& v : {m.velocity, m.angular_velocity, m.centre, m.amplitude, times})
      if (!v.allFinite()) fail_at("prescribed/reals", body, "not finite");
    for (const auto* table : {&m.velocities, &m.displacements}) {
      if (std::ranges::adjacent_find(*table, std::greater_equal(), &MotionRow::time) != table->end())
        fail_at("prescribed/tables", body, "times that do not ascend");
      for (const MotionRow& row : *table)
        if (!std::isfinite(row.time) || !row.value.allFinite()) fail_at("prescribed/tables", body, "not finite");
    }
  }

  void check_prescribed() const {
    for (const auto& [id, entry] : s_.prescribed) {
      if (!known(id)) fail_at("prescribed/ids", id, "it is not there");
      check_pose("prescribed/poses", id, entry.initial);
      for (const Motion& m : entry.motions) check_motion(id, m);
    }
    for (const auto& [id, velocity] : s_.surface_velocities) {
      if (!known(id)) fail_at("surface_velocities/ids", id, "it is not there");
      if (!velocity.allFinite()) fail_at("surface_velocities/vectors", id, "not finite");
    }
  }

  void check_bonds() const {
    const TableCopy& bonds = s_.tables[1];
    const auto of = [&]<class T>(const char* name, T) { return values_of<T>(*bonds.find(name)); };
    const auto id = of("id", Id{}), a = of("a", Id{}), b = of("b", Id{});
    const auto entry = of("entry", std::uint32_t{});
    const auto section = of("section", 0.0), broken_at = of("broken_at", 0.0);
    const auto made_a = of("made_a", Quat{}), made_b = of("made_b", Quat{});
    require(bonds.rows >= prepared_.bonds_of_scene, "table \"bonds\"", "holds fewer bonds than the scene makes");
    for (std::size_t k = 0; k < bonds.rows; ++k) {
      const auto sound = [&](bool good, const char* column) {
        require(good, array_of(bonds, column), fmt::format("is wrong for bond {}", k));
      };
      const bool whole = broken_at[k] == Bonds::kWhole;
      sound(id[k] == k, "id");
      sound(a[k] < b[k], "a");
      sound(b[k] < bodies_.next_id, "b");
      sound(!whole || known(a[k]), "a");
      sound(!whole || known(b[k]), "b");
      sound(entry[k] < prepared_.methods.bonds.size(), "entry");
      sound(section[k] >= 0, "section");
      sound(broken_at[k] >= 0, "broken_at");
      sound(is_unit(made_a[k]), "made_a");
      sound(is_unit(made_b[k]), "made_b");
    }
    for (const Bonds::Tolerated& pair : s_.tolerated) {
      require(pair.a < pair.b && pair.b < bodies_.next_id, "array \"tolerated/ids\"", "names bodies that never were");
      require(std::isfinite(pair.overlap) && pair.overlap > 0, "array \"tolerated/overlaps\"", "holds no overlap");
    }
  }

  /// Checks a cell: modifiers may deform it, but it is periodic in the directions that the scene names.
  void check_cell(const char* name, const PeriodicCell& cell) const {
    const std::string array = fmt::format("array \"{}\"", name);
    require(cell.lower.allFinite() && cell.edges.allFinite() && cell.rate.allFinite(), array,
            "holds what is no number");
    require(cell.is_triangular(), array, "has edges that have turned");
    for (int k = 0; k < 3; ++k)
      require(cell.length(k) >= 0 && cell.periodic(k) == world_.cell.periodic(k), array,
              fmt::format("is {} m long in {}", cell.length(k), "xyz"[k]));
  }

  void check_history() const {
    const auto& interactions = prepared_.methods.interactions;
    for (const HistoryTable::Place& place : s_.history.places_in_order()) {
      const HistoryTable::Key key = s_.history.key(place);
      const auto values = s_.history.values(place);
      require(key.interaction < interactions.size(), "array \"history/interaction\"",
              fmt::format("names interaction {}", key.interaction));
      require(values.size() == static_cast<std::size_t>(interactions[key.interaction].history),
              "array \"history/length\"", fmt::format("is {} for interaction {}", values.size(), key.interaction));
      // Bodies may be removed: pending history outlives them.
      require(key.a != key.b && std::max(key.a, key.b) < bodies_.next_id, "array \"history/a\" or \"history/b\"",
              fmt::format("names bodies {} and {}", key.a, key.b));
      for (const double x : values) require(std::isfinite(x), "array \"history/values\"", fmt::format("holds {}", x));
    }
  }

  void check_modifiers() const {
    require(s_.methods.modifiers.size() == prepared_.modifiers.size(), "folder \"modifiers\"",
            fmt::format("holds the state of {} modifiers, the scene has {}", s_.methods.modifiers.size(),
                        prepared_.modifiers.size()));
  }

  const std::filesystem::path& file_;
  const Snapshot& s_;
  const Prepared& prepared_;
  const World& world_;
  const TableCopy& bodies_;
  std::unordered_set<Id> ids_;
};

}  // namespace

void check_snapshot(const std::filesystem::path& file, const Snapshot& snapshot, const Prepared& prepared) {
  Checker(file, snapshot, prepared).all();
}

}  // namespace scree
