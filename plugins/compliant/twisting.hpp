#pragma once
/// \file Resistance against twist: a couple about the normal. Pure, host and device, without branches. SI units.

#include "triple.hpp"

namespace scree::compliant {

struct Twist {
  double moment;   ///< about the normal, on b [N m]
  double elastic;  ///< elastic couple, to be carried into the next step [N m]
};

/// Spring and dashpot of a contact area that twists as a whole: k_w = k_t a^2/2, c_w = c_t a^2/2, at most 2/3 a mu N.
/// When the area shrinks, the elastic couple shrinks with k_w.
/// \param stiffness, last_stiffness  k_w now and in the last step [N m/rad]  \param damping  c_w [N m s/rad]
/// \param spin  spin of b relative to a, about the normal [rad/s]  \param cap  2/3 a mu N [N m]
/// \source Marshall, J. Comput. Phys. 228 (2009) 1541, eqs. 35 to 37
SCREE_HD inline Twist twisting(double stiffness, double last_stiffness, double damping, double cap, double spin,
                               double elastic, double dt) {
  const auto cut = [cap](double m) { return larger(-cap, smaller(cap, m)); };
  const double kept = smaller(1.0, stiffness / larger(last_stiffness, kTiny<double>));
  const double now = cut(kept * elastic + stiffness * spin * dt);
  return {-cut(now + damping * spin), now};
}

}  // namespace scree::compliant
