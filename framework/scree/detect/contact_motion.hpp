#pragma once
/// \file Relative motion of two bodies at a contact. Pure formulas, host and device, for one contact or several at a
/// time. Vector has components x, y, z of Number, and sums, products, dot() and cross() of its own. In the plane,
/// vectors across it may be of another type, Axial.

#include <type_traits>

#include "scree/base/api.hpp"

namespace scree {

/// Relative motion of the two bodies of a contact.
template <class Vector, class Axial = Vector>
struct PairMotion {
  Vector dv;           ///< v_b - v_a [m/s]
  Axial wa, wb, spin;  ///< spin = w_b - w_a [rad/s]
};

/// Motion of a contact, and rotation of its frame.
template <class Vector, class Axial = Vector>
struct ContactMotion {
  Vector velocity;  ///< velocity of b relative to a at the contact point [m/s]
  Axial turn;       ///< rotation with the normal, and about it with the mean spin of both bodies [rad/s]
};

/// Returns the motion of a contact between two centres: the normal is the line that joins them, and the arms are parts
/// of it.
/// \param lag  [s] time by which velocities lag behind positions: see relative_motion() in kinematics.hpp
template <class Number, class Vector, class Axial>
SCREE_HD inline ContactMotion<Vector, Axial> motion_of_central(const PairMotion<Vector, Axial>& body, const Vector& n,
                                                               Number arm_a, Number arm_b, Number lag) {
  const Vector& dv = body.dv;
  const Number per_length = 1 / (arm_a + arm_b);
  const Vector normal_then = n - (lag * per_length) * dv;
  const Vector then = dv + cross(normal_then, arm_a * body.wa + arm_b * body.wb);
  const Axial turn = per_length * cross(n, dv) + 0.5 * dot(n, body.wa + body.wb) * n;
  return {then + lag * cross(turn, then), turn};
}

/// Place of a contact, as seen from both bodies.
template <class Number, class Vector>
struct ContactPlace {
  Vector arm_a, arm_b;        ///< arms from the centres to the contact point [m]
  Vector normal;              ///< unit, from a to b
  Number overlap;             ///< [m]
  Number radius_a, radius_b;  ///< bounding radii; infinity for a wall without bound [m]
};

/// Stands for the radius r that a contact rolls with if its detector does not report curvature.
struct UnknownCurvature {};

/// Returns the motion of a contact anywhere. Each body counts as a ball of its bounding radius at the contact, and both
/// together curve as the detector reports. With f = R_a/(R_a + R_b), r = 1/(1/R_a + 1/R_b), and v_a, v_b the velocities
/// of the two bodies at the point: the contact point moves by (1 - f) v_a + f v_b + r (w_b - w_a) x n. The normal turns
/// by (1 - f) w_b + f w_a, and by n x u over R_a + R_b if there is slip u. R_a and R_b matter only for bodies that slip
/// and spin about n at once, and r for bodies that roll and spin about n. None matters for a pair that moves as one,
/// nor in 2D.
/// \source D. J. Montana, Int. J. Robotics Research 7(3) (1988) 17, equations of contact, for balls
/// \param curvature  radius of curvature of the contact [m], or UnknownCurvature
template <class Number, class Vector, class Axial, class Curvature>
SCREE_HD inline ContactMotion<Vector, Axial> motion_of_any(const PairMotion<Vector, Axial>& body,
                                                           const ContactPlace<Number, Vector>& at,
                                                           const Curvature& curvature, Number lag) {
  constexpr double kFlat = 1e30, kLeastLength = 1e-150, kMostCurved = 4;
  const Vector& n = at.normal;
  const Axial& spin = body.spin;
  const Vector of_a = cross(body.wa, at.arm_a);
  const Vector difference = cross(body.wb, at.arm_b) - of_a, slip = body.dv + difference;
  // The point lies in the middle of the overlap. A wall without bound is flat.
  const Number depth = at.overlap * 0.5 - kLeastLength, flat = Number{} + kFlat;
  const Number bounded_a = (at.radius_a < flat ? at.radius_a : flat) - depth;
  const Number bounded_b = (at.radius_b < flat ? at.radius_b : flat) - depth, per_length = 1 / (bounded_a + bounded_b);
  const Number f = bounded_a * per_length, reduced = bounded_b * f;
  Number r = reduced;
  if constexpr (!std::is_same_v<Curvature, UnknownCurvature>) {  // a ball may all but fill a hollow: that is beyond all
    const Number rest = 1 - f;                                   // bounds
    const Number known = curvature - depth * (f * f + rest * rest), most = kMostCurved * reduced;
    r = known < most ? (known > -most ? known : -most) : most;
  }
  const Axial rolling = body.wb - f * spin;
  const Vector carried = of_a + f * difference + r * cross(spin, n);
  const Vector then = slip + lag * (cross(rolling, body.dv) - cross(spin, carried));
  const Axial turn = rolling + per_length * cross(n, then) + (f - 0.5) * dot(n, spin) * n;
  return {then + lag * cross(turn, then), turn};
}

}  // namespace scree
