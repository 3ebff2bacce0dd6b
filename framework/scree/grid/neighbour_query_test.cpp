// Bodies near a place, compared with a check of every body.

#include "scree/grid/neighbour_query.hpp"

#include <cmath>
#include <limits>
#include <random>

#include "catch.hpp"

using namespace scree;

namespace {

class Ball final : public Shape {
 public:
  explicit Ball(double radius) : radius_(radius) {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(density)}; }
  double bounding_radius() const noexcept override { return radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  double radius_;
};

/// Bodies of sizes from 1 mm to 1 m, and a wall.
struct Cloud {
  World world{3};
  std::mt19937 engine{7};
  Id wall = 0;

  double any(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 place() { return {any(-3, 5), any(-3, 5), any(-3, 5)}; }

  explicit Cloud(const PeriodicCell& cell) {
    world.cell = cell;
    world.add_shape("ball", std::make_shared<Ball>(1));
    world.add_shape("wall", std::make_shared<Ball>(std::numeric_limits<double>::infinity()));
    world.add_material({"m", 1});
    std::vector<BodySpec> bodies(1000);
    for (BodySpec& b : bodies) {
      b.position = place();
      b.scale = std::pow(10, any(-3, 0));
    }
    bodies[3].scale = 1;
    world.add(bodies);
    BodySpec wall_body;
    wall_body.shape = 1;
    wall_body.kind = BodyKind::fixed;
    wall = world.add(std::vector{wall_body})[0];
    BodySpec frame;
    frame.shape = world.frame_shape();
    world.add(std::vector{frame});
  }

  /// Every body in many images.
  template <class IsNear>
  std::vector<Id> all(const IsNear& is_near) const {
    std::vector<Id> found;
    for (std::size_t i = 0; i + 2 < world.size(); ++i) {
      bool near = false;
      for (int z = -3; z <= 3; ++z)
        for (int y = -3; y <= 3; ++y)
          for (int x = -3; x <= 3; ++x)
            near = near || is_near(world.position.read()[i] + world.cell.shift({x, y, z}), world.radius.read()[i]);
      if (near) found.push_back(world.id.read()[i]);
    }
    found.push_back(wall);
    return found;
  }
};

}  // namespace

TEST_CASE("bodies near spheres and boxes are those that a look at every body finds, in open and in periodic space") {
  const PeriodicCell cells[] = {{}, {{-3, -3, -3}, {8, 8, 0}}, {{0, 0, 0}, {4, 0, 2.5}}};
  Cloud cloud(cells[GENERATE(0, 1, 2)]);
  const NeighbourQuery query(cloud.world);
  std::size_t found = 0;
  for (int k = 0; k < 40; ++k) {
    const Vec3 centre = cloud.place(), lower = cloud.place();
    const double radius = k % 4 == 0 ? 0 : cloud.any(0, 2);
    const auto in_sphere = query.near_sphere(centre, radius);
    CHECK(in_sphere == cloud.all([&](const Vec3& x, double r) { return (x - centre).norm() < r + radius; }));
    const Vec3 upper = lower + Vec3(cloud.any(0, 2), cloud.any(0, 2), 0);
    CHECK(query.near_box(lower, upper) ==
          cloud.all([&](const Vec3& x, double r) { return (x - x.cwiseMax(lower).cwiseMin(upper)).norm() < r; }));
    found += in_sphere.size();
  }
  CHECK(found > 200);
}

TEST_CASE("an empty world, and one of walls alone, have nobody near") {
  World world(3);
  CHECK(NeighbourQuery(world).near_sphere(Vec3::Zero(), 1).empty());
  world.add_shape("frame", std::make_shared<Ball>(0));
  world.add_material({"m", 1});
  world.add(std::vector{BodySpec{}});
  CHECK(NeighbourQuery(world).near_box(Vec3::Zero(), Vec3::Ones()).empty());
}
