#pragma once
/// \file Content of a periodic cell: its stress, and how it answers strain.

#include "scree/hooks/contact_view.hpp"
#include "scree/world/world.hpp"

namespace scree::deforming_cell {

/// Sums over the contacts and bodies of a cell. Divided by its volume they are a stress and moduli.
struct Content {
  /// sum f (x) l over contacts, f on b and l from a to b, and sum m v' (x) v' over free bodies, v' against the motion
  /// of the cell: volume times stress, compression positive [J].
  Mat3 virial = Mat3::Zero();
  double stiffness = 0;  ///< sum k l^2 / d^2 [J]: volume times a bulk modulus, in d dimensions
  double damping = 0;    ///< sum c l^2 / d^2 [J s]: volume times a viscosity
};

/// Sums over contacts and bodies. Stiffnesses follow from forces and overlaps, k = 3/2 f/overlap, which is that of
/// Hertz and more than that of a linear spring. Dashpots count as critical ones, the strongest. \param gradient
/// velocity gradient of the cell [1/s]
Content content_of(const World& world, const ContactView& contacts, const Mat3& gradient);

/// Grains of a cell, which change only where bodies come or go.
struct Grains {
  double diameter = 0;  ///< mean diameter of bounding spheres [m]
  double density = 0;   ///< density of the solid [kg/m^d]
  double volume = 0;    ///< volume of the solid: masses over densities [m^d]
};
Grains grains_of(const World& world);

}  // namespace scree::deforming_cell
