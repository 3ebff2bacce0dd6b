// Pictures that are cut open, and what granular culling has stored in them.

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkTypeUInt32Array.h>

#include "rendering.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "test_shapes.hpp"
#include "vtk_files/frame_list.hpp"
#include "vtk_files/new_array.hpp"
#include "vtk_writer.hpp"

namespace scree {

using namespace test;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr double kSpacing = 0.03;  // [m]

/// Octahedra at all places of a lattice of 3 x 3 x 3 about the origin that satisfy `wanted`, by frame.
/// \param shell  of a fixed octahedron around them, relative to theirs; 0: there is none
template <class Wanted>
void write_lattice(const fs::path& out, const std::string& mode, Wanted&& wanted, std::uint32_t state = 0,
                   double shell = 0) {
  World world(3);
  BodySpec body;
  body.shape = world.add_shape("octahedron", std::make_shared<Octahedron>());
  body.material = world.add_material({"stone", 1000});
  std::vector<BodySpec> bodies;
  for (int k = 0; k < 27; ++k) {
    body.position = kSpacing * Vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1);
    if (wanted(body.position)) bodies.push_back(body);
  }
  if (shell > 0) {
    body.kind = BodyKind::fixed;
    body.scale = shell;
    body.position = Vec3::Zero();
    bodies.push_back(body);
  }
  world.add(bodies);
  Column<std::uint32_t> states = world.column<std::uint32_t>("culling_state");
  for (std::uint32_t& s : states.write()) s = state;
  vtk::VtkWriter writer({mode, false, std::nullopt});
  writer.begin(world);
  writer.open(out.string());
  writer.observe(world, nullptr, {});
}

/// One stored ball, as the writer culling-ledger writes it.
void write_stored(const fs::path& out, const Vec3& place) {
  const auto data = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints> points;
  vtkNew<vtkCellArray> verts;
  points->InsertNextPoint(place.data());
  verts->InsertNextCell({0});
  data->SetPoints(points);
  data->SetVerts(verts);
  const auto add = [&](auto array, auto... values) {
    const double tuple[] = {static_cast<double>(values)...};
    array->SetTuple(0, tuple);
    data->GetPointData()->AddArray(array);
  };
  add(vtk::new_array<vtkTypeUInt32Array>("shape", 1, 1), 0);
  add(vtk::new_array<vtkFloatArray>("radius", 1, 1), kRadius);
  add(vtk::new_array<vtkFloatArray>("speed", 1, 1), 0);
  add(vtk::new_array<vtkFloatArray>("quaternion", 4, 1), 1, 0, 0, 0);
  vtk::FrameList(out, "stored").add(0, 0, *data);
}

Outcome drawn(const fs::path& out, const std::string& options) {
  const Outcome done = render(fmt::format("{} --width 300 --colour speed --map viridis --output {}/a.png {}",
                                          out.string(), out.string(), options));
  INFO(done.output);
  REQUIRE(done.status == 0);
  return done;
}

/// The bytes of a picture, in a form that a failing check does not print.
struct Bytes {
  std::string bytes;
  bool operator==(const Bytes&) const = default;
};

Bytes picture(const fs::path& out, const std::string& options = "") {
  drawn(out, options);
  return {read_file(out / "a.png")};
}

bool is_sand(int r, int g, int b) { return r > 120 && r > g && g > b + 20 && g > 0.75 * r; }
bool is_orange(int r, int g, int b) { return r > 100 && r > 1.8 * g && g > b; }
bool is_blue(int r, int g, int b) { return b > 80 && b > 1.3 * g && g > r; }

}  // namespace

TEST_CASE("cut across an axis, a picture shows what one without the bodies before the plane shows") {
  if (!can_draw()) return;
  for (const std::string mode : {"surface", "glyph"}) {
    INFO(mode);
    const TemporaryFolder folder;
    write_lattice(folder / "all", mode, [](const Vec3&) { return true; });
    // A plane just off the middle: a body that it goes through stays whole, with its centre behind it.
    write_lattice(folder / "behind", mode, [](const Vec3& x) { return x.y() > -0.5 * kSpacing; });
    CHECK(picture(folder / "all", "--cut y=-0.001") == picture(folder / "behind"));
    CHECK(picture(folder / "all") != picture(folder / "behind"));
    CHECK(picture(folder / "all", "--cut=0,-2,0,0.002") == picture(folder / "behind"));
    // The viewer goes to where the plane's front is.
    for (const std::string axis : {"x", "z"}) {
      write_lattice(folder / axis, mode, [&](const Vec3& p) { return p[axis == "x" ? 0 : 2] < 0.5 * kSpacing; });
      CHECK(picture(folder / "all", "--cut " + axis + "=0.001") == picture(folder / axis, "--cut " + axis + "=1"));
    }
  }
}

TEST_CASE("a cut opens a wall around the bodies, so that those behind it are seen") {
  if (!can_draw()) return;
  const TemporaryFolder folder;
  write_lattice(
      folder / "shell", "surface", [](const Vec3&) { return true; }, 0, 12);
  const auto violet = [&](const std::string& options) {
    drawn(folder / "shell", options);
    return Picture(folder / "shell" / "a.png").share(is_violet);
  };
  // The legend has some of the colour of bodies at rest; the shell hides these, and the nine behind the plane show
  // when it is open: measured 3.2 times as much.
  CHECK(violet("--cut y=0.001") > 2 * violet(""));
}

TEST_CASE("stored granules show where the picture is cut open, apart from interface and exterior, with a legend") {
  if (!can_draw()) return;
  for (const std::string mode : {"surface", "glyph"}) {
    INFO(mode);
    const TemporaryFolder out;
    // A cage about the middle, where the stored one is; half of the cage is cut away.
    const auto shell = [](const Vec3& x) { return x.norm() > 0; };
    write_lattice(out.path(), mode, shell, 1);
    write_stored(out.path(), Vec3::Zero());
    drawn(out.path(), "--cut y=-0.001");
    const Picture cut(out / "a.png");
    // 18 octahedra and a ball in a third of the picture; a colour of the legend alone is 0.1 % of it.
    CHECK(cut.share(is_orange) > 0.03);
    CHECK(cut.share(is_blue) > 0.005);
    CHECK(cut.share(is_sand) > 0.0005);
    CHECK(cut.share(is_sand) < 0.003);
    write_lattice(out.path(), mode, shell, 0);
    drawn(out.path(), "--cut y=-0.001");
    CHECK(Picture(out / "a.png").share(is_sand) > 0.03);
    // On the other side of the plane a stored granule is left out too.
    write_stored(out.path(), {0, -0.002, 0});
    drawn(out.path(), "--cut y=-0.001");
    CHECK(Picture(out / "a.png").share(is_blue) < 0.003);
    // Without a cut they show on request.
    CHECK(picture(out.path()) != picture(out.path(), "--stored"));
  }
}

TEST_CASE("a cut that cannot be made is said in one sentence") {
  const TemporaryFolder out;
  const std::string folder = out.path().string();
  const auto said = [&](const std::string& options) {
    const Outcome done = render(folder + " " + options);
    CHECK(done.status == 2);
    return done.output;
  };
  CHECK(
      said("--cut w=1") ==
      "scree render: --cut w=1: there is no axis \"w\". Give an axis and a place in metres, such as y=0.1, or a plane "
      "nx,ny,nz,d, of which the side n.x > d is left out.\n");
  CHECK_THAT(said("--cut y=wide"), ContainsSubstring("\"wide\" is not a number."));
  CHECK_THAT(said("--cut y="), ContainsSubstring("\"\" is not a number."));
  CHECK_THAT(said("--cut y=nan"), ContainsSubstring("\"nan\" is not a number."));
  CHECK_THAT(said("--cut 1,0,0"), ContainsSubstring("a plane has 4 numbers, not 3."));
  CHECK_THAT(said("--cut 0,0,0,1"), ContainsSubstring("the normal is zero."));
  CHECK_THAT(said("--solid --cut y=0"), ContainsSubstring("--solid has no inside to show"));
  if (!can_draw()) return;
  write_lattice(out.path(), "glyph", [](const Vec3&) { return true; });
  CHECK_THAT(said("--cut y=1"), ContainsSubstring("--cut leaves nothing to draw: all bodies lie before the plane."));
  const Outcome none = render(folder + " --stored");
  CHECK(none.status == 4);
  CHECK_THAT(none.output, ContainsSubstring("has no stored granules to draw: stored.pvd is missing or empty. Give the "
                                            "output folder of a run whose scene has the writer \"culling-ledger\"."));
}

}  // namespace scree
