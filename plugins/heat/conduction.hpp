#pragma once
/// \file Formulas of heat through contacts. Pure, host and device. SI units.

#include <cmath>

#include "scree/base/api.hpp"

namespace scree::heat {

/// Radius of the contact area of two elastic spheres [m]: a = sqrt(R* d). It is 0 where they do not touch.
/// \param reduced_radius  R* = 1/(1/R_a + 1/R_b) [m]; R_a for a flat wall  \param overlap  d [m]
/// \source Johnson, Contact Mechanics (1985), eq. 4.23
SCREE_HD inline double hertz_radius(double reduced_radius, double overlap) {
  return overlap > 0 ? std::sqrt(reduced_radius * overlap) : 0;
}

/// Radius of the circle in which two spheres cross [m]; about sqrt(2 R* d) where d is small. It is 0 where they do not
/// touch or one is within the other.
/// \param radius_a, radius_b  [m]; infinity for a flat wall, at most one of them  \param overlap  d [m]
/// \source a^2 = R_a^2 - ((D^2 + R_a^2 - R_b^2)/(2 D))^2 with D = R_a + R_b - d; 2 R d - d^2 at a wall
SCREE_HD inline double crossing_radius(double radius_a, double radius_b, double overlap) {
  if (!(overlap > 0)) return 0;
  double square;
  if (std::isinf(radius_a) || std::isinf(radius_b)) {
    square = (2 * (std::isinf(radius_a) ? radius_b : radius_a) - overlap) * overlap;
  } else {
    const double distance = radius_a + radius_b - overlap;
    const double to_plane = (distance * distance + radius_a * radius_a - radius_b * radius_b) / (2 * distance);
    square = (radius_a - to_plane) * (radius_a + to_plane);
  }
  return square > 0 ? std::sqrt(square) : 0;
}

/// Conductance of a contact [W/K]: H = 4 a/(1/k_a + 1/k_b), between the insides of two bodies that are large beside
/// the contact.
/// \param radius  a [m]  \param conductivity_a, conductivity_b  [W/m/K], > 0
/// \source Batchelor and O'Brien, Proc. R. Soc. A 355 (1977) 313; unequal materials: two halves in series
SCREE_HD inline double conductance(double radius, double conductivity_a, double conductivity_b) {
  return 4 * radius / (1 / conductivity_a + 1 / conductivity_b);
}

/// Factor by which springs that are too soft make contact radii too large: (E_soft/E_real)^power.
/// \param power  1/5 for collisions at a given speed (Zhou, Yu and Zulli, Powder Technol. 197 (2010) 102), 1/3 for
///               lasting contacts under a given force (a^3 = 3 F R*/(4 E*))
SCREE_HD inline double softness_factor(double soft_modulus, double real_modulus, double power) {
  return std::pow(soft_modulus / real_modulus, power);
}

/// Effusivity sqrt(k rho c) [W s^0.5/m^2/K]: heat made between two surfaces goes into both in proportion to it.
/// \source Carslaw and Jaeger, Conduction of Heat in Solids (1959): two half-spaces with a source between
SCREE_HD inline double effusivity(double conductivity, double density, double heat_capacity) {
  return std::sqrt(conductivity * density * heat_capacity);
}

}  // namespace scree::heat
