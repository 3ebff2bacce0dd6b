#pragma once
/// \file Bins of a profile: slabs along a direction, or shells about an axis, and what of bodies and lines lies in
/// them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <optional>
#include <vector>

#include "scree/scene/region.hpp"
#include "scree/world/periodic_cell.hpp"

namespace scree::meters {

/// Share of a ball's volume below a plane. \param h  height of the plane above its centre, over its radius, -1 to 1
inline double share_below(double h) { return 0.25 * (2 + h * (3 - h * h)); }

/// Share of a disc's area below a line. \param h  as for share_below()
inline double disc_share_below(double h) { return 0.5 + (h * std::sqrt(1 - h * h) + std::asin(h)) / std::numbers::pi; }

/// Area that two discs share [m^2]. \param a, b  their radii [m]  \param d  distance of their centres [m]
inline double lens_area(double a, double b, double d) {
  if (d >= a + b) return 0;
  const double least = std::min(a, b);
  if (d <= std::abs(a - b)) return std::numbers::pi * least * least;
  const double of_a = std::clamp((d * d + a * a - b * b) / (2 * d * a), -1., 1.);
  const double of_b = std::clamp((d * d + b * b - a * a) / (2 * d * b), -1., 1.);
  const double kite = (a + b - d) * (d + a - b) * (d - a + b) * (d + a + b);
  return a * a * std::acos(of_a) + b * b * std::acos(of_b) - 0.5 * std::sqrt(std::max(0., kite));
}

/// Share of a ball's volume within a cylinder, from its sections across the axis at 16 heights: to some 1e-4.
/// \param r  radius of the ball  \param d  distance of its centre from the axis  \param e  radius of the cylinder [m]
inline double share_within_cylinder(double r, double d, double e) {
  constexpr int heights = 16;
  double sum = 0;
  for (int k = 0; k < heights; ++k) {
    const double c = std::cos(0.5 * std::numbers::pi * (k + 0.5) / heights);  // midpoints of the angle z = r sin t
    sum += c * lens_area(r * c, e, d) / (r * r);
  }
  return std::clamp(sum * 0.75 / heights, 0., 1.);
}

/// Bins of equal width from `from` to `to`. A place belongs to the bin that begins at it.
class Bins {
 public:
  using Visit = std::function<void(std::size_t bin, double share)>;

  /// \throws OptionError
  Bins(const Options& options, int dimension);

  std::size_t size() const { return edges_.size() - 1; }
  /// Returns the middle of a bin: height, or radius [m].
  double middle(std::size_t bin) const { return 0.5 * (edges_[bin] + edges_[bin + 1]); }
  /// Returns volumes of bins [m^3], in 2D areas [m^2]: of their part in the region, or of the periodic cell; or none
  /// where these have no bounds. A section is given: area [m^2] of slabs, in 2D width [m]; length of shells [m].
  std::optional<std::vector<double>> volumes(const std::optional<double>& section, const Region* region,
                                             const Options& region_options, const PeriodicCell& cell) const;
  /// Visits the bin of a point.
  void share_point(const PeriodicCell& cell, const Vec3& x, const Visit& visit) const;
  /// Visits bins with the share of the volume of a ball that each has.
  void share_ball(const PeriodicCell& cell, const Vec3& x, double radius, const Visit& visit) const;
  /// Visits bins with the share of the length of a line that each has.
  void share_line(const PeriodicCell& cell, const Vec3& from, const Vec3& way, const Visit& visit) const;

 private:
  double height(const Vec3& x) const { return (x - point_).dot(direction_); }
  Vec3 beside(const Vec3& x) const { return x - point_ - height(x) * direction_; }
  double place(const Vec3& x) const { return radial_ ? beside(x).norm() : height(x); }
  Vec3 nearest(const PeriodicCell& cell, const Vec3& x) const;
  std::vector<double> images(const PeriodicCell& cell) const;
  std::optional<std::size_t> bin_of(double place) const;
  double share_before(double edge, double place, double radius) const;
  std::optional<double> section_of(const Region* region, const Options& options, const PeriodicCell& cell) const;
  std::vector<double> sampled(const Region& region) const;

  int dimension_;
  bool radial_;
  int axis_ = -1;  ///< the coordinate that the direction is along; -1: none
  Vec3 point_, direction_;
  std::vector<double> edges_;
};

}  // namespace scree::meters
