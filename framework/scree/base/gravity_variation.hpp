#pragma once
/// \file Variation of gravity in time: plain data, as a scene gives it and a run uses it.

#include <vector>

#include "scree/base/types.hpp"

namespace scree {

/// Terms that are added to the constant vector of gravity.
struct GravityVariation {
  struct Row {
    double time;  ///< [s]
    Vec3 vector;  ///< [m/s^2]
  };
  Vec3 amplitude = Vec3::Zero();    ///< amplitude of amplitude sin(2 pi frequency t + phase) [m/s^2]
  double frequency = 0, phase = 0;  ///< [Hz], [rad]
  std::vector<Row> table;           ///< linear in time between rows; times ascend
};

}  // namespace scree
