#include "solvers/newton/terms.hpp"

#include <algorithm>
#include <stdexcept>

#include "solvers/newton/quaternion_tangent.hpp"
#include "solvers/newton/for_each.hpp"
#include "solvers/newton/rotation_inertia.hpp"
#include "scree/base/wide.hpp"

namespace scree::solvers {

void InertiaTerm::energies(const Configuration& x, std::span<double> out) const {
  const double scale = 0.5 / (c_.step * c_.step);
  for_each(items(), [&](std::size_t i) {
    if (unequal(c_.moments, i)) {
      out[i] = scale * c_.mass[i] * (x.position[i] - c_.position[i]).squaredNorm() +
               rotation_energy<double>(x.orientation[i], c_.orientation[i], c_.moments[i], c_.step);
      return;
    }
    const auto off = x.orientation[i].coeffs() - c_.orientation[i].coeffs();
    out[i] =
        scale * (c_.mass[i] * (x.position[i] - c_.position[i]).squaredNorm() + 4 * c_.moment[i] * off.squaredNorm());
  });
}

void InertiaTerm::set(const Columns& columns) {
  c_ = columns;
  unequal_.clear();
  for (std::uint32_t i = 0; i < c_.moments.size(); ++i)
    if (unequal(c_.moments, i)) unequal_.push_back(i);
}

/// The bodies with unequal moments, four at a time. \param f  f(four, q, q^, moments), on any thread
template <class F>
void InertiaTerm::for_fours(const Configuration& x, const F& f) const {
  for_each((unequal_.size() + 3) / 4, [&](std::size_t k) {
    Four four;
    four.count = std::min<std::size_t>(4, unequal_.size() - 4 * k);
    for (std::size_t lane = 0; lane < 4; ++lane) four.body[lane] = unequal_[4 * k + std::min(lane, four.count - 1)];
    const auto of_all = [&](const auto& column) {
      return pack(column[four.body[0]], column[four.body[1]], column[four.body[2]], column[four.body[3]]);
    };
    f(four, of_all(x.orientation), of_all(c_.orientation), of_all(c_.moments));
  });
}

void InertiaTerm::add_gradient(const Configuration& x, std::span<Wrench> out) const {
  const double scale = 1 / (c_.step * c_.step);
  for_each(items(), [&](std::size_t i) {
    out[i].force += (scale * c_.mass[i]) * (x.position[i] - c_.position[i]);
    if (unequal(c_.moments, i)) return;
    const Ambient4<double> off = x.orientation[i].coeffs() - c_.orientation[i].coeffs();
    out[i].torque += (4 * scale * c_.moment[i]) * (tangent<double>(x.orientation[i].coeffs()) * off);
  });
  for_fours(x, [&](const Four& four, const WideQuat& q, const WideQuat& predicted, const WideVec3& moments) {
    const WideVec3 torque = rotation_torque<Wide>(q, predicted, moments, c_.step);
    for (int lane = 0; lane < static_cast<int>(four.count); ++lane)
      for (int k = 0; k < 3; ++k) out[four.body[static_cast<std::size_t>(lane)]].torque[k] += torque[k][lane];
  });
}

void InertiaTerm::add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const {
  const double scale = 1 / (c_.step * c_.step);
  for_each(items(), [&](std::size_t body) {
    const auto i = static_cast<std::uint32_t>(body);
    Block* const own = out.block(i, i);
    if (!own) return;
    Block& block = *own;
    block.diagonal().head<3>().array() += scale * c_.mass[i];
    if (unequal(c_.moments, body)) return;
    // Negative only for a step of more than half a turn.
    const double cosine = x.orientation[i].coeffs().dot(c_.orientation[i].coeffs());
    const double kept = curvature == Curvature::clamped ? std::max(cosine, 0.0) : cosine;
    block.diagonal().tail<3>().array() += scale * c_.moment[i] * kept;
  });
  const auto hessian = curvature == Curvature::clamped ? rotation_hessian_clamped<Wide> : rotation_hessian<Wide>;
  for_fours(x, [&](const Four& four, const WideQuat& q, const WideQuat& predicted, const WideVec3& moments) {
    const Matrix<Wide> all = hessian(q, predicted, moments, c_.step);
    Mat3 of_body[4];
    unpack(all, of_body);
    for (std::size_t lane = 0; lane < four.count; ++lane)
      if (Block* const own = out.block(four.body[lane], four.body[lane]))
        own->bottomRightCorner<3, 3>() += of_body[lane];
  });
}

void LoadTerm::energies(const Configuration& x, std::span<double> out) const {
  for_each(items(), [&](std::size_t i) { out[i] = -force_[i].dot(x.position[i]); });
}
void LoadTerm::add_gradient(const Configuration&, std::span<Wrench> out) const {
  for_each(items(), [&](std::size_t i) { out[i].force -= force_[i]; });
}

}  // namespace scree::solvers
