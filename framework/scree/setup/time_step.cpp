#include "scree/setup/detail/time_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "scree/law/elastic_face.hpp"
#include "scree/setup/detail/set_up.hpp"

namespace scree {

namespace detail {

namespace {

/// "auto": so many steps in the shortest contact. Restitution and friction then come out to about a percent.
constexpr double kAutoSteps = 20;

/// "auto": at most this part of the Rayleigh time. The usual choice for dense flow is 0.1 to 0.3.
constexpr double kAutoRayleigh = 0.2;

/// Fewer steps per contact than this, and a collision is no longer resolved in time.
constexpr double kResolved = 5;

/// Fewer than this, and contacts gain energy. A contact is half a period of a pair, pi/w; a grain between two fixed
/// neighbours vibrates with sqrt(2) w; Verlet's steps must stay below 2 over that: 2.2 steps per contact.
constexpr double kFewest = 2;

/// Bodies of one shape and material.
struct Kind {
  std::uint32_t shape, material;
  std::size_t moving = 0;
  bool walls = false;
  double mass = std::numeric_limits<double>::infinity(), radius = 0;  ///< of the lightest that moves

  void note(double mass_of_one, double radius_of_one) {
    ++moving;
    if (std::pair(mass_of_one, radius_of_one) < std::pair(mass, radius)) mass = mass_of_one, radius = radius_of_one;
  }
};

using Kinds = std::map<std::pair<std::uint32_t, std::uint32_t>, Kind>;

Kind& kind_of(std::uint32_t shape, std::uint32_t material, Kinds& kinds) {
  return kinds.try_emplace({shape, material}, Kind{shape, material}).first->second;
}

void note_bodies(const World& world, Kinds& kinds) {
  const auto shape = world.shape.read(), material = world.material.read();
  const auto free = world.inverse_mass.read(), mass = world.mass.read(), radius = world.radius.read();
  const auto id = world.id.read(), owner = world.owner.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (owner[i] != id[i]) continue;  // as heavy as what it is a member of
    Kind& kind = kind_of(shape[i], material[i], kinds);
    kind.walls = kind.walls || free[i] == 0;
    if (free[i] > 0) kind.note(mass[i], radius[i]);
  }
}

/// What modifiers will make: several of each kind.
void note_made(const Prepared& prepared, Kinds& kinds) {
  const World& world = *prepared.world;
  for (const MadeKind& made : prepared.made_kinds) {
    const Shape& shape = *world.shapes()[made.shape].shape;
    const MassProperties whole = shape.mass(world.materials()[made.material].density);
    const double mass = scaled(whole, made.smallest, world.dimension()).mass;
    Kind& kind = kind_of(made.shape, made.material, kinds);
    for (int k = 0; k < 2; ++k) kind.note(mass, made.smallest * shape.bounding_radius());
  }
}

std::vector<Kind> kinds_of(const Prepared& prepared) {
  Kinds kinds;
  note_bodies(*prepared.world, kinds);
  note_made(prepared, kinds);
  std::vector<Kind> list;
  for (const auto& [key, kind] : kinds) list.push_back(kind);
  return list;
}

class Limits {
 public:
  Limits(const Scene& scene, const Prepared& prepared) : scene_(scene), prepared_(prepared) {}

  std::vector<StepLimit> find() {
    const std::vector<Kind> kinds = kinds_of(prepared_);
    for (auto p = kinds.begin(); p != kinds.end(); ++p)
      for (auto q = p; q != kinds.end(); ++q) meet(*p, *q);
    std::vector<StepLimit> list;
    for (auto& [entry, limit] : limits_) list.push_back(std::move(limit));
    return list;
  }

 private:
  void meet(const Kind& p, const Kind& q) {
    const Methods& methods = prepared_.methods;
    const std::int32_t channel = methods.channel(p.shape, p.material, q.shape, q.material);
    if (channel == Methods::kNoChannel) return;
    const Interaction& law = methods.interactions[methods.channels[static_cast<std::size_t>(channel)].interaction];
    if (!law.force) return;
    if (&p == &q ? p.moving > 1 : p.moving > 0 && q.moving > 0)
      contact(law, p.mass * q.mass / (p.mass + q.mass), p.radius * q.radius / (p.radius + q.radius));
    if (p.moving > 0 && q.walls) contact(law, p.mass, p.radius);
    if (q.moving > 0 && p.walls) contact(law, q.mass, q.radius);
    for (const Kind* kind : {&p, &q})
      if (kind->moving > 0) wave(law, *kind);
  }

  StepLimit* limit_of(const Interaction& law) {
    const InteractionDef& def = scene_.interactions[law.entry];
    return &limits_.try_emplace(law.entry, StepLimit{law.entry, def.a + "-" + def.b, kForEver, {}}).first->second;
  }

  void contact(const Interaction& law, double mass, double radius) {
    const double duration = law.force->contact_duration(mass, radius);
    if (duration > 0 && duration < kForEver) {
      StepLimit& limit = *limit_of(law);
      limit.contact = std::min(limit.contact, duration);
    }
  }

  void wave(const Interaction& law, const Kind& kind) {
    const auto* const elastic = face<ElasticFace>(*law.law);
    const MaterialEntry& material = prepared_.world->materials()[kind.material];
    if (!elastic || !std::isfinite(kind.radius)) return;
    const auto moduli = elastic->moduli({material.youngs_modulus, material.poisson_ratio});
    if (!std::isfinite(moduli.youngs_modulus) || !(moduli.youngs_modulus > 0)) return;
    StepLimit& limit = *limit_of(law);
    limit.rayleigh = std::min(
        limit.rayleigh.value_or(kForEver),
        rayleigh_time(kind.radius, material.density, moduli.youngs_modulus, std::max(moduli.poisson_ratio, 0.0)));
  }

  static constexpr double kForEver = std::numeric_limits<double>::infinity();

  const Scene& scene_;
  const Prepared& prepared_;
  std::map<std::uint32_t, StepLimit> limits_;
};

std::string law_of(const Scene& scene, const StepLimit& limit) {
  return scene.where(scene.interactions[limit.entry].pointer + "/law");
}

}  // namespace

double rayleigh_time(double radius, double density, double youngs_modulus, double poisson_ratio) {
  const double shear = youngs_modulus / (2 * (1 + poisson_ratio));
  return std::numbers::pi * radius * std::sqrt(density / shear) / (0.1631 * poisson_ratio + 0.8766);
}

std::vector<StepLimit> step_limits(const Scene& scene, const Prepared& prepared) {
  return Limits(scene, prepared).find();
}

double time_step(const Scene& scene, const std::vector<StepLimit>& limits) {
  if (scene.dt > 0) return scene.dt;
  double dt = std::numeric_limits<double>::infinity();
  for (const StepLimit& limit : limits)
    dt = std::min({dt, limit.contact / kAutoSteps, kAutoRayleigh * limit.rayleigh.value_or(dt / kAutoRayleigh)});
  if (std::isfinite(dt)) return dt;
  throw InputError(fmt::format(
      "{}: \"auto\" is a part of the shortest contact, and nothing here says how long one lasts: integrator \"{}\" "
      "resolves none, or no two bodies that are there or come by hooks meet by a law with a stiffness. Give the time "
      "step [s].",
      scene.where("/integrator/dt"), scene.integrator.type));
}

void judge_step(const Scene& scene, Prepared& prepared) {
  const double dt = prepared.clock.dt;
  for (const StepLimit& limit : prepared.limits) {
    const double steps = limit.contact / dt;
    if (!(steps < kResolved)) continue;
    const std::string text = fmt::format(
        "{}: a contact of two of the lightest bodies lasts about {:.3g} s, {:.2g} steps of {:.3g} s; below {:g} steps "
        "a collision is not resolved",
        law_of(scene, limit), limit.contact, steps, dt, kResolved);
    const std::string remedy = fmt::format(
        "Lower /integrator/dt to {:.2g} s or less, or the stiffness, or say \"dt\": "
        "\"auto\".",
        limit.contact / kAutoSteps);
    if (steps < kFewest && !scene.accept_long_dt)
      throw InputError(
          fmt::format("{}, and below {:g} it gains energy. {} To run all the same, set "
                      "/run/accept_long_dt to true.",
                      text, kFewest, remedy));
    prepared.warnings.push_back(fmt::format("{}. {}", text, remedy));
  }
}

}  // namespace detail

std::string text_of(const StepLimit& limit, double dt) {
  std::string text = fmt::format("interaction {} {}: ", limit.entry, limit.name);
  if (std::isfinite(limit.contact))
    text += fmt::format("the shortest contact lasts {:.4g} s, {:.3g} steps", limit.contact, limit.contact / dt);
  if (limit.rayleigh)
    text += fmt::format("{}the Rayleigh time is {:.4g} s, of which dt is {:.3g} %",
                        std::isfinite(limit.contact) ? "; " : "", *limit.rayleigh, 100 * dt / *limit.rayleigh);
  return text;
}

}  // namespace scree
