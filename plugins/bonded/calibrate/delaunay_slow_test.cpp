#include <vtkDelaunay3D.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkUnstructuredGrid.h>

#include "calibrate/bar.hpp"
#include "catch.hpp"
#include "scree/base/philox.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// Corners and centres of the cells of a prism, each moved by up to `jitter` cells along each axis, those on a side
/// within it.
std::vector<Vec3> scattered(int length, int width, double cell, double jitter, std::uint64_t seed) {
  const RandomStream random(seed, "scattered");
  const Vec3 upper(length, width, width);
  std::vector<Vec3> points;
  const auto put = [&](Vec3 p) {
    const Vec3 move = jitter * (2 * random.triple(points.size()) - Vec3::Ones());
    for (int axis = 0; axis < 3; ++axis)
      if (p[axis] > 0 && p[axis] < upper[axis]) p[axis] += move[axis];
    points.push_back(cell * p);
  };
  for (int i = 0; i <= length; ++i)
    for (int j = 0; j <= width; ++j)
      for (int k = 0; k <= width; ++k) {
        put(Vec3(i, j, k));
        if (i < length && j < width && k < width) put(Vec3(i + 0.5, j + 0.5, k + 0.5));
      }
  return points;
}

TetrahedralMesh delaunay(const std::vector<Vec3>& points) {
  const vtkNew<vtkPoints> places;
  places->SetDataTypeToDouble();
  for (const Vec3& p : points) places->InsertNextPoint(p.data());
  const vtkNew<vtkPolyData> cloud;
  cloud->SetPoints(places);
  const vtkNew<vtkDelaunay3D> triangulation;
  triangulation->SetInputData(cloud);
  triangulation->SetTolerance(1e-9);
  triangulation->Update();

  TetrahedralMesh mesh{points, {}};
  const vtkNew<vtkIdList> corners;
  for (vtkIdType cell = 0; cell < triangulation->GetOutput()->GetNumberOfCells(); ++cell) {
    triangulation->GetOutput()->GetCellPoints(cell, corners);
    REQUIRE(corners->GetNumberOfIds() == 4);
    Tetrahedron t;
    for (int k = 0; k < 4; ++k) t[static_cast<std::size_t>(k)] = static_cast<std::uint32_t>(corners->GetId(k));
    if (signed_volume(mesh.corners(t)) < 0) std::swap(t[2], t[3]);
    mesh.tetrahedron.push_back(t);
  }
  return mesh;
}

}  // namespace

TEST_CASE("T11: macroscopic moduli of Delaunay triangulations of scattered points, mean of four") {
  constexpr double kCell = 0.1;
  constexpr int kSeeds = 4;  // single ones differ by 2 %
  struct Row {
    double ratio, young, poisson, shear;
    Macroscopic mean = {};
  };
  std::vector<Row> rows{
      {0.2, 0.407, 0.273, 0.391}, {0.4, 0.626, 0.171, 0.428}, {0.5, 0.707, 0.135, 0.442}, {0.8, 0.886, 0.058, 0.478}};
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const TetrahedralMesh mesh = delaunay(scattered(24, 6, kCell, 0.35, seed));
    CHECK(total_volume(mesh) == Approx(24 * 6 * 6 * kCell * kCell * kCell).epsilon(1e-9));
    const Bar bar = bar_of(mesh, FaceArea::whole);
    for (Row& row : rows) {
      const Macroscopic m = measured(bar, row.ratio, true);
      row.mean.young += m.young / kSeeds;
      row.mean.poisson += m.poisson / kSeeds;
      row.mean.shear += m.shear / m.young / kSeeds;
    }
  }
  for (const Row& row : rows) {
    INFO("G/E " << row.ratio << ": E " << row.mean.young << ", nu " << row.mean.poisson << ", G/E " << row.mean.shear);
    CHECK(std::abs(row.mean.young / row.young - 1) < 0.05);
    CHECK(std::abs(row.mean.poisson / row.poisson - 1) < 0.05);
    CHECK(std::abs(row.mean.shear / row.shear - 1) < 0.05);
  }
}
