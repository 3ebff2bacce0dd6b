#include "scree/contacts/evaluation/pair_masses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree {

namespace {

/// Whether a law asks for masses, or its contacts are watched.
bool asks(const Methods& methods, const PairChunk& chunk) {
  return std::ranges::any_of(chunk.segments, [&](const PairChunk::Segment& segment) {
    const Interaction& law = methods.interactions[methods.channels[segment.channel].interaction];
    return law.needs.mass || law.hasty_mass > 0;
  });
}

/// The contact by which the fastest pair is judged, of contacts [begin, end); `end` where none touches. All contacts of a
/// pair swing alike, k_i/m_i, and the stiffest has the largest mass: those that barely touch by Hertz's law have little
/// of either.
std::uint32_t fastest(const double* mass, const ContactBuffer& contacts, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t* const pair = contacts.pair();
  std::uint32_t found = end;
  for (std::uint32_t i = begin; i < end;) {
    std::uint32_t stiffest = end;
    for (const std::uint32_t of = pair[i]; i < end && pair[i] == of; ++i)
      if (contacts.overlap()[i] > 0 && (stiffest == end || mass[i] > mass[stiffest])) stiffest = i;
    if (stiffest != end && (found == end || mass[stiffest] < mass[found])) found = stiffest;
  }
  return found;
}

}  // namespace

void PairMasses::find(const World& world, const Methods& methods, const PairChunk& chunk, const BodyView& bodies,
                      const ContactBuffer& contacts, bool normals_through_centres) {
  clear();
  hasty_ = {};
  if (normals_through_centres || !asks(methods, chunk)) return;
  mass_.resize((contacts.size() + 7) / 8 * 8 + 8, 1);
  find_turning(world, chunk);
  const std::uint32_t* const pair = contacts.pair();
  const double* const overlap = contacts.overlap();
  const auto size = static_cast<std::uint32_t>(contacts.size());
  std::uint32_t next = 0;
  for (const PairChunk::Segment& segment : chunk.segments) {
    const Channel& channel = methods.channels[segment.channel];
    const Run all{next, static_cast<std::uint32_t>(std::lower_bound(pair + next, pair + size, segment.end) - pair)};
    next = all.end;
    runs_.clear();
    for (Run run{all.begin, all.begin}; run.begin < all.end; run.begin = run.end) {
      std::size_t touching = 0;
      for (; run.end < all.end && pair[run.end] == pair[run.begin]; ++run.end) touching += overlap[run.end] > 0 ? 1 : 0;
      find_alone(sides_of(chunk, bodies, pair[run.begin]), contacts, run);
      if (touching > 1) runs_.push_back(run);
    }
    const Interaction& law = methods.interactions[channel.interaction];
    if (!runs_.empty()) ask_law(*law.force, channel.curvature, contacts, all);
    for (const Run& run : runs_)
      share(sides_of(chunk, bodies, pair[run.begin]), channel.weighted ? contacts.force_weight() : nullptr, contacts,
            run);
    watch(law, chunk, bodies, contacts, all);
  }
}

void PairMasses::find_turning(const World& world, const PairChunk& chunk) {
  const auto inverse = world.inverse_inertia.read();
  const auto orientation = world.orientation.read();
  turning_.resize(chunk.rows.size());
  for (std::size_t k = 0; k < chunk.rows.size(); ++k) {
    const Vec3& d = inverse[chunk.rows[k]];
    if (d.x() == d.y() && d.y() == d.z()) {
      turning_[k] = {d.x(), d.x(), d.x(), 0, 0, 0};
      continue;
    }
    const Mat3 r = orientation[chunk.rows[k]].toRotationMatrix();
    const Mat3 m = r * d.asDiagonal() * r.transpose();
    turning_[k] = {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)};
  }
}

PairMasses::Sides PairMasses::sides_of(const PairChunk& chunk, const BodyView& bodies, std::uint32_t pair) const {
  const Pair& p = chunk.pairs[pair];
  const std::uint32_t a = chunk.owner_of(p.a), b = chunk.owner_of(p.b);
  return {&bodies.row[a], &bodies.row[b], &turning_[a], &turning_[b]};
}

/// As if each were the only contact of its pair.
void PairMasses::find_alone(const Sides& s, const ContactBuffer& contacts, Run run) {
  const double straight = s.a->inverse_mass + s.b->inverse_mass;
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    const Vec3 n = contacts.normal_at(i), p = contacts.point_at(i);
    const Vec3 lever_a = (p - s.a->position).cross(n), lever_b = (p - s.b->position).cross(n);
    const double turned = lever_a.dot(*s.turning_a * lever_a) + lever_b.dot(*s.turning_b * lever_b);
    constexpr double kRounding = 1e-12;  // of normals through the centres, whose masses are the reduced ones
    mass_[i] = 1 / (turned > kRounding * straight ? straight + turned : straight);
  }
}

/// Forces and stiffnesses of all contacts of one law. Bounding radii are the same for all contacts of a pair, and need
/// not be known.
void PairMasses::ask_law(const ForceFace& law, bool curvature, const ContactBuffer& contacts, Run all) {
  const std::size_t size = all.end - all.begin;
  force_.resize(contacts.size());
  stiffness_.resize(contacts.size());
  radius_.assign(curvature ? 0 : size, 1);
  ContactColumns columns;
  columns.size = size;
  columns.overlap = contacts.overlap() + all.begin;
  columns.radius = curvature ? contacts.radius() + all.begin : radius_.data();
  law.elastic(columns, force_.data() + all.begin, stiffness_.data() + all.begin);
}

/// Looks at the shortest of the contacts of one law.
void PairMasses::watch(const Interaction& law, const PairChunk& chunk, const BodyView& bodies,
                       const ContactBuffer& contacts, Run all) {
  if (!(law.hasty_mass > 0)) return;
  const std::uint32_t i = fastest(mass_.data(), contacts, all.begin, all.end);
  if (i == all.end || mass_[i] >= law.hasty_mass) return;
  const std::uint32_t* const pair = contacts.pair();
  const Pair& p = chunk.pairs[pair[i]];
  const BodyRow &a = bodies.row[p.a], &b = bodies.row[p.b];
  const double radius = 1 / (1 / a.radius + 1 / b.radius);
  HastyContact found{.duration = law.force->contact_duration(mass_[i], radius),
                     .body_a = static_cast<double>(a.id),
                     .body_b = static_cast<double>(b.id)};
  for (std::uint32_t k = all.begin; k < all.end; ++k) found.at_once += pair[k] == pair[i] && contacts.overlap()[k] > 0;
  hasty_.keep_shorter(found);
  if (mass_[i] < law.unstable_mass)
    throw NumericalError(fmt::format(
        "interaction {}: body {} and body {} touch at {:.0f} {} at once: such a contact lasts {:.2g} s, and steps this "
        "long give it energy. Lower /integrator/dt to {:.2g} s or less. To run all the same, set /run/accept_long_dt to "
        "true.",
        law.name, a.id, b.id, found.at_once, found.at_once > 1 ? "places" : "place", found.duration,
        found.duration / 10));
}

/// \param weight  by contact, or null
void PairMasses::share(const Sides& s, const double* weight, const ContactBuffer& contacts, Run run) {
  const double* const overlap = contacts.overlap();
  const auto weight_of = [&](std::uint32_t i) { return overlap[i] > 0 ? weight ? weight[i] : 1.0 : 0.0; };
  Vec3 force = Vec3::Zero(), torque_a = Vec3::Zero(), torque_b = Vec3::Zero();
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    const Vec3 f = weight_of(i) * force_[i] * contacts.normal_at(i), p = contacts.point_at(i);
    force += f;
    torque_a += (p - s.a->position).cross(f);
    torque_b += (p - s.b->position).cross(f);
  }
  const Vec3 straight = (s.a->inverse_mass + s.b->inverse_mass) * force;  // of b relative to a
  const Vec3 turning_a = *s.turning_a * torque_a, turning_b = *s.turning_b * torque_b;
  double stored = 0, done = 0;
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    const Vec3 p = contacts.point_at(i);
    const double along = contacts.normal_at(i).dot(straight + turning_b.cross(p - s.b->position) +
                                                   turning_a.cross(p - s.a->position));
    stored += weight_of(i) * stiffness_[i] * along * along;
    done += weight_of(i) * force_[i] * along;
  }
  if (!(stored > 0 && done > 0)) return;  // weights may cancel
  const double per_square = done / stored;
  for (std::uint32_t i = run.begin; i < run.end; ++i)
    if (overlap[i] > 0 && stiffness_[i] > 0) mass_[i] = stiffness_[i] * per_square;
}

}  // namespace scree
