#include "hertz_mindlin_law.hpp"

namespace scree::compliant {

double HertzMindlinLaw::range() const noexcept {
  const HertzMindlinParameters& p = model_.p;
  return model_.jkr() ? jkr_neck(p.elasticity.normal, p.adhesion, p.largest_radius) : 0;
}

ForceNeeds HertzMindlinLaw::needs() const noexcept {
  ForceNeeds needs = shared_needs(model_.rubs());
  needs.mass = needs.radius = true;
  return needs;
}

void HertzMindlinLaw::force(const ContactColumns& contacts, const double* const* last, double* const* now,
                            ForceColumns out) const {
  model_.force(contacts, last, now, out, HostLoop{});
}

void HertzMindlinLaw::energy(const ContactColumns& contacts, const double* const* now, double* energy) const {
  model_.energy(contacts, now, energy, HostLoop{});
}

void HertzMindlinLaw::elastic(const ContactColumns& contacts, double* force, double* stiffness) const {
  for (std::size_t i = 0; i < contacts.size; ++i) {
    const double depth = larger(0.0, contacts.overlap[i]), a = std::sqrt(std::abs(contacts.radius[i]) * depth);
    force[i] = a * depth / 1.5;
    stiffness[i] = a;
  }
}

double HertzMindlinLaw::contact_duration(double reduced_mass, double reduced_radius) const noexcept {
  return hertz_duration(model_.p.elasticity.normal, reduced_mass, reduced_radius, model_.p.typical_speed);
}

ContactRates HertzMindlinLaw::rates(double reduced_mass, double reduced_radius) const noexcept {
  const HertzMindlinParameters& p = model_.p;
  const double depth = hertz_depth(p.elasticity.normal, reduced_mass, reduced_radius, p.typical_speed);
  const NormalContact<double> c =
      hertz_contact(p.elasticity.normal, p.damping_ratio, reduced_mass, reduced_radius, depth, 0.0);
  ContactRates rates{.stiffness = c.stiffness, .damping = c.damping};
  if (model_.rubs()) {
    const double ratio = model_.tangential_ratio();
    rates.tangential_stiffness = ratio * c.stiffness;
    rates.tangential_damping = p.tangential_damping * std::sqrt(ratio) * c.damping;
  }
  add_rolling(reduced_mass, reduced_radius, rates);
  return rates;
}

std::optional<Moduli> HertzMindlinLaw::moduli(const Moduli& of_material) const noexcept {
  const HertzMindlinParameters& p = model_.p;
  return Moduli{p.youngs_modulus > 0 ? p.youngs_modulus : of_material.youngs_modulus,
                p.poisson_ratio > -1 ? p.poisson_ratio : of_material.poisson_ratio};
}

}  // namespace scree::compliant
