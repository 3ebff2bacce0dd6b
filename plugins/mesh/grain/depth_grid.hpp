#pragma once
/// \file A depth field on the points of a grid, made smooth by quadratic B-splines.

#include <array>
#include <functional>
#include <vector>

#include "scree/shape/smooth_surface.hpp"

namespace scree::mesh {

/// Depth from its values at grid points. It is continuous with its gradient, and reproduces quadratic functions.
///
/// Along each axis the value at offset f of a cell from its middle point, |f| <= 1/2, has the weights (1/2 - f)^2/2,
/// 3/4 - f^2, (1/2 + f)^2/2 of three control values; these are (10 u - neighbours)/8 of the values u given.
/// Outside of the grid the depth falls by the distance from it.
class DepthGrid {
 public:
  /// \param lower   first point of the grid [m]
  /// \param cell    distance of neighbouring points [m], > 0
  /// \param counts  points along each axis, 3 at least
  /// \param depth   depth at a point [m]; called from several threads at once
  DepthGrid(const Vec3& lower, double cell, const std::array<int, 3>& counts,
            const std::function<double(const Vec3&)>& depth);

  double depth_at(const Vec3& point) const;
  DepthCurvature at(const Vec3& point) const;
  /// Largest depth at the grid's points [m].
  double greatest() const { return greatest_; }
  double cell() const { return cell_; }

 private:
  struct Place;
  Place place(const Vec3& point) const;
  std::size_t index(int i, int j, int k) const {
    return (static_cast<std::size_t>(k) * static_cast<std::size_t>(counts_[1]) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(counts_[0]) +
           static_cast<std::size_t>(i);
  }
  void filter(int axis);

  Vec3 lower_;
  double cell_;
  std::array<int, 3> counts_;
  double greatest_ = 0;
  std::vector<float> control_;  ///< x runs fastest
};

}  // namespace scree::mesh
