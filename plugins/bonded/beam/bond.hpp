#pragma once
/// \file One bond: its stiffnesses, and how it is deformed. A short beam from the centre of body a to that of body b.
/// Pure, host and device, templated on the number: double, float, or Wide for four bonds at once. SI units, world axes.
///
/// \source Lu, Cao, Li, Hu, Variational Bonded Discrete Element Method with Manifold Optimization, called the paper,
/// with
///         corrections; where an equation number is given as (P.n) it is the paper's.
///
/// All energies are functions of three things that turn with the bodies:
///   e    the branch vector, from a to b
///   rho  = q_a conj(q_b), the rotation of a against b, (cos, sin axis) of half the relative angle
///   axis = R(q_b) d0, the rest direction turned with b
/// so that neither a rest frame nor its two transverse vectors appear: a round section has the same stiffness about
/// both.

#include <numbers>

#include "beam/arc_ratio.hpp"
#include "solvers/newton/matrices.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// Stiffness of a bond.
template <class Number>
struct Stiffness {
  Number stretch;  ///< k_n = E S/l0 [N/m]
  Number shear;    ///< k_s = G S l0 [N m/rad]: of the angle between the bond and the mean rotation (E6)
  Number twist;    ///< G J/l0 [N m/rad]
  Number bend;     ///< E I/l0 [N m/rad]
};

/// Second moment of area of a round section, I = pi r^4/4 with S = pi r^2 [m^4]; J = 2 I. Eq. (7)
template <class Number>
SCREE_HD inline Number second_moment(Number section) {
  return section * section / Number(4 * std::numbers::pi);
}

/// Cross-section of a bond.
template <class Number>
struct Section {
  Number area;   ///< S [m^2]
  Number bend;   ///< second moment I about an axis in it [m^4]
  Number twist;  ///< polar moment J [m^4]
  Number edge;   ///< distance r0 of its edge from the middle [m]
};

/// A disc. Eq. (7) \param area  S [m^2]
template <class Number>
SCREE_HD inline Section<Number> round_section(Number area) {
  const Number moment = second_moment(area);
  return {area, moment, Number(2) * moment, square_root(area / Number(std::numbers::pi))};
}

/// A rectangle out of the plane of a scene in 2D, where bonds do not twist: S = 2 r t, I = 2 r^3 t/3, and J = 2 I so
/// that no moment is divided by 0.
/// \source Potyondy and Cundall, Int. J. Rock Mech. Min. Sci. 41 (2004) 1329
/// \param radius  r, half of its height [m]  \param thickness  t [m]
template <class Number>
SCREE_HD inline Section<Number> flat_section(Number radius, Number thickness) {
  const Number moment = Number(2) * radius * radius * radius * thickness / Number(3);
  return {Number(2) * radius * thickness, moment, Number(2) * moment, radius};
}

/// Eq. (8). \param young, shear  micro moduli [Pa]  \param length  l0 [m]
template <class Number>
SCREE_HD inline Stiffness<Number> beam_stiffness(Number young, Number shear, const Section<Number>& section,
                                                 Number length) {
  return {young * section.area / length, shear * section.area * length, shear * section.twist / length,
          young * section.bend / length};
}
/// Stiffness of a bond with a round section. \param section  S [m^2]
template <class Number>
SCREE_HD inline Stiffness<Number> beam_stiffness(Number young, Number shear, Number section, Number length) {
  return beam_stiffness(young, shear, round_section(section), length);
}

/// A unit quaternion by components (w, x, y, z).
template <class Number>
struct Versor {
  Number w;
  Vector<Number> v;
};

/// a conj(b).
template <class Number>
SCREE_HD inline Versor<Number> difference(const Versor<Number>& a, const Versor<Number>& b) {
  return {a.w * b.w + a.v.dot(b.v), b.w * a.v - a.w * b.v - a.v.cross(b.v)};
}

/// The vector x turned by the unit quaternion q.
template <class Number>
SCREE_HD inline Vector<Number> turned(const Versor<Number>& q, const Vector<Number>& x) {
  const Vector<Number> t = Number(2) * q.v.cross(x);
  return x + q.w * t + q.v.cross(t);
}

/// Deformation of one bond.
template <class Number>
struct Deformation {
  Number length;             ///< l = |e| [m]
  Vector<Number> direction;  ///< d = e/l
  Versor<Number> rho;        ///< rotation of a against b, the short way round: w >= 0
  Vector<Number> axis;       ///< rest direction turned with b
  Vector<Number> mean;       ///< d_q: rest direction turned with the mean of both, (q_a + q_b)/|q_a + q_b|
  Vector<Number> lever;      ///< rho.v/|q_a + q_b|^2: effect of a difference of rotations on the mean
  Number cosine, sine2;      ///< cosine of the shear angle between direction and mean; sine squared
  Number ratio;              ///< shear angle over its sine
};

/// \param branch  e = p_b - p_a [m]  \param a, b  orientations since the bond was made  \param rest  d0, unit
template <class Number>
SCREE_HD inline Deformation<Number> deformation(const Vector<Number>& branch, const Versor<Number>& a,
                                                const Versor<Number>& b, const Vector<Number>& rest) {
  Deformation<Number> x;
  x.length = square_root(branch.dot(branch));
  x.direction = branch * (Number(1) / x.length);
  // q and -q are one rotation: take the neighbours' signs alike.
  x.rho = difference(a, b);
  const Number sign = sign_or_one(x.rho.w);
  x.rho.w *= sign;
  x.rho.v *= sign;
  x.axis = turned(b, rest);
  // q_a + q_b = (1 + rho) q_b, |1 + rho|^2 = 2 (1 + rho.w): the mean is axis turned by half of rho.
  const Number half(0.5), one_w = Number(1) + x.rho.w, scale = half / one_w;
  x.lever = scale * x.rho.v;
  x.mean = x.rho.w * x.axis + (Number(2) * x.lever.dot(x.axis)) * x.rho.v + x.rho.v.cross(x.axis);
  x.cosine = x.direction.dot(x.mean);
  const Vector<Number> sine = x.direction.cross(x.mean);
  x.sine2 = sine.dot(sine);
  x.ratio = arc_ratio(x.cosine, x.sine2);
  return x;
}

/// Shear angle squared [rad^2].
template <class Number>
SCREE_HD inline Number shear_angle2(const Deformation<Number>& x) {
  return x.ratio * x.ratio * x.sine2;
}

/// Moment of bending and twist before its lever: 4 K rho.v = 4 (k_b rho.v + (k_t - k_b) (axis . rho.v) axis) [N m]
template <class Number>
SCREE_HD inline Vector<Number> chord_moment(const Deformation<Number>& x, const Stiffness<Number>& k) {
  return Number(4) * (k.bend * x.rho.v + ((k.twist - k.bend) * x.axis.dot(x.rho.v)) * x.axis);
}

/// Energy by what it resists [J].
template <class Number>
struct BondEnergy {
  Number stretch;     ///< k_n (l - l0)^2/2, eq. (9)
  Number shear;       ///< k_s theta^2/2, eq. (10)
  Number bend_twist;  ///< t^T 4K t/2 with |t| = sin(phi/2), eq. (11): 0.4 % softer than phi^2 at phi = 0.3 rad

  SCREE_HD Number total() const { return stretch + shear + bend_twist; }
};

/// V of eqs. (9) to (11). \param rest_length  l0 [m]
template <class Number>
SCREE_HD inline BondEnergy<Number> bond_energy(const Deformation<Number>& x, const Stiffness<Number>& k,
                                               Number rest_length) {
  const Number half(0.5), extension = x.length - rest_length;
  return {half * k.stretch * extension * extension, half * k.shear * shear_angle2(x),
          half * x.rho.v.dot(chord_moment(x, k))};
}

}  // namespace scree::bonded
