// Curvatures of round solids, which laws of Hertz take for radii, against finite differences.

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "catch.hpp"
#include "test_points.hpp"
#include "test_solids.hpp"

using namespace scree;
using namespace scree::obstacles;
using namespace scree::obstacles::test;

namespace {

/// Returns the change of the normal along the surface, by central differences at a point of it [1/m].
Mat3 change_of_normal(const Solid& shape, const Vec3& at, double step) {
  Mat3 change;
  for (int k = 0; k < 3; ++k) {
    Vec3 after, before;
    distance_at(shape, at + step * Vec3::Unit(k), &after);
    distance_at(shape, at - step * Vec3::Unit(k), &before);
    change.col(k) = (after - before) / (2 * step);
  }
  return change;
}

/// The eigenvalues across the normal, ascending.
std::array<double, 2> principal(const Mat3& change, const Vec3& normal) {
  const Vec3 u = normal.unitOrthogonal(), v = normal.cross(u);
  Eigen::Matrix2d across;
  across << u.dot(change * u), u.dot(change * v), v.dot(change * u), v.dot(change * v);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(0.5 * (across + across.transpose()));
  return {solver.eigenvalues()[0], solver.eigenvalues()[1]};
}

/// Result of a comparison at random points as faces see them.
struct Compared {
  double worst = 0;  ///< error, relative to the larger curvature, or to 1/m
  std::size_t points = 0, of = 0;
};

/// \param rims_are_edges  rounded rims count as edges: what has no curvature at all is left out
Compared compare(const Solid& shape, bool rims_are_edges) {
  constexpr double kStep = 5e-5;
  Compared sum;
  const std::vector<Vec3> points = random_points(3, 0.6, 500);
  sum.of = points.size();
  for (const Vec3& p : points)
    for (int face = 0; face < shape.face_count(); ++face) {
      const FacePoint seen = face_at(shape, face, p);
      if (!std::isfinite(seen.distance)) continue;
      if (rims_are_edges && seen.curvature[0] == 0 && seen.curvature[1] == 0) continue;
      const Vec3 foot = p - seen.distance * seen.normal;
      if (std::abs(distance_at(shape, foot)) > 1e-12) continue;  // a container's wall goes on beyond its ends
      const Mat3 change = change_of_normal(shape, foot, kStep);
      if ((change - change_of_normal(shape, foot, 2 * kStep)).norm() > 1e-3) continue;  // an edge
      const auto [low, high] = std::minmax(seen.curvature[0], seen.curvature[1]);
      const auto expected = principal(change, seen.normal);
      const double error = std::max(std::abs(low - expected[0]), std::abs(high - expected[1]));
      sum.worst = std::max(sum.worst, error / std::max({1.0, std::abs(low), std::abs(high)}));
      ++sum.points;
    }
  return sum;
}

}  // namespace

TEST_CASE("round solids: curvatures are those of the surface, by finite differences of its normal") {
  // Differences err by the square of step times curvature: 1e-5 where the curvature is 60 1/m, next to an apex.
  for (const auto& shape : all_solids()) {
    const Compared all = compare(*shape, dynamic_cast<const HelicoidBlade*>(shape.get()) != nullptr);
    INFO("largest error " << all.worst << " in " << all.points << " of " << all.of << " points");
    CHECK(all.worst < 1e-4);
    CHECK(4 * all.points > all.of);
  }
}
