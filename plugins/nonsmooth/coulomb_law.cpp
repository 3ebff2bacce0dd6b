#include "coulomb_law.hpp"

#include <algorithm>

namespace scree::nonsmooth {

const void* CoulombLaw::face(std::string_view name) const noexcept {
  return name == ConeFace::kName ? static_cast<const ConeFace*>(this) : nullptr;
}

void CoulombLaw::cone(const ContactColumns& contacts, double* friction, double* restitution) const {
  std::fill_n(friction, contacts.size, friction_);
  std::fill_n(restitution, contacts.size, restitution_);
}

}  // namespace scree::nonsmooth
