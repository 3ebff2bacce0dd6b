/// \file Promises of every back end of SolidField.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "catch.hpp"
#include "field/distance_transform.hpp"
#include "field/solid_field.hpp"
#include "scree/base/philox.hpp"
#include "skip.hpp"

using namespace scree;
using namespace scree::culling;

namespace {

constexpr double kVoxel = 1.0 / 3;

std::vector<std::unique_ptr<SolidField>> fields(const Vec3& lower, const Vec3& upper) {
  std::vector<std::unique_ptr<SolidField>> all;
  all.push_back(make_dense_field({lower, upper, kVoxel}));
  if (has_openvdb()) all.push_back(make_openvdb_field({lower, upper, kVoxel}, 10));
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

const DistanceOf kFloor = [](std::span<const Vec3> points, std::span<double> distance) {
  for (std::size_t k = 0; k < points.size(); ++k) distance[k] = points[k].z() + 5;
};

/// Lumps with pores and a cavity on a floor, a ball taken out; then what depth, search and surface tell.
struct Told {
  std::vector<double> depth;
  std::vector<char> shallower;
  Triangles surface;
};
constexpr double kDeepest = 4;
Told told(SolidField& field, bool exact_floor) {
  const RandomStream random(7, "field");
  std::vector<Ball> balls = lump(5, 2);
  for (std::size_t k = 0; k < 200; ++k)
    balls.push_back({16 * random.triple(k) - Vec3::Constant(8), 0.2 + random.pair(k, 1)[0]});
  field.add(balls);
  field.add_wall(kFloor, exact_floor);
  field.close(0.5);
  field.subtract(std::vector<Ball>{{{4, 1, 0}, 2.2}});
  field.fill_cavities();
  std::vector<Vec3> points;
  for (std::size_t k = 0; k < 5000; ++k) points.push_back(16 * random.triple(k, 2) - Vec3::Constant(8));
  Told all{std::vector<double>(points.size()), std::vector<char>(points.size()), {}};
  field.depth(points, all.depth);
  for (double& depth : all.depth) depth = std::min(depth, kDeepest);
  field.shallower(points, 1.5, all.shallower);
  all.surface = field.surface();
  return all;
}

double volume_within(const Triangles& surface) {
  double sum = 0;
  for (const auto& [a, b, c] : surface.corners)
    sum += surface.points[a].dot(surface.points[b].cross(surface.points[c])) / 6;
  return sum;
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
    field->add_wall(
        [](std::span<const Vec3> points, std::span<double> distance) {
          for (std::size_t k = 0; k < points.size(); ++k) distance[k] = points[k].z();
        },
        true);
    field->close(0.5);
    field->fill_cavities();
    CHECK(depth_at(*field, low) == Approx(5.5).margin(2 * kVoxel));
  }
}

TEST_CASE("air that a wall encloses is no cavity") {
  for (const auto& field : fields(Vec3::Constant(-8), Vec3::Constant(8))) {
    field->add_wall(
        [](std::span<const Vec3> points, std::span<double> distance) {  // a round container
          for (std::size_t k = 0; k < points.size(); ++k) distance[k] = 6 - points[k].norm();
        },
        true);
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

TEST_CASE("a surface is closed and holds the volume of the matter") {
  for (const auto& field : fields(Vec3::Constant(-10), Vec3::Constant(10))) {
    field->add(std::vector<Ball>{{{0, 0, 0}, 5}, {{0, 0, 7}, 1.5}});
    const Triangles surface = field->surface();
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    for (const auto& corners : surface.corners)
      for (std::size_t k = 0; k < 3; ++k) ++edges[{corners[k], corners[(k + 1) % 3]}];
    for (const auto& [edge, count] : edges) REQUIRE((count == 1 && edges[{edge.second, edge.first}] == 1));
    // Voxels err by a part of one at the surface, on which rounding of corners takes some more.
    CHECK(volume_within(surface) == Approx(4.0 / 3 * EIGEN_PI * (125 + 3.375)).epsilon(0.02));
  }
}

TEST_CASE("both back ends give the same bits, for any number of threads") {
  if (!has_openvdb()) return scree::test::skip_not_built("OpenVDB");
  const FieldBox box{Vec3::Constant(-9), {9, 9, 8}, 0.31};
  const Told dense = told(*make_dense_field(box), true);
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    for (const bool exact : {false, true}) {
      const Told sparse = told(*make_openvdb_field(box, kDeepest), exact);
      CHECK(std::ranges::count_if(sparse.shallower, [](char c) { return c != 0; }) > 100);
      CHECK(sparse.shallower == dense.shallower);
      CHECK(sparse.depth == dense.depth);
      CHECK(sparse.surface.points == dense.surface.points);
      CHECK(sparse.surface.corners == dense.surface.corners);
    }
  }
}

TEST_CASE("below the band, depths read as its width at least") {
  if (!has_openvdb()) return scree::test::skip_not_built("OpenVDB");
  const auto field = make_openvdb_field({Vec3::Constant(-9), Vec3::Constant(9), kVoxel}, 3);
  field->add(std::vector<Ball>{{{0, 0, 0}, 8}});
  CHECK(depth_at(*field, {0, 0, 5.1}) == Approx(2.9).margin(kVoxel));
  for (const double z : {0.0, 2.0, 4.0, 4.5}) CHECK(depth_at(*field, {0, 0, z}) >= 3);
}

TEST_CASE("auto takes the sparse field where the box is much larger than what is in it") {
  if (!has_openvdb()) return scree::test::skip_not_built("OpenVDB");
  const FieldBox box{Vec3::Zero(), Vec3::Constant(300), 0.1};  // 3e10 voxels: too many for the dense one
  const auto field = make_field(FieldKind::automatic, box, 3, 1);
  field->add(std::vector<Ball>{{Vec3::Constant(150), 2}});
  CHECK(depth_at(*field, Vec3::Constant(150)) == Approx(2).margin(0.1));
}

TEST_CASE("a box of too many voxels is refused with what to do") {
  CHECK_THROWS_WITH(make_dense_field({Vec3::Zero(), Vec3::Constant(1000), 0.1}),
                    Catch::Matchers::ContainsSubstring("Use a coarser voxel"));
  if (has_openvdb())
    CHECK_THROWS_WITH(make_openvdb_field({Vec3::Zero(), Vec3::Constant(10000), 0.1}, 1),
                      Catch::Matchers::ContainsSubstring("Use a coarser voxel"));
}
