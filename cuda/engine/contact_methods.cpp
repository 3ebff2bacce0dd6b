#include "engine/contact_methods.hpp"

namespace scree::device {

void UsedColumns::add(const ContactMethods& methods) {
  const ForceNeeds& needs = methods.interaction->needs;
  z = z || !methods.flat;
  velocity = velocity || methods.keeps_velocity();
  arms = arms || methods.central;
  mass = mass || needs.mass;
  radius = radius || methods.uses_radius();
  turn = turn || methods.keeps_turn();
  spin = spin || methods.keeps_spin();
  moment = moment || needs.moment;
  weights = weights || methods.channel->weighted;
}

std::size_t UsedColumns::count() const {
  const std::size_t vectors = std::size_t{turn} + spin + moment;
  return 1 + (velocity ? 4 : 3) * (z ? 3 : 2) + (arms ? 2 : 0) + mass + radius + 3 * vectors + (weights ? 2 : 0);
}

}  // namespace scree::device
