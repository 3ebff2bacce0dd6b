// Pictures of a continuum: its points without edges, or the grains that were carried along in them.

#include <memory>
#include <vector>

#include "catch.hpp"
#include "rendering.hpp"
#include "scree/shape/facets.hpp"
#include "scree/world/world.hpp"
#include "temporary_folder.hpp"
#include "vtk_writer.hpp"

namespace scree {

using namespace test;

namespace {

constexpr double kEdge = 0.01;  // [m]
constexpr int kAcross = 20, kPerPoint = 9;

/// A square, as a sign for a point.
class Sign final : public Shape {
 public:
  explicit Sign(bool driven) : driven_(driven) {}
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override { return {density, Vec3(0, 0, density)}; }
  double bounding_radius() const noexcept override { return kEdge; }
  Surface surface() const override {
    const double r = 0.5 * kEdge;
    return {{{-r, -r, 0}, {r, -r, 0}, {r, r, 0}, {-r, r, 0}}, {{0, 1, 2, 3}}, true};
  }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  ShapeTraits traits() const override { return {.driven_by = driven_ ? "material-points/1" : ""}; }

 private:
  bool driven_;
};

/// A square of squares at rest. \param grains  also nine grains in each
void write_square(const fs::path& out, bool points, bool grains) {
  World world(2);
  const auto sign = world.add_shape("sign", std::make_shared<Sign>(points));
  const auto material = world.add_material({"sand", 1000});
  std::vector<BodySpec> bodies;
  for (int i = 0; i < kAcross * kAcross; ++i) {
    BodySpec body;
    body.shape = sign, body.material = material;
    body.position = kEdge * Vec3(i % kAcross, i / kAcross, 0);
    bodies.push_back(body);
  }
  const auto ids = world.add(bodies);
  if (grains) {
    Table& table = world.table("grains");
    auto position = table.column<Vec3>("position", "m");
    auto radius = table.column<double>("radius", "m"), shade = table.column<double>("shade");
    auto point = table.column<Id>("point");
    table.add(static_cast<std::size_t>(kPerPoint) * ids.size());
    const auto x = position.write();
    const auto r = radius.write(), s = shade.write();
    const auto p = point.write();
    for (std::size_t g = 0; g < table.size(); ++g) {
      const auto k = static_cast<int>(g % kPerPoint);
      p[g] = ids[g / kPerPoint];
      x[g] = bodies[g / kPerPoint].position + kEdge * Vec3((k % 3 - 1) / 3.0, (k / 3 - 1) / 3.0, 0);
      r[g] = 0.146 * kEdge;
      s[g] = 0.2 + 0.07 * k;
    }
  }
  vtk::VtkWriter writer({"surface", false, std::nullopt});
  writer.begin(world);
  writer.open(out.string());
  writer.observe(world, nullptr, {0, 0, 0});
}

Picture picture_of(const fs::path& out, const std::string& options = "") {
  const Outcome done = render(out.string() + " --width 600 " + options);
  INFO(done.output);
  REQUIRE(done.status == 0);
  return Picture(out / "pictures/particles_000000.png");
}

bool is_sandy(int r, int g, int b) { return r > g + 10 && g > b + 20; }
bool is_violet_in_shade(int r, int g, int b) { return b > r && r > g && b < 100; }

}  // namespace

TEST_CASE("points of a continuum without grains are drawn as sand too, other bodies are not") {
  if (!can_draw()) return;
  const TemporaryFolder points, bodies;
  write_square(points.path(), true, false);
  write_square(bodies.path(), false, false);
  const Picture sand = picture_of(points.path());
  CHECK(sand.share(is_sandy) > 0.5);
  CHECK(sand.share(is_violet) == 0);
  CHECK(picture_of(bodies.path(), "--colour speed").share(is_sandy) < 0.01);
}

TEST_CASE("grains are drawn as sand in place of their points, and in the colours of points on request") {
  if (!can_draw()) return;
  const TemporaryFolder out;
  write_square(out.path(), true, true);
  const Picture sand = picture_of(out.path());
  CHECK(sand.share(is_sandy) > 0.5);
  CHECK(sand.share(is_violet) == 0);
  const Picture slow = picture_of(out.path(), "--colour speed --map viridis");
  CHECK(slow.share(is_violet_in_shade) > 0.3);
  CHECK(slow.share(is_sandy) < 0.01);  // of the colour scale
  CHECK(render(out.path().string() + " --colour weight").status == 2);
}

}  // namespace scree
