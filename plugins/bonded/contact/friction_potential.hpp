#pragma once
/// \file Friction inside the solve: Coulomb's law as a potential of the sliding in a step, with the normal force of the
/// iterate before (lagged). Pure, host and device.
/// (M. Li et al., "Incremental Potential Contact", ACM Trans. Graph. 39 (2020), eqs. 13 to 15.)

#include "beam/hessian.hpp"

namespace scree::bonded {

/// Eq. (49): f0 with f0' = f1 = 2y/e - y^2/e^2 below the speed e and 1 from there on. Friction mu F f1 grows to its
/// limit while a contact begins to slide. \param speed  y >= 0 [m/s]  \param smooth  e > 0 [m/s]  \return f0 [m/s], 0
/// at rest
template <class Real>
SCREE_HD inline Real friction_potential(Real speed, Real smooth) {
  if (speed >= smooth) return speed - smooth / Real(3);
  return speed * speed * (Real(1) / smooth - speed / (Real(3) * smooth * smooth));
}

/// f1(y)/y [s/m], finite at rest.
template <class Real>
SCREE_HD inline Real friction_slope(Real speed, Real smooth) {
  if (speed >= smooth) return Real(1) / speed;
  return (Real(2) - speed / smooth) / smooth;
}

/// df1/dy [s/m], >= 0.
template <class Real>
SCREE_HD inline Real friction_curvature(Real speed, Real smooth) {
  if (speed >= smooth) return Real(0);
  return Real(2) * (Real(1) - speed / smooth) / smooth;
}

}  // namespace scree::bonded
