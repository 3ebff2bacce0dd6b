#include "step/contact_term.hpp"

#include <algorithm>
#include <cstring>

#include "scree/shape/facets.hpp"

namespace scree::bonded {

namespace {

template <class T>
bool same(std::span<const T> a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Checks whether a body of this shape is one sphere about its own centre, in 2D one disc.
bool is_round(const Shape& shape) {
  const auto* const spheres = facet<SphereSet>(shape);
  return spheres && spheres->centres().size() == 1 && spheres->centres()[0].isZero(0);
}

/// d(overlap)/d(p, th) of the two bodies: the overlap grows as b moves against the normal.
using Row6 = Eigen::Matrix<double, 6, 1>;
Row6 slope(const Vec3& normal, const Vec3& arm, double sign) {
  Row6 row;
  row << sign * normal, sign * arm.cross(normal);
  return row;
}

}  // namespace

ContactTerm::ContactTerm(World& world, EnergyProblem& mechanics) : world_(world), mechanics_(mechanics) {
  for (const ShapeEntry& entry : world.shapes()) round_.push_back(is_round(*entry.shape));
}

/// Returns the second derivative by the rotation of the normal, eq. (35), times dV/d(overlap) [N/m]; zero for pairs
/// that are not round. For two round bodies overlap = r_a + r_b - |e|, with the second derivative -(I - n n^T)/|e| in e
/// = p_b - p_a: n turns when they move past each other.
Mat3 ContactTerm::across(const PotentialContact& c) const {
  const auto shape = world_.shape.read();
  if (!round_[shape[c.a]] || !round_[shape[c.b]]) return Mat3::Zero();
  Mat3 tangents = Mat3::Identity() - c.normal * c.normal.transpose();
  if (world_.dimension() == 2) tangents(2, 2) = 0;
  return -c.force / (c.arm_a - c.arm_b).norm() * tangents;
}

std::span<const PotentialContact> ContactTerm::at(const Configuration& x) const {
  if (pairs_.empty()) return {};
  if (same(x.position, seen_position_) && same(x.orientation, seen_orientation_)) return contacts_;
  seen_position_.assign(x.position.begin(), x.position.end());
  seen_orientation_.assign(x.orientation.begin(), x.orientation.end());
  return contacts_ = mechanics_.potentials(x);
}

void ContactTerm::energies(const Configuration& x, std::span<double> out) const {
  std::ranges::fill(out, 0.0);
  for (const PotentialContact& c : at(x)) out[c.a] += c.energy;
}

void ContactTerm::add_gradient(const Configuration& x, std::span<Wrench> out) const {
  for (const PotentialContact& c : at(x)) {
    const Vec3 force = c.force * c.normal;  // on b
    out[c.a].force += force;
    out[c.a].torque += c.arm_a.cross(force);
    out[c.b].force -= force;
    out[c.b].torque -= c.arm_b.cross(force);
  }
}

void ContactTerm::add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const {
  for (const PotentialContact& c : at(x)) {
    const Row6 a = slope(c.normal, c.arm_a, 1), b = slope(c.normal, c.arm_b, -1);
    const Mat3 turning = curvature == Curvature::exact ? across(c) : Mat3::Zero();
    const auto add = [&](std::uint32_t i, std::uint32_t j, const Row6& u, const Row6& v) {
      Block6* const block = out.block(i, j);
      if (!block) return;
      *block += c.stiffness * u * v.transpose();
      block->topLeftCorner<3, 3>() += i == j ? turning : Mat3(-turning);
    };
    add(c.a, c.a, a, a);
    add(c.b, c.b, b, b);
    add(c.a, c.b, a, b);
    add(c.b, c.a, b, a);
  }
}

}  // namespace scree::bonded
