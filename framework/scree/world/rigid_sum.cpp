#include "scree/world/rigid_sum.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <string>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/base/exact_vector.hpp"

namespace scree {

namespace {

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

/// Returns the sum with its centre and velocity. Places are measured from one of the bodies, which saves digits far
/// from the origin.
RigidBody mass_and_momentum(std::span<const RigidBody> parts) {
  RigidBody sum;
  ExactSum mass;
  ExactVector moment, momentum;
  for (const RigidBody& p : parts) {
    mass.add(p.mass);
    moment.add(p.mass * (p.frame.position - parts[0].frame.position));
    momentum.add(p.mass * p.twist.velocity);
  }
  sum.mass = mass.value();
  if (!(sum.mass > 0)) throw Error("a rigid sum of " + std::to_string(parts.size()) + " bodies has no mass");
  sum.frame.position = parts[0].frame.position + moment.value() / sum.mass;
  sum.twist.velocity = momentum.value() / sum.mass;
  return sum;
}

}  // namespace

RigidBody rigid_sum(std::span<const RigidBody> parts, int dimension) {
  RigidBody sum = mass_and_momentum(parts);
  ExactVector columns[3], spin;  // columns of the tensor of inertia
  for (const RigidBody& p : parts) {
    const Mat3 own = inertia_tensor(p);
    const Vec3 arm = p.frame.position - sum.frame.position;
    const Mat3 about = own + p.mass * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    for (int k = 0; k < 3; ++k) columns[k].add(about.col(k));
    spin.add(own * p.twist.angular_velocity + p.mass * arm.cross(p.twist.velocity - sum.twist.velocity));
  }
  Mat3 tensor;
  for (int k = 0; k < 3; ++k) tensor.col(k) = columns[k].value();
  const Principal of = principal(tensor, dimension);
  sum.inertia = of.moments;
  sum.frame.orientation = of.axes;
  const Mat3 axes = of.axes.toRotationMatrix();
  Vec3 rate = axes.transpose() * spin.value();
  for (int k = 0; k < 3; ++k) rate[k] = of.moments[k] > 0 ? rate[k] / of.moments[k] : 0;
  sum.twist.angular_velocity = axes * rate;
  return sum;
}

RigidBody rigid_sum(const World& world, std::span<const Id> bodies) {
  std::vector<Id> ids(bodies.begin(), bodies.end());
  std::sort(ids.begin(), ids.end());
  std::vector<RigidBody> parts;
  for (const Id id : ids) {
    const auto row = world.row(id);
    if (!row) throw Error("body " + std::to_string(id) + " is to be part of a rigid sum, but is not there");
    const std::size_t i = *row;
    parts.push_back({world.mass.read()[i],
                     world.inertia.read()[i],
                     {world.position.read()[i], world.orientation.read()[i]},
                     {world.velocity.read()[i], world.angular_velocity.read()[i]}});
  }
  return rigid_sum(parts, world.dimension());
}

}  // namespace scree
