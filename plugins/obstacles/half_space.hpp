#pragma once
/// \file The shapes "half-plane" (2D) and "half-space" (3D): matter on one side of a line or a plane, without end.

#include <type_traits>

#include "obstacle.hpp"
#include "solid.hpp"

namespace scree::obstacles {

template <int dimension>
struct HalfSpaceOptions {
  using Normal = Eigen::Matrix<double, dimension, 1>;
  Normal normal = Normal::Unit(dimension - 1);  ///< out of the matter, any length > 0
  double extent = 1;                            ///< length of the line, side of the square in pictures [m]
};

template <int dimension>
class HalfSpaceIn final : public std::conditional_t<dimension == 2, Obstacle, Solid> {
 public:
  using Base = std::conditional_t<dimension == 2, Obstacle, Solid>;
  using Options = HalfSpaceOptions<dimension>;
  /// \throws OptionError when the normal has no direction
  explicit HalfSpaceIn(const Options& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 1; }
  bool flat(int) const noexcept override { return true; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  typename Options::Normal normal_;
  double extent_;
};

extern template class HalfSpaceIn<2>;
extern template class HalfSpaceIn<3>;
using HalfPlane = HalfSpaceIn<2>;
using HalfSpace = HalfSpaceIn<3>;

}  // namespace scree::obstacles
