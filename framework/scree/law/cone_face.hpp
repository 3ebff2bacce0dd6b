#pragma once
/// \file The nonsmooth face of a law: impenetrable contact with Coulomb friction and impacts, no stiffness.

#include "scree/law/contact_law.hpp"

namespace scree {

/// The face of laws for complementarity solvers: friction and restitution of contacts. A law may make it depend on the
/// columns (friction that falls with the speed of sliding, restitution that falls with that of impact); masses, radii
/// and spins are not filled in.
class SCREE_API ConeFace {
 public:
  static constexpr std::string_view kName = "cone/1";
  virtual ~ConeFace();

  /// \param friction     out: mu >= 0, of each contact; the cone is |r_T| <= mu r_N
  /// \param restitution  out: of the normal velocity (Newton), 0 to 1
  virtual void cone(const ContactColumns& contacts, double* friction, double* restitution) const = 0;
};

}  // namespace scree
