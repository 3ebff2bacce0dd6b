#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "bond/elastic_rod.hpp"
#include "scree/base/parallel.hpp"

namespace scree::rods {

namespace {

using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// The square root of the inverse inertia tensor of a segment, world axes. \param about_axis  its smallest moment
Mat3 root_of_inverse(double mass, double about_axis, double half_length, const Vec3& axis) {
  const double across = mass * half_length * half_length / 3 + about_axis / 2;
  const Mat3 along = axis * axis.transpose();
  return along / std::sqrt(about_axis) + (Mat3::Identity() - along) / std::sqrt(across);
}

}  // namespace

/// 2/omega of the fastest joint alone, with the mass of each body shared by its joints. The tensor of inertia is that
/// of a round cylinder with the given moment about its axis. What does not move has no part.
double ElasticRod::stable_time_step(const Configuration& x, std::span<const double> mass,
                                    std::span<const double> moment) const {
  const double largest = parallel_max(static_cast<std::ptrdiff_t>(joints_.size()), [&](std::ptrdiff_t k) -> double {
    const Joint& joint = joints_[static_cast<std::size_t>(k)];
    const JointState s = state(x, joint);
    Matrix12 root = Matrix12::Zero();
    const auto add = [&](int at, std::uint32_t body, const Vec3& arm, double half) {
      if (!(mass[body] > 0 && half > 0)) return;
      const double share = std::sqrt(static_cast<double>(ends_of(body).size()));
      root.block<3, 3>(at, at) = share / std::sqrt(mass[body]) * Mat3::Identity();
      root.block<3, 3>(at + 3, at + 3) = share * root_of_inverse(mass[body], moment[body], half, arm.normalized());
      if (options_.dimension == 2) root.block<2, 2>(at + 3, at + 3).setZero();
    };
    add(0, joint.a, s.arm_a, joint.half_a);
    add(6, joint.b, s.arm_b, joint.half_b);
    const Matrix12 scaled = root.transpose() * whole(hessian(joint, s, true)) * root;
    return Eigen::SelfAdjointEigenSolver<Matrix12>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[11];
  });
  return largest > 0 ? 2 / std::sqrt(largest) : std::numeric_limits<double>::infinity();
}

}  // namespace scree::rods
