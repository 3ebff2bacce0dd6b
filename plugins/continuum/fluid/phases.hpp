#pragma once
/// \file Grains and fluid at one node: two velocities that drag each other, and what forces do to them.

#include "fluid/fluid_law.hpp"
#include "grid/lattice.hpp"

namespace scree::continuum {

/// The volume at a node is that outside of walls. U = phi u_g + (1 - phi) u_f is the velocity of the volume.
template <int D>
struct Phases {
  double fraction = 0;                                      ///< phi [-]
  double grains = 0, fluid = 0;                             ///< masses a and b [kg]
  Vec<D> gg = Vec<D>::Zero(), gf = gg, ff = gg;             ///< per axis: the inverse of [a + B, -B; -B, b + B] [1/kg]
  Vec<D> of_grains = Vec<D>::Zero(), of_fluid = of_grains,  ///< effect of a unit force on U on u_g, u_f and U
      of_volume = of_grains;                                ///< [1/kg]

  Vec<D> volume_velocity(const Vec<D>& u_g, const Vec<D>& u_f) const { return fraction * u_g + (1 - fraction) * u_f; }
};

/// \param fraction  phi [-]   \param packing  phi that grains feel around them [-]   \param volume  [m^3]
/// \param closed    bits of the axes along which U is 0: the node lies on a wall across them
template <int D>
Phases<D> phases_of(const FluidLaw& law, double grain_density, double fraction, double packing, double volume,
                    double dt, unsigned closed) {
  Phases<D> p;
  const double other = 1 - fraction;
  p.fraction = fraction;
  p.grains = grain_density * fraction * volume;
  p.fluid = law.density * other * volume;
  const double a = p.grains, b = p.fluid, drag = dt * volume * law.drag(fraction, packing);
  const double det = a * b + drag * (a + b);
  for (int k = 0; k < D; ++k) {
    double gg = (b + drag) / det, gf = drag / det, ff = (a + drag) / det;
    const double c_g = fraction * gg + other * gf, c_f = fraction * gf + other * ff, c = fraction * c_g + other * c_f;
    if (closed >> k & 1) {
      // The wall answers each force so that U stays 0.
      gg -= c_g * c_g / c, gf -= c_g * c_f / c, ff -= c_f * c_f / c;
    } else {
      p.of_grains[k] = c_g, p.of_fluid[k] = c_f, p.of_volume[k] = c;
    }
    p.gg[k] = gg, p.gf[k] = gf, p.ff[k] = ff;
  }
  return p;
}

}  // namespace scree::continuum
