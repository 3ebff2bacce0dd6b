#pragma once
/// \file Distance to a helicoid: the surface that a radial segment sweeps as it turns about the z axis and climbs.
/// Pure. Lengths in metres.

#include <algorithm>
#include <cmath>

#include "scree/base/types.hpp"

namespace scree::obstacles {

/// Right-handed: S(rho, t) = (rho cos t, rho sin t, climb t), inner <= rho <= outer, |t| <= end.
struct Helicoid {
  double inner, outer;  ///< [m]
  double climb;         ///< pitch / 2 pi [m/rad], > 0
  double end;           ///< half of the angle swept [rad]
};

/// A foot on a helicoid.
struct HelicoidFoot {
  bool found = false;     ///< true if there is one
  double square = 1e300;  ///< square of its distance [m^2]
  double t = 0, rho = 0;
  Vec3 place = Vec3::Zero();
};

/// The nearest point of the segment at angle t, and half the slope of the squared distance along t [m^2/rad].
/// By the envelope theorem the nearest rho may be held fixed in that derivative: -(p - S).dS/dt.
struct HelicoidSlope {
  HelicoidFoot foot;
  double slope;
};

inline HelicoidSlope helicoid_slope(const Helicoid& h, const Vec3& p, double t) {
  const double c = std::cos(t), s = std::sin(t);
  const double rho = std::clamp(p[0] * c + p[1] * s, h.inner, h.outer);
  const Vec3 place(rho * c, rho * s, h.climb * t), off = p - place;
  return {{true, off.squaredNorm(), t, rho, place}, -off.dot(Vec3(-rho * s, rho * c, h.climb))};
}

/// The angle between a and b where the slope changes from falling to rising: regula falsi (Illinois), and every fourth
/// time bisection. \pre slope(a) <= 0 <= slope(b)
inline HelicoidFoot helicoid_root(const Helicoid& h, const Vec3& p, HelicoidSlope a, HelicoidSlope b) {
  double fa = a.slope, fb = b.slope;
  int kept = 0;  // the end that the last step left in place
  for (int i = 1; i <= 80 && b.foot.t - a.foot.t > 1e-15 * (1 + std::abs(a.foot.t)); ++i) {
    const double width = b.foot.t - a.foot.t;
    const double share = i % 4 == 0 || !(fb - fa > 0) ? 0.5 : std::clamp(-fa / (fb - fa), 0.0, 1.0);
    const HelicoidSlope m = helicoid_slope(h, p, a.foot.t + share * width);
    if (m.slope == 0) return m.foot;
    if (m.slope < 0) {
      a = m, fa = m.slope;
      if (kept == 1) fb /= 2;
      kept = 1;
    } else {
      b = m, fb = m.slope;
      if (kept == -1) fa /= 2;
      kept = -1;
    }
  }
  return -a.slope < b.slope ? a.foot : b.foot;  // squares near a minimum are alike long before their angles are
}

/// The lowest minimum of the distance within a window of angles, by samples and then to rounding; none where the
/// distance falls out of the window, unless the blade ends there.
inline HelicoidFoot helicoid_minimum(const Helicoid& h, const Vec3& p, double from, double to) {
  constexpr int kSamples = 13;
  from = std::max(from, -h.end), to = std::min(to, h.end);
  HelicoidFoot best;
  if (!(to >= from)) return best;
  const auto keep = [&](const HelicoidFoot& foot) {
    if (foot.square < best.square) best = foot;
  };
  HelicoidSlope last = helicoid_slope(h, p, from);
  if (from == -h.end && last.slope >= 0) keep(last.foot);
  for (int k = 1; k < kSamples; ++k) {
    const HelicoidSlope next = helicoid_slope(h, p, k + 1 < kSamples ? from + (to - from) * k / (kSamples - 1) : to);
    if (last.slope <= 0 && next.slope > 0) keep(helicoid_root(h, p, last, next));
    last = next;
  }
  if (to == h.end && last.slope <= 0) keep(last.foot);
  return best;
}

/// The turns of the blade just below and just above a point: minima within half a turn of where they cross the point's
/// vertical line; beyond the blade's ends, of where they cross it at the height of the end. \param which  0: below,
/// 1: above
inline HelicoidFoot helicoid_turn(const Helicoid& h, const Vec3& p, int which) {
  const double pi = 3.141592653589793, angle = std::atan2(p[1], p[0]);
  const double height = std::clamp(p[2] / h.climb, -h.end, h.end);
  const double below = angle + 2 * pi * std::floor((height - angle) / (2 * pi)) + 2 * pi * which;
  return helicoid_minimum(h, p, below - pi, below + pi);
}

}  // namespace scree::obstacles
