#pragma once
/// \file The functions of the shear energy f(cos t) = t^2/2 of an angle t in [0, pi]: f' = -t/sin(t) and
/// f'' = (1 - t cot(t))/sin(t)^2, eq. (15). With x = sin(t/2)^2,
///   t/sin(t) = asin(sqrt(x))/sqrt(x (1 - x)) = sum a_k x^k,  a_0 = 1, a_k = a_(k-1) 2k/(2k + 1),
/// and f'' is half the derivative of that sum. No cancellation, no inverse function where bonds live (t < 0.5 rad).

#include <array>

#include "scree/base/wide.hpp"

namespace scree::bonded {

/// Up to this sin(t/2)^2, t = 0.505 rad, the series is used.
inline constexpr double kArcSeriesLimit = 0.0625;
/// The first term left out is below 1e-16 of the sum (of its derivative: below 1e-15) at the limit.
inline constexpr int kArcTerms = 14, kArcSlopeTerms = 15;

namespace detail {
constexpr std::array<double, kArcSlopeTerms + 1> arc_coefficients() {
  std::array<double, kArcSlopeTerms + 1> a{1};
  for (int k = 1; k <= kArcSlopeTerms; ++k) a[k] = a[k - 1] * (2 * k) / (2 * k + 1);
  return a;
}
inline constexpr auto kArc = arc_coefficients();

template <class Number>
SCREE_HD inline Number arc_series(Number x) {
  Number sum(kArc[kArcTerms - 1]);
  for (int k = kArcTerms - 2; k >= 0; --k) sum = sum * x + Number(kArc[k]);
  return sum;
}
template <class Number>
SCREE_HD inline Number arc_slope_series(Number x) {
  Number sum(kArcSlopeTerms * kArc[kArcSlopeTerms] / 2);
  for (int k = kArcSlopeTerms - 1; k >= 1; --k) sum = sum * x + Number(k * kArc[k] / 2);
  return sum;
}

template <class Real>
SCREE_HD inline Real arc_ratio_far(Real cosine, Real sine2) {
  using std::atan2, std::sqrt;
  // A bond folded back onto itself has no direction to unfold in: any large ratio will do, as sin(t) multiplies it.
  const Real sine = sqrt(sine2 > Real(1e-24) ? sine2 : Real(1e-24));
  return atan2(sine, cosine) / sine;
}
}  // namespace detail

/// sin(t/2)^2 without cancellation. \param sine2  sin(t)^2  \pre t < pi
template <class Number>
SCREE_HD inline Number half_angle_sine2(Number cosine, Number sine2) {
  return sine2 / (Number(2) * (Number(1) + cosine));
}

/// t/sin(t) = -f'. \param cosine  of t  \param sine2  sin(t)^2
template <class Real>
SCREE_HD inline Real arc_ratio(Real cosine, Real sine2) {
  if (cosine > Real(0) && half_angle_sine2(cosine, sine2) <= Real(kArcSeriesLimit))
    return detail::arc_series(half_angle_sine2(cosine, sine2));
  return detail::arc_ratio_far(cosine, sine2);
}
inline Wide arc_ratio(Wide cosine, Wide sine2) {
  const Wide x = half_angle_sine2(cosine, sine2);
  Wide ratio = detail::arc_series(x);
  for (int lane = 0; lane < 4; ++lane)
    if (!(cosine[lane] > 0 && x[lane] <= kArcSeriesLimit))
      ratio.v[lane] = detail::arc_ratio_far(cosine[lane], sine2[lane]);
  return ratio;
}

/// f'' = (1 - t cot(t))/sin(t)^2. \param ratio  arc_ratio() of the same angle
template <class Real>
SCREE_HD inline Real arc_curvature(Real cosine, Real sine2, Real ratio) {
  if (cosine > Real(0) && half_angle_sine2(cosine, sine2) <= Real(kArcSeriesLimit))
    return detail::arc_slope_series(half_angle_sine2(cosine, sine2));
  return (Real(1) - cosine * ratio) / (sine2 > Real(1e-24) ? sine2 : Real(1e-24));
}
inline Wide arc_curvature(Wide cosine, Wide sine2, Wide ratio) {
  const Wide x = half_angle_sine2(cosine, sine2);
  Wide curvature = detail::arc_slope_series(x);
  for (int lane = 0; lane < 4; ++lane)
    if (!(cosine[lane] > 0 && x[lane] <= kArcSeriesLimit))
      curvature.v[lane] = arc_curvature(cosine[lane], sine2[lane], ratio[lane]);
  return curvature;
}

}  // namespace scree::bonded
