#include "pictures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace scree::spheres {

namespace {

using Cell = std::vector<std::uint32_t>;

constexpr int kDiscCorners = 40;

/// The unit sphere as an icosahedron, every triangle cut into four.
Surface icosphere() {
  const double g = std::numbers::phi;
  Surface s;
  s.points = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
              {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  s.cells = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
             {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
             {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (Vec3& p : s.points) p.normalize();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
  const auto middle = [&](std::uint32_t a, std::uint32_t b) {
    const auto [place, fresh] =
        middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<std::uint32_t>(s.points.size()));
    if (fresh) s.points.push_back((s.points[a] + s.points[b]).normalized());
    return place->second;
  };
  std::vector<Cell> finer;
  for (const Cell& c : s.cells) {
    const std::uint32_t ab = middle(c[0], c[1]), bc = middle(c[1], c[2]), ca = middle(c[2], c[0]);
    for (Cell cell : {Cell{c[0], ab, ca}, Cell{c[1], bc, ab}, Cell{c[2], ca, bc}, Cell{ab, bc, ca}})
      finer.push_back(std::move(cell));
  }
  s.cells = std::move(finer);
  return s;
}

/// Checks whether a point lies well within a sphere other than sphere `own`.
bool hidden(const Spheres& spheres, std::size_t own, const Vec3& p) {
  for (std::size_t k = 0; k < spheres.radii.size(); ++k)
    if (k != own && (p - spheres.centres[k]).norm() < 0.98 * spheres.radii[k]) return true;
  return false;
}

}  // namespace

Surface disc_outlines(const Spheres& discs) {
  Surface surface;
  for (std::size_t k = 0; k < discs.radii.size(); ++k) {
    Cell cell;
    for (int i = 0; i < kDiscCorners; ++i) {
      const double angle = 2 * std::numbers::pi * i / kDiscCorners;
      cell.push_back(static_cast<std::uint32_t>(surface.points.size()));
      surface.points.push_back(discs.centres[k] + discs.radii[k] * Vec3(std::cos(angle), std::sin(angle), 0));
    }
    surface.cells.push_back(std::move(cell));
  }
  return surface;
}

Surface sphere_triangles(const Spheres& spheres) {
  const Surface unit = icosphere();
  Surface surface;
  for (std::size_t k = 0; k < spheres.radii.size(); ++k) {
    const auto first = static_cast<std::uint32_t>(surface.points.size());
    for (const Vec3& p : unit.points) surface.points.push_back(spheres.centres[k] + spheres.radii[k] * p);
    for (const Cell& cell : unit.cells) {
      bool seen = false;
      for (const std::uint32_t c : cell) seen |= !hidden(spheres, k, surface.points[first + c]);
      if (seen) surface.cells.push_back({first + cell[0], first + cell[1], first + cell[2]});
    }
  }
  return surface;
}

}  // namespace scree::spheres
