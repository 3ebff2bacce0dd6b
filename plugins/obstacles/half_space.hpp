#pragma once
/// \file The shape "half-space": matter on one side of a plane, without end.

#include "solid.hpp"

namespace scree::obstacles {

struct HalfSpaceOptions {
  Vec3 normal{0, 0, 1};  ///< out of the matter, any length > 0
  double extent = 1;     ///< side of the square in pictures [m]
};

class HalfSpace final : public Solid {
 public:
  /// \throws OptionError when the normal has no direction
  explicit HalfSpace(const HalfSpaceOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 1; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  Vec3 normal_;
  double extent_;
};

}  // namespace scree::obstacles
