#include "scree/shape/corner_shares.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

namespace {

/// Corners with longer edges, relative to the bounding radius, count whole.
constexpr double kCoarse = 0.1;

/// Corners that turn by more count whole [rad].
constexpr double kSharp = 0.5;

}  // namespace

std::vector<double> corner_shares(const SweptPolygon& polygon, double bounding_radius) {
  if (!polygon.closed()) return {};
  const auto vertices = polygon.vertices();
  const std::size_t n = vertices.size();
  std::vector<double> shares(n);
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 before = vertices[k] - vertices[(k + n - 1) % n], after = vertices[(k + 1) % n] - vertices[k];
    const double length = (before.norm() + after.norm()) / 2;
    const double turn = std::abs(std::atan2(before.x() * after.y() - before.y() * after.x(), before.dot(after)));
    shares[k] = std::min(1.0, std::max(length / (kCoarse * bounding_radius), turn / kSharp));
  }
  if (std::ranges::all_of(shares, [](double share) { return share == 1; })) shares.clear();
  return shares;
}

}  // namespace scree
