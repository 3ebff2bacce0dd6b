#pragma once
/// \file Division of a step into parts where bonds break: short ones while cracks run, a single one if nothing breaks.

#include "scree/world/world.hpp"

namespace scree::bonded {

/// The length that the next part is to have. It is kept in figures of the World, so that a resumed run goes on with it.
class Parts {
 public:
  /// \param shortest  a part in which bonds may break [s]; 0: steps are not divided
  explicit Parts(double shortest) : shortest_(shortest) {}

  void figures(World& world) const;
  bool divides() const { return shortest_ > 0; }
  /// Checks whether a part of this length may be repeated in shorter ones.
  bool may_shorten(double h) const { return divides() && h > kRounding * shortest_; }

  /// Returns the length of the next part: the rest, divided evenly [s]. \param left  rest of the step [s]
  double next(World& world, double left) const;
  /// Bonds are overloaded at the end of a part: it is made again with the shortest length.
  void overloaded(World& world) const;
  /// Energy was lost in it that nothing accounts for: again, with half the length.
  void lossy(World& world, double h) const;
  /// It stands. \param dt  of the step [s]  \param broke  whether bonds broke at its end
  void done(World& world, double dt, bool broke) const;

 private:
  static constexpr double kRounding = 1 + 1e-9;
  void reject(World& world, double next) const;
  double shortest_;
};

}  // namespace scree::bonded
