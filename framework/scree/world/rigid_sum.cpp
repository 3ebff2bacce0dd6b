#include "scree/world/rigid_sum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <string>
#include <vector>

#include "scree/base/error.hpp"

namespace scree {

namespace {

/// In the order of ids.
std::vector<std::size_t> rows_of(const World& world, std::span<const Id> bodies) {
  std::vector<Id> ids(bodies.begin(), bodies.end());
  std::sort(ids.begin(), ids.end());
  std::vector<std::size_t> rows;
  for (const Id id : ids) {
    const auto row = world.row(id);
    if (!row) throw Error("body " + std::to_string(id) + " is to be part of a rigid sum, but is not there");
    rows.push_back(*row);
  }
  return rows;
}

/// Principal moments of a tensor [kg m^2], and the axes they belong to.
struct Principal {
  Vec3 moments;
  Quat axes;
};
Principal principal(const Mat3& tensor, int dimension) {
  if (dimension == 2) return {{0, 0, tensor(2, 2)}, Quat::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(tensor);
  Mat3 axes = solver.eigenvectors();
  if (axes.determinant() < 0) axes.col(2) = -axes.col(2);
  return {solver.eigenvalues(), Quat(axes).normalized()};
}

/// Centre and velocity; places are measured from one of the bodies, which saves digits far from the origin.
RigidBody mass_and_momentum(const World& world, std::span<const std::size_t> rows) {
  const auto x = world.position.read(), v = world.velocity.read();
  const auto m = world.mass.read();
  RigidBody sum;
  for (const std::size_t i : rows) {
    sum.mass += m[i];
    sum.frame.position += m[i] * (x[i] - x[rows[0]]);
    sum.twist.velocity += m[i] * v[i];
  }
  if (!(sum.mass > 0)) throw Error("a rigid sum of " + std::to_string(rows.size()) + " bodies has no mass");
  sum.frame.position = x[rows[0]] + sum.frame.position / sum.mass;
  sum.twist.velocity /= sum.mass;
  return sum;
}

}  // namespace

RigidBody rigid_sum(const World& world, std::span<const Id> bodies) {
  const std::vector<std::size_t> rows = rows_of(world, bodies);
  RigidBody sum = mass_and_momentum(world, rows);
  const auto x = world.position.read(), v = world.velocity.read(), w = world.angular_velocity.read();
  const auto inertia = world.inertia.read();
  const auto m = world.mass.read();
  const auto q = world.orientation.read();
  Mat3 tensor = Mat3::Zero();
  Vec3 spin = Vec3::Zero();
  for (const std::size_t i : rows) {
    const Mat3 turn = q[i].toRotationMatrix();
    const Mat3 own = turn * inertia[i].asDiagonal() * turn.transpose();
    const Vec3 arm = x[i] - sum.frame.position;
    tensor += own + m[i] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    spin += own * w[i] + m[i] * arm.cross(v[i] - sum.twist.velocity);
  }
  const Principal of = principal(tensor, world.dimension());
  sum.inertia = of.moments;
  sum.frame.orientation = of.axes;
  const Mat3 axes = of.axes.toRotationMatrix();
  Vec3 rate = axes.transpose() * spin;
  for (int k = 0; k < 3; ++k) rate[k] = of.moments[k] > 0 ? rate[k] / of.moments[k] : 0;
  sum.twist.angular_velocity = axes * rate;
  return sum;
}

}  // namespace scree
