#include "hertz_mindlin_law.hpp"

#include "evaluate.hpp"

namespace scree::compliant {

template <class Use>
void HertzMindlinLaw::with_normal(const ContactColumns& c, const History& history, const Use& use) const {
  const double modulus = p_.elasticity.normal;
  if (jkr())
    return use(JkrNormal{modulus, p_.adhesion, p_.damping_ratio, c.mass, c.radius, history.last[radius_column()]});
  with_pull(HertzNormal{modulus, p_.damping_ratio, c.mass, c.radius}, c, use);
}

template <class Use>
void HertzMindlinLaw::with_friction(const ContactColumns& c, const History& history, const Use& use) const {
  if (!rubs() && jkr()) return use(RememberRadius(history.now[radius_column()]));
  if (!rubs()) return use(NoFriction{});
  const double ratio = 4 * p_.elasticity.tangential / p_.elasticity.normal;
  const double damping = p_.tangential_damping * std::sqrt(ratio);
  const In last(history.last);
  const Out now(history.now);
  const double* const last_radius = history.last[radius_column()];
  double* const radius = history.now[radius_column()];
  if (planar())
    return use(MindlinFriction<Carry::plane>{ratio, damping, p_.friction, c.dt, last, last_radius, now, radius, In()});
  use(MindlinFriction<Carry::frame>{ratio, damping, p_.friction, c.dt, last, last_radius, now, radius, In(c.turn)});
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

void HertzMindlinLaw::force(const ContactColumns& contacts, const double* const* last, double* const* now,
                            ForceColumns out) const {
  const History history{last, now};
  with_normal(contacts, history, [&](const auto& normal) {
    with_friction(contacts, history,
                  [&](const auto& across) { add_up_forces(normal, across, contacts, Out(out.force)); });
    with_rolling(contacts, history.from(rolling_column()),
                 [&](const auto& resistance) { couples(normal, resistance, contacts, Out(out.moment)); });
  });
}

void HertzMindlinLaw::energy(const ContactColumns& contacts, const double* const* now, double* energy) const {
  const History history = History::written(now);
  with_normal(contacts, history, [&](const auto& normal) {
    with_friction(contacts, history, [&](const auto& across) { energies(normal, across, contacts, energy); });
    with_rolling(contacts, history.from(rolling_column()),
                 [&](const auto& resistance) { add_rolling_energies(normal, resistance, contacts, energy); });
  });
}

double HertzMindlinLaw::contact_duration(double reduced_mass, double reduced_radius) const noexcept {
  return hertz_duration(p_.elasticity.normal, reduced_mass, reduced_radius, p_.typical_speed);
}

const void* HertzMindlinLaw::face(std::string_view name) const noexcept {
  if (name == ElasticFace::kName) return static_cast<const ElasticFace*>(this);
  return CompliantLaw::face(name);
}

ElasticFace::Moduli HertzMindlinLaw::moduli(const Moduli& of_material) const noexcept {
  return {p_.youngs_modulus.value_or(of_material.youngs_modulus), p_.poisson_ratio.value_or(of_material.poisson_ratio)};
}

}  // namespace scree::compliant
