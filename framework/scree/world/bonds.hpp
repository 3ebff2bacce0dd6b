#pragma once
/// \file Bonds between bodies. Bonds name bodies by id, so rows may change order.

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/world/table.hpp"

namespace scree {

/// All bonds of a run, intact and broken. Rows of the table are never removed, so id and row are the same number.
class SCREE_API Bonds {
 public:
  Bonds();

  /// Properties of a bond about to be made. The bond is free of stress in the present pose of its bodies.
  struct Spec {
    Id a, b;              ///< a < b
    std::uint32_t entry;  ///< index into the scene's `bonds`
    double section;       ///< area of the cross-section [m^2]
    Vec3 branch;          ///< vector from the centre of a to the centre of b, world axes [m]
    Quat made_a, made_b;  ///< orientations of the bodies
    Vec3 joint;           ///< vector from the centre of a to the point where the two are joined, world axes [m]
  };
  static constexpr double kWhole = std::numeric_limits<double>::infinity();

  /// Entry of the scene's `bonds`, as hooks need it that make bonds.
  struct Entry {
    std::string name;
    std::string a, b;              ///< names of the bodies joined: in World::group_names, once emitters have begun
    bool by_hook;                  ///< true if hooks make the bonds
    double gap;                    ///< largest gap of two bodies that are joined [m]
    std::optional<double> radius;  ///< radius of the cross-section [m]; unset: that of the smaller body ...
    double radius_multiplier;      ///< ... times this [-]
  };
  /// Entries of the scene, in their order. Set before modifiers begin; no state.
  std::vector<Entry> entries;

  std::size_t size() const { return table_.size(); }
  bool whole(std::size_t bond) const { return broken_at[bond] == kWhole; }
  /// Number of intact bonds.
  std::size_t alive() const { return alive_; }
  /// Version of the set of intact bonds: changes whenever a bond is made or breaks.
  std::uint64_t version() const { return version_; }

  /// Adds bonds.
  void add(std::span<const Spec> bonds);
  /// Breaks bonds. Bonds that are broken already stay as they are. \param time  [s]
  void break_bonds(std::span<const std::uint32_t> bonds, double time);
  /// Breaks all bonds of bodies that are removed. \param bodies  ascending
  void forget(std::span<const Id> bodies, double time);

  /// Makes room for this many numbers per bond in a column `memory`, which laws may use. They are 0 when a bond is
  /// made. Without a call there are none.
  void remember(int numbers);
  int remembered() const { return memory_ ? memory_->components() : 0; }
  /// Numbers that laws keep for each bond, row by row: (size) x remembered().
  std::span<const double> memory() const;
  /// Sets the numbers that laws keep for these bonds. \param memory  the same count for each bond, at most remembered()
  void set_memory(std::span<const std::uint32_t> bonds, std::span<const double> memory);
  /// Version of memory(): changes whenever it is set.
  std::uint64_t memory_version() const { return memory_version_; }

  /// Updates what depends on the rows after a checkpoint reader has filled the table.
  void rows_filled();

  Table& table() { return table_; }
  const Table& table() const { return table_; }

  Column<Id> a, b;
  Column<std::uint32_t> entry;
  Column<double> section;
  Column<Vec3> branch;
  Column<Quat> made_a, made_b;
  Column<Vec3> joint;
  Column<double> broken_at;  ///< time of breaking [s]; kWhole while intact
  Column<Vec3> impulse;      ///< impulse of joints on b in the last step [N s]; 0 for other bonds

  /// Pair of bodies that push each other only beyond an earlier overlap. That is the overlap when they were made, when
  /// their bond broke or when their fragment came apart. Spheres that stand for pieces of one solid overlap from the
  /// start.
  struct Tolerated {
    Id a, b;         ///< a < b
    double overlap;  ///< [m], > 0
    bool operator<(const Tolerated& o) const { return a != o.a ? a < o.a : b < o.b; }
  };
  /// Tolerated overlaps in order of (a, b).
  const std::vector<Tolerated>& tolerated() const { return tolerated_; }
  /// Returns the overlap below which the pair does not push [m]; 0 for most pairs. \pre a < b
  double tolerated(Id a, Id b) const;
  /// Sets tolerated overlaps of pairs with a < b, in any order.
  void tolerate(std::vector<Tolerated> pairs);
  /// Replaces all tolerated overlaps. \param pairs  in order of (a, b)
  void restore_tolerated(std::vector<Tolerated> pairs) { tolerated_ = std::move(pairs); }

 private:
  Table table_{"bonds"};
  ColumnStorage* memory_ = nullptr;
  std::size_t alive_ = 0;
  std::uint64_t version_ = 0, memory_version_ = 0;
  std::vector<Tolerated> tolerated_;
};

}  // namespace scree
