#include "elastic_law.hpp"

#include "evaluate.hpp"

namespace scree::compliant {

template <class Spring>
template <class Use>
void ElasticLaw<Spring>::with_normal(const ContactColumns& c, const Use& use) const {
  spring_.with_normal(c, [&](const auto& normal) { with_pull(normal, c, use); });
}

template <class Spring>
template <class Use>
void ElasticLaw<Spring>::with_friction(const ContactColumns& c, const History& history, const Use& use) const {
  const TangentialParameters& t = tangential_;
  if (t.model == TangentialParameters::Model::none) return use(NoFriction{});
  if (t.model == TangentialParameters::Model::viscous) return use(ViscousFriction(t.stiffness, t.friction, c.dt));
  if (planar())
    return use(SpringFriction<Carry::plane>{t.stiffness, t.damping, t.friction, c.dt, In(history.last),
                                            Out(history.now), In()});
  use(SpringFriction<Carry::frame>{t.stiffness, t.damping, t.friction, c.dt, In(history.last), Out(history.now),
                                   In(c.turn)});
}

template <class Spring>
ForceNeeds ElasticLaw<Spring>::needs() const noexcept {
  ForceNeeds needs = shared_needs(has_spring());
  needs.mass = needs.mass || spring_.needs_mass();
  return needs;
}

template <class Spring>
int ElasticLaw<Spring>::history_size() const noexcept {
  return rolling_column() + rolling_history();
}

template <class Spring>
void ElasticLaw<Spring>::force(const ContactColumns& contacts, const double* const* last, double* const* now,
                               ForceColumns out) const {
  const History history{last, now};
  with_normal(contacts, [&](const auto& normal) {
    with_friction(contacts, history,
                  [&](const auto& across) { add_up_forces(normal, across, contacts, Out(out.force)); });
    with_rolling(contacts, history.from(rolling_column()),
                 [&](const auto& resistance) { couples(normal, resistance, contacts, Out(out.moment)); });
  });
}

template <class Spring>
void ElasticLaw<Spring>::energy(const ContactColumns& contacts, const double* const* now, double* energy) const {
  const History history = History::written(now);
  with_normal(contacts, [&](const auto& normal) {
    with_friction(contacts, history, [&](const auto& across) { energies(normal, across, contacts, energy); });
    with_rolling(contacts, history.from(rolling_column()),
                 [&](const auto& resistance) { add_rolling_energies(normal, resistance, contacts, energy); });
  });
}

template class ElasticLaw<LinearSpring>;
template class ElasticLaw<PowerSpring>;
template class ElasticLaw<LennardJonesSpring>;

}  // namespace scree::compliant
