#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "catch.hpp"
#include "rendering.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"
#include "test_shapes.hpp"
#include "vtk_writer.hpp"

namespace scree {

namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using namespace test;

namespace {

/// A cross-like outline: not convex, so that filling shows whether true outlines are drawn.
class Cross final : public Shape {
 public:
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override { return {density, Vec3(0, 0, density)}; }
  double bounding_radius() const noexcept override { return kRadius; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  Surface surface() const override {
    return test::outline_of(100, [](double angle) { return kRadius * (2 + std::cos(4 * angle)) / 3; });
  }
};

constexpr int kColumns = 20, kRows = 12;

/// Rows of crosses on a floor, faster the further right; contacts between neighbours, stronger the further down.
void write_result(const fs::path& out, const std::string& mode, int frames = 1) {
  World world(2);
  const auto cross = world.add_shape("cross", std::make_shared<Cross>());
  const Surface block{{{-50, 0, 0}, {50, 0, 0}, {50, -5, 0}, {-50, -5, 0}}, {{0, 1, 2, 3}}, true};
  const auto floor = world.add_shape("floor", std::make_shared<test::Floor>(block));
  const auto material = world.add_material({"plastic", 1000});
  std::vector<BodySpec> bodies;
  for (int j = 0; j < kRows; ++j)
    for (int i = 0; i < kColumns; ++i) {
      BodySpec body;
      body.shape = cross, body.material = material;
      body.position = {(2 * i + 1) * kRadius, (2 * j + 1) * kRadius, 0};
      body.orientation = Quat(Eigen::AngleAxisd(0.05 * i, Vec3::UnitZ()));
      body.velocity = {0.02 * i, 0, 0};
      bodies.push_back(body);
    }
  BodySpec ground;
  ground.shape = floor, ground.material = material, ground.kind = BodyKind::fixed;
  bodies.push_back(ground);
  const auto ids = world.add(bodies);
  ContactView contacts;
  for (std::size_t k = 0; k < kColumns * kRows; ++k) {
    const double force = kRows - static_cast<double>(k / kColumns);
    if (k < kColumns)
      contacts.push_back(
          {ids[k], ids.back(), 0, 0, 1e-4, -Vec3::UnitY(), {bodies[k].position.x(), 0, 0}, {0, -force, 0}});
    if (k + kColumns < kColumns * kRows)
      contacts.push_back({ids[k], ids[k + kColumns], 0, 0, 1e-4, Vec3::UnitY(), bodies[k].position, {0, force, 0}});
  }
  vtk::VtkWriter writer({mode, true, std::nullopt});
  writer.begin(world);
  writer.open(out.string());
  for (int k = 0; k < frames; ++k) writer.observe(world, &contacts, {static_cast<std::uint64_t>(k), 0, 0.5 * k});
}

bool is_white(int r, int g, int b) { return r > 250 && g > 250 && b > 250; }
bool is_yellow(int r, int g, int b) { return r > 200 && g > 190 && b < 90; }
bool is_red(int r, int g, int b) { return r > 170 && g < 60 && b < 60; }

}  // namespace

TEST_CASE(
    "a picture shows the particles large, whatever the size of the walls, slow ones violet and fast ones yellow") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  for (const std::string mode : {"surface", "glyph"}) {
    INFO(mode);
    write_result(out.path(), mode);
    const Outcome done = render(out.path().string() + " --width 600");
    INFO(done.output);
    REQUIRE(done.status == 0);
    const fs::path file = out / "pictures/particles_000000.png";
    CHECK(done.output == file.string() + "\n");
    const Picture picture(file);
    CHECK(picture.width == 600);
    CHECK(picture.height > 250);
    // Crosses cover 0.39 of their square, the squares about two thirds of the picture: white is what remains, less the
    // floor below. A twentieth of the columns is slowest or fastest; bounds are about half of that, less what the walls
    // within four diameters take of the view.
    CHECK(picture.share(is_white) > 0.4);
    CHECK(picture.share(is_white) < 0.75);
    CHECK(picture.share(is_violet) > 0.007);
    CHECK(picture.share(is_yellow) > 0.006);
    CHECK(picture.share(is_red) == 0);
  }
}

TEST_CASE("force chains are drawn on request") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_result(out.path(), "auto");
  const Outcome done =
      render(out.path().string() + " --contacts --width 600 --output " + (out / "forces.png").string());
  INFO(done.output);
  REQUIRE(done.status == 0);
  CHECK(Picture(out / "forces.png").share(is_red) > 0.02);
}

TEST_CASE("a result in three dimensions is drawn in perspective and shaded") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  World world(3);
  BodySpec body;
  body.shape = world.add_shape("octahedron", std::make_shared<Octahedron>());
  body.material = world.add_material({"stone", 1000});
  world.add(std::array{body});
  vtk::VtkWriter writer({"auto", false, std::nullopt});
  writer.begin(world);
  writer.open(out.path().string());
  writer.observe(world, nullptr, {});
  writer.flush();
  const Outcome done = render(out.path().string() + " --width 300 --output " + (out / "solid.png").string());
  INFO(done.output);
  REQUIRE(done.status == 0);
  // Its outline covers at most half of the box about it, and the view leaves room around that.
  const double covered = 1 - Picture(out / "solid.png").share(is_white);
  CHECK(covered > 0.1);
  CHECK(covered < 0.5);
}

TEST_CASE("the solid is drawn in place of the bodies, and hides those of them that are held") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  // Bodies 0 and 2 are of one entry; body 1 is a wall.
  const auto write = [&](const std::string& folder, bool held) {
    World world(3);
    BodySpec body;
    body.shape = world.add_shape("octahedron", std::make_shared<Octahedron>());
    body.material = world.add_material({"stone", 1000});
    std::vector<BodySpec> bodies(3, body);
    for (std::size_t k = 0; k < bodies.size(); ++k) bodies[k].position.x() = 0.03 * static_cast<double>(k);
    bodies[1].kind = BodyKind::fixed;
    bodies[1].group = 1;
    if (held) bodies[2].kind = BodyKind::fixed;
    world.add(bodies);
    vtk::VtkWriter writer({"surface", false, std::nullopt});
    writer.begin(world);
    writer.open((out / folder).string());
    writer.observe(world, nullptr, {});
  };
  write("held", true);
  write("free", false);
  // What is seen of the two is the same; as a surface it goes by another name.
  fs::create_directories(out / "held/fracture");
  fs::copy(out / "free/particles/particles_000000.vtp", out / "held/fracture/fracture_000000.vtp");
  write_atomically(out / "held/fracture.pvd",
                   "<VTKFile><DataSet timestep=\"0\" part=\"0\" file=\"fracture/fracture_000000.vtp\"/></VTKFile>");
  const auto picture = [&](const std::string& folder, const std::string& options) {
    const fs::path file = out / (folder + options + ".png");
    const Outcome done =
        render(fmt::format("{} {} --width 300 --output {}", (out / folder).string(), options, file.string()));
    INFO(done.output);
    REQUIRE(done.status == 0);
    return read_file(file);
  };
  CHECK(picture("held", "--solid") == picture("free", ""));
  CHECK(picture("held", "") != picture("free", ""));
  const Outcome none = render((out / "free").string() + " --solid");
  CHECK(none.status == 4);
  CHECK_THAT(none.output,
             ContainsSubstring("fracture.pvd is missing or empty") && ContainsSubstring("\"fracture-surface\""));
}

TEST_CASE("all frames or one of them") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_result(out.path(), "auto", 3);
  REQUIRE(render(out.path().string() + " --all --width 200 --output " + (out / "film").string()).status == 0);
  CHECK(std::distance(fs::directory_iterator(out / "film"), {}) == 3);
  REQUIRE(render(out.path().string() + " --frame 1 --width 200").status == 0);
  CHECK(fs::exists(out / "pictures/particles_000001.png"));
  CHECK(std::distance(fs::directory_iterator(out / "pictures"), {}) == 1);
}

TEST_CASE("what cannot be drawn is said in one sentence") {
  const TemporaryFolder out;
  const std::string folder = out.path().string();
  Outcome done = render(folder);
  CHECK(done.status == 4);
  CHECK(done.output == folder +
                           ": has no frames to draw: particles.pvd is missing or empty. Give the output folder of a "
                           "run whose scene has the writer \"vtk\".\n");
  write_result(out.path(), "auto", 2);
  done = render(folder + " --frame 7");
  CHECK(done.status == 2);
  CHECK(done.output == "scree render: " + folder + " has no frame 7; it has 0 to 1.\n");
  CHECK(render(folder + " --all --frame 1").status == 2);
  CHECK(render(folder + " --width 1").output == "scree render: --width is 1; 100 to 8000 pixels are possible.\n");
  CHECK_THAT(render(folder + " --contact").output,
             ContainsSubstring("unknown option --contact. Did you mean --contacts?"));
  CHECK(render("").status == 2);
  CHECK(render("--help").status == 0);
}

TEST_CASE("without any display the missing package is named") {
  const TemporaryFolder out;
  write_result(out.path(), "auto");
  const Outcome done = render(out.path().string(), "env -u DISPLAY PATH=/nowhere");
  CHECK(done.status == 2);
  CHECK_THAT(done.output, ContainsSubstring("no display to draw on: DISPLAY is not set. Install a virtual one "
                                            "(apt install xvfb xauth)"));
}

TEST_CASE("a damaged frame is named") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_result(out.path(), "auto");
  const fs::path file = out / "particles/particles_000000.vtp";
  write_atomically(file, read_file(file).substr(0, 700));
  const Outcome done = render(out.path().string());
  CHECK(done.status == 4);
  CHECK(done.output == file.string() + ": is damaged: VTK cannot read it.\n");
}

TEST_CASE("colours tell a column of the particles, from its least to its largest value, in place of speed") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  for (const std::string mode : {"surface", "glyph"}) {
    INFO(mode);
    write_result(out.path(), mode);
    // All crosses are of one shape, number 0: the least value, violet.
    const Outcome done = render(out.path().string() + " --width 600 --colour shape");
    INFO(done.output);
    REQUIRE(done.status == 0);
    const Picture picture(out / "pictures/particles_000000.png");
    CHECK(picture.share(is_violet) > 0.1);
    // Coordination grows from nothing to two, and most crosses have two.
    REQUIRE(render(out.path().string() + " --width 600 --colour coordination").status == 0);
    CHECK(Picture(out / "pictures/particles_000000.png").share(is_yellow) > 0.1);
    const Outcome unknown = render(out.path().string() + " --colour weight");
    CHECK(unknown.status == 2);
    CHECK_THAT(unknown.output, ContainsSubstring("--colour is \"weight\"; particles have speed, id, shape"));
  }
  CHECK(render(out.path().string() + " --stored --colour shape").status == 2);
}

}  // namespace scree
