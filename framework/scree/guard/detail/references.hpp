#pragma once
/// \file What rows of bodies refer to must be there: plugins write into the columns themselves.

#include <array>
#include <cstdint>

#include "scree/guard/method.hpp"
#include "scree/world/world.hpp"

namespace scree::detail {

/// Where the World is in time. It says so itself: whoever advances a run counts steps.
class Moment {
 public:
  explicit Moment(const World& world) : step_(world.step), time_(world.time) {}
  /// \throws InternalError when step or time is another one now; they are put back, so that messages tell the moment
  void require_same(const Method& method, const char* entry, World& world) const;

 private:
  std::uint64_t step_;
  double time_;  ///< [s]
};

/// The columns that say what a body is: id, shape, material, group, kind, owner, sizes and masses.
class References {
 public:
  /// What stands in them now is right.
  void trust(const World& world);
  /// Looks at those that were written since. Costs nothing where none was.
  /// \throws InternalError naming method, entry point, body and value
  void check(const Method& method, const char* entry, const World& world);

 private:
  using Writes = std::array<std::uint32_t, 10>;  ///< ColumnStorage::writes() of each
  static Writes writes_of(const World& world);

  Writes seen_ = {};
};

}  // namespace scree::detail
