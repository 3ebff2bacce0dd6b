#include "engine/contact_methods.hpp"

namespace scree::device {

void UsedColumns::add(const ContactMethods& methods) {
  const ForceNeeds& needs = methods.interaction->needs;
  z = z || !methods.flat;
  arms = arms || methods.central;
  mass = mass || needs.mass;
  radius = radius || methods.uses_radius();
  turn = turn || needs.turn;
  spin = spin || needs.spin;
  moment = moment || needs.moment;
  weights = weights || methods.channel->weighted;
}

std::size_t UsedColumns::count() const {
  const std::size_t vectors = std::size_t{turn} + spin + moment;
  return 1 + 4 * (z ? 3 : 2) + (arms ? 2 : 0) + mass + radius + 3 * vectors + (weights ? 2 : 0);
}

}  // namespace scree::device
