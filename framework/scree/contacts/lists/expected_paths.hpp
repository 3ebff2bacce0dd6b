#pragma once
/// \file Expected paths of slender bodies during the life of pair lists.
///
/// Lists of all pairs that any two fast bodies might reach are long: in swinging hair, a tip moves by many radii in a
/// step. But neighbours move alike. Integrators that look ahead therefore list pairs that come near each other if each
/// segment keeps its present motion for some time, within a slack. Lists end when a body has left its path by its
/// slack, or when that time is over.

#include <span>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Names of the World::metric() of the start time of paths, and of their duration.
inline constexpr const char *kListTime = "list_time_s", *kListHorizon = "list_horizon_s";
/// Names of the columns: velocity of the middle of a segment, velocity of its end relative to the middle [m/s], and
/// slack [m].
inline constexpr const char *kListVelocity = "list_velocity", *kListTurning = "list_turning",
                            *kListSlack = "list_slack";

class SCREE_API ExpectedPaths {
 public:
  /// Segment at the start of its path.
  struct Start {
    std::uint32_t row;
    Vec3 turning;   ///< velocity of its end relative to its middle [m/s]
    double radius;  ///< [m]
  };
  struct Choice {
    double dt;       ///< size of the next steps [s]
    double steps;    ///< number of steps that paths cover
    double largest;  ///< largest slack [m]
  };
  /// Chooses paths of all segments from the World's state on. A slack follows from the change of the velocity since the
  /// last rebuild.
  void choose(World& world, std::span<const Start> segments, const Choice& choice);
  /// Chooses no paths: lists do not look ahead.
  void none(World& world);
  /// Restores the paths of the lists of a saved run.
  void restore(World& world);

  bool any() const { return horizon_ > 0; }
  double horizon() const { return horizon_; }  ///< [s]
  /// Returns the time since the paths' start [s].
  double elapsed(const World& world) const;
  /// Velocities by row.
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
