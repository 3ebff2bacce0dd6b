#pragma once
/// \file Which bodies are joined by bonds. Bonds name bodies by id, so that rows may change order.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/world/table.hpp"

namespace scree {

/// All bonds of a run, those that hold and those that broke: a table whose rows never go, so that id and row are one.
class SCREE_API Bonds {
 public:
  Bonds();

  /// A bond about to be made between bodies that lie as they are to lie when it is without stress.
  struct Spec {
    Id a, b;              ///< a < b
    std::uint32_t entry;  ///< index of the scene's `bonds`
    double section;       ///< area of the cross-section [m^2]
    Vec3 branch;          ///< from the centre of a to that of b, world axes [m]
    Quat made_a, made_b;  ///< orientations of the bodies
    Vec3 joint;           ///< from the centre of a to where the two are joined, world axes [m]
  };
  static constexpr double kWhole = std::numeric_limits<double>::infinity();

  std::size_t size() const { return table_.size(); }
  bool whole(std::size_t bond) const { return broken_at[bond] == kWhole; }
  /// How many hold.
  std::size_t alive() const { return alive_; }
  /// Changes whenever a bond is made or breaks.
  std::uint64_t version() const { return version_; }

  void add(std::span<const Spec> bonds);
  /// \param time  [s]  Bonds that are broken already stay as they are.
  void break_bonds(std::span<const std::uint32_t> bonds, double time);
  /// Breaks all bonds of bodies that go. \param bodies  ascending
  void forget(std::span<const Id> bodies, double time);

  /// Laws remember up to this many numbers of each bond, in a column `memory`: 0 when it is made. At first none.
  void remember(int numbers);
  int remembered() const { return memory_ ? memory_->components() : 0; }
  /// Row by row. (size) x remembered()
  std::span<const double> memory() const;
  /// \param memory  what these bonds remember from now on, the same numbers of each, at most remembered()
  void set_memory(std::span<const std::uint32_t> bonds, std::span<const double> memory);
  /// Changes whenever what a bond remembers is set.
  std::uint64_t memory_version() const { return memory_version_; }

  /// After a checkpoint reader has filled the table.
  void rows_filled();

  Table& table() { return table_; }
  const Table& table() const { return table_; }

  Column<Id> a, b;
  Column<std::uint32_t> entry;
  Column<double> section;
  Column<Vec3> branch;
  Column<Quat> made_a, made_b;
  Column<Vec3> joint;
  Column<double> broken_at;  ///< [s]; kWhole while it holds
  Column<Vec3> impulse;      ///< of joints: on b in the last step [N s]; of others 0

  /// Two bodies that push each other only beyond an earlier overlap: that when they were made, when their bond broke or
  /// when their fragment came apart. Spheres that stand for pieces of one solid overlap from the start.
  struct Tolerated {
    Id a, b;         ///< a < b
    double overlap;  ///< [m], > 0
    bool operator<(const Tolerated& o) const { return a != o.a ? a < o.a : b < o.b; }
  };
  /// In order of (a, b).
  const std::vector<Tolerated>& tolerated() const { return tolerated_; }
  /// Overlap below which the pair does not push [m], 0 for most. \pre a < b
  double tolerated(Id a, Id b) const;
  /// Sets it, for pairs with a < b in any order.
  void tolerate(std::vector<Tolerated> pairs);
  /// Replaces all of them. \param pairs  in order of (a, b)
  void restore_tolerated(std::vector<Tolerated> pairs) { tolerated_ = std::move(pairs); }

 private:
  Table table_{"bonds"};
  ColumnStorage* memory_ = nullptr;
  std::size_t alive_ = 0;
  std::uint64_t version_ = 0, memory_version_ = 0;
  std::vector<Tolerated> tolerated_;
};

}  // namespace scree
