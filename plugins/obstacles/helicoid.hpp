#pragma once
/// \file The shape "helicoid": the blade of a screw about the body's z axis.

#include "helicoid_distance.hpp"
#include "solid.hpp"

namespace scree::obstacles {

struct HelicoidOptions {
  double inner_radius = 0, outer_radius = 0;  ///< [m], 0 <= inner < outer
  double pitch = 0;                           ///< rise per turn [m], > 0
  double turns = 0;                           ///< [-], > 0
  double thickness = 0;                       ///< thickness of the blade, whose rims are round [m]
  bool left_handed = false;
};

/// All points within half the thickness of the surface. Faces: the turn of the blade below the sphere, and that above.
class HelicoidBlade final : public Solid {
 public:
  /// \throws OptionError for radii that cross, and for a blade thicker than its surface is curved
  explicit HelicoidBlade(const HelicoidOptions& options);
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override;
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 2; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  Vec3 mirrored(const Vec3& p) const { return {p[0], hand_ * p[1], p[2]}; }
  std::vector<Vec3> section(double t, double bend) const;
  FacePoint seen_from(const Vec3& p, const HelicoidFoot& foot) const;

  Helicoid blade_;
  double half_thickness_;
  double hand_;  ///< -1: what is said of a right-handed blade holds in the mirror
};

}  // namespace scree::obstacles
