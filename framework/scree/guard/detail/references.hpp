#pragma once
/// \file References of bodies' rows, which must exist: plugins write into the columns themselves.

#include <array>
#include <cstdint>

#include "scree/guard/method.hpp"
#include "scree/world/world.hpp"

namespace scree::detail {

/// Step and time of the World. World has them as public members, which only the code that advances a run may change.
class Moment {
 public:
  explicit Moment(const World& world) : step_(world.step), time_(world.time) {}
  /// Checks that step and time are unchanged.
  /// \throws InternalError if they are not; they are restored first, so that messages show the right moment
  void require_same(const Method& method, const char* entry, World& world) const;

 private:
  std::uint64_t step_;
  double time_;  ///< [s]
};

/// Columns that define a body: id, shape, material, group, kind, owner, sizes and masses.
class References {
 public:
  /// Takes the present values as valid.
  void trust(const World& world);
  /// Checks columns that were written since. Costs nothing if none was.
  /// \throws InternalError naming method, entry point, body and value
  void check(const Method& method, const char* entry, const World& world);

 private:
  using Writes = std::array<std::uint32_t, 10>;  ///< ColumnStorage::writes() of each column
  static Writes writes_of(const World& world);

  Writes seen_ = {};
};

}  // namespace scree::detail
