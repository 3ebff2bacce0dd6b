#include "hertz_mindlin_law.hpp"

#include "evaluate.hpp"

namespace scree::compliant {

template <class Use>
void HertzMindlinLaw::with_normal(const ContactColumns& c, double* const* history, const Use& use) const {
  const double modulus = p_.elasticity.normal;
  if (jkr()) return use(JkrNormal{modulus, p_.adhesion, p_.damping_ratio, c.mass, c.radius, history[radius_column()]});
  with_pull(HertzNormal{modulus, p_.damping_ratio, c.mass, c.radius}, c, use);
}

template <class Use>
void HertzMindlinLaw::with_friction(const ContactColumns& c, double* const* history, const Use& use) const {
  if (!rubs() && jkr()) return use(RememberRadius(history[radius_column()]));
  if (!rubs()) return use(NoFriction{});
  const double ratio = 4 * p_.elasticity.tangential / p_.elasticity.normal;
  const double damping = p_.tangential_damping * std::sqrt(ratio);
  double* const radius = history[radius_column()];
  if (planar())
    return use(MindlinFriction<Carry::plane>{ratio, damping, p_.friction, c.dt, Out(history), radius, In()});
  use(MindlinFriction<Carry::frame>{ratio, damping, p_.friction, c.dt, Out(history), radius, In(c.turn)});
}

double HertzMindlinLaw::range() const noexcept {
  return jkr() ? jkr_neck(p_.elasticity.normal, p_.adhesion, p_.largest_radius) : 0;
}

ForceNeeds HertzMindlinLaw::needs() const noexcept {
  ForceNeeds needs = shared_needs(rubs());
  needs.mass = needs.radius = true;
  return needs;
}

int HertzMindlinLaw::history_size() const noexcept { return rolling_column() + rolling_history(); }

void HertzMindlinLaw::force(const ContactColumns& contacts, double* const* history, ForceColumns out) const {
  with_normal(contacts, history, [&](const auto& normal) {
    with_friction(contacts, history,
                  [&](const auto& across) { add_up_forces(normal, across, contacts, Out(out.force)); });
    with_rolling(contacts, history + rolling_column(),
                 [&](const auto& resistance) { couples(normal, resistance, contacts, Out(out.moment)); });
  });
}

void HertzMindlinLaw::energy(const ContactColumns& contacts, const double* const* history, double* energy) const {
  double* const* const columns = read_only(history);
  with_normal(contacts, columns, [&](const auto& normal) {
    with_friction(contacts, columns, [&](const auto& across) { energies(normal, across, contacts, energy); });
    with_rolling(contacts, columns + rolling_column(),
                 [&](const auto& resistance) { add_rolling_energies(normal, resistance, contacts, energy); });
  });
}

double HertzMindlinLaw::contact_duration(double reduced_mass, double reduced_radius) const noexcept {
  return hertz_duration(p_.elasticity.normal, reduced_mass, reduced_radius, p_.typical_speed);
}

}  // namespace scree::compliant
