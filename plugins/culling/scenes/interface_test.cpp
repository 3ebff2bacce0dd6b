/// \file The interface mesh, as it is read back from its file.

#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <fstream>
#include <numbers>

#include "scenes_of_granules.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::culling::test;
using scree::test::Running;

namespace {

/// Number of passes along each edge, one way.
using Edges = std::map<std::pair<vtkIdType, vtkIdType>, int>;

/// \param volume  within the triangles, out [m^3]
Edges edges_of(vtkPolyData& surface, double& volume) {
  Edges edges;
  volume = 0;
  for (vtkIdType c = 0; c < surface.GetNumberOfCells(); ++c) {
    vtkCell& cell = *surface.GetCell(c);
    REQUIRE(cell.GetNumberOfPoints() == 3);
    Vec3 corner[3];
    for (int k = 0; k < 3; ++k) {
      surface.GetPoint(cell.GetPointId(k), corner[k].data());
      ++edges[{cell.GetPointId(k), cell.GetPointId((k + 1) % 3)}];
    }
    volume += corner[0].dot(corner[1].cross(corner[2])) / 6;
  }
  return edges;
}

}  // namespace

TEST_CASE("the interface mesh is closed and holds the volume that the stored granules fill") {
  const test::TemporaryFolder out;
  GranularScene scene{lump(9, {3, 0, 1})};
  scene.gravity = "[0, 0, 0]";
  Running run(scene.text(), {R"(/output/writers=[{"type": "culling-ledger"}])"});
  run.steps(1);
  REQUIRE(figure(run, "stored") > 500);
  Observer& writer = *run.prepared.observers.at(0).observer;
  writer.open(out.path().string());
  writer.observe(run.world(), nullptr, {0, 1, run.world().time});

  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((out / "interface/interface_000000.vtp").c_str());
  reader->Update();
  vtkPolyData& surface = *reader->GetOutput();
  double volume = 0;
  const Edges edges = edges_of(surface, volume);
  for (const auto& [edge, count] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    REQUIRE((back != edges.end() && back->second == count));
  }
  // Granules at random take 0.6 of the space; the surface lies at their outer sides, not at their cells' borders,
  // and voxels of a third of a diameter err by some of one.
  const double granule = std::numbers::pi / 6 * std::pow(kDiameter, 3);
  CHECK(volume == Approx(figure(run, "stored") * granule / 0.6).epsilon(0.1));
  const Id owner = run.world().owner.read()[run.world().members()[0].row];
  CHECK(surface.GetCellData()->GetArray("aggregate")->GetTuple1(0) == static_cast<double>(owner));
  std::ifstream list(out / "interface.pvd");
  CHECK(std::string(std::istreambuf_iterator<char>(list), {}).find("interface_000000.vtp") != std::string::npos);
}
