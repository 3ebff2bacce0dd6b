/// \file What every back end of SolidField promises.

#include <cmath>

#include "catch.hpp"
#include "field/distance_transform.hpp"
#include "field/solid_field.hpp"
#include "scree/base/philox.hpp"

using namespace scree;
using namespace scree::culling;

namespace {

constexpr double kVoxel = 1.0 / 3;

std::vector<std::unique_ptr<SolidField>> fields(const Vec3& lower, const Vec3& upper) {
  std::vector<std::unique_ptr<SolidField>> all;
  all.push_back(make_dense_field({lower, upper, kVoxel}));
  return all;
}

double depth_at(SolidField& field, const Vec3& place) {
  double depth = 0;
  field.depth({&place, 1}, {&depth, 1});
  return depth;
}

/// Balls of radius 1 on a face-centred cubic lattice of distance 1 in a ball of this radius, not nearer to the centre
/// than `hollow`.
std::vector<Ball> lump(double radius, double hollow = 0) {
  std::vector<Ball> balls;
  const int reach = static_cast<int>(radius * 2);
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j)
      for (int k = -reach; k <= reach; ++k) {
        if ((i + j + k) % 2 != 0) continue;
        const Vec3 x = Vec3(i, j, k) / std::sqrt(2.0);
        if (x.norm() <= radius && x.norm() >= hollow) balls.push_back({x, 1});
      }
  return balls;
}

}  // namespace

TEST_CASE("distances on a grid are those of brute force") {
  const GridSize size{{9, 7, 8}};
  const RandomStream random(1, "marks");
  std::vector<std::uint8_t> marked(size.count());
  for (std::size_t i = 0; i < marked.size(); ++i) marked[i] = random.pair(i)[0] < 0.03;
  const std::vector<float> found = squared_distances(size, marked);
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const auto place = [&](std::size_t n) { return Vec3(double(n % 9), double(n / 9 % 7), double(n / 63)); };
    double nearest = 1e20;
    for (std::size_t j = 0; j < marked.size(); ++j)
      if (marked[j]) nearest = std::min(nearest, (place(i) - place(j)).squaredNorm());
    REQUIRE(found[i] == static_cast<float>(nearest));
  }
}

TEST_CASE("nothing marked: all is far, on each axis alone too") {
  for (const GridSize& size : {GridSize{{1, 1, 5}}, GridSize{{4, 1, 1}}, GridSize{{3, 3, 3}}})
    for (const float d : squared_distances(size, std::vector<std::uint8_t>(size.count(), 0))) CHECK(d >= kFar);
}

TEST_CASE("depth below the surface of a ball is that of the ball, to a voxel") {
  for (const auto& field : fields(Vec3::Constant(-9), Vec3::Constant(9))) {
    field->add(std::vector<Ball>{{{0, 0, 0}, 6}});
    for (const double r : {0.0, 1.0, 2.5, 4.0, 5.5})
      CHECK(depth_at(*field, r * Vec3(0.6, 0, 0.8)) == Approx(6 - r).margin(kVoxel));
    CHECK(depth_at(*field, {7, 0, 0}) < 0);
  }
}

TEST_CASE("a closed lump of granules has no pores, and one with a cavity is as deep once that is filled") {
  for (const double hollow : {0.0, 3.0})
    for (const auto& field : fields(Vec3::Constant(-10), Vec3::Constant(10))) {
      field->add(lump(6, hollow));
      if (hollow > 0) CHECK(depth_at(*field, {0, 0, 0}) < 0);
      field->close(0.5);
      field->fill_cavities();
      CHECK(depth_at(*field, {0, 0, 0}) == Approx(6.8).margin(2 * kVoxel));
      CHECK(field->components() == 1);
    }
}

TEST_CASE("a wall is matter: under a heap on a floor there is no surface") {
  for (const auto& field : fields({-8, -8, -3}, {8, 8, 8})) {
    field->add(std::vector<Ball>{{{0, 0, 0}, 6}});
    const Vec3 low(0, 0, 0.5);
    field->add_wall([](std::span<const Vec3> points, std::span<double> distance) {
      for (std::size_t k = 0; k < points.size(); ++k) distance[k] = points[k].z();
    });
    field->close(0.5);
    field->fill_cavities();
    CHECK(depth_at(*field, low) == Approx(5.5).margin(2 * kVoxel));
  }
}

TEST_CASE("air that a wall encloses is no cavity") {
  for (const auto& field : fields(Vec3::Constant(-8), Vec3::Constant(8))) {
    field->add_wall([](std::span<const Vec3> points, std::span<double> distance) {  // a round container
      for (std::size_t k = 0; k < points.size(); ++k) distance[k] = 6 - points[k].norm();
    });
    field->fill_cavities();
    CHECK(depth_at(*field, {0, 0, 0}) < 0);
  }
}

TEST_CASE("what is subtracted is air, and cuts a bar in two") {
  for (const auto& field : fields({-9, -4, -4}, {9, 4, 4})) {
    std::vector<Ball> bar;
    for (double x = -6; x <= 6; x += 0.5) bar.push_back({{x, 0, 0}, 1.5});
    field->add(bar);
    CHECK(field->components() == 1);
    field->subtract(std::vector<Ball>{{{0, 0, 0}, 2.5}});
    CHECK(field->components() == 2);
    CHECK(depth_at(*field, {0, 0, 0}) < 0);
    CHECK(depth_at(*field, {5, 0, 0}) > 1);
    CHECK_FALSE(field->surface().corners.empty());
  }
}

TEST_CASE("a box of too many voxels is refused with what to do") {
  CHECK_THROWS_WITH(make_dense_field({Vec3::Zero(), Vec3::Constant(1000), 0.1}),
                    Catch::Matchers::ContainsSubstring("Use a coarser voxel"));
}
