#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "test_rods.hpp"
#include "vtk_writer.hpp"

namespace scree::vtk {

using test::kHalf;
using test::kThick;
using test::Sticks;
using test::TemporaryFolder;
using test::told;

namespace {

void write(const std::filesystem::path& out, const World& world, std::uint64_t first = 0, std::uint64_t frames = 1,
           Settings settings = {}) {
  VtkWriter writer(std::move(settings));
  writer.begin(world);
  writer.open(out.string());
  if (first > 0) writer.resume(first);
  for (std::uint64_t k = first; k < first + frames; ++k)
    writer.observe(world, nullptr, {k, k, 0.1 * static_cast<double>(k), [&] { return told(world); }});
}

vtkSmartPointer<vtkPolyData> read_rods(const std::filesystem::path& out, int frame = 0) {
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((out / ("rods/rods_00000" + std::to_string(frame) + ".vtp")).c_str());
  reader->Update();
  return reader->GetOutput();
}

std::vector<double> values(vtkPolyData& data, const char* name) {
  vtkDataArray* const array = data.GetPointData()->GetArray(name);
  INFO(name);
  REQUIRE(array);
  std::vector<double> all;
  for (vtkIdType i = 0; i < array->GetNumberOfTuples(); ++i) all.push_back(array->GetTuple1(i));
  return all;
}

std::vector<vtkIdType> corners(vtkPolyData& data, vtkIdType line) {
  vtkIdType count = 0;
  const vtkIdType* at = nullptr;
  data.GetCellPoints(line, count, at);
  return {at, at + count};
}

}  // namespace

TEST_CASE("a rod is one line from the end of its first segment to that of its last, in two and three dimensions") {
  for (const int dimension : {2, 3}) {
    INFO(dimension);
    const TemporaryFolder out;
    const Vec3 way = dimension == 2 ? Vec3::UnitX() : Vec3::UnitZ();
    Sticks rod(dimension, 3, way);
    rod.join_all(3, way);
    rod.world.velocity.write()[2] = {3, 4, 0};
    write(out.path(), rod.world);
    const auto data = read_rods(out.path());
    REQUIRE(data->GetNumberOfLines() == 1);
    CHECK(corners(*data, 0) == std::vector<vtkIdType>{0, 1, 2, 3});
    for (int k = 0; k < 4; ++k) CHECK(Vec3(data->GetPoint(k)) == Vec3(k * way));
    CHECK(values(*data, "id") == std::vector<double>{0, 1, 2, 2});
    CHECK(values(*data, "speed") == std::vector<double>{0, 0, 2.5, 5});
    CHECK(values(*data, "radius") == std::vector<double>(4, static_cast<float>(kThick)));
    CHECK(values(*data, "material") == std::vector<double>(4, 0));
    // Forces are 0 at free ends, shapes go on as they are at the last joint.
    CHECK(values(*data, "tension") == std::vector<double>{0, 1, 2, 0});
    CHECK(values(*data, "curvature") == std::vector<double>{1, 1, 2, 2});
    CHECK(values(*data, "radius_of_bond") == std::vector<double>{0, 1, 2, 0});
    CHECK(data->GetCellData()->GetArray("strand")->GetTuple1(0) == 0);
    vtkInformation& of_tension = *data->GetPointData()->GetArray("tension")->GetInformation();
    REQUIRE(of_tension.Has(vtkDataArray::UNITS_LABEL()));
    CHECK(std::string(of_tension.Get(vtkDataArray::UNITS_LABEL())) == "N");
    CHECK(std::string(data->GetPointData()->GetScalars()->GetName()) == "radius");
  }
}

TEST_CASE("a line runs through segments that point against each other, and ends at a holder with its bond's values") {
  const TemporaryFolder out;
  Sticks rod(3, 3, Vec3::UnitX());
  const auto along = [](double way) { return Quat(Eigen::AngleAxisd(way * std::numbers::pi / 2, Vec3::UnitY())); };
  rod.world.orientation.write()[0] = along(1);
  rod.world.orientation.write()[1] = along(-1);
  rod.world.orientation.write()[2] = along(1);
  rod.join_all(3, Vec3::UnitX());
  rod.join(0, 3, Vec3::Zero());
  write(out.path(), rod.world);
  const auto data = read_rods(out.path());
  REQUIRE(data->GetNumberOfLines() == 1);
  for (int k = 0; k < 4; ++k) CHECK((Vec3(data->GetPoint(k)) - Vec3(k, 0, 0)).norm() < 1e-6);
  CHECK(values(*data, "tension") == std::vector<double>{3, 1, 2, 0});
}

TEST_CASE("a broken bond parts a line, a piece without bonds is still there, and removed bodies are gone") {
  const TemporaryFolder out;
  Sticks rod(3, 5, Vec3::UnitZ());
  rod.join_all(5, Vec3::UnitZ());
  rod.world.bonds().break_bonds(std::vector<std::uint32_t>{0, 2}, 0.1);
  write(out.path(), rod.world);
  const auto data = read_rods(out.path());
  REQUIRE(data->GetNumberOfLines() == 3);
  CHECK(data->GetNumberOfPoints() == 2 + 3 + 3);
  CHECK(values(*data, "tension") == std::vector<double>{0, 0, 0, 2, 0, 0, 4, 0});
  CHECK(values(*data, "id") == std::vector<double>{0, 0, 1, 2, 2, 3, 4, 4});
  const std::vector<Id> gone{3, 4};
  rod.world.bonds().forget(gone, 0.2);
  rod.world.remove(gone);
  write(out.path(), rod.world, 1);
  CHECK(read_rods(out.path(), 1)->GetNumberOfLines() == 2);
}

TEST_CASE("a ring closes") {
  const TemporaryFolder out;
  Sticks ring(3, 4, Vec3::UnitZ());
  for (std::size_t k = 0; k < 4; ++k) {
    const Quat turn(Eigen::AngleAxisd(static_cast<double>(k) * std::numbers::pi / 2, Vec3::UnitY()));
    ring.world.orientation.write()[k] = turn;
    ring.world.position.write()[k] = turn * Vec3(-kHalf, 0, 0);
  }
  const Vec3 joints[] = {{-0.5, 0, 0.5}, {0.5, 0, 0.5}, {0.5, 0, -0.5}, {-0.5, 0, -0.5}};
  for (Id k = 0; k < 4; ++k) ring.join(std::min<Id>(k, (k + 1) % 4), std::max<Id>(k, (k + 1) % 4), joints[k]);
  write(out.path(), ring.world);
  const auto data = read_rods(out.path());
  REQUIRE(data->GetNumberOfLines() == 1);
  CHECK(corners(*data, 0) == std::vector<vtkIdType>{0, 1, 2, 3, 0});
  for (int k = 0; k < 4; ++k) CHECK((Vec3(data->GetPoint((k + 1) % 4)) - joints[k]).norm() < 1e-6);
  CHECK(values(*data, "tension") == std::vector<double>{4, 1, 2, 3});
}

TEST_CASE("lines end where three ends meet") {
  const TemporaryFolder out;
  Sticks rod(3, 3, Vec3::UnitZ());
  rod.world.position.write()[2] = {0.5, 0, 1};
  rod.world.orientation.write()[2] = Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitY()));
  rod.join(0, 1, {0, 0, 1});
  rod.join(1, 2, {0, 0, 1});
  write(out.path(), rod.world);
  const auto data = read_rods(out.path());
  CHECK(data->GetNumberOfLines() == 3);
  CHECK(values(*data, "tension") == std::vector<double>{0, 1, 1, 0, 2, 0});
}

TEST_CASE("files of rods do not depend on the order of rows") {
  const TemporaryFolder first, second;
  Sticks rod(3, 3, Vec3::UnitZ());
  rod.join_all(3, Vec3::UnitZ());
  rod.join(0, 3, Vec3::Zero());
  write(first.path(), rod.world);
  rod.world.reorder(std::vector<std::uint32_t>{2, 3, 0, 1});
  write(second.path(), rod.world);
  CHECK(read_file(first / "rods/rods_000000.vtp") == read_file(second / "rods/rods_000000.vtp"));
}

TEST_CASE("a resumed series of rods equals an uninterrupted one, and a new run drops the earlier one's") {
  const TemporaryFolder whole, resumed;
  Sticks rod(3, 3, Vec3::UnitZ()), without(3, 3, Vec3::UnitZ());
  rod.join_all(3, Vec3::UnitZ());
  write(whole.path(), rod.world, 0, 4);
  write(resumed.path(), rod.world, 0, 6);
  write(resumed.path(), rod.world, 2, 2);
  CHECK(read_file(whole / "rods.pvd") == read_file(resumed / "rods.pvd"));
  CHECK(std::distance(std::filesystem::directory_iterator(resumed / "rods"), {}) == 4);
  write(whole.path(), without.world);
  CHECK(std::filesystem::is_empty(whole / "rods"));
  CHECK_THAT(read_file(whole / "rods.pvd"), !Catch::Matchers::Contains("rods_"));
}

TEST_CASE("nothing is written, and no law is asked, where bonds join no segments or nobody wants rods") {
  Sticks bonded(3, 2, Vec3::UnitZ()), free(3, 2, Vec3::UnitZ());
  bonded.join_all(2, Vec3::UnitZ());
  BodySpec ball;
  ball.shape = free.holder;
  free.world.add(std::array{ball});
  free.join(2, 3, Vec3::Zero());
  Settings none;
  none.rods = false;
  for (const auto& [world, settings] : {std::pair{&bonded.world, none}, std::pair{&free.world, Settings{}}}) {
    const TemporaryFolder out;
    VtkWriter writer(settings);
    writer.begin(*world);
    writer.open(out.path().string());
    bool asked = false;
    writer.observe(*world, nullptr, {0, 0, 0, [&] { return asked = true, BondValues{}; }});
    CHECK_FALSE(asked);
    CHECK_FALSE(std::filesystem::exists(out / "rods.pvd"));
    CHECK_FALSE(std::filesystem::exists(out / "rods"));
  }
}

TEST_CASE("bonds.pvd has what laws tell of each bond, and no number where it is broken") {
  const TemporaryFolder out;
  Sticks rod(3, 3, Vec3::UnitZ());
  rod.join_all(3, Vec3::UnitZ());
  rod.world.bonds().break_bonds(std::vector<std::uint32_t>{1}, 0.1);
  Settings settings;
  settings.bonds = true;
  write(out.path(), rod.world, 0, 1, settings);
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((out / "bonds/bonds_000000.vtp").c_str());
  reader->Update();
  vtkDataArray* const tension = reader->GetOutput()->GetCellData()->GetArray("tension");
  REQUIRE(tension);
  CHECK(tension->GetTuple1(0) == 1);
  CHECK(std::isnan(tension->GetTuple1(1)));
}

}  // namespace scree::vtk
