#pragma once
/// \file Common part of all plane obstacles: an exact distance, and nodes if they are solid bodies.

#include <concepts>
#include <vector>

#include "device_faces.hpp"
#include "obstacle_distance.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"

namespace scree::obstacles {

/// Detectors keep places of nodes in 16 bits; four units per node keep neighbours apart.
inline constexpr int kMostNodes = 16384;

/// Facets: ExactDistance/1, SignedDistance/1, Faces/1, and BoundaryNodes/1 when there are nodes, else WallFaces/1;
/// DeviceFaces/1. A derived class gives the formula of its distance; nodes are for solids, so that grains meet corners.
class Obstacle : public Shape, public ExactDistance, public BoundaryNodes, public WallFaces {
 public:
  int dimension() const noexcept final { return 2; }
  const void* facet(std::string_view name) const noexcept final;
  std::span<const Vec3> nodes() const final { return nodes_; }

 protected:
  explicit Obstacle(const ObstacleFaces& faces) : device_(faces) {}
  std::vector<Vec3> nodes_;  ///< body frame, counter-clockwise [m]

 private:
  FacesOnDevice device_;
};

/// For distance(): all points by one formula (x, y) -> Distance<double>. The formula's values are stored from inside a
/// function, not from the loop's body: in this form GCC 12 vectorises.
template <std::invocable<double, double> Formula>
void evaluate(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient,
              const Formula& formula) {
  const auto one = [=, p = points.data(), d = distance.data(), g = gradient.data()](std::size_t i) {
    const Distance<double> s = formula(p[i][0], p[i][1]);
    d[i] = s.d;
    g[i] = Vec3(s.gx, s.gy, 0);
  };
  const std::size_t count = points.size();
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) one(i);
}

/// For face(): all points by one formula (x, y) -> Distance<double>. \param curvature  of the whole face [1/m]
template <std::invocable<double, double> Formula>
void see(std::span<const Vec3> points, std::span<FacePoint> seen, const Formula& formula, double curvature = 0) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Distance<double> s = formula(points[i][0], points[i][1]);
    seen[i] = {s.d, Vec3(s.gx, s.gy, 0), {curvature, 0}};
  }
}

/// A picture: the outline, filled when it is `solid`, else a closed line.
Surface outline(std::vector<Vec3> points, bool solid);

/// n points on a circle, counter-clockwise from the x axis.
std::vector<Vec3> circle_points(double radius, int n);

}  // namespace scree::obstacles
