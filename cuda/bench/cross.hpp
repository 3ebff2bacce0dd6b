#pragma once
/// \file The star of the benchmark, that of the reference scene of Schreck et al. (2024).

#include <cmath>

#include "scree/shape/facets.hpp"

namespace scree::device {

inline constexpr double kStarRadius = 4.37e-3, kStarMass = 0.106191e-3, kStarMoment = 0.710395e-9;  ///< [m, kg, kg m2]

/// r = R (2 + sin 4t) / 3.
class Cross final : public RadialFunction {
 public:
  double radius(double theta) const override { return kStarRadius * (2 + std::sin(4 * theta)) / 3; }
  double slope(double theta) const override { return kStarRadius * 4 * std::cos(4 * theta) / 3; }
  Vec2 centre() const override { return Vec2::Zero(); }
  double max_radius() const override { return kStarRadius; }
  double min_radius() const override { return kStarRadius / 3; }
  int node_count() const override { return 100; }
  int table_size() const override { return 20000; }
};

}  // namespace scree::device
