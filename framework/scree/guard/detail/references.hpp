#pragma once
/// \file What rows of bodies refer to must be there: plugins write into the columns themselves.

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

/// Looks at the columns that say what a body is (id, shape, material, group, kind, owner), where the host's rows were
/// written since an engine took them.
/// \throws InternalError naming method, entry point, body and value
void check_references(const Method& method, const char* entry, const World& world);

/// Marks these columns as looked at. Not for engines that keep columns in memory of their own: they take them.
void note_references_seen(World& world);

}  // namespace scree::detail
