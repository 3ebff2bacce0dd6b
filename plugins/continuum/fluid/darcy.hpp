#pragma once
/// \file How a viscous fluid passes between grains: formulas.

#include <cmath>

namespace scree::continuum {

/// A fluid between grains whose inertia counts for nothing.
struct FluidLaw {
  double density = 0;    ///< rho_f [kg/m^3]; 0: there is none
  double viscosity = 0;  ///< eta_f [Pa s]
  double diameter = 0;   ///< of grains, d_g [m]

  bool present() const { return density > 0; }

  /// \return xi: drag on the grains of a volume is xi (u_f - u_g) [kg/(m^3 s)]. Gives the settling velocity of
  ///         J. F. Richardson, W. N. Zaki, Trans. Inst. Chem. Eng. 32 (1954) 35, with exponent 4.65: of Stokes' flow
  double drag(double fraction) const {
    return 18 * viscosity * fraction * std::pow(1 - fraction, -2.65) / (diameter * diameter);
  }
  /// \return (1 - phi)^2 / xi: flux through grains that do not move, per gradient of pressure [m^2/(Pa s)]
  double permeability(double fraction) const { return (1 - fraction) * (1 - fraction) / drag(fraction); }
  /// \return speed at which grains sink between walls that let no fluid out [m/s]
  double settling(double fraction, double grain_density, double gravity) const {
    return permeability(fraction) * fraction * (grain_density - density) * gravity;
  }
};

}  // namespace scree::continuum
