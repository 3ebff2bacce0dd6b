#pragma once
/// \file A force or torque as a function of time.

#include <string>
#include <vector>

#include "scree/scene/options.hpp"
#include "scree/world/motion.hpp"

namespace scree::loads {

/// A constant, a harmonic and a table, added up, as those of a motion.
struct LoadCurve {
  Vec3 constant = Vec3::Zero();   ///< [N] or [N m], as are amplitude and rows
  Vec3 amplitude = Vec3::Zero();  ///< factor of sin(2 pi frequency t)
  double frequency = 0;           ///< [Hz]
  std::vector<MotionRow> table;   ///< linear between rows, constant before the first and after the last

  /// Returns the value at t [s] after the start.
  Vec3 at(double t) const;
  /// Checks whether it is the same at all times.
  bool steady() const { return (amplitude.isZero(0) || frequency == 0) && table.size() < 2; }
  bool none() const { return constant.isZero(0) && amplitude.isZero(0) && table.empty(); }
};

/// Reads options `name`, `name`_amplitude, frequency, and the table `name`s with rows {time, name}.
/// \throws OptionError for rows whose times do not ascend
LoadCurve read_curve(const Options& options, const std::string& name);

}  // namespace scree::loads
