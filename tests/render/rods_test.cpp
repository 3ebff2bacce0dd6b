// Rods as tubes.

#include <fmt/format.h>

#include <array>

#include "rendering.hpp"
#include "temporary_folder.hpp"
#include "test_rods.hpp"
#include "vtk_writer.hpp"

namespace scree {

using namespace test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Four sticks on end, tension rising upwards to yellow, and an octahedron beside them where `ball` says so.
void write_rods(const fs::path& out, int dimension, bool ball) {
  const Vec3 way = dimension == 2 ? Vec3::UnitX() : Vec3::UnitZ();
  Sticks rod(dimension, 4, way);
  rod.join_all(4, way);
  if (ball) {
    BodySpec body;
    body.shape = rod.world.add_shape("octahedron", std::make_shared<Octahedron>());
    body.scale = 100;
    body.position = {0, 2, 2};
    rod.world.add(std::array{body});
  }
  vtk::VtkWriter writer({"auto", false, std::nullopt});
  writer.begin(rod.world);
  writer.open(out.string());
  writer.observe(rod.world, nullptr, {0, 0, 0, [&] { return told(rod.world); }});
}

Outcome with_rods(const fs::path& out, const std::string& options) {
  return render(fmt::format("{} --width 300 --output {}/a.png {}", out.string(), out.string(), options));
}

bool is_bright(int r, int g, int b) { return r > 120 && g > 110 && b < 0.6 * r; }
bool is_brown(int r, int g, int b) { return r > g + 10 && g > b + 5 && r < 180; }
bool is_plain(int r, int g, int b) { return r > 60 && b > r + 8 && b < r + 40 && g >= r && g <= b; }

}  // namespace

TEST_CASE("rods are drawn as tubes of their radius, coloured by tension, and other bodies plain") {
  if (!can_draw()) return;
  for (const int dimension : {2, 3}) {
    INFO(dimension);
    const TemporaryFolder out;
    write_rods(out.path(), dimension, dimension == 3);
    const auto picture = [&](const std::string& column) {
      const Outcome done =
          with_rods(out.path(), "--rods --colour " + column + (column == "strands" ? "" : " --map viridis"));
      INFO(done.output);
      REQUIRE(done.status == 0);
      return Picture(out / "a.png");
    };
    // Sticks have no surface of their own: all that shows is tubes. At rest they are violet, and yellow is in
    // the scale alone; by tension a third of the tube is yellow and a third violet. Tubes are 0.5 % of the picture.
    const Picture same = picture("speed"), tension = picture("tension");
    CHECK(tension.share(is_bright) > same.share(is_bright) + 0.001);
    CHECK(same.share(is_violet) > tension.share(is_violet) + 0.001);
    if (dimension == 3) CHECK(tension.share(is_plain) > 0.005);
    // Each in a shade of brown, and no scale, which has all colours.
    const Picture strands = picture("strands");
    CHECK(strands.share(is_brown) > 0.001);
    CHECK(strands.share(is_violet) == 0);
    CHECK(strands.share(is_bright) < 1e-4);
  }
}

TEST_CASE("pictures of rods refuse what they cannot show, and say what would help") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_rods(out.path(), 3, true);
  Outcome refused = with_rods(out.path(), "--rods --colour tenson");
  CHECK(refused.status == 2);
  CHECK_THAT(refused.output, ContainsSubstring("--colour is \"tenson\"; particles have ") &&
                                 ContainsSubstring(", rods have radius, speed, id, material, tension, curvature"));
  refused = with_rods(out.path(), "--rods --solid");
  CHECK(refused.status == 2);
  CHECK_THAT(refused.output, ContainsSubstring("give --rods without them."));
  std::filesystem::remove(out / "rods.pvd");
  refused = with_rods(out.path(), "--rods");
  CHECK_THAT(refused.output, ContainsSubstring("has no rods to draw: rods.pvd is missing or empty. Give the output "
                                               "folder of a run with bonds between capsules"));
}

}  // namespace scree
