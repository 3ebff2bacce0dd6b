#pragma once
/// \file The conservative face of a law: a contact as an energy of its overlap, for implicit integrators.

#include "scree/law/contact_law.hpp"

namespace scree {

/// The face of laws with an energy, for implicit integrators. The energy is a convex function of the overlap alone;
/// dissipation in the normal direction is the integrator's own, friction is done after the solve.
class SCREE_API PotentialFace {
 public:
  static constexpr std::string_view kName = "potential/1";
  virtual ~PotentialFace();

  /// Only `radius` counts.
  virtual ForceNeeds needs() const noexcept;

  /// Computes energy, force and stiffness of each contact; 0 where overlap <= 0. Velocities are not filled in.
  /// \param energy     out [J]
  /// \param force      out: dV/d(overlap) [N], > 0 pushes the bodies apart
  /// \param stiffness  out: d2V/d(overlap)2 [N/m], >= 0
  virtual void potential(const ContactColumns& contacts, double* energy, double* force, double* stiffness) const = 0;

  /// Coefficients of sliding and rolling friction [-], rolling as a couple mu_r N R. \see
  /// scree/integrate/energy_problem.hpp
  virtual double friction() const noexcept = 0;
  virtual double rolling_friction() const noexcept = 0;
};

}  // namespace scree
