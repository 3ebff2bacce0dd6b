#include "elastic_law.hpp"

namespace scree::compliant {

template <class Spring>
ForceNeeds ElasticLaw<Spring>::needs() const noexcept {
  ForceNeeds needs = shared_needs(model_.has_spring());
  needs.mass = needs.mass || model_.spring.needs_mass();
  return needs;
}

template <class Spring>
void ElasticLaw<Spring>::force(const ContactColumns& contacts, const double* const* last, double* const* now,
                               ForceColumns out) const {
  model_.force(contacts, last, now, out, HostLoop{});
}

template <class Spring>
void ElasticLaw<Spring>::energy(const ContactColumns& contacts, const double* const* now, double* energy) const {
  model_.energy(contacts, now, energy, HostLoop{});
}

template class ElasticLaw<LinearSpring>;
template class ElasticLaw<PowerSpring>;
template class ElasticLaw<LennardJonesSpring>;

}  // namespace scree::compliant
