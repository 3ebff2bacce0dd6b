#pragma once
/// \file Common part of all three-dimensional obstacles: an exact distance, and faces.

#include <concepts>
#include <cstdint>
#include <optional>

#include "device_faces.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"
#include "scree/shape/swept_polyhedron.hpp"
#include "solid_distance.hpp"

namespace scree::obstacles {

/// Facets: ExactDistance/1, SignedDistance/1, Faces/1; WallFaces/1 where no edge stands out; SweptPolyhedron/1 where
/// all faces of a body are flat; and DeviceFaces/1 where there are faces for devices. A derived class gives the formula
/// of its distance.
class Solid : public Shape, public ExactDistance, public WallFaces {
 public:
  int dimension() const noexcept final { return 3; }
  const void* facet(std::string_view name) const noexcept final;

 protected:
  Solid() = default;
  explicit Solid(const ObstacleFaces& faces)
      : walls_alone_(faces.inside || faces.kind == ObstacleFaces::Kind::half_space) {
    device_.emplace(faces);
  }
  virtual const SweptPolyhedron* polyhedron() const noexcept { return nullptr; }

  bool walls_alone_ = false;  ///< faces are flat or hollow, as those of containers, and meet in no edge that stands out

 private:
  std::optional<FacesOnDevice> device_;
};

/// Sides of the prism that stands for a round body in pictures.
constexpr std::uint32_t kPictureSides = 64;

/// For distance(): all points by one formula (x, y, z) -> SolidDistance<double>.
template <std::invocable<double, double, double> Formula>
void evaluate(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient,
              const Formula& formula) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SolidDistance<double> s = formula(points[i][0], points[i][1], points[i][2]);
    distance[i] = s.d;
    gradient[i] = Vec3(s.gx, s.gy, s.gz);
  }
}

/// For face(): all points by one formula (x, y, z) -> SolidDistance<double>.
template <std::invocable<double, double, double> Formula>
void see(std::span<const Vec3> points, std::span<FacePoint> seen, const Formula& formula) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SolidDistance<double> s = formula(points[i][0], points[i][1], points[i][2]);
    seen[i] = {s.d, Vec3(s.gx, s.gy, s.gz), {s.k1, s.k2}};
  }
}

/// face() of a wall of a box container. \param face  2 axis for the wall at -half, 2 axis + 1 for that at +half
inline void see_container_wall(int face, const Vec3& half, std::span<const Vec3> points, std::span<FacePoint> seen) {
  const int axis = face / 2;
  const double side = face % 2 == 0 ? -1 : 1;
  const Vec3 normal = -side * Vec3::Unit(axis);
  for (std::size_t i = 0; i < points.size(); ++i)
    seen[i] = {container_wall_distance(points[i][axis], half[axis], side), normal, {0, 0}};
}

}  // namespace scree::obstacles
