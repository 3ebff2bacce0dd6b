#include "balls.hpp"

#include <vtkCellArray.h>
#include <vtkCellArrayIterator.h>
#include <vtkCellData.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "chosen.hpp"
#include "scree/base/disjoint_sets.hpp"
#include "scree/base/types.hpp"

namespace scree::render {

namespace {

/// Lengths of the two kinds of edges, in radii.
constexpr std::array<double, 2> kEdges = {0.5465330581, 0.6180339888};
constexpr double kNear =
    0.004;  ///< tolerance of a length; coordinates have seven digits, some of which a distant origin takes
constexpr std::size_t kFewest = 8;  ///< triangles that a sphere can be told from

struct Ball {
  Vec3 centre;
  double radius;
};

/// Returns the ball that has all these triangles in its surface.
std::optional<Ball> ball_of(vtkPolyData& data, const std::vector<std::array<vtkIdType, 3>>& triangles) {
  if (triangles.size() < kFewest) return std::nullopt;
  // A point x on the sphere: 2 c.(x - o) + (r^2 - |c - o|^2) = |x - o|^2, in the least squares.
  const Vec3 origin(data.GetPoint(triangles[0][0]));
  Eigen::Matrix4d sums = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  for (const auto& corners : triangles)
    for (const vtkIdType corner : corners) {
      const Vec3 x = Vec3(data.GetPoint(corner)) - origin;
      const Eigen::Vector4d row(2 * x[0], 2 * x[1], 2 * x[2], 1);
      sums += row * row.transpose();
      right += x.squaredNorm() * row;
    }
  const Eigen::Vector4d solved = sums.fullPivLu().solve(right);
  const Vec3 from_origin = solved.head<3>();
  const double radius = std::sqrt(std::max(solved[3] + from_origin.squaredNorm(), 0.0));
  if (!(radius > 0) || !std::isfinite(radius)) return std::nullopt;
  for (const auto& corners : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 a(data.GetPoint(corners[k])), b(data.GetPoint(corners[(k + 1) % 3]));
      const double edge = (b - a).norm() / radius;
      if (std::abs((a - origin - from_origin).norm() / radius - 1) > kNear) return std::nullopt;
      if (std::abs(edge - kEdges[0]) > kNear && std::abs(edge - kEdges[1]) > kNear) return std::nullopt;
    }
  return Ball{origin + from_origin, radius};
}

}  // namespace

WithBalls with_balls(vtkPolyData& surfaces) {
  DisjointSets parts(static_cast<std::size_t>(surfaces.GetNumberOfPoints()));
  // Cells of vertices and lines come before polygons.
  const vtkIdType first = surfaces.GetNumberOfVerts() + surfaces.GetNumberOfLines();
  std::vector<std::array<vtkIdType, 3>> corners_of(static_cast<std::size_t>(surfaces.GetNumberOfCells()), {-1, -1, -1});
  const auto iterator = vtk::TakeSmartPointer(surfaces.GetPolys()->NewIterator());
  vtkIdType cell = first;
  for (iterator->GoToFirstCell(); !iterator->IsDoneWithTraversal(); iterator->GoToNextCell(), ++cell) {
    vtkIdType size = 0;
    const vtkIdType* corners = nullptr;
    iterator->GetCurrentCell(size, corners);
    for (vtkIdType k = 1; k < size; ++k)
      parts.join(static_cast<std::uint32_t>(corners[0]), static_cast<std::uint32_t>(corners[k]));
    if (size == 3) corners_of[static_cast<std::size_t>(cell)] = {corners[0], corners[1], corners[2]};
  }
  std::map<std::uint32_t, std::vector<vtkIdType>> cells_of;
  for (vtkIdType k = first; k < surfaces.GetNumberOfCells(); ++k) {
    const auto& corners = corners_of[static_cast<std::size_t>(k)];
    if (corners[0] >= 0) cells_of[parts.find(static_cast<std::uint32_t>(corners[0]))].push_back(k);
  }
  WithBalls found{vtkSmartPointer<vtkPolyData>::New(), nullptr};
  vtkNew<vtkPoints> centres;
  vtkNew<vtkCellArray> verts;
  vtkNew<vtkFloatArray> radii;
  radii->SetName(kBallRadius);
  vtkPointData& columns = *found.balls->GetPointData();
  columns.CopyAllocate(surfaces.GetCellData());
  std::vector<bool> is_ball(corners_of.size(), false);
  std::vector<std::array<vtkIdType, 3>> triangles;
  for (const auto& [part, cells] : cells_of) {
    triangles.clear();
    for (const vtkIdType k : cells) triangles.push_back(corners_of[static_cast<std::size_t>(k)]);
    const auto ball = ball_of(surfaces, triangles);
    if (!ball) continue;
    const vtkIdType at = centres->InsertNextPoint(ball->centre.data());
    verts->InsertNextCell(1, &at);
    radii->InsertNextValue(static_cast<float>(ball->radius));
    columns.CopyData(surfaces.GetCellData(), cells.front(), at);
    for (const vtkIdType k : cells) is_ball[static_cast<std::size_t>(k)] = true;
  }
  found.balls->SetPoints(centres);
  found.balls->SetVerts(verts);
  columns.AddArray(radii);
  found.others = centres->GetNumberOfPoints() == 0
                     ? vtkSmartPointer<vtkPolyData>(&surfaces)
                     : chosen_cells(surfaces, [&](vtkIdType k) { return !is_ball[static_cast<std::size_t>(k)]; });
  return found;
}

vtkSmartPointer<vtkPolyData> unit_ball() {
  const double g = std::numbers::phi;
  std::vector<Vec3> points;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g}) {
      points.push_back(Vec3(0, a, b).normalized());
      points.push_back(Vec3(a, b, 0).normalized());
      points.push_back(Vec3(b, 0, a).normalized());
    }
  // Neighbours are those at the distance of an edge of the icosahedron, 1.05 radii.
  const auto near = [&](std::size_t i, std::size_t j) { return (points[i] - points[j]).norm() < 1.2; };
  std::map<std::pair<std::size_t, std::size_t>, vtkIdType> middles;
  std::vector<Vec3> all = points;
  const auto middle = [&](std::size_t i, std::size_t j) {
    const auto [at, fresh] = middles.try_emplace(std::minmax(i, j), static_cast<vtkIdType>(all.size()));
    if (fresh) all.push_back((points[i] + points[j]).normalized());
    return at->second;
  };
  vtkNew<vtkCellArray> triangles;
  const auto add = [&](vtkIdType a, vtkIdType b, vtkIdType c) {
    const Vec3 &x = all[static_cast<std::size_t>(a)], &y = all[static_cast<std::size_t>(b)],
               &z = all[static_cast<std::size_t>(c)];
    if ((y - x).cross(z - x).dot(x) < 0) std::swap(b, c);
    triangles->InsertNextCell({a, b, c});
  };
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = i + 1; j < 12; ++j)
      for (std::size_t k = j + 1; k < 12; ++k) {
        if (!near(i, j) || !near(j, k) || !near(i, k)) continue;
        const vtkIdType ij = middle(i, j), jk = middle(j, k), ik = middle(i, k);
        add(static_cast<vtkIdType>(i), ij, ik);
        add(static_cast<vtkIdType>(j), ij, jk);
        add(static_cast<vtkIdType>(k), ik, jk);
        add(ij, jk, ik);
      }
  vtkNew<vtkPoints> corners;
  for (const Vec3& x : all) corners->InsertNextPoint(x.data());
  auto ball = vtkSmartPointer<vtkPolyData>::New();
  ball->SetPoints(corners);
  ball->SetPolys(triangles);
  return ball;
}

}  // namespace scree::render
