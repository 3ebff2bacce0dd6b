#include "implicit/chain.hpp"

namespace scree::nonsmooth {

namespace {

/// Place or turn of a row.
template <class Vector>
auto place_of(Vector& v, std::uint32_t row) {
  return v.template segment<3>(6 * static_cast<Eigen::Index>(row));
}
template <class Vector>
auto turn_of(Vector& v, std::uint32_t row) {
  return v.template segment<3>(6 * static_cast<Eigen::Index>(row) + 3);
}

/// d^2 (f . R x)/dth^2 for th = 0.
Mat3 curvature(const Vec3& f, const Vec3& arm) {
  return (f * arm.transpose() + arm * f.transpose()) / 2 - f.dot(arm) * Mat3::Identity();
}

}  // namespace

void move(const Fragment& fragment, std::span<const std::uint32_t> row, std::span<const double> mass,
          const solvers::BlockVector& step, solvers::Moving x) {
  std::vector<Vec3> gap(fragment.branches.size());  // of free roots: the place
  for (std::size_t k = 0; k < gap.size(); ++k) {
    const Branch& b = fragment.branches[k];
    const Vec3 to = x.position[b.body] + place_of(step, row[b.body]);
    if (b.parent == Branch::kNone) {
      gap[k] = to;
      continue;
    }
    const auto end = [&](std::uint32_t body, const Vec3& point) -> Vec3 {
      const Vec3 arm = x.orientation[body] * point;
      if (row[body] == solvers::Unknowns::kNone) return x.position[body] + arm;
      return x.position[body] + arm + place_of(step, row[body]) + Vec3(turn_of(step, row[body])).cross(arm);
    };
    gap[k] = end(b.body, b.point) - end(b.parent, b.parents_point);
  }
  // The centre of mass of a tree, if it were moved by places.
  std::vector<Vec3> centre(fragment.trees.size() - 1, Vec3::Zero());
  for (std::size_t t = 0; t + 1 < fragment.trees.size(); ++t)
    for (std::size_t k = fragment.trees[t]; k < fragment.trees[t + 1]; ++k) {
      const std::uint32_t body = fragment.branches[k].body;
      centre[t] += mass[body] * (x.position[body] + place_of(step, row[body]));
    }
  for (const Branch& b : fragment.branches)
    x.orientation[b.body] = solvers::retracted(x.orientation[b.body], turn_of(step, row[b.body]));
  for (std::size_t t = 0; t + 1 < fragment.trees.size(); ++t) {
    const std::size_t first = fragment.trees[t], last = fragment.trees[t + 1];
    Vec3 moved = Vec3::Zero();
    double whole = 0;
    for (std::size_t k = first; k < last; ++k) {
      const Branch& b = fragment.branches[k];
      x.position[b.body] = b.parent == Branch::kNone
                               ? gap[k]
                               : Vec3(x.position[b.parent] + x.orientation[b.parent] * b.parents_point + gap[k] -
                                      x.orientation[b.body] * b.point);
      moved += mass[b.body] * x.position[b.body];
      whole += mass[b.body];
    }
    if (fragment.branches[first].parent != Branch::kNone || last - first == 1) continue;
    const Vec3 shift = (centre[t] - moved) / whole;
    for (std::size_t k = first; k < last; ++k) x.position[fragment.branches[k].body] += shift;
  }
}

void curve(const Fragment& fragment, std::span<const std::uint32_t> row, std::span<const double> mass,
           const solvers::BlockVector& gradient, const Configuration& x, solvers::BlockMatrix& hessian) {
  std::vector<Vec3> beyond(fragment.branches.size());  // the gradient by the gap of each branch
  for (std::size_t t = 0; t + 1 < fragment.trees.size(); ++t) {
    const std::size_t first = fragment.trees[t], last = fragment.trees[t + 1];
    const bool held = fragment.branches[first].parent != Branch::kNone;
    Vec3 whole = Vec3::Zero();
    double weight = 0;
    for (std::size_t k = first; k < last; ++k) {
      const std::uint32_t body = fragment.branches[k].body;
      beyond[k] = place_of(gradient, row[body]);
      whole += beyond[k];
      weight += mass[body];
    }
    if (!held)
      for (std::size_t k = first; k < last; ++k) beyond[k] -= mass[fragment.branches[k].body] / weight * whole;
    for (std::size_t k = last; k-- > first + 1;) beyond[fragment.branches[k].parents_branch] += beyond[k];
    for (std::size_t k = first; k < last; ++k) {
      const Branch& b = fragment.branches[k];
      if (b.parent == Branch::kNone) continue;
      hessian.diagonal(row[b.body]).bottomRightCorner<3, 3>() -= curvature(beyond[k], x.orientation[b.body] * b.point);
      if (row[b.parent] != solvers::Unknowns::kNone)
        hessian.diagonal(row[b.parent]).bottomRightCorner<3, 3>() +=
            curvature(beyond[k], x.orientation[b.parent] * b.parents_point);
    }
  }
}

}  // namespace scree::nonsmooth
