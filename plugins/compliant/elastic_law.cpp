#include "elastic_law.hpp"

namespace scree::compliant {

template <class Spring>
ForceNeeds ElasticLaw<Spring>::needs() const noexcept {
  ForceNeeds needs = shared_needs(model_.has_spring());
  needs.mass = needs.mass || model_.spring.needs_mass();
  return needs;
}

template <class Spring>
ContactRates ElasticLaw<Spring>::rates(double reduced_mass, double reduced_radius) const noexcept {
  const TangentialParameters& t = model_.tangential;
  ContactRates rates = model_.spring.rates(reduced_mass);
  if (t.friction > 0) {
    if (t.model == TangentialParameters::Model::spring)
      rates.tangential_stiffness = t.stiffness, rates.tangential_damping = t.damping;
    // A dashpot k_t dt: in steps of dt it counts as a spring of twice its strength over dt.
    if (t.model == TangentialParameters::Model::viscous) rates.tangential_stiffness = 2 * t.stiffness;
  }
  add_rolling(reduced_mass, reduced_radius, rates);
  return rates;
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
