/// \file Paths of bodies, as ParaView reads them.

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "test_shapes.hpp"
#include "track.hpp"

namespace scree::vtk {

namespace {

using test::TemporaryFolder;

/// Two bodies that go along x, and one that stays, in a cell of 10 m.
struct Walkers {
  World world{3};
  Walkers() {
    world.add_shape("ball", std::make_shared<test::Wedge>());
    world.add_material({"m", 1});
    world.group_names = {"go", "stay"};
    std::vector<BodySpec> all(3);
    all[1].position = {8.5, 1, 0}, all[2].position = {0, 0, 5}, all[2].group = 1;
    all[0].velocity = {1, 0, 0}, all[1].velocity = {1, 0, 0};
    world.add(all);
    world.cell = PeriodicCell(Vec3::Zero(), Vec3(10, 0, 0));
  }
};

void move(World& world, Track& track, std::uint64_t from, std::uint64_t to) {
  for (std::uint64_t k = from; k < to; ++k) {
    const double x = static_cast<double>(k);
    world.position.write()[0] = {x, 0, 0};
    world.position.write()[1] = {x < 1.5 ? 8.5 + x : x - 1.5, 1, 0};
    track.observe(world, nullptr, {k, k, 0.5 * x});
  }
}

vtkSmartPointer<vtkPolyData> read_tracks(const std::filesystem::path& file) {
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  return reader->GetOutput();
}

}  // namespace

TEST_CASE("a path is a line through the places of its body, parted where it leaps around the cell") {
  const TemporaryFolder folder;
  Walkers walkers;
  World& world = walkers.world;
  Track track(Options::parse(R"({"name": "paths", "bodies": ["go"], "ids": [2]})"));
  track.begin(world);
  track.open(folder.path().string());
  move(world, track, 0, 5);
  track.flush();
  const auto data = read_tracks(folder / "paths.vtp");
  REQUIRE(data->GetNumberOfPoints() == 15);
  REQUIRE(data->GetNumberOfLines() == 4);
  const std::vector<vtkIdType> lengths = {5, 2, 3, 5};
  const std::vector<double> ids = {0, 1, 1, 2};
  vtkNew<vtkIdList> line;
  for (vtkIdType k = 0; k < 4; ++k) {
    data->GetLines()->GetCellAtId(k, line);
    CHECK(line->GetNumberOfIds() == lengths[static_cast<std::size_t>(k)]);
    CHECK(data->GetCellData()->GetArray("id")->GetTuple1(k) == ids[static_cast<std::size_t>(k)]);
  }
  CHECK(data->GetPoint(3)[0] == 3);
  CHECK(data->GetPointData()->GetArray("time")->GetTuple1(3) == 1.5);
  CHECK(data->GetPointData()->GetArray("speed")->GetTuple1(3) == 1);
}

TEST_CASE("paths that go on from a checkpoint are those of the whole run, and end with their body") {
  const TemporaryFolder whole, parts;
  const Options options = Options::parse(R"({"name": "paths", "bodies": ["go"]})");
  Walkers walkers;
  World& world = walkers.world;
  Track all(options), first(options), second(options);
  all.begin(world), first.begin(world), second.begin(world);
  all.open(whole.path().string()), first.open(parts.path().string());
  move(world, all, 0, 5);
  move(world, first, 0, 3);
  const auto state = first.save();
  first.flush();
  second.load(state);
  second.open(parts.path().string());
  second.resume(2);  // what the checkpoint has of frame 2 is observed again
  move(world, second, 2, 5);
  world.remove(std::vector<Id>{0});
  for (Track* const track : {&all, &second}) {
    track->observe(world, nullptr, {5, 5, 2.5});
    track->flush();
  }
  CHECK(read_file(whole / "paths.vtp") == read_file(parts / "paths.vtp"));
  CHECK(read_tracks(whole / "paths.vtp")->GetNumberOfPoints() == 11);
  const char* const text =
      "the state of track in the checkpoint is damaged, or was not written by this scene's run. Take another "
      "checkpoint.";
  CHECK_THROWS_WITH(second.load({state.begin(), state.end() - 1}), text);
  CHECK_THROWS_WITH(second.load({state.begin(), state.end() - 8}), text);
  CHECK_THROWS_WITH(Track(Options::parse(R"({"name": "paths"})")),
                    "track: names no bodies. Give names of entries in \"bodies\", or numbers in \"ids\".");
  Track none(Options::parse(R"({"name": "paths", "ids": [1, 7]})"));
  CHECK_THROWS_WITH(none.begin(world),
                    "is 7, but no body of this number exists at the start. Numbers count from 0, in the order of the "
                    "entries; 2 bodies exist.");
}

}  // namespace scree::vtk
