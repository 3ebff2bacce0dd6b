#pragma once
/// \file Coulomb's law of one contact by cases: take-off, stick, and every way to slide.
///
/// In space the condition on the norm of the sliding impulse, times det(W~ + alpha I)^2, is a quartic in alpha. In the
/// plane x_T = +-mu x_N leaves a linear equation for each sign.
///
/// \source O. Bonnefon, G. Daviet, INRIA RT-0410 (2011)

#include <optional>

#include "solvers/coulomb/bernstein.hpp"
#include "solvers/coulomb/fischer_burmeister.hpp"
#include "solvers/coulomb/sliding.hpp"

namespace scree::coulomb {

/// x = -W^-1 b: no relative velocity.
template <int D>
inline Vec<D> hold(const LocalProblem<D>& p, const Vec<D>& b) {
  Vec<D> x = -(p.inverse * b);
  if (!p.regular) x -= p.inverse * (p.W * x + b);
  return x;
}

/// \return what holds the contact where that lies in the cone
template <int D>
inline std::optional<Vec<D>> stick(const LocalProblem<D>& p, const Vec<D>& b) {
  const Vec<D> x = hold<D>(p, b);
  if (!(x[0] >= 0 && x.template tail<D - 1>().squaredNorm() <= p.friction * p.friction * x[0] * x[0])) return {};
  if (!p.regular && !(relative_residual<D>(p, b, x) < kLocalTolerance)) return {};
  return x;
}

/// \return the impulse without friction; nothing where no normal impulse helps
template <int D>
inline std::optional<Vec<D>> frictionless(const LocalProblem<D>& p, const Vec<D>& b) {
  if (b[0] >= 0) return Vec<D>::Zero();
  if (!(p.W(0, 0) > kNoNormal)) return {};
  return -b[0] / p.W(0, 0) * Vec<D>::Unit(0);
}

/// Calls visit(x) for every sliding impulse.
template <class Visit>
inline void for_each_slide(const LocalProblem<2>& p, const Vec<2>& b, const Visit& visit) {
  for (const double mu : {p.friction, -p.friction}) {
    const double normal = -b[0] / (p.W(0, 0) + mu * p.W(0, 1));
    if (normal > 0 && std::isfinite(normal)) visit(Vec<2>(normal, mu * normal));
  }
}

template <class Visit>
inline void for_each_slide(const LocalProblem<3>& p, const Vec<3>& b, const Visit& visit) {
  if (!(p.W(0, 0) > kNoNormal)) return;
  const SlidingEquation<3> sliding(p, b);
  const auto& [wn, nt, schur, c, bn, mu] = sliding;
  // With the characteristic polynomial det of the Schur complement,
  //   x_T = -(a + alpha c) / det,  x_N = -(p0 + p1 alpha + p2 alpha^2) / (wn det).
  const double trace = schur.trace(), det = schur.determinant();
  const Vec<2> a(schur(1, 1) * c[0] - schur(0, 1) * c[1], schur(0, 0) * c[1] - schur(1, 0) * c[0]);
  const double p0 = bn * det - nt.dot(a), p1 = bn * trace - nt.dot(c), p2 = bn;
  const double ww = wn * wn, mm = mu * mu;
  const std::array<double, 5> power = {ww * a.squaredNorm() - mm * p0 * p0, 2 * (ww * a.dot(c) - mm * p0 * p1),
                                       ww * c.squaredNorm() - mm * (p1 * p1 + 2 * p0 * p2), -2 * mm * p1 * p2,
                                       -mm * p2 * p2};
  // alpha = t / (1 - t) maps [0, infinity] on [0, 1], and powers to Bernstein's basis.
  const UnitRoots<4> roots = unit_roots<4>({power[0], power[1] / 4, power[2] / 6, power[3] / 4, power[4]});
  for (int k = 0; k < roots.count; ++k) {
    const Vec<3> x = sliding.impulse(roots.at[k] / (1 - roots.at[k]));
    if (x[0] > 0 && x.allFinite()) visit(x);
  }
}

/// \return the sliding impulse nearest to the start; nothing where no root satisfies the law
template <int D>
inline std::optional<Vec<D>> slide(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& start) {
  std::optional<Vec<D>> best;
  double nearest = std::numeric_limits<double>::infinity();
  for_each_slide(p, b, [&](Vec<D> x) {
    if (!(newton<D>(p, b, x) < kLocalTolerance)) return;
    const double distance = (x - start).squaredNorm();
    if (distance < nearest) best = x, nearest = distance;
  });
  return best;
}

}  // namespace scree::coulomb
