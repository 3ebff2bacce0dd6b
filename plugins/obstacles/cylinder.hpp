#pragma once
/// \file The shape "cylinder": solid or as a container (a drum), with ends or without.

#include "solid.hpp"

namespace scree::obstacles {

struct CylinderOptions {
  double radius = 0;       ///< [m], > 0
  double half_length = 0;  ///< along the body's z axis [m], > 0; infinity: without ends
  bool inside = false;     ///< a container: matter is outside
  double extent = 1;       ///< length in pictures of one without ends [m]
};

/// Faces: of a solid one (it is convex), of a container its side and, where it has ends, these two.
class Cylinder final : public Solid {
 public:
  explicit Cylinder(const CylinderOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  double rotation_reach() const noexcept override;
  int face_count() const noexcept override;
  bool flat(int face) const noexcept override { return inside_ && face > 0; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  double radius_, half_length_;
  bool inside_;
  double extent_;
};

}  // namespace scree::obstacles
