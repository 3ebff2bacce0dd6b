#pragma once
/// \file The shape "plate" with straight sides: a slab with a round hole about the body's z axis.

#include "solid.hpp"

namespace scree::obstacles {

struct PlateOptions {
  Vec3 half_sizes = Vec3::Zero();  ///< along the body's axes [m]; z: half of the plate's thickness
  double hole = 0;                 ///< radius [m], below the half sizes in x and y
};

/// Faces: the plate on the side of the sphere, and the hole's wall across the axis: a sphere in the hole touches both.
class Plate final : public Solid {
 public:
  explicit Plate(const PlateOptions& options) : half_(options.half_sizes), hole_(options.hole) {}
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override { return half_.norm(); }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 2; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  Vec3 half_;
  double hole_;
};

}  // namespace scree::obstacles
