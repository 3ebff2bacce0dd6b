#pragma once
/// \file The fluid between and around grains, and how it drags them: formulas.

#include <cmath>

namespace scree::continuum {

/// A viscous fluid. The drag is that of grains of one size.
struct FluidLaw {
  double density = 0;    ///< rho_f [kg/m^3]; 0: there is none
  double viscosity = 0;  ///< eta [Pa s]
  double diameter = 0;   ///< diameter of grains, d [m]

  bool present() const { return density > 0; }

  /// \return xi, the drag on the grains of a unit volume per velocity of the fluid relative to them [kg/(m^3 s)]. It
  /// gives
  ///         the settling velocity of J. F. Richardson, W. N. Zaki, Trans. Inst. Chem. Eng. 32 (1954) 35, with the
  ///         exponent 4.65 of Stokes' flow
  double drag(double fraction) const { return drag(fraction, fraction); }
  /// \param fraction  phi of the volume, which says how many grains are dragged [-]
  /// \param packing   phi that each of them feels around it: at the surface of a suspension that of its inside [-]
  double drag(double fraction, double packing) const {
    const double open = 1 - fraction;
    return 18 * viscosity * fraction * open * open * std::pow(1 - packing, -4.65) / (diameter * diameter);
  }
  /// \return speed at which grains sink between walls that let no fluid out [m/s]
  double settling(double fraction, double grain_density, double gravity) const {
    const double open = 1 - fraction;
    return open * open / drag(fraction) * fraction * (grain_density - density) * gravity;
  }
  /// \return viscosity of fluid with grains in it, by A. Einstein, Ann. Phys. 19 (1906) 289 [Pa s]
  double of_mixture(double fraction) const { return viscosity * (1 + 2.5 * fraction); }
};

}  // namespace scree::continuum
