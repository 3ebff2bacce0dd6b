#pragma once
/// \file A sliding contact as one equation in one unknown: u_N = 0, u_T = -alpha x_T, |x_T| = mu x_N with alpha >= 0.
///
/// u_N = 0 gives x_N, and what is left is x_T(alpha) = -(W~ + alpha I)^-1 c with the Schur complement
/// W~ = W_TT - W_TN W_NT / W_NN and c = b_T - W_TN b_N / W_NN. For positive definite W, b_N < 0 and a contact that does
/// not stick, mu x_N - |x_T| rises from below 0 to above as alpha goes from 0 to infinity: there is a root.

#include <optional>

#include "solvers/coulomb/local_problem.hpp"

namespace scree::coulomb {

/// W_NN of a contact that no normal impulse moves apart, relative to the trace of W.
inline constexpr double kNoNormal = 1e-14;

template <int D>
struct SlidingEquation {
  using Tangent = Vec<D - 1>;
  double wn;   ///< W_NN
  Tangent nt;  ///< W_NT
  Mat<D - 1> schur;
  Tangent c;
  double bn, mu;

  /// \pre W_NN > 0
  SlidingEquation(const LocalProblem<D>& p, const Vec<D>& b)
      : wn(p.W(0, 0)), nt(p.W.template topRightCorner<1, D - 1>().transpose()), bn(b[0]), mu(p.friction) {
    const Tangent tn = p.W.template bottomLeftCorner<D - 1, 1>() / wn;
    schur = p.W.template bottomRightCorner<D - 1, D - 1>() - tn * nt.transpose();
    c = b.template tail<D - 1>() - tn * bn;
  }

  Mat<D - 1> resolvent(double alpha) const { return (schur + alpha * Mat<D - 1>::Identity()).inverse(); }
  double normal(const Tangent& xt) const { return -(bn + nt.dot(xt)) / wn; }

  Vec<D> impulse(double alpha) const {
    const Tangent xt = -(resolvent(alpha) * c);
    Vec<D> x;
    x[0] = normal(xt);
    x.template tail<D - 1>() = xt;
    return x;
  }
};

/// Newton's method for mu x_N / |x_T| = 1, in alpha: nearly linear, as the secular equation of a trust region is.
/// \param start  of alpha
/// \return the impulse; nothing where it does not arrive in a few steps
template <int D>
inline std::optional<Vec<D>> newton_on_alpha(const SlidingEquation<D>& sliding, double start) {
  constexpr int kSteps = 8;
  constexpr double kTolerance = 1e-14;
  double alpha = start;
  for (int step = 0; step < kSteps; ++step) {
    const Mat<D - 1> resolvent = sliding.resolvent(alpha);
    const Vec<D - 1> xt = -(resolvent * sliding.c), slope = -(resolvent * xt);
    const double xn = sliding.normal(xt), length2 = xt.squaredNorm(), length = std::sqrt(length2);
    const double excess = sliding.mu * xn - length;
    if (std::fabs(excess) <= kTolerance * length) {
      Vec<D> x;
      x[0] = xn;
      x.template tail<D - 1>() = xt;
      return x;
    }
    const double rise = sliding.mu * (-sliding.nt.dot(slope) / sliding.wn - xn * xt.dot(slope) / length2);
    const double next = alpha - excess / rise;
    if (!(next > 0)) return {};
    if (std::fabs(next - alpha) <= 1e-15 * next) return {};
    alpha = next;
  }
  return {};
}

}  // namespace scree::coulomb
