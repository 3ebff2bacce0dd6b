#include "termed_law.hpp"

namespace scree::compliant {

template <class Law>
TermedLaw<Law>::TermedLaw(const Law& law, const Terms& terms) : Law(law), model_(law.model(), terms) {
  if (terms.crossing_pull > 0) inputs_[input_count_++] = "radius";
  if (terms.liquid.films)
    for (const std::string_view name : {"liquid_offer", "liquid_turn"}) inputs_[input_count_++] = name;
}

/// A bridge of the largest volume, between the smallest bodies for which the formula holds.
template <class Law>
double TermedLaw<Law>::range() const noexcept {
  return model_.terms.wet() ? rupture_gap(model_.terms.liquid, 0, model_.terms.liquid.volume) : 0;
}

template <class Law>
ForceNeeds TermedLaw<Law>::needs() const noexcept {
  const Terms& terms = model_.terms;
  ForceNeeds needs = Law::needs();
  needs.history_in_place = false;  // the loops of forces, rolling and twist read what the first of them writes
  needs.radius = needs.radius || terms.crossing_pull > 0 || terms.wet() || terms.twists();
  needs.spin = needs.spin || terms.twists();
  needs.moment = needs.moment || terms.twists();
  return needs;
}

template <class Law>
void TermedLaw<Law>::force(const ContactColumns& contacts, const double* const* last, double* const* now,
                           ForceColumns out) const {
  model_.force(contacts, last, now, out, HostLoop{});
  if (model_.terms.twists()) model_.twist(contacts, last, now, out, HostLoop{});
}

template <class Law>
void TermedLaw<Law>::energy(const ContactColumns& contacts, const double* const* now, double* energy) const {
  model_.energy(contacts, now, energy, HostLoop{});
  if (model_.terms.twists()) model_.add_twist_energy(contacts, now, energy);
}

/// A contact unloads with the stiffer spring: its duration is that of one with the stiffness of unloading.
template <class Law>
double TermedLaw<Law>::contact_duration(double reduced_mass, double reduced_radius) const noexcept {
  return Law::contact_duration(reduced_mass, reduced_radius) / std::sqrt(model_.terms.plasticity.ratio);
}

template <class Law>
ContactRates TermedLaw<Law>::rates(double reduced_mass, double reduced_radius) const noexcept {
  const Terms& terms = model_.terms;
  ContactRates rates = Law::rates(reduced_mass, reduced_radius);
  rates.stiffness *= terms.plasticity.ratio;
  const Drag drag =
      terms.wet() && std::isfinite(reduced_radius) ? bridge_drag(terms.liquid, reduced_radius, 0) : Drag{};
  rates.damping += drag.normal;
  rates.tangential_damping += drag.tangential;
  return rates;
}

template class TermedLaw<LinearLaw>;
template class TermedLaw<HertzMindlinLaw>;

}  // namespace scree::compliant
