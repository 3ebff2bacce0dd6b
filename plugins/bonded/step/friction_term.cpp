#include "step/friction_term.hpp"

#include <algorithm>
#include <cmath>

#include "contact/friction_potential.hpp"

namespace scree::bonded {

void FrictionTerm::begin(const Configuration& from, double h) {
  position_.assign(from.position.begin(), from.position.end());
  orientation_.assign(from.orientation.begin(), from.orientation.end());
  h_ = h;
}

double FrictionTerm::lag(std::span<const PotentialContact> contacts, const Configuration& x) {
  const std::vector<Rub> before = std::move(rubs_);
  rubs_.clear();
  for (const PotentialContact& c : contacts)
    rubs_.push_back({c.a, c.b, c.friction * c.force, c.normal, x.orientation[c.a].conjugate() * c.arm_a,
                     x.orientation[c.b].conjugate() * c.arm_b});
  // Limits of pairs, before as negative numbers: what is left in the sum of a pair is its change.
  struct Share {
    std::uint32_t a, b;
    double limit;
  };
  std::vector<Share> shares;
  for (const Rub& r : before) shares.push_back({r.a, r.b, -r.limit});
  for (const Rub& r : rubs_) shares.push_back({r.a, r.b, r.limit});
  std::ranges::stable_sort(shares, [](const Share& p, const Share& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
  double change = 0, all = 0;
  for (std::size_t k = 0; k < shares.size();) {
    double of_pair = 0;
    const Share& first = shares[k];
    for (; k < shares.size() && shares[k].a == first.a && shares[k].b == first.b; ++k) {
      of_pair += shares[k].limit;
      all += std::max(0.0, shares[k].limit);
    }
    change += std::abs(of_pair);
  }
  return change > 0 ? change / std::max(all, 1e-300) : 0;
}

FrictionTerm::Slide FrictionTerm::slide(const Configuration& x, const Rub& rub) const {
  Slide s;
  s.arm_a = x.orientation[rub.a] * rub.at_a;
  s.arm_b = x.orientation[rub.b] * rub.at_b;
  const auto rate = [&](std::uint32_t i, const Vec3& arm, const Vec3& at) {
    return Vec3((x.position[i] - position_[i] + arm - orientation_[i] * at) / h_);
  };
  s.rate_a = rate(rub.a, s.arm_a, rub.at_a);
  s.rate_b = rate(rub.b, s.arm_b, rub.at_b);
  const Vec3 u = s.rate_a - s.rate_b;
  s.rate = u - u.dot(rub.normal) * rub.normal;
  s.speed = s.rate.norm();
  return s;
}

Vec3 FrictionTerm::pull(const Rub& rub, const Slide& s) const {
  return rub.limit * friction_slope(s.speed, smooth_) * s.rate;
}

Vec3 FrictionTerm::force(const Configuration& x, std::size_t k) const { return pull(rubs_[k], slide(x, rubs_[k])); }

double FrictionTerm::power(const Configuration& x, std::span<const std::uint8_t> driven) const {
  double sum = 0;
  for (const Rub& rub : rubs_) {
    if (!(rub.limit > 0)) continue;
    const Slide s = slide(x, rub);
    const Vec3 on_b = pull(rub, s);
    if (!driven[rub.a]) sum -= on_b.dot(s.rate_a);
    if (!driven[rub.b]) sum += on_b.dot(s.rate_b);
  }
  return sum;
}

void FrictionTerm::energies(const Configuration& x, std::span<double> out) const {
  for (std::size_t k = 0; k < rubs_.size(); ++k)
    out[k] = rubs_[k].limit > 0 ? rubs_[k].limit * h_ * friction_potential(slide(x, rubs_[k]).speed, smooth_) : 0;
}

void FrictionTerm::add_gradient(const Configuration& x, std::span<Wrench> out) const {
  for (const Rub& rub : rubs_) {
    if (!(rub.limit > 0)) continue;
    const Slide s = slide(x, rub);
    const Vec3 force = pull(rub, s);
    out[rub.a].force += force;
    out[rub.a].torque += s.arm_a.cross(force);
    out[rub.b].force -= force;
    out[rub.b].torque -= s.arm_b.cross(force);
  }
}

void FrictionTerm::add_hessian(const Configuration& x, Curvature, const HessianSink& out) const {
  using Row = Eigen::Matrix<double, 3, 6>;  // of the velocity of a point that moves with a body
  for (const Rub& rub : rubs_) {
    if (!(rub.limit > 0)) continue;
    const Slide s = slide(x, rub);
    const double across = friction_slope(s.speed, smooth_), along = friction_curvature(s.speed, smooth_);
    Mat3 m = across * (Mat3::Identity() - rub.normal * rub.normal.transpose());
    if (s.speed > 0) m += (along - across) / (s.speed * s.speed) * s.rate * s.rate.transpose();
    m *= rub.limit / h_;
    const auto point = [](const Vec3& arm, double sign) {
      Row row;
      row << sign * Mat3::Identity(), -sign * cross_matrix<double>(arm);
      return row;
    };
    const Row a = point(s.arm_a, 1), b = point(s.arm_b, -1);
    const auto add = [&](std::uint32_t i, std::uint32_t j, const Row& u, const Row& v) {
      if (Block6* const block = out.block(i, j)) *block += u.transpose() * m * v;
    };
    add(rub.a, rub.a, a, a);
    add(rub.b, rub.b, b, b);
    add(rub.a, rub.b, a, b);
    add(rub.b, rub.a, b, a);
  }
}

}  // namespace scree::bonded
