#pragma once
/// \file What somebody looks at after a step: engines compute it only then.

namespace scree {

struct Wanted {
  bool contacts = false;  ///< records of them
  bool energies = false;  ///< of contacts
  bool forces = false;    ///< columns "force" and "torque"
  bool any() const { return contacts || energies || forces; }
};

}  // namespace scree
