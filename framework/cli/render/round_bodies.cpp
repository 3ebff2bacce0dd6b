#include "round_bodies.hpp"

#include <vtkButterflySubdivisionFilter.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "chosen.hpp"
#include "scree/base/disjoint_sets.hpp"
#include "scree/base/types.hpp"

namespace scree::render {

namespace {

constexpr double kCosine = 0.64;  ///< cosine of 50 degrees

struct Faces {
  std::vector<std::vector<vtkIdType>> corners;
  std::vector<Vec3> normal;  ///< unit
};

Vec3 point(vtkPolyData& surfaces, vtkIdType k) {
  double x[3];
  surfaces.GetPoint(k, x);
  return Vec3(x[0], x[1], x[2]);
}

Faces faces_of(vtkPolyData& surfaces) {
  Faces faces;
  for (vtkIdType c = 0; c < surfaces.GetNumberOfCells(); ++c) {
    vtkIdType size = 0;
    const vtkIdType* corners = nullptr;
    surfaces.GetCellPoints(c, size, corners);
    faces.corners.emplace_back(corners, corners + size);
    const Vec3 a = point(surfaces, corners[0]);
    const bool is_face = size >= 3;
    faces.normal.push_back(
        is_face
            ? Vec3((point(surfaces, corners[1]) - a).cross(point(surfaces, corners[size - 1]) - a).stableNormalized())
            : Vec3(Vec3::Zero()));
  }
  return faces;
}

/// Returns bodies that are not round, each by one of its points.
std::set<std::uint32_t> angular_bodies(const Faces& faces, DisjointSets& bodies) {
  std::set<std::uint32_t> angular;
  std::map<std::pair<vtkIdType, vtkIdType>, std::vector<std::size_t>> at_edge;
  for (std::size_t c = 0; c < faces.corners.size(); ++c) {
    const auto& corners = faces.corners[c];
    if (corners.size() != 3) angular.insert(bodies.find(static_cast<std::uint32_t>(corners[0])));
    for (std::size_t k = 0; k < corners.size(); ++k)
      at_edge[std::minmax(corners[k], corners[(k + 1) % corners.size()])].push_back(c);
  }
  for (const auto& [edge, at] : at_edge)
    if (at.size() != 2 || faces.normal[at[0]].dot(faces.normal[at[1]]) < kCosine)
      angular.insert(bodies.find(static_cast<std::uint32_t>(edge.first)));
  return angular;
}

}  // namespace

ByRoundness by_roundness(vtkPolyData& surfaces, int rounds) {
  const Faces faces = faces_of(surfaces);
  DisjointSets bodies(static_cast<std::size_t>(surfaces.GetNumberOfPoints()));
  for (const auto& corners : faces.corners)
    for (const vtkIdType corner : corners)
      bodies.join(static_cast<std::uint32_t>(corners[0]), static_cast<std::uint32_t>(corner));
  const std::set<std::uint32_t> angular = angular_bodies(faces, bodies);
  const auto is_angular = [&](vtkIdType cell) {
    const auto& corners = faces.corners[static_cast<std::size_t>(cell)];
    return angular.contains(bodies.find(static_cast<std::uint32_t>(corners[0])));
  };
  ByRoundness parts{vtkSmartPointer<vtkPolyData>::New(), chosen_cells(surfaces, is_angular)};
  const auto coarse = chosen_cells(surfaces, [&](vtkIdType cell) { return !is_angular(cell); });
  if (coarse->GetNumberOfCells() == 0) return parts;
  vtkNew<vtkButterflySubdivisionFilter> filter;
  filter->SetInputData(coarse);
  filter->SetNumberOfSubdivisions(rounds);
  filter->Update();
  parts.round = filter->GetOutput();
  return parts;
}

}  // namespace scree::render
