#pragma once
/// \file Wear of walls: volumes that sliding and impacts take off. Pure formulas.

#include <cmath>
#include <numbers>

namespace scree::mesh {

/// Sliding wear: a part k of the volume F s / H, of the work of a force F over a way s and the hardness H.
struct Archard {
  double coefficient = 0;  ///< k [-]
  double hardness = 1;     ///< H [Pa]

  /// Returns the volume [m^3]. \param force  normal force [N] \param way  way of sliding [m]
  /// \source J. F. Archard, J. Appl. Phys. 24 (1953) 981, eq. (4)
  double volume(double force, double way) const { return coefficient * force * way / hardness; }
};

/// Cutting wear by impacts of hard grains on a ductile wall.
struct Finnie {
  double flow_stress = 1;  ///< p [Pa]
  double chip_ratio = 2;   ///< psi, length of a chip over its depth [-]
  double force_ratio = 2;  ///< K, normal over tangential force [-]

  /// Returns the volume that one impact takes off [m^3].
  /// \param mass  mass of the grain [kg]  \param speed  [m/s]  \param angle  between its way and the wall [rad]
  /// \source I. Finnie, Wear 3 (1960) 87, eqs. (4) and (5)
  double volume(double mass, double speed, double angle) const { return volume(mass * speed * speed, angle); }

  /// Returns the same for twice the energy of the impact [J], or for twice the work that a contact takes while the
  /// grain comes nearer: a frictionless impact at one angle takes its whole energy then. So LIGGGHTS sums k_finnie =
  /// 1/(p psi K), with psi = K = 2.
  double volume(double doubled_energy, double angle) const {
    const double s = std::sin(angle), c = std::cos(angle),
                 whole = doubled_energy / (flow_stress * chip_ratio * force_ratio);
    return 6 * s <= force_ratio * c ? whole * (2 * s * c - 6 / force_ratio * s * s) : whole * force_ratio * c * c / 6;
  }
};

}  // namespace scree::mesh
