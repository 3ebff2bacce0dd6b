#include "writer/fracture_surface.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkTetra.h>
#include <vtkTriangle.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPolyDataReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "force_field.hpp"
#include "packing/elements.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::bonded;
using test::message_of;
using test::TemporaryFolder;
namespace fs = std::filesystem;

namespace {

/// A beam of tetrahedra with bonds, ids from 5 on, and a body that is none.
struct Beam {
  World world{3};
  Elements elements = elements_of(bcc_mesh({Vec3(2, 0.5, 0.5), {8, 2, 2}, 0.15, 3}), FaceArea::whole);

  Beam() {
    const auto lump = world.add_shape("lump", std::make_shared<test::Lump>(3));
    const auto material = world.add_material({"glass", 2500});
    std::vector<BodySpec> bodies(elements.size() + 1);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].id = i + 5, bodies[i].shape = lump, bodies[i].material = material;
      if (i < elements.size()) bodies[i].position = elements.centroid[i];
    }
    bodies[3].velocity = {0, 3, 4};
    world.add(bodies);
    auto& column = world.storage(kTetrahedronColumn, ColumnType::float64, 12, "m", false);
    std::copy(elements.tetrahedron.begin(), elements.tetrahedron.end(), reinterpret_cast<double*>(column.open_write()));
    std::vector<Bonds::Spec> bonds;
    for (const SharedSide& s : elements.shared)
      bonds.push_back({s.a + 5, s.b + 5, 0, s.area, elements.centroid[s.b] - elements.centroid[s.a], Quat::Identity(),
                       Quat::Identity(), Vec3::Zero()});
    world.bonds().add(bonds);
  }
  /// Breaks what crosses x = 1 below y.
  std::size_t cut(double y) {
    std::vector<std::uint32_t> gone;
    for (std::uint32_t n = 0; n < elements.shared.size(); ++n) {
      const Vec3 &a = elements.centroid[elements.shared[n].a], &b = elements.centroid[elements.shared[n].b];
      if ((a.x() < 1) != (b.x() < 1) && std::max(a.y(), b.y()) < y) gone.push_back(n);
    }
    world.bonds().break_bonds(gone, 0.5);
    return gone.size();
  }
};

void run(const fs::path& out, const World& world, const FractureSurfaceOptions& options = {}, std::uint64_t first = 0,
         std::uint64_t frames = 1) {
  FractureSurface writer(options);
  writer.begin(world);
  writer.open(out.string());
  if (first > 0) writer.resume(first);
  for (std::uint64_t k = first; k < first + frames; ++k)
    writer.observe(world, nullptr, {k, 100 * k, 0.1 * static_cast<double>(k)});
}

vtkSmartPointer<vtkPolyData> surface(const TemporaryFolder& out) {
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((out / "fracture/fracture_000000.vtp").c_str());
  reader->Update();
  return reader->GetOutput();
}
vtkSmartPointer<vtkUnstructuredGrid> solid(const TemporaryFolder& out) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName((out / "tetrahedra/tetrahedra_000000.vtu").c_str());
  reader->Update();
  return reader->GetOutput();
}
double area_of(vtkPolyData& data) {
  double area = 0;
  for (vtkIdType i = 0; i < data.GetNumberOfCells(); ++i)
    area += vtkTriangle::SafeDownCast(data.GetCell(i))->ComputeArea();
  return area;
}
std::set<double> values(vtkDataArray& array) {
  std::set<double> found;
  for (vtkIdType i = 0; i < array.GetNumberOfTuples(); ++i) found.insert(array.GetTuple1(i));
  return found;
}

// Files hold single precision: half a unit in the last place of a float, and a sum of areas of differences of 0.1 in 2.
constexpr double kFloat = 6e-8, kAreas = 1e-6;

}  // namespace

TEST_CASE("an unbroken beam: its tetrahedra fill it, its surface is that of the box, and the other body is left out") {
  const TemporaryFolder out;
  Beam beam;
  run(out.path(), beam.world);
  const auto grid = solid(out);
  REQUIRE(grid->GetNumberOfCells() == static_cast<vtkIdType>(beam.elements.size()));
  double volume = 0;
  for (vtkIdType i = 0; i < grid->GetNumberOfCells(); ++i) {
    REQUIRE(grid->GetCellType(i) == VTK_TETRA);
    double x[4][3];
    for (int k = 0; k < 4; ++k) grid->GetCell(i)->GetPoints()->GetPoint(k, x[k]);
    volume += vtkTetra::ComputeVolume(x[0], x[1], x[2], x[3]);
  }
  CHECK(volume == Approx(0.5).epsilon(kAreas));
  CHECK(grid->GetNumberOfPoints() == 9 * 9 + 8 * 4);  // the mesh's vertices: corners and centres
  vtkCellData& data = *grid->GetCellData();
  CHECK(data.GetArray("id")->GetTuple1(0) == 5);
  CHECK(values(*data.GetArray("fragment")) == std::set<double>{5});
  CHECK(values(*data.GetArray("damage")) == std::set<double>{0});
  CHECK(data.GetArray("speed")->GetTuple1(3) == Approx(5).epsilon(kFloat));

  const auto skin = surface(out);
  CHECK(area_of(*skin) == Approx(4.5).epsilon(kAreas));
  CHECK(values(*skin->GetCellData()->GetArray("crack")) == std::set<double>{0});
  CHECK(skin->GetNumberOfPoints() == 9 * 9 - 7);  // corners on the surface: those inside the two by two columns are not
}

TEST_CASE("a beam cut through is two fragments, a crack that ends inside is one, seen or not as is wanted") {
  const TemporaryFolder out, hidden;
  Beam beam;
  const std::size_t part = beam.cut(0.25);
  run(out.path(), beam.world);
  run(hidden.path(), beam.world, {true, false, CrackFaces::fragments});
  CHECK_FALSE(fs::exists(hidden / "tetrahedra.pvd"));
  CHECK(area_of(*surface(hidden)) == Approx(4.5).epsilon(kAreas));
  const auto seen = surface(out);
  CHECK(seen->GetNumberOfCells() - surface(hidden)->GetNumberOfCells() == static_cast<vtkIdType>(2 * part));
  vtkDataArray& crack = *seen->GetCellData()->GetArray("crack");
  std::size_t cracks = 0;
  for (vtkIdType i = 0; i < crack.GetNumberOfTuples(); ++i) cracks += crack.GetTuple1(i) == 1;
  CHECK(cracks == 2 * part);
  CHECK(values(*solid(out)->GetCellData()->GetArray("fragment")) == std::set<double>{5});

  beam.cut(1);
  run(out.path(), beam.world);
  const auto fragments = values(*solid(out)->GetCellData()->GetArray("fragment"));
  REQUIRE(fragments.size() == 2);
  std::size_t first_right = 0;
  while (beam.elements.centroid[first_right].x() < 1) ++first_right;
  CHECK(fragments == std::set<double>{5, static_cast<double>(first_right + 5)});
  CHECK(*values(*solid(out)->GetCellData()->GetArray("damage")).rbegin() > 0);
}

TEST_CASE("a body that was removed counts as damage of those it was joined to, and not as that of others") {
  const TemporaryFolder out;
  Beam beam;
  const Id gone = 5 + beam.elements.shared[0].a;
  std::map<Id, double> joints, lost;
  for (const SharedSide& s : beam.elements.shared) {
    const Id a = s.a + 5, b = s.b + 5;
    ++joints[a], ++joints[b];
    if (a == gone) ++lost[b];
    if (b == gone) ++lost[a];
  }
  beam.world.remove(std::array{gone});
  run(out.path(), beam.world);
  const auto grid = solid(out);
  vtkCellData& data = *grid->GetCellData();
  vtkDataArray &id = *data.GetArray("id"), &damage = *data.GetArray("damage");
  REQUIRE(id.GetNumberOfTuples() == static_cast<vtkIdType>(beam.elements.size() - 1));
  REQUIRE(lost.size() > 1);
  for (vtkIdType i = 0; i < id.GetNumberOfTuples(); ++i) {
    const auto body = static_cast<Id>(id.GetTuple1(i));
    REQUIRE(damage.GetTuple1(i) == Approx(lost[body] / joints[body]).epsilon(kFloat));
  }
}

TEST_CASE("fragments.csv lists the fragments of each frame, the heaviest first, and no mass is lost") {
  const TemporaryFolder out;
  Beam beam;
  for (std::size_t i = 0; i < beam.elements.size(); ++i)
    beam.world.mass.write()[*beam.world.row(i + 5)] = 1000 * beam.elements.volume[i];
  FractureSurface writer({});
  writer.begin(beam.world);
  writer.open(out.path().string());
  writer.observe(beam.world, nullptr, {0, 0, 0});
  beam.cut(1);
  writer.observe(beam.world, nullptr, {1, 100, 0.25});
  std::istringstream table(read_file(out / "fragments.csv"));
  std::string header;
  std::getline(table, header);
  CHECK(header == "time_s,fragment,bodies,mass_kg");
  std::vector<std::array<double, 4>> rows;
  char comma;
  for (std::array<double, 4> r; table >> r[0] >> comma >> r[1] >> comma >> r[2] >> comma >> r[3];) rows.push_back(r);
  REQUIRE(rows.size() == 3);
  CHECK((rows[0][0] == 0 && rows[0][1] == 5 && rows[0][2] == static_cast<double>(beam.elements.size())));
  CHECK(rows[0][3] == Approx(500));
  CHECK((rows[1][0] == 0.25 && rows[2][0] == 0.25));
  CHECK(rows[1][2] + rows[2][2] == rows[0][2]);
  CHECK(rows[1][3] >= rows[2][3]);
  CHECK(rows[1][3] + rows[2][3] == Approx(500));
  CHECK(rows[2][3] == Approx(250).epsilon(0.1));  // cut in the middle, along the elements
}

TEST_CASE("files of fragments do not depend on the order of rows") {
  const TemporaryFolder first, second;
  Beam beam;
  beam.cut(0.3);
  run(first.path(), beam.world);
  std::vector<std::uint32_t> order(beam.world.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = (13 * i + 3) % static_cast<std::uint32_t>(order.size());
  REQUIRE(order.size() % 13 != 0);  // a permutation
  beam.world.reorder(order);
  run(second.path(), beam.world);
  for (const std::string name : {"fracture/fracture_000000.vtp", "tetrahedra/tetrahedra_000000.vtu", "fragments.csv"})
    CHECK((read_file(first / name) == read_file(second / name)));  // in brackets: not printed
}

TEST_CASE("a resumed series of fragments equals an uninterrupted one, and lists complete files") {
  const TemporaryFolder whole, resumed;
  const Beam beam;
  run(whole.path(), beam.world, {}, 0, 4);
  run(resumed.path(), beam.world, {}, 0, 6);
  run(resumed.path(), beam.world, {}, 2, 2);
  for (const std::string name : {"fracture", "tetrahedra"}) {
    CHECK(read_file(whole / (name + ".pvd")) == read_file(resumed / (name + ".pvd")));
    CHECK(std::distance(fs::directory_iterator(resumed / name), {}) == 4);
  }
  CHECK(read_file(whole / "fragments.csv") == read_file(resumed / "fragments.csv"));
  CHECK_THAT(read_file(whole / "tetrahedra.pvd"),
             Catch::Matchers::ContainsSubstring("<DataSet timestep=\"0.1\" part=\"0\" "
                                                "file=\"tetrahedra/tetrahedra_000001.vtu\"/>"));
}

TEST_CASE("elements that were taken out leave their neighbours' faces on the surface") {
  const TemporaryFolder out;
  Beam beam;
  beam.world.remove(std::vector<Id>{5});
  run(out.path(), beam.world);
  CHECK(solid(out)->GetNumberOfCells() == static_cast<vtkIdType>(beam.elements.size() - 1));
  CHECK(values(*solid(out)->GetCellData()->GetArray("fragment")) == std::set<double>{6});
}

TEST_CASE("a world without tetrahedra is refused before anything is written") {
  const TemporaryFolder out;
  World world(3);
  CHECK_THAT(message_of<InputError>([&] { run(out.path(), world); }),
             Catch::Matchers::StartsWith("writer fracture-surface: no body is a tetrahedron. Place bodies with the "
                                         "packing \"tetrahedra\""));
  CHECK(fs::is_empty(out.path()));
}
