#include "contact/pair_terms.hpp"

#include <stdexcept>

#include "solvers/newton/for_each.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

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
