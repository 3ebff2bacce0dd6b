#include "linear_law.hpp"

#include "evaluate.hpp"

namespace scree::compliant {

template <class Use>
void LinearLaw::with_normal(const ContactColumns& c, const Use& use) const {
  const double k = p_.normal_stiffness;
  if (p_.damping_ratio < 0) return with_pull(LinearNormal{k, p_.normal_damping}, c, use);
  with_pull(LinearRestitution{k, 2 * p_.damping_ratio * std::sqrt(k), c.mass}, c, use);
}

template <class Use>
void LinearLaw::with_friction(const ContactColumns& c, double* const* history, const Use& use) const {
  if (p_.tangential == LinearParameters::Tangential::none) return use(NoFriction{});
  if (p_.tangential == LinearParameters::Tangential::viscous)
    return use(ViscousFriction(p_.tangential_stiffness, p_.friction, c.dt));
  const double k = p_.tangential_stiffness, damping = p_.tangential_damping;
  if (planar()) return use(SpringFriction<Carry::plane>{k, damping, p_.friction, c.dt, Out(history), In()});
  use(SpringFriction<Carry::frame>{k, damping, p_.friction, c.dt, Out(history), In(c.turn)});
}

ForceNeeds LinearLaw::needs() const noexcept {
  ForceNeeds needs = shared_needs(has_spring());
  needs.mass = needs.mass || p_.damping_ratio >= 0;
  return needs;
}

int LinearLaw::history_size() const noexcept { return (has_spring() ? 3 : 0) + rolling_history(); }

void LinearLaw::force(const ContactColumns& contacts, double* const* history, ForceColumns out) const {
  with_normal(contacts, [&](const auto& normal) {
    with_friction(contacts, history,
                  [&](const auto& across) { add_up_forces(normal, across, contacts, Out(out.force)); });
    with_rolling(contacts, history + (has_spring() ? 3 : 0),
                 [&](const auto& resistance) { couples(normal, resistance, contacts, Out(out.moment)); });
  });
}

void LinearLaw::energy(const ContactColumns& contacts, const double* const* history, double* energy) const {
  with_normal(contacts, [&](const auto& normal) {
    with_friction(contacts, read_only(history),
                  [&](const auto& across) { energies(normal, across, contacts, energy); });
    with_rolling(contacts, read_only(history) + (has_spring() ? 3 : 0),
                 [&](const auto& resistance) { add_rolling_energies(normal, resistance, contacts, energy); });
  });
}

double LinearLaw::contact_duration(double reduced_mass, double) const noexcept {
  const double k = p_.normal_stiffness;
  const double damping = p_.damping_ratio < 0 ? p_.normal_damping : 2 * p_.damping_ratio * std::sqrt(k * reduced_mass);
  return linear_duration(k, damping, reduced_mass);
}

}  // namespace scree::compliant
