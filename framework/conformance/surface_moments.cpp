#include "conformance/surface_moments.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "scree/base/disjoint_sets.hpp"

namespace scree::conformance {

namespace {

using Cell = std::vector<std::uint32_t>;

std::optional<SurfaceMoments> of_outline(const Surface& surface) {
  if (!surface.closed || surface.cells.size() != 1 || surface.cells[0].size() < 3) return std::nullopt;
  const Cell& cell = surface.cells[0];
  SurfaceMoments m;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const Vec3 &p = surface.points[cell[i]], &q = surface.points[cell[(i + 1) % cell.size()]];
    const double twice = p.x() * q.y() - q.x() * p.y();
    m.size += twice / 2;
    m.centre += twice / 6 * (p + q);
    m.moment.z() += twice / 12 * (p.squaredNorm() + p.dot(q) + q.squaredNorm());
  }
  m.centre /= m.size;
  m.centre.z() = 0;
  return m;
}

/// Merges points at the same place: cells of some surfaces have corners of their own.
std::vector<std::uint32_t> merged(const std::vector<Vec3>& points) {
  double most = 0;
  for (const Vec3& p : points) most = std::max(most, p.cwiseAbs().maxCoeff());
  std::map<std::array<long, 3>, std::uint32_t> known;
  std::vector<std::uint32_t> number(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    std::array<long, 3> key;
    for (int k = 0; k < 3; ++k) key[static_cast<std::size_t>(k)] = std::lround(points[i][k] / most * 1e7);
    number[i] = known.emplace(key, i).first->second;
  }
  return number;
}

bool encloses_one_piece(const Surface& surface, const std::vector<std::uint32_t>& number) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  DisjointSets parts(surface.points.size());
  for (const Cell& cell : surface.cells)
    for (std::size_t i = 0; i < cell.size(); ++i) {
      const std::uint32_t p = number[cell[i]], q = number[cell[(i + 1) % cell.size()]];
      if (p == q) continue;
      ++edges[{p, q}];
      parts.join(p, q);
    }
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (count != 1 || back == edges.end()) return false;
    if (parts.find(edge.first) != parts.find(edges.begin()->first.first)) return false;
  }
  return !edges.empty();
}

}  // namespace

std::optional<SurfaceMoments> moments_of(const Surface& surface, int dimension) {
  if (dimension == 2) return of_outline(surface);
  if (!surface.closed) return std::nullopt;
  const std::vector<std::uint32_t> number = merged(surface.points);
  if (!encloses_one_piece(surface, number)) return std::nullopt;
  SurfaceMoments m;
  Eigen::Matrix3d second = Eigen::Matrix3d::Zero();
  // Tetrahedra from the origin to triangles of each cell.
  for (const Cell& cell : surface.cells)
    for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
      const Vec3 &p = surface.points[cell[0]], &q = surface.points[cell[i]], &r = surface.points[cell[i + 1]];
      const double six = p.dot(q.cross(r));
      const Vec3 sum = p + q + r;
      m.size += six / 6;
      m.centre += six / 24 * sum;
      second += six / 120 * (p * p.transpose() + q * q.transpose() + r * r.transpose() + sum * sum.transpose());
    }
  m.centre /= m.size;
  m.moment = Vec3::Constant(second.trace()) - Vec3(second.diagonal());
  const double off = std::max({std::abs(second(0, 1)), std::abs(second(0, 2)), std::abs(second(1, 2))});
  m.product = off / m.moment.cwiseAbs().maxCoeff();
  return m;
}

}  // namespace scree::conformance
