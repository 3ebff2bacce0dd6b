#pragma once
/// \file When a bond breaks: eqs. (33), (34). Pure, host and device.

#include "beam/gradient.hpp"

namespace scree::bonded {

/// Forces in a cross-section; all except `normal` are magnitudes.
template <class Number>
struct SectionForces {
  Number normal;  ///< F_n = k_n (l - l0) [N], tension > 0
  Number shear;   ///< k_s theta/l [N]
  Number twist;   ///< about the rest direction [N m]
  Number bend;    ///< across it [N m]
};

/// Moments are 2 K t, t = Im(conj(q_b) q_a): K phi for small phi (E17).
template <class Number>
SCREE_HD inline SectionForces<Number> section_forces(const Deformation<Number>& x, const Stiffness<Number>& k,
                                                     Number rest_length) {
  const Number along = x.axis.dot(x.rho.v), twist = Number(2) * k.twist * along;
  const Vector<Number> across = x.rho.v - along * x.axis;
  return {k.stretch * (x.length - rest_length), k.shear * square_root(shear_angle2(x)) / x.length,
          twist * sign_or_one(twist), Number(2) * k.bend * square_root(across.dot(across))};
}

/// Largest stresses of a round section [Pa].
template <class Number>
struct SectionStress {
  Number tension;  ///< sigma
  Number shear;    ///< tau
};

/// Reading of the paper's fracture section.
enum class FractureForm {
  corrected,   ///< signed normal force (E16), moments 2 K t (E17): compression does not tear
  paper_exact  ///< |F_n| (P.55), moments K t (P.59), (P.60)
};

/// Eq. (34): sigma = F_n/S + M_b r0/I, tau = F_s/S + M_t r0/J; so do parallel bonds, Potyondy and Cundall (2004).
template <class Number>
SCREE_HD inline SectionStress<Number> section_stress(const SectionForces<Number>& f, const Section<Number>& section,
                                                     FractureForm form = FractureForm::corrected) {
  const Number edge = section.edge;
  if (form == FractureForm::corrected)
    return {f.normal / section.area + f.bend * edge / section.bend,
            f.shear / section.area + f.twist * edge / section.twist};
  const Number half(0.5);
  return {f.normal * sign_or_one(f.normal) / section.area + half * f.bend * edge / section.bend,
          f.shear / section.area + half * f.twist * edge / section.twist};
}
/// Stresses of a round section. \param section  S [m^2]
template <class Number>
SCREE_HD inline SectionStress<Number> section_stress(const SectionForces<Number>& f, Number section,
                                                     FractureForm form = FractureForm::corrected) {
  return section_stress(f, round_section(section), form);
}

/// \param strength  strengths of both kinds [Pa]  \return stress over strength, the larger of both: the bond breaks
///                  above 1
template <class Number>
SCREE_HD inline Number utilisation(const SectionStress<Number>& stress, const SectionStress<Number>& strength) {
  const Number t = stress.tension / strength.tension, s = stress.shear / strength.shear;
  return t > s ? t : s;
}

}  // namespace scree::bonded
