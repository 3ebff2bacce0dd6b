#pragma once
/// \file Static loading of a bar of bonded elements: what a packing is like as a continuum.

#include <stdexcept>

#include "packing/elements.hpp"

namespace scree::bonded {

/// A square or rectangular prism along x.
struct Bar {
  Elements elements;
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();  ///< its sides [m]
  double grip = 0;  ///< elements whose centroid is less than this beyond the outermost one are held at each end [m]

  double section() const { return (upper.y() - lower.y()) * (upper.z() - lower.z()); }
};

/// A block along x with its longest side, held at the first cells at either end.
Bar bar_of(const Cuboid& box, const Elements& elements);

/// A mesh as it lies, held over a mean edge at either end.
/// \throws std::invalid_argument  where it does not fill its bounding box to 1 %, or is not longest, by twice, along x
Bar bar_of(const TetrahedralMesh& mesh, FaceArea area);

/// Macroscopic moduli of the bonds, per Young's modulus of the bonds, which linear answers are proportional to.
struct Macroscopic {
  double young = 0;    ///< E_macro/E_micro [-]
  double poisson = 0;  ///< [-]
  double shear = 0;    ///< G_macro/E_micro [-], from the torsion of the whole bar; 0 where it was not asked for
};

/// A static solution was not reached.
class NotSolved : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Stretches the bar by 1e-6 and, where asked, twists it; ends clamped, slopes fitted over the middle 40 %.
/// \param ratio   G/E of the bonds [-]
/// \param solver  one of solver_names()
/// \throws NotSolved
Macroscopic measured(const Bar& bar, double ratio, bool twist, std::string_view solver = "auto");

/// Torsion constant of a rectangle [m^4] by Saint-Venant's series: torque = G J rate.
/// \source S. Timoshenko, J. N. Goodier: Theory of Elasticity, 3rd ed. (1970), art. 109
double torsion_constant(double width, double height);

}  // namespace scree::bonded
