#include "ledger/check_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

#include "ledger/kept_columns.hpp"
#include "scree/base/error.hpp"

namespace scree::culling {

namespace {

/// Relative, of a mass to the sum of its parts, which are added in another order.
constexpr double kTolerance = 1e-9;
/// Tolerance of a quaternion's squared length about 1.
constexpr double kUnitTolerance = 1e-3;

bool is_pose(const Pose& pose) {
  return pose.position.allFinite() && std::abs(pose.orientation.squaredNorm() - 1) < kUnitTolerance;
}

template <class T>
bool ascend(const std::vector<T>& values) {
  return std::ranges::adjacent_find(values, std::greater_equal()) == values.end();
}

class Checker {
 public:
  Checker(const Ledger& ledger, const World& world) : ledger_(ledger), world_(world) {}

  void all() {
    for (const std::string& name : ledger_.columns)
      if (!is_kept_column(name) || !world_.find_column(name)) refuse("names a column that bodies do not have");
    if (std::set(ledger_.columns.begin(), ledger_.columns.end()).size() < ledger_.columns.size())
      refuse("names a column twice");
    for (const auto& [owner, aggregate] : ledger_.aggregates) check(aggregate);
  }

 private:
  [[noreturn]] static void refuse(const std::string& what) {
    throw InputError("the ledger of granular-culling in the checkpoint " + what +
                     ". The checkpoint is damaged, or was not written by this scene's run.");
  }
  static void require(bool good, Id id, const char* what) {
    if (!good) refuse(fmt::format("is wrong for body {}: {}", id, what));
  }

  void check(const Aggregate& a) {
    const auto owner = world_.row(a.owner);
    require(owner.has_value() && world_.owner.read()[*owner] == a.owner && world_.mass.read()[*owner] > 0, a.owner,
            "it owns nothing");
    require(is_pose(a.frame), a.owner, "its frame is no place and orientation");
    require(!a.stored.empty(), a.owner, "it has no stored granules");
    for (const StoredGranule& g : a.stored) check(g), check_values(g.id, g.values);
    const std::vector<Id> ids = a.stored.ids();
    require(ascend(ids) && ascend(a.members), a.owner, "its granules are not in order");
    check_members(a, *owner, ids);
    for (const HistoryRecord& r : a.history.unpacked()) check(r);
  }

  void check(const StoredGranule& g) {
    require(g.id < world_.next_id() && !world_.row(g.id) && all_stored_.insert(g.id).second, g.id,
            "it is stored, and is there as well or never was");
    require(g.shape < world_.shapes().size(), g.id, "the scene has no such shape");
    require(g.material < world_.materials().size(), g.id, "the scene has no such material");
    require(g.group < world_.group_names.size(), g.id, "the scene has no such entry");
    require(std::isfinite(g.scale) && g.scale > 0, g.id, "its scale is not above 0");
    const MassProperties own = mass_of(world_, g);
    require(std::isfinite(own.mass) && own.mass > 0 && (own.inertia.array() > 0).all(), g.id,
            "its material and shape have no mass");
    require(is_pose(g.pose), g.id, "it has no place and orientation");
  }

  /// Values of the columns that were known when it was stored, the first ones of the list.
  void check_values(Id id, const std::vector<std::byte>& values) const {
    std::size_t at = 0;
    for (const std::string& name : ledger_.columns) {
      if (at == values.size()) return;
      const ColumnStorage& column = *world_.find_column(name);
      require(column.row_bytes() <= values.size() - at, id, "values of its columns are cut");
      for (std::size_t k = 0; column.type() == ColumnType::float64 && k < column.row_bytes(); k += sizeof(double)) {
        double value = 0;
        std::memcpy(&value, values.data() + at + k, sizeof value);
        require(std::isfinite(value), id, "a value of its columns is no number");
      }
      at += column.row_bytes();
    }
    require(at == values.size(), id, "it has more values than there are columns");
  }

  /// Members may be gone since: the next window forgets them, with their mass.
  void check_members(const Aggregate& a, std::size_t owner, const std::vector<Id>& stored) const {
    double mass = 0;
    bool complete = true;
    for (const StoredGranule& g : a.stored) mass += mass_of(world_, g).mass;
    for (const Id id : a.members) {
      require(id < world_.next_id() && !std::ranges::binary_search(stored, id), id, "it is a member and stored");
      const auto row = world_.row(id);
      complete = complete && row;
      if (!row) continue;
      require(world_.owner.read()[*row] == a.owner && id != a.owner, id, "it is a member, and belongs to another body");
      mass += world_.mass.read()[*row];
    }
    const double whole = world_.mass.read()[owner];
    require(!complete || std::abs(mass - whole) <= kTolerance * whole, a.owner, "its mass is not that of its granules");
  }

  void check(const HistoryRecord& r) const {
    require(r.a < r.b && r.b < world_.next_id(), r.a, "what its contact remembers names no pair");
    for (const double x : r.values) require(std::isfinite(x), r.a, "what its contact remembers is no number");
  }

  const Ledger& ledger_;
  const World& world_;
  std::set<Id> all_stored_;
};

}  // namespace

void check_ledger(const Ledger& ledger, const World& world) { Checker(ledger, world).all(); }

}  // namespace scree::culling
