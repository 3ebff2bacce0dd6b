/// \file Columns of a block of contacts for its law.

#include <algorithm>
#include <utility>

#include "scree/contacts/evaluation/over_chunks.hpp"

namespace scree {

/// Makes the columns in the thread's memory.
ContactEvaluation::LawColumns ContactEvaluation::law_columns(Work& w, const detail::ContactBlock& c, double dt,
                                                             double lag) const {
  const Channel& channel = methods_.channels[c.channel];
  const ForceNeeds& needs = methods_.interactions[channel.interaction].needs;
  double* next = w.scratch.columns.data();
  const auto column = [&] { return std::exchange(next, next + kColumnStride); };
  const auto vector = [&] { return detail::VectorColumns{{column(), column(), column()}}; };
  const auto pointers = [](const detail::VectorColumns& v, const double*(&to)[3]) { std::copy_n(v.axis, 3, to); };

  LawColumns columns;
  detail::MotionColumns motion;
  motion.velocity = vector();
  if (needs.spin) motion.spin = vector();
  if (needs.turn) motion.turn = vector();
  const double* const masses = w.scratch.masses.masses();
  if (needs.mass && !masses) motion.mass = column();
  if (needs.radius && !channel.curvature) motion.bounding_radius = column();
  detail::relative_motion(c, motion, lag, w.owner());
  const std::span<const Vec3> surface_velocity = lists_.surface_velocity();
  if (!surface_velocity.empty()) detail::add_surface_velocity(c, surface_velocity, w.list.rows, motion.velocity);

  const ContactBuffer& contacts = *c.contacts;
  columns.in.size = c.count;
  columns.in.dt = dt;
  columns.in.overlap = contacts.overlap() + c.first;
  for (int k = 0; k < 3; ++k) columns.in.normal[k] = contacts.normal(k) + c.first;
  pointers(motion.velocity, columns.in.velocity);
  pointers(motion.spin, columns.in.spin);
  pointers(motion.turn, columns.in.turn);
  if (needs.mass) columns.in.mass = masses ? masses + c.first : motion.mass;
  if (needs.radius) columns.in.radius = channel.curvature ? contacts.radius() + c.first : motion.bounding_radius;
  columns.velocity = motion.velocity;
  columns.spin = motion.spin;
  columns.force = vector();
  if (needs.moment) columns.moment = vector();
  if (methods_.interactions[channel.interaction].inputs) add_inputs(w, c, columns);
  return columns;
}

/// Adds columns of contacts and bodies that the law names: see ContactLaw::contact_inputs() and body_inputs().
void ContactEvaluation::add_inputs(Work& w, const detail::ContactBlock& c, LawColumns& columns) const {
  const Channel& channel = methods_.channels[c.channel];
  const Interaction& interaction = methods_.interactions[channel.interaction];
  for (std::size_t k = 0; k < channel.quantity.size() && channel.quantity[k] >= 0; ++k)
    columns.in.quantity[k] = c.contacts->quantity(channel.quantity[k]) + c.first;
  w.scratch.inputs.resize(2 * ContactLaw::kMostInputs * kColumnStride);
  double* next = w.scratch.inputs.data();
  for (std::size_t k = 0; k < interaction.body_columns.size(); ++k) {
    const auto of = interaction.body_columns[k].read();
    double* const a = std::exchange(next, next + kColumnStride);
    double* const b = std::exchange(next, next + kColumnStride);
    for (std::size_t i = 0; i < c.count; ++i) {
      const Pair& pair = c.pair(i);
      a[i] = of[w.list.rows[pair.a]];
      b[i] = of[w.list.rows[pair.b]];
    }
    columns.in.of_a[k] = a;
    columns.in.of_b[k] = b;
  }
}

}  // namespace scree
