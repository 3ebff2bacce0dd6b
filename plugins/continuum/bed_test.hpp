#pragma once
/// \file Beds of points between planes, stepped without a World.

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "continuum_step.hpp"
#include "solvers/drucker_prager/cone_coordinates.hpp"

namespace scree::continuum::test {

constexpr double kDensity = 2500;  // [kg/m^3]

/// Matter on one side of a plane through the body's position.
class Plane final : public Faces {
 public:
  explicit Plane(const Vec3& normal) : normal_(normal.normalized()) {}
  int face_count() const noexcept override { return 1; }
  void face(int, std::span<const Vec3> points, std::span<FacePoint> seen) const override {
    for (std::size_t i = 0; i < points.size(); ++i) seen[i] = {normal_.dot(points[i]), normal_, {0, 0}};
  }

 private:
  Vec3 normal_;
};

/// A disc or a ball.
class Ball final : public SignedDistance {
 public:
  explicit Ball(double radius) : radius_(radius) {}
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double r = points[i].norm();
      distance[i] = r - radius_;
      gradient[i] = r > 0 ? Vec3(points[i] / r) : Vec3::UnitX();
    }
  }

 private:
  double radius_;
};

inline const Plane kFloor2(Vec3::UnitY()), kFloor3(Vec3::UnitZ()), kLeft(Vec3::UnitX()), kRight(-Vec3::UnitX());

/// \param angle  angle of a slope [rad]   \return gravity along and across it [m/s^2]
template <int D>
Vec3 tilted(double angle) {
  Vec3 g = Vec3::Zero();
  g[0] = 9.81 * std::sin(angle);
  g[D - 1] = -9.81 * std::cos(angle);
  return g;
}
constexpr double degrees(double angle) { return angle * std::numbers::pi / 180; }

template <int D>
struct Bed {
  Lattice<D> lattice;
  StepOptions options;
  std::vector<Wall> walls;
  PointSet points;
  Memory<D> memory;
  std::vector<WallLoad> loads;
  std::vector<WallContact> contacts;  ///< contacts of walls among each other
  StepReport report;
  int missed = 0;  ///< steps that were not solved
  Vec3 gravity = Vec3(0, 0, 0);
  double time = 0;
  int threads = 1;  ///< beds are small

  explicit Bed(double width) {
    lattice.width = width;
    options.solver.max_sweeps = 20000;
  }
  void wall(const Plane& plane, const Vec3& centre, double friction) {
    Wall wall;
    wall.body = 1000 + walls.size();
    wall.faces = &plane;
    wall.centre = centre;
    wall.friction = friction;
    walls.push_back(wall);
  }
  /// A disc or a ball that moves freely.
  Wall& body(const Ball& ball, double radius, const Vec3& centre, double density, double friction) {
    const double volume = std::numbers::pi * radius * radius * (D == 2 ? 1 : 4. / 3 * radius);
    Wall wall;
    wall.body = 1000 + walls.size();
    wall.distance = &ball;
    wall.fixed = false;
    wall.radius = radius;
    wall.friction = friction;
    wall.centre = centre;
    wall.freedom.inverse_mass = 1 / (density * volume);
    wall.freedom.moments = Vec3::Constant((D == 2 ? 0.5 : 0.4) * density * volume * radius * radius);
    wall.freedom.inverse_moments = wall.freedom.moments.cwiseInverse();
    walls.push_back(wall);
    return walls.back();
  }
  void point(const Vec3& x, double spacing, double fraction) {
    const std::size_t p = points.size();
    points.resize(p + 1);
    points.id[p] = p;
    points.position[p] = x;
    points.velocity[p].setZero();
    points.affine[p].setZero();
    points.pressure[p] = points.shear_rate[p] = points.solid_fraction[p] = points.pore_pressure[p] = 0;
    points.expansion[p] = options.max_fraction / fraction - 1;
    points.volume[p] = fraction * std::pow(spacing, D);
    points.mass[p] = kDensity * points.volume[p];
  }
  /// Points in the middle of cubes that fill a box from `lower` on.
  void block(const Vec3& lower, std::array<int, 3> counts, double spacing, double fraction = 0.6) {
    for (int k = 0; k < (D == 3 ? counts[2] : 1); ++k)
      for (int j = 0; j < counts[1]; ++j)
        for (int i = 0; i < counts[0]; ++i)
          point(lower + spacing * Vec3(i + 0.5, j + 0.5, D == 3 ? k + 0.5 : 0), spacing, fraction);
  }
  void move(const Vec3& v) {
    for (Vec3& velocity : points.velocity) velocity = v;
  }
  void run(int steps, double dt) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    if (!step_) step_ = std::make_unique<ContinuumStep<D>>(options);
    for (int s = 0; s < steps; ++s) {
      points.gravity = gravity;
      for (std::size_t p = 0; p < points.size(); ++p)
        points.force[p] = (points.mass[p] - points.volume[p] * options.fluid.density) * gravity;
      for (Wall& wall : walls)
        if (wall.free()) wall.freedom.external.force = gravity / wall.freedom.inverse_mass;
      loads.assign(walls.size(), {});
      report = step_->advance(lattice, walls, contacts, dt, points, memory, loads);
      missed += report.solver.status != Status::solved;
      time += dt;
    }
    omp_set_num_threads(before);
  }
  std::vector<GridImage> images() const { return step_ ? step_->images() : std::vector<GridImage>{}; }
  double fastest() const {
    double v = 0;
    for (const Vec3& velocity : points.velocity) v = std::max(v, velocity.norm());
    return v;
  }
  Vec3 momentum() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t p = 0; p < points.size(); ++p) sum += points.mass[p] * points.velocity[p];
    return sum;
  }
  double mass() const {
    double sum = 0;
    for (const double m : points.mass) sum += m;
    return sum;
  }
  double mean_velocity(int axis) const { return momentum()[axis] / mass(); }
  /// Stress of a node per grain volume [Pa].
  Mat<D> stress(std::size_t node) const { return to_tensor(memory.stress[node]) / memory.dt; }

 private:
  std::unique_ptr<ContinuumStep<D>> step_;
};

/// A layer of so many cells on a slope that goes on without end.
template <int D>
Bed<D> slope(double angle, int cells, double tolerance, double floor_friction = 1e3, double floor = 0) {
  const double h = 1. / cells;
  const int along = D == 2 ? 3 : 2;
  Bed<D> bed(h);
  bed.options.solver.tolerance = tolerance;
  for (int k = 0; k < D - 1; ++k) bed.lattice.period[k] = 4;
  bed.gravity = tilted<D>(angle);
  bed.wall(D == 2 ? kFloor2 : kFloor3, floor * h * Vec3::Unit(D - 1), floor_friction);
  std::array<int, 3> counts = {4 * along, 4 * along, 4 * along};
  counts[D - 1] = cells * along;
  bed.block(floor * h * Vec3::Unit(D - 1), counts, h / along);
  return bed;
}

}  // namespace scree::continuum::test
