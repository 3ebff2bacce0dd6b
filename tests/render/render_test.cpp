#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
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

/// A ball of 80 triangles: an icosahedron, each triangle cut into four.
class CoarseBall final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(density)}; }
  double bounding_radius() const noexcept override { return kRadius; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  Surface surface() const override {
    const double g = (1 + std::sqrt(5.0)) / 2;
    std::vector<Vec3> corners;
    for (const double a : {-1.0, 1.0})
      for (const double b : {-g, g})
        for (const Vec3& x : {Vec3(0, a, b), Vec3(a, b, 0), Vec3(b, 0, a)}) corners.push_back(x.normalized());
    Surface s;
    const auto add = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
      Cell cell;
      for (const Vec3& x : {a, b, c}) {
        const auto same = [&](const Vec3& y) { return (y - kRadius * x).norm() < 1e-6 * kRadius; };
        const auto it = std::ranges::find_if(s.points, same);
        cell.push_back(static_cast<std::uint32_t>(it - s.points.begin()));
        if (it == s.points.end()) s.points.push_back(kRadius * x);
      }
      if ((b - a).cross(c - a).dot(a) < 0) std::swap(cell[1], cell[2]);
      s.cells.push_back(cell);
    };
    for (std::size_t i = 0; i < 12; ++i)
      for (std::size_t j = i + 1; j < 12; ++j)
        for (std::size_t k = j + 1; k < 12; ++k) {
          const Vec3 &a = corners[i], &b = corners[j], &c = corners[k];
          if ((a - b).norm() > 1.2 || (b - c).norm() > 1.2 || (a - c).norm() > 1.2) continue;
          const Vec3 ab = (a + b).normalized(), bc = (b + c).normalized(), ca = (c + a).normalized();
          add(a, ab, ca), add(b, bc, ab), add(c, ca, bc), add(ab, bc, ca);
        }
    return s;
  }

 private:
  using Cell = std::vector<std::uint32_t>;
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
/// The sky of pictures in three dimensions: white below, light blue above.
bool is_ground(int r, int g, int b) { return r > 230 && g >= r && b >= g; }
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
    const Outcome done = render(out.path().string() + " --map viridis --width 600");
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
  const Outcome done =
      render(out.path().string() + " --width 300 --no-legend --output " + (out / "solid.png").string());
  INFO(done.output);
  REQUIRE(done.status == 0);
  // Its outline covers at most half of the box about it, and the view leaves room around that.
  const double covered = 1 - Picture(out / "solid.png").share(is_ground);
  CHECK(covered > 0.2);
  CHECK(covered < 0.6);
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
    // All numbers lie below the range: the colour of its least value.
    const Outcome done = render(out.path().string() + " --width 600 --colour id --map viridis --range 1000:2000");
    INFO(done.output);
    REQUIRE(done.status == 0);
    const Picture picture(out / "pictures/particles_000000.png");
    CHECK(picture.share(is_violet) > 0.1);
    // Coordination grows from nothing to two, and most crosses have two.
    REQUIRE(render(out.path().string() + " --width 600 --colour coordination --map viridis").status == 0);
    CHECK(Picture(out / "pictures/particles_000000.png").share(is_yellow) > 0.1);
    const Outcome unknown = render(out.path().string() + " --colour weight");
    CHECK(unknown.status == 2);
    CHECK_THAT(unknown.output, ContainsSubstring("--colour is \"weight\"; particles have speed, id, shape"));
  }
  CHECK(render(out.path().string() + " --stored --colour shape").status == 2);
}

TEST_CASE("at rest colours tell what bodies differ in, by name, and never a speed of nothing") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  World world(2);
  const auto cross = world.add_shape("cross", std::make_shared<Cross>());
  std::vector<BodySpec> bodies(2);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    bodies[k].shape = cross;
    bodies[k].material = world.add_material({k == 0 ? "light" : "heavy", 1000.0 * static_cast<double>(1 + k)});
    bodies[k].position.x() = 3 * kRadius * static_cast<double>(k);
    bodies[k].velocity = {1e-9, 0, 0};
  }
  world.add(bodies);
  vtk::VtkWriter writer({"surface", false, std::nullopt});
  writer.begin(world);
  writer.open(out.path().string());
  writer.observe(world, nullptr, {});
  writer.flush();
  const auto picture = [&](const std::string& options) {
    const Outcome done = render(fmt::format("{} --width 400 {}", out.path().string(), options));
    INFO(done.output);
    REQUIRE(done.status == 0);
    return read_file(out / "pictures/particles_000000.png");
  };
  CHECK(picture("") == picture("--colour material"));
  CHECK(picture("") != picture("--colour speed"));
  // A cross covers 0.39 of its square, and the two squares less than a third of the picture each.
  picture("--colour material");
  const Picture by_material(out / "pictures/particles_000000.png");
  CHECK(by_material.share([](int r, int g, int b) { return b > g && g > r + 20; }) > 0.03);       // blue
  CHECK(by_material.share([](int r, int g, int b) { return r > g + 20 && g > b + 40; }) > 0.03);  // orange
  const Outcome done = render(out.path().string() + " --colour material --map ocean");
  CHECK(done.status == 2);
  CHECK_THAT(done.output, ContainsSubstring("--map goes with colours of a scale, but values of \"material\" are shown "
                                            "as kinds."));
}

TEST_CASE("options of the view: zoom, no background, no legend") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_result(out.path(), "auto");
  const auto picture = [&](const std::string& options) {
    const Outcome done = render(fmt::format("{} --width 400 --map viridis {}", out.path().string(), options));
    INFO(done.output);
    REQUIRE(done.status == 0);
    return Picture(out / "pictures/particles_000000.png");
  };
  // The fastest fifth is at the right, out of sight where the middle is four times as large.
  const Picture whole = picture("--no-legend"), near = picture("--no-legend --zoom 4");
  CHECK(whole.share(is_yellow) > 0.005);
  CHECK(near.share(is_yellow) == 0);
  const Picture open = picture("--transparent --no-legend");
  REQUIRE(open.image->GetNumberOfScalarComponents() == 4);
  const auto* const corner = static_cast<unsigned char*>(open.image->GetScalarPointer(0, open.height - 1, 0));
  CHECK(corner[3] == 0);
  CHECK(render(out.path().string() + " --view top").output ==
        "scree render: --view turns pictures of runs in three dimensions; this run has two.\n");
}

TEST_CASE("wrong options of the view are said in one sentence") {
  const TemporaryFolder out;
  const auto said = [&](const std::string& options) {
    const Outcome done = render(out.path().string() + " " + options);
    CHECK(done.status == 2);
    return done.output;
  };
  CHECK(said("--zoom 0") == "scree render: --zoom is \"0\"; give a number from 0.1 to 100.\n");
  CHECK(said("--range 1:1") ==
        "scree render: --range is \"1:1\"; give the lowest and the highest value, such as 0:0.5, or --range=-1:1.\n");
  CHECK_THAT(said("--range 0:nan"), ContainsSubstring("--range is \"0:nan\""));
  CHECK(said("--map rainbow") ==
        "scree render: --map is \"rainbow\"; there are dusk, dawn, ember, ocean, viridis, grey, balance.\n");
  CHECK_THAT(said("--view above"),
             ContainsSubstring("--view is \"above\": \"above\" is not a number. Give front, back, "
                               "left, right, top or bottom, or the direction to the viewer"));
  CHECK_THAT(said("--view 1,2"), ContainsSubstring("a direction has 3 numbers, not 2."));
  CHECK_THAT(said("--view 0,0,0"), ContainsSubstring("the direction is zero."));
  CHECK(said("--film a.avi") == "scree render: --film is \"a.avi\"; a film ends in .mp4, .ogv or .gif.\n");
  CHECK_THAT(said("--film a.gif --frame 1"), ContainsSubstring("--film takes all frames and names its file"));
  CHECK(said("--rate 0") == "scree render: --rate is 0; 1 to 50 frames per second are possible.\n");
  const Outcome missing = render(out.path().string() + " --film a.mp4", "env PATH=/nowhere");
  CHECK(missing.status == 2);
  CHECK_THAT(missing.output, ContainsSubstring(".mp4 needs ffmpeg, which is not installed (apt install ffmpeg)."));
}

TEST_CASE("a ball is round at any size, whatever the triangles in its file") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  World world(3);
  BodySpec body;
  body.shape = world.add_shape("ball", std::make_shared<CoarseBall>());
  body.material = world.add_material({"stone", 1000});
  world.add(std::array{body});
  vtk::VtkWriter writer({"surface", false, std::nullopt});
  writer.begin(world);
  writer.open(out.path().string());
  writer.observe(world, nullptr, {});
  writer.flush();
  const Outcome done =
      render(out.path().string() + " --width 400 --transparent --no-legend --output " + (out / "ball.png").string());
  INFO(done.output);
  REQUIRE(done.status == 0);
  const Picture picture(out / "ball.png");
  int left = picture.width, right = 0, covered = 0;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      if (static_cast<unsigned char*>(picture.image->GetScalarPointer(x, y, 0))[3] > 127)
        left = std::min(left, x), right = std::max(right, x), ++covered;
  // A circle covers pi/4 of its square. Of 80 triangles it would be an outline of some 18 corners, 2 % less; a pixel
  // at each side of 340 is 0.6 %.
  const double wide = right - left + 1;
  CHECK(wide > 200);
  CHECK(covered / (wide * wide) == Approx(std::acos(-1.0) / 4).epsilon(0.008));
}

TEST_CASE("films are files of all frames") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_result(out.path(), "auto", 3);
  const fs::path gif = out / "films/a.gif", ogv = out / "films/a.ogv";
  const Outcome done = render(fmt::format("{} --width 201 --film {} --rate 10", out.path().string(), gif.string()));
  INFO(done.output);
  REQUIRE(done.status == 0);
  CHECK_THAT(done.output, ContainsSubstring("a.gif (3 frames, 0.3 s, "));
  const std::string bytes = read_file(gif);
  CHECK(bytes.substr(0, 8) == std::string("GIF89a\xc8\0", 8));  // 200 pixels wide: an even number
  CHECK(bytes.back() == ';');
  std::size_t frames = 0;
  for (std::size_t at = 0; (at = bytes.find(std::string("\x21\xf9\x04\x05\x0a\0", 6), at)) != std::string::npos; ++at)
    ++frames;
  CHECK(frames == 3);
  REQUIRE(render(fmt::format("{} --width 200 --film {}", out.path().string(), ogv.string())).status == 0);
  CHECK(read_file(ogv).substr(0, 4) == "OggS");
  CHECK(std::distance(fs::directory_iterator(out / "films"), {}) == 2);
}

}  // namespace scree
