#include "fan.hpp"

#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolygon.h>

#include <initializer_list>

namespace scree::vtk {

namespace {

using Cell = std::vector<std::uint32_t>;

/// Twice the signed area of the triangle a, b, c [m^2].
double doubled_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

/// Checks whether every edge of the cell is seen from `eye` on the same side: the triangles (eye, edge) then tile the
/// cell.
bool sees_all(const Vec3& eye, const std::vector<Vec3>& points, const Cell& cell) {
  bool left = false, right = false;
  for (std::size_t k = 0; k < cell.size(); ++k) {
    const double area = doubled_area(eye, points[cell[k]], points[cell[(k + 1) % cell.size()]]);
    left |= area > 0;
    right |= area < 0;
  }
  return left != right;
}

Vec3 mean(const std::vector<Vec3>& points, const Cell& cell) {
  Vec3 sum = Vec3::Zero();
  for (const std::uint32_t corner : cell) sum += points[corner];
  return sum / static_cast<double>(cell.size());
}

Cell fan_from(std::uint32_t eye, const Cell& cell) {
  Cell fan = {eye};
  fan.insert(fan.end(), cell.begin(), cell.end());
  fan.push_back(cell.front());
  return fan;
}

void append_triangles(const Cell& cell, Surface& out) {
  vtkNew<vtkPolygon> polygon;
  for (const std::uint32_t corner : cell) {
    polygon->PointIds->InsertNextId(corner);
    polygon->Points->InsertNextPoint(out.points[corner].data());
  }
  vtkNew<vtkIdList> corners;
  polygon->Triangulate(corners);
  for (vtkIdType k = 0; k + 2 < corners->GetNumberOfIds(); k += 3)
    out.cells.push_back({cell[corners->GetId(k)], cell[corners->GetId(k + 1)], cell[corners->GetId(k + 2)]});
}

void append_fanned(const Cell& cell, const Vec3& centre, Surface& out) {
  if (cell.size() < 4 || sees_all(out.points[cell.front()], out.points, cell)) {
    out.cells.push_back(cell);
    return;
  }
  for (const Vec3& eye : {centre, mean(out.points, cell)}) {
    if (!sees_all(eye, out.points, cell)) continue;
    out.points.push_back(eye);
    out.cells.push_back(fan_from(static_cast<std::uint32_t>(out.points.size() - 1), cell));
    return;
  }
  append_triangles(cell, out);
}

}  // namespace

Surface fanned(const Surface& surface, const Vec3& centre) {
  if (!surface.closed) return surface;
  Surface out;
  out.points = surface.points;
  for (const Cell& cell : surface.cells) append_fanned(cell, centre, out);
  return out;
}

}  // namespace scree::vtk
