// A plate that is pushed into sand, beside Prandtl's bearing capacity. Numbers beside gates are what was measured.

#include <algorithm>

#include "bed_test.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

/// A rectangle.
class Block final : public SignedDistance {
 public:
  explicit Block(const Vec3& half_sizes) : half_(half_sizes) {}
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec3 sign(std::copysign(1, points[i][0]), std::copysign(1, points[i][1]), 0);
      const Vec3 over(std::abs(points[i][0]) - half_[0], std::abs(points[i][1]) - half_[1], 0);
      const Vec3 outside = over.cwiseMax(0);
      const bool side = over[0] > over[1];
      distance[i] = outside.norm() > 0 ? outside.norm() : std::max(over[0], over[1]);
      gradient[i] = outside.norm() > 0 ? Vec3(sign.cwiseProduct(outside).normalized())
                    : side             ? Vec3(sign[0] * Vec3::UnitX())
                                       : Vec3(sign[1] * Vec3::UnitY());
    }
  }

 private:
  Vec3 half_;
};

/// Mean loads on a plate of 40 mm that goes down 18 mm into 120 mm of sand, over six parts of its way [N].
std::vector<double> plate_loads(double h, double dt, double speed) {
  constexpr double kWidth = 0.48, kDepth = 0.12, kHalf = 0.02, kPart = 0.003;
  const auto cells = [&](double length) { return 3 * static_cast<int>(std::lround(length / h)); };
  Bed<2> bed(h);
  bed.options.solver.max_sweeps = 1000;
  bed.gravity = Vec3(0, -9.81, 0);
  bed.wall(kFloor2, Vec3::Zero(), 0.5);
  bed.wall(kLeft, Vec3::Zero(), 0);
  bed.wall(kRight, Vec3(kWidth, 0, 0), 0);
  bed.block(Vec3::Zero(), {cells(kWidth), cells(kDepth), 1}, h / 3);
  const Block block(Vec3(kHalf, 0.02, 0));
  Wall plate;
  plate.body = 2000;
  plate.distance = &block;
  plate.fixed = false;
  plate.friction = 0.5;
  plate.radius = std::hypot(kHalf, 0.02);
  plate.centre = Vec3(kWidth / 2, kDepth + 0.02, 0);
  plate.velocity = Vec3(0, -speed, 0);
  bed.walls.push_back(plate);
  std::vector<double> loads;
  for (int part = 1; part <= 6; ++part) {
    double sum = 0;
    int count = 0;
    while (bed.walls.back().centre[1] > kDepth + 0.02 - kPart * part + 1e-12) {
      bed.run(1, dt);
      bed.walls.back().centre += dt * bed.walls.back().velocity;
      sum += bed.loads.back().impulse[1] / dt;
      ++count;
    }
    loads.push_back(sum / count);
  }
  return loads;
}

}  // namespace

TEST_CASE("a plate that is pushed into sand meets Prandtl's load") {
  // Of a strip of 40 mm, for angles of friction from 26.6 degrees, tan = mu, to 30, sin = mu: 125 to 282 N at 10 mm
  // below the surface, 199 to 390 N at 15 to 18 mm. Loads dip where its bottom crosses a line of the grid.
  for (const double cell : {0.008, 0.005}) {
    // With 8 mm: 114, 187, 152, 221, 315, 265 N over 3 mm each; with 5 mm 141, 141, 221, 229, 267, 304.
    const std::vector<double> loads = plate_loads(cell, 2e-3, 0.03);
    INFO("cells of " << cell << " m: " << loads[2] << ", " << loads[3] << " N at 10 mm, " << loads[5]
                     << " N at 16.5 mm");
    for (const double load : {loads[2], loads[3]}) {
      CHECK(load > 125);
      CHECK(load < 282);
    }
    CHECK(loads[5] > 199);
    CHECK(loads[5] < 390);
  }
}
