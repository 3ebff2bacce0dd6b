#include "scree/grid/free_space_query.hpp"

#include <random>

#include "catch.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;

namespace {

/// A ball without an exact distance: in the way with its bounding sphere.
class BoundedBall : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Ones()}; }
  double bounding_radius() const noexcept override { return 1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
};

/// A hollow in the middle of matter: free within 0.5 m, though the bounding sphere of 2 m is not.
class Hollow final : public BoundedBall, public ExactDistance {
 public:
  double bounding_radius() const noexcept override { return 2; }
  const void* facet(std::string_view name) const noexcept override {
    return name == ExactDistance::kName ? static_cast<const ExactDistance*>(this) : nullptr;
  }
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      distance[i] = std::max(0.5 - points[i].norm(), points[i].norm() - 2);
      gradient[i] = Vec3::UnitX();
    }
  }
};

/// Balls of several sizes, in a cell that repeats in x and y.
struct Box {
  World world{3};
  std::vector<Vec3> places{{0.3, 2, 2}, {5, 5.2, 0}, {9.5, 8, 3}};
  Box() {
    world.cell = PeriodicCell(Vec3::Zero(), Vec3(10, 10, 0));
    world.add_shape("ball", std::make_shared<BoundedBall>());
    world.add_material({"m", 1});
    std::vector<BodySpec> bodies(3);
    for (std::size_t k = 0; k < 3; ++k) bodies[k].position = places[k], bodies[k].scale = 0.5 + 0.25 * double(k);
    world.add(bodies);
  }
};

}  // namespace

TEST_CASE("there is room where no sphere, placed or there, overlaps, across the sides of the cell too") {
  Box box;
  FreeSpaceQuery room(box.world, 0.8);
  std::vector<std::pair<Vec3, double>> all;
  for (std::size_t k = 0; k < 3; ++k) all.emplace_back(box.places[k], 0.5 + 0.25 * double(k));
  std::mt19937 random(4);
  std::uniform_real_distribution<double> any(-1, 11), size(0.3, 0.8);
  std::size_t placed = 0;
  for (int i = 0; i < 4000; ++i) {
    const Vec3 p(any(random), any(random), any(random) / 3);
    const double r = size(random);
    bool free = true;
    for (const auto& [x, s] : all) {
      Vec3 d = p - x;
      for (int k = 0; k < 2; ++k) d[k] -= 10 * std::round(d[k] / 10);
      free = free && d.norm() >= r + s;
    }
    REQUIRE(room.is_free(p, r) == free);
    if (!free) continue;
    room.place(p, r);
    all.emplace_back(p, r);
    ++placed;
  }
  CHECK(placed > 30);
}

TEST_CASE("a body with an exact distance is in the way where its surface is") {
  World world(3);
  world.add_shape("hollow", std::make_shared<Hollow>());
  world.add_material({"m", 1});
  BodySpec body;
  body.kind = BodyKind::fixed;
  body.position = Vec3(1, 0, 0);
  world.add(std::vector{body});
  const FreeSpaceQuery room(world, 1);
  CHECK(room.is_free({1, 0, 0}, 0.5));
  CHECK(!room.is_free({1, 0, 0}, 0.51));
  CHECK(!room.is_free({1.2, 0, 0}, 0.31));
  CHECK(!room.is_free({2, 0, 0}, 0.1));
  CHECK(room.is_free({3.5, 0, 0}, 0.49));
  CHECK(room.body_at({2, 0, 0}, 0.1) == Id{0});
  CHECK(!room.body_at({3.5, 0, 0}, 0.49));
}
