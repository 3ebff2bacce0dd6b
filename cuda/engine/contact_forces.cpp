#include "engine/contact_forces.hpp"

#include <algorithm>
#include <cstddef>

#include "scree/device/sphere_pairs.hpp"

namespace scree::device {

ContactForces::ContactForces(Device& device, const DevicePlan& plan, const Environment& environment, PairLists& lists)
    : device_(device),
      plan_(plan),
      environment_(environment),
      lists_(lists),
      batch_(device),
      shape_of_species_(device, plan.shape_of_species) {
  for (const PairMethods& pairs : plan.pairs) pair_tables_.emplace_back(device, pairs.tables);
  for (const WallMethods& wall : plan.walls) wall_tables_.emplace_back(device, wall.tables);
  batch_.resize(1);
  begin();
  device_.halt_on(&batch_.data()->halted);
}

ContactForces::~ContactForces() { device_.halt_on(nullptr); }

void ContactForces::begin() {
  Batch none{};
  none.halted = kGoesOn;
  none.now = empty_control();
  device_.upload(batch_.data(), &none, offsetof(Batch, of_step));
}

void ContactForces::place_sites(const Bodies& bodies) {
  const PlaceSites body{bodies, lists_.sites(), control()};
  device_.run(body.blocks(0), body);
}

void ContactForces::end_step() { device_.run(1, EndStep{batch()}); }

Batch ContactForces::read_batch(std::size_t steps) const {
  Batch batch{};
  device_.download(&batch, batch_.data(), offsetof(Batch, of_step) + steps * sizeof(Control));
  return batch;
}

namespace {

/// The columns that a law and a detector work with.
StepContacts used_columns(StepContacts s, const ContactMethods& methods) {
  const auto leave_out = [](auto& vector) { std::ranges::fill(vector, nullptr); };
  if (!methods.interaction->needs.mass) s.mass = nullptr;
  if (!methods.uses_radius()) s.radius = nullptr;
  if (methods.flat) s.normal[2] = s.point[2] = s.velocity[2] = s.force[2] = nullptr;
  if (!methods.keeps_velocity()) leave_out(s.velocity);
  if (!methods.keeps_turn()) leave_out(s.turn);
  if (!methods.keeps_spin()) leave_out(s.spin);
  return s;
}

}  // namespace

NarrowArguments ContactForces::narrow(const Bodies& bodies, const ContactMethods& methods, const Segment& segment,
                                      double lag) const {
  return {bodies,
          lists_.sites(),
          segment,
          used_columns(lists_.step_contacts(), methods),
          lists_.slots(),
          control(),
          methods.channel->margin,
          lag,
          methods.interaction->history,
          methods.central,
          methods.channel->curvature};
}

PairArguments ContactForces::pair_arguments(const Bodies& bodies, std::size_t channel, double lag) const {
  return {narrow(bodies, plan_.pairs[channel], lists_.pair_segment(channel), lag), lists_.pair_a(), lists_.pair_b(),
          lists_.first_pair(channel), lists_.shifts()};
}

void ContactForces::detect_pairs(const Bodies& bodies, std::size_t channel, double lag) {
  const PairMethods& methods = plan_.pairs[channel];
  const PairArguments arguments = pair_arguments(bodies, channel, lag);
  if (!methods.shapes) return device_.run(methods.stage, arguments);
  const ShapePairArguments of_shapes{arguments, pair_tables_[channel].data(), shape_of_species_.data(),
                                     lists_.pair_memory(channel), lists_.forgotten()};
  device_.run(methods.stage, of_shapes);
}

void ContactForces::detect_walls(const Bodies& bodies, std::size_t wall, double lag) {
  const WallMethods& methods = plan_.walls[wall];
  const Segment segment = lists_.wall_segment(wall);
  if (methods.outlines) return detect_outlines(bodies, wall, lag);
  const LookArguments look{bodies,        lists_.sites(),     segment, lists_.wall_sites(wall), methods.body,
                           methods.scale, lists_.seen_faces()};
  device_.run(*methods.faces, look);
  const FaceArguments arguments{narrow(bodies, methods, segment, lag), lists_.wall_sites(wall), methods.body,
                                look.seen};
  device_.run(*methods.contacts, arguments);
}

void ContactForces::detect_outlines(const Bodies& bodies, std::size_t wall, double lag) {
  const WallMethods& methods = plan_.walls[wall];
  const NodeWallArguments arguments{
      {narrow(bodies, methods, lists_.wall_segment(wall), lag), lists_.wall_sites(wall), methods.body, {}},
      methods.scale,
      methods.shape,
      wall_tables_[wall].data(),
      shape_of_species_.data()};
  device_.run(methods.faces->named(methods.faces->nodes), arguments);
}

LawArguments ContactForces::law_arguments(const ContactMethods& methods, const Segment& segment, double dt) const {
  const StepContacts s = used_columns(lists_.step_contacts(), methods);
  LawArguments a{};
  a.segment = segment;
  a.flat = methods.flat;
  a.contacts.dt = dt;
  a.contacts.overlap = s.overlap;
  a.contacts.mass = s.mass;
  a.contacts.radius = s.radius;
  for (int k = 0; k < 3; ++k) {
    a.contacts.normal[k] = s.normal[k];
    a.contacts.velocity[k] = s.velocity[k];
    a.contacts.spin[k] = s.spin[k];
    a.contacts.turn[k] = s.turn[k];
    a.out.force[k] = s.force[k];
    a.out.moment[k] = s.moment[k];
  }
  const ContactSlots memory = lists_.slots();
  for (int k = 0; k < methods.interaction->history; ++k) a.last_history[k] = a.now_history[k] = memory.history + k;
  return a;
}

/// Contacts, and what their laws answer.
void ContactForces::find(const Bodies& bodies, double dt, double lag) {
  // A law that gives no couple leaves those of another law's contacts alone: its own are none.
  for (std::size_t c = 0; c < plan_.pairs.size(); ++c) {
    const PairMethods& methods = plan_.pairs[c];
    const Segment segment = lists_.pair_segment(c);
    if (segment.items == 0) continue;
    const LawArguments of_law = law_arguments(methods, segment, dt);
    if (methods.together) {
      device_.run(methods.law->named(methods.law->of_spheres),
                  SphereLawArguments{pair_arguments(bodies, c, lag), of_law});
    } else {
      detect_pairs(bodies, c, lag);
      device_.run(*methods.law, of_law);
    }
  }
  for (std::size_t g = 0; g < plan_.walls.size(); ++g) {
    const Segment segment = lists_.wall_segment(g);
    if (segment.items == 0) continue;
    detect_walls(bodies, g, lag);
    device_.run(*plan_.walls[g].law, law_arguments(plan_.walls[g], segment, dt));
  }
}

Loads ContactForces::loads(const Bodies& bodies, double time) const {
  const Rows rows = lists_.rows();
  return {.bodies = bodies,
          .sites = lists_.sites(),
          .first_entry = rows.first,
          .entry = rows.entry,
          .ref = rows.ref,
          .pair_slots = lists_.pair_slots(),
          .shift = lists_.shifts(),
          .wall = lists_.wall_items(),
          .walls = static_cast<std::uint32_t>(plan_.walls.size()),
          .contacts = lists_.step_contacts(),
          .live = lists_.slots().live,
          .moments = plan_.columns.moment,
          .damping = environment_,
          .damps = environment_.damps(),
          .gravity = gravity_at(environment_, time)};
}

void ContactForces::evaluate(const Bodies& bodies, double time, double dt, double lag) {
  find(bodies, dt, lag);
  if (plan_.planar)
    device_.run(bodies.count, SumForces<InPlane>{loads(bodies, time)});
  else
    device_.run(bodies.count, SumForces<InSpace>{loads(bodies, time)});
}

void ContactForces::evaluate_and_move(const Motion& motion, double time, double dt, double lag) {
  find(motion.bodies, dt, lag);
  if (plan_.planar)
    device_.run(motion.bodies.count, SumKickDrift<InPlane>{{loads(motion.bodies, time)}, {motion}});
  else
    device_.run(motion.bodies.count, SumKickDrift<InSpace>{{loads(motion.bodies, time)}, {motion}});
}

void ContactForces::move(const Motion& motion) {
  if (plan_.planar)
    device_.run(motion.bodies.count, KickDrift<InPlane>{motion});
  else
    device_.run(motion.bodies.count, KickDrift<InSpace>{motion});
}

}  // namespace scree::device
