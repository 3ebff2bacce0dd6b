#pragma once
/// \file Forces along the normal of a contact. Pure, host and device, templated on the scalar, without branches: loops
/// over contacts vectorise. SI units.
///
/// Signs: overlap d > 0 when touching; normal n from a to b; u is the velocity of b relative to a at the contact point,
/// so u_n = n.u > 0 when the bodies separate. Forces act on b; a normal force > 0 pushes.

#include "triple.hpp"

namespace scree::compliant {

/// The normal force, and what it tells friction and rolling resistance.
template <class Real>
struct NormalContact {
  Real force;      ///< F_n, < 0 where cohesion pulls [N]
  Real load;       ///< N = F_n + pull-off force >= 0, which friction is proportional to [N]
  Real stiffness;  ///< dF_n/dd without cohesion [N/m]
  Real damping;    ///< dashpot [N s/m]
  Real radius;     ///< radius of the contact area; 0 if the law has none [m]
  Real drag = 0;   ///< dashpot of a liquid across the normal, outside Coulomb's cap [N s/m]
};

}  // namespace scree::compliant
