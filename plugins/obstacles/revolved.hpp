#pragma once
/// \file Bodies of revolution with a convex section: "cone", "frustum", "tube" and round plates; solid, hollow, or as
/// containers.

#include <vector>

#include "profile_distance.hpp"
#include "solid.hpp"

namespace scree::obstacles {

/// The section of a body about its z axis, in the user's coordinates: the body's position is at (0, 0).
struct RevolvedOptions {
  std::vector<Vec2> section;  ///< corners (rho, z) [m], counter-clockwise, convex, rho >= 0; at most kMostCorners
  bool inside = false;        ///< a container: matter is outside. Needs a section that the axis goes through
};

/// The section of a solid cone or frustum between the radii at -length/2 and at length/2. One of the two may be 0.
std::vector<Vec2> frustum_section(double lower, double upper, double length);

/// The section of an open wall whose inner surface has these radii > 0, and that is `wall` thick. Its ends are level.
std::vector<Vec2> open_section(double lower, double upper, double length, double wall);

/// Faces: of a solid one (it is convex); of a hollow one, the meridian of the sphere and the one across the axis, so
/// that a sphere that fills a throat touches both sides; of a container its side seen so, then the ends that have a
/// radius.
class Revolved final : public Solid {
 public:
  explicit Revolved(const RevolvedOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  Vec3 reference_point() const noexcept override { return {0, 0, reference_z_}; }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  double rotation_reach() const noexcept override;
  int face_count() const noexcept override;
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  std::vector<int> surface_edges() const;
  void see_container(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const;

  Profile<double> profile_;  ///< body frame
  bool inside_, hollow_;
  double reference_z_ = 0;  ///< reference point of the user's position, seen from the centre of mass [m]
};

}  // namespace scree::obstacles
