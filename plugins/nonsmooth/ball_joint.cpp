#include "ball_joint.hpp"

#include <algorithm>

namespace scree::nonsmooth {

void BallJoint::bind(const BondView& bonds, std::size_t) {
  bonds_.clear();
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    const Vec3 &branch = bonds.branch[k], from_a = position_ * branch, from_b = (position_ - 1) * branch;
    bonds_.push_back(
        {bonds.a[k], bonds.b[k], bonds.made_a[k].conjugate() * from_a, bonds.made_b[k].conjugate() * from_b});
  }
}

const void* BallJoint::face(std::string_view name) const noexcept {
  return name == BondJoints::kName ? static_cast<const BondJoints*>(this) : nullptr;
}

void BallJoint::utilisation(const Configuration&, std::span<double> out) const { std::ranges::fill(out, 0.0); }

void BallJoint::arms(const Configuration& x, std::span<Vec3> arm_a, std::span<Vec3> arm_b) const {
  for (std::size_t k = 0; k < bonds_.size(); ++k) {
    arm_a[k] = x.orientation[bonds_[k].a] * bonds_[k].point_a;
    arm_b[k] = x.orientation[bonds_[k].b] * bonds_[k].point_b;
  }
}

}  // namespace scree::nonsmooth
