/// \file Rods that hang as they were placed: the rest that bears the weight.

#include <fmt/format.h>

#include <cmath>

#include "bond/elastic_rod.hpp"

namespace scree::rods {

/// Returns the fault of a joint that rests so, or nothing.
std::string ElasticRod::why_overloaded(const Joint& joint, const JointState& balanced) const {
  const double angle = 2 * std::atan(joint.rest.norm() / 2);
  if (!(angle < kMostAtRest))
    return fmt::format(
        "the natural shape that bears what hangs there turns by {:.3g} rad at one joint; at most {:.3g} are possible. "
        "Use a stiffer section, less weight, or segments of at most {:.3g} times the length.",
        angle, kMostAtRest, kMostAtRest / angle);
  const double gap = balanced.gap.norm(), length = joint.half_a + joint.half_b;
  if (!(gap < length))
    return fmt::format(
        "what hangs there stretches a joint by {:.3g} m, more than its length of {:.3g} m. Use a section that "
        "is stiffer against stretch, or less weight.",
        gap, length);
  if (!plastic_flow(joint, balanced, options_.yield, axis()).isZero(0))
    return "what hangs there bends or twists a joint beyond the moment at which it yields. Raise that, or use less "
           "weight.";
  if (const double part = use(joint, pull(joint, balanced), moments(joint, balanced)); part > 1)
    return fmt::format("what hangs there loads a joint to {:.3g} times its strength. Raise that, or use less weight.",
                       part);
  return {};
}

/// Eq. (11), the inverse of statics: gap c = F/k, moments m = B (Omega - Omega0) with T^T m = R_a^T M. The gap is
/// parallel to the force, so that it makes no difference to moments about the joint.
std::string ElasticRod::balance(const BondView& bonds, std::span<const Wrench> loads, std::span<double> memory) const {
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    Joint joint = made(bonds, k);
    JointState balanced;
    balanced.axes = (bonds.made_a[k] * joint.frame_a).toRotationMatrix();
    balanced.gap = loads[k].force / joint.stretch;
    balanced.arm_a = bonds.joint[k] - balanced.gap / 2;
    balanced.arm_b = bonds.joint[k] - bonds.branch[k] + balanced.gap / 2;
    balanced.rodrigues = joint.rest;
    const Vec3 m = elastic_moments(joint.rest, balanced.axes.transpose() * loads[k].torque);
    const Vec3 turn = -m.cwiseQuotient(joint.turn);
    joint.rest += turn;
    if (std::string why = why_overloaded(joint, balanced); !why.empty()) return why;
    double* const to = memory.data() + k * kRemembered;
    for (int i = 0; i < 3; ++i) to[i] = turn[i], to[3 + i] = balanced.gap[i];
  }
  return {};
}

}  // namespace scree::rods
