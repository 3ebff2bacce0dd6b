#pragma once
/// \file Friction and cohesion of a granular continuum: formulas.

#include <algorithm>
#include <cmath>

namespace scree::continuum {

/// mu(I): friction that grows with how fast grains are sheared for the pressure there is.
/// \source P. Jop, Y. Forterre, O. Pouliquen, Nature 441 (2006) 727
struct FrictionLaw {
  double at_rest = 0.5;          ///< mu_s [-]
  double fast = 0.5;             ///< mu_2 >= mu_s: where I is large [-]
  double inertial_number = 0.3;  ///< I_0, where the two have equal shares [-]
  double diameter = 0;           ///< diameter of grains, d_g [m]; 0: mu_s at any rate

  bool frictionless() const { return at_rest == 0 && !depends_on_rate(); }
  bool depends_on_rate() const { return diameter > 0 && fast != at_rest; }

  /// \param shear_rate  |gamma| = 2 |D| [1/s]
  /// \param pressure    pressure of the bulk, P = phi p [Pa]
  /// \param density     density of grains [kg/m^3]
  /// \param gravity     [m/s^2]
  /// \return I = |gamma| d_g (rho/P)^(1/2). P counts as that of a thousandth of a grain's weight at least
  double inertial(double shear_rate, double pressure, double density, double gravity) const {
    const double least = 1e-3 * density * gravity * diameter;
    const double p = std::max(pressure, least);
    return p > 0 && shear_rate > 0 ? shear_rate * diameter * std::sqrt(density / p) : 0;
  }
  /// \return mu(I), with parameters as those of inertial()
  double operator()(double shear_rate, double pressure, double density, double gravity) const {
    if (!depends_on_rate()) return at_rest;
    const double number = inertial(shear_rate, pressure, density, gravity);
    return number > 0 ? at_rest + (fast - at_rest) / (1 + inertial_number / number) : at_rest;
  }
};

/// The shift e of a cone's apex by cohesion: |Dev sigma| <= c + mu P holds for sigma = phi lambda, so P >= -c/mu. Where
/// matter has been torn open it does not cohere any more.
/// \param cohesion  c [Pa]   \param fraction  phi_max   \param dt  [s]
/// \param crack     free volume over that of a crack, from which on nothing coheres [-]
/// \param fullness  phi/phi_max; nodes that hold next to nothing do not cohere
/// \return e in cone coordinates [Pa s]
template <int D>
double cohesion_apex(double cohesion, double friction, double fraction, double crack, double fullness, double dt) {
  if (!(cohesion > 0)) return 0;
  const double weight = std::clamp(1 - crack, 0.0, 1.0) * std::clamp((fullness - 0.1) / 0.1, 0.0, 1.0);
  return weight * cohesion / (fraction * friction) * std::sqrt(D / 2.0) * dt;
}

/// c = 2 eta dt / f of a strain row: its viscous stress per volume of grains is 2 eta D(u), and eta = eta_b / phi_max,
/// so that the bulk where grains lie most densely has 2 eta_b D(u). \param viscosity  eta_b of the bulk [Pa s]   \param
/// fraction  phi_max   \param volume  f, of grains [m^3] \return [Pa s^2/m^3]
inline double viscous_slope(double viscosity, double fraction, double volume, double dt) {
  return volume > 0 ? 2 * viscosity * dt / (fraction * volume) : 0;
}

}  // namespace scree::continuum
