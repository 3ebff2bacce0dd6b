#pragma once
/// \file The shape "box" of three-dimensional scenes: a cuboid, solid or as a container.

#include <array>

#include "solid.hpp"

namespace scree::obstacles {

struct CuboidOptions {
  Vec3 half_sizes{0, 0, 0};  ///< along the body's axes [m], > 0
  bool inside = false;       ///< a container: matter is outside
};

/// Faces: of a solid one (it is convex), of a container its six walls, each without end. A solid is a SweptPolyhedron/1
/// without rounding.
class Cuboid final : public Solid, public SweptPolyhedron {
 public:
  explicit Cuboid(const CuboidOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  double rotation_reach() const noexcept override { return half_.norm(); }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return inside_ ? 6 : 1; }
  bool flat(int) const noexcept override { return inside_; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;
  std::span<const Vec3> vertices() const override { return corners_; }
  std::span<const std::uint32_t> face_begin() const override;
  std::span<const std::uint32_t> face_vertices() const override;
  double radius() const noexcept override { return 0; }

 private:
  const SweptPolyhedron* polyhedron() const noexcept override { return inside_ ? nullptr : this; }

  Vec3 half_;
  std::array<Vec3, 8> corners_;
  bool inside_;
};

}  // namespace scree::obstacles
