#pragma once
/// \file Results wanted after a step: engines compute them only on request.

namespace scree {

struct Wanted {
  bool contacts = false;  ///< records of contacts
  bool energies = false;  ///< energies of contacts
  bool forces = false;    ///< columns "force" and "torque"
  bool any() const { return contacts || energies || forces; }
};

}  // namespace scree
