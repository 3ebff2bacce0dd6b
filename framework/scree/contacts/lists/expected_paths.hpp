#pragma once
/// \file Where slender bodies go while lists hold.
///
/// Lists of what any two fast bodies might reach are long: in hair that swings, a tip goes by many radii in a step. But
/// neighbours swing alike. So lists for those who look ahead hold the pairs that come near each other if each segment
/// goes on as it moves now, for some time and give or take a slack. They end when a body has left its path by its
/// slack, or with the time.

#include <span>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// World::figure() of the time of the state that paths start from, and of how long they are.
inline constexpr const char *kListTime = "list_time_s", *kListHorizon = "list_horizon_s";
/// Names of their columns: the velocity of the middle of a segment, that of its end relative to the middle [m/s], and
/// the slack [m].
inline constexpr const char *kListVelocity = "list_velocity", *kListTurning = "list_turning",
                            *kListSlack = "list_slack";

class SCREE_API ExpectedPaths {
 public:
  /// A segment that will follow a path, as it is now.
  struct Start {
    std::uint32_t row;
    Vec3 turning;   ///< velocity of its end relative to its middle [m/s]
    double radius;  ///< [m]
  };
  struct Choice {
    double dt;       ///< of steps to come [s]
    double steps;    ///< how many of them paths lead through
    double largest;  ///< slack [m]
  };
  /// Paths of all segments from the World's state on. A slack follows from how much the velocity has changed since
  /// lists were made last.
  void choose(World& world, std::span<const Start> segments, const Choice& choice);
  /// Bodies stay: lists do not look ahead.
  void none(World& world);
  /// As chosen for the lists of a saved run.
  void restore(World& world);

  bool any() const { return horizon_ > 0; }
  double horizon() const { return horizon_; }  ///< [s]
  /// How long the World's state has been on the paths [s].
  double elapsed(const World& world) const;
  /// By row.
  std::span<const Vec3> velocity() const { return velocity_.read(); }
  std::span<const Vec3> turning() const { return turning_.read(); }
  std::span<const double> slack() const { return slack_.read(); }

 private:
  void find_columns(World& world);

  double start_ = 0, horizon_ = 0;
  Column<Vec3> velocity_, turning_;
  Column<double> slack_;
};

}  // namespace scree
