#include "incremental/terms.hpp"

#include <algorithm>
#include <stdexcept>

#include "beam/ambient.hpp"
#include "incremental/for_each.hpp"
#include "incremental/rotation_inertia.hpp"
#include "scree/base/wide.hpp"

namespace scree::bonded {

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

PairContactTerm::PairContactTerm(std::vector<Pair> pairs, std::size_t bodies)
    : pairs_(std::move(pairs)), start_(bodies + 1, 0), of_body_(2 * pairs_.size()) {
  for (const Pair& p : pairs_) {
    if (p.a >= bodies || p.b >= bodies || p.a == p.b)
      throw std::invalid_argument("PairContactTerm: bodies " + std::to_string(p.a) + " and " + std::to_string(p.b) +
                                  " are no pair of " + std::to_string(bodies) + " bodies");
    ++start_[p.a + 1], ++start_[p.b + 1];
  }
  for (std::size_t i = 0; i < bodies; ++i) start_[i + 1] += start_[i];
  std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t k = 0; k < pairs_.size(); ++k) {
    of_body_[next[pairs_[k].a]++] = k;
    of_body_[next[pairs_[k].b]++] = k;
  }
}

Repulsion<double> PairContactTerm::at(const Configuration& x, const Pair& p, bool clamp) const {
  return pair_repulsion<double>(x.position[p.b] - x.position[p.a], p.stiffness, p.distance, clamp);
}

void PairContactTerm::energies(const Configuration& x, std::span<double> out) const {
  for_each(items(), [&](std::size_t k) { out[k] = at(x, pairs_[k], true).energy; });
}

void PairContactTerm::add_gradient(const Configuration& x, std::span<Wrench> out) const {
  for_each(start_.size() - 1, [&](std::size_t i) {
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) {
      const Pair& p = pairs_[of_body_[k]];
      const Vec3 by_e = at(x, p, true).gradient;
      out[i].force += p.b == i ? by_e : Vec3(-by_e);
    }
  });
}

void PairContactTerm::add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const {
  for_each(start_.size() - 1, [&](std::size_t body) {
    const auto i = static_cast<std::uint32_t>(body);
    Block* const own = out.block(i, i);
    if (!own) return;
    for (std::size_t k = start_[i]; k < start_[i + 1]; ++k) {
      const Pair& p = pairs_[of_body_[k]];
      const auto v = at(x, p, curvature == Curvature::clamped);
      if (!(v.overlap > 0)) continue;
      own->topLeftCorner<3, 3>() += v.hessian;
      if (Block* const coupling = out.block(i, p.b == i ? p.a : p.b)) coupling->topLeftCorner<3, 3>() -= v.hessian;
    }
  });
}

void PairContactTerm::list_pairs(std::vector<BodyPair>& out) const {
  for (const Pair& p : pairs_) out.emplace_back(p.a, p.b);
}

Repulsion<double> ObstacleTerm::at(const Configuration& x, std::size_t body) const {
  const SignedDistance g = field_(x.position[body]);
  return obstacle_repulsion<double>(g.value, g.gradient, radius_[body], stiffness_[body]);
}
void ObstacleTerm::energies(const Configuration& x, std::span<double> out) const {
  for_each(items(), [&](std::size_t i) { out[i] = at(x, i).energy; });
}
void ObstacleTerm::add_gradient(const Configuration& x, std::span<Wrench> out) const {
  for_each(items(), [&](std::size_t i) { out[i].force += at(x, i).gradient; });
}
void ObstacleTerm::add_hessian(const Configuration& x, Curvature, const HessianSink& out) const {
  for_each(items(), [&](std::size_t body) {
    const auto i = static_cast<std::uint32_t>(body);
    if (Block* const own = out.block(i, i)) own->topLeftCorner<3, 3>() += at(x, i).hessian;
  });
}

}  // namespace scree::bonded
