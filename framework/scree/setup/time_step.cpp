#include "scree/setup/detail/time_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "scree/law/contact_law.hpp"
#include "scree/law/longest_step.hpp"
#include "scree/setup/detail/contacts_at_once.hpp"
#include "scree/setup/detail/set_up.hpp"

namespace scree {

namespace detail {

namespace {

/// "auto": number of steps in the shortest contact, and at least in one of a pair that has several at once. Restitution
/// and friction are then right to about a percent, for several contacts to a few.
constexpr double kAutoSteps = 20, kAutoStepsTogether = 10;

/// "auto": largest part of the longest stable step. Strong dashpots then give the restitution to .02.
constexpr double kAutoStable = 0.5;

/// "auto": largest part of the Rayleigh time. The usual choice for dense flow is 0.1 to 0.3.
constexpr double kAutoRayleigh = 0.2;

/// Number of steps per contact below which a collision is no longer resolved: restitution is wrong.
constexpr double kResolved = 10;

/// Number of steps of a contact below which it is reported during a run. Pairs that touch askew, or at more places than
/// foreseen, take fewer steps than the shortest that is known before.
constexpr double kHasty = 8;

/// Number of steps below which contacts gain energy, depending on the phase in which they open. Steps without a gain
/// are pi/w long over 3.9 for e = .9, and over 2.6 for e = .5. A grain in a bed oscillates faster than a pair does, and
/// needs as many.
constexpr double kFewest = 4;

/// Largest part of the longest stable step.
constexpr double kMostStable = 0.8;

/// Bodies of one shape and material.
struct Kind {
  std::uint32_t shape, material;
  std::size_t moving = 0;
  bool walls = false;
  double mass = std::numeric_limits<double>::infinity(), radius = 0;  ///< mass and radius of the lightest moving body

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
    if (owner[i] != id[i]) continue;  // as heavy as its owner
    Kind& kind = kind_of(shape[i], material[i], kinds);
    kind.walls = kind.walls || free[i] == 0;
    if (free[i] > 0) kind.note(mass[i], radius[i]);
  }
}

/// Adds bodies that modifiers will make: several of each kind.
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

  /// Returns the lightest pair of each interaction after find(): mass [kg] and radius [m], reduced.
  const std::map<std::uint32_t, std::pair<double, double>>& lightest() const { return lightest_; }

 private:
  void meet(const Kind& p, const Kind& q) {
    const Methods& methods = prepared_.methods;
    const std::int32_t channel = methods.channel(p.shape, p.material, q.shape, q.material);
    if (channel == Methods::kNoChannel) return;
    const Interaction& law = methods.interactions[methods.channels[static_cast<std::size_t>(channel)].interaction];
    if (!law.force) return;
    const std::size_t at_once = std::max(at_once_of(p.shape), at_once_of(q.shape));
    if (&p == &q ? p.moving > 1 : p.moving > 0 && q.moving > 0)
      contact(law, p.mass * q.mass / (p.mass + q.mass), p.radius * q.radius / (p.radius + q.radius), at_once);
    if (p.moving > 0 && q.walls) contact(law, p.mass, p.radius, at_once);
    if (q.moving > 0 && p.walls) contact(law, q.mass, q.radius, at_once);
    for (const Kind* kind : {&p, &q})
      if (kind->moving > 0) wave(law, *kind);
  }

  StepLimit* limit_of(const Interaction& law) {
    const InteractionDef& def = scene_.interactions[law.entry];
    const StepLimit none{law.entry, def.a + "-" + def.b, kForEver, 1, kForEver, kForEver, kForEver, {}};
    return &limits_.try_emplace(law.entry, none).first->second;
  }

  std::size_t at_once_of(std::uint32_t shape) {
    const auto [found, is_new] = at_once_.try_emplace(shape, 1);
    if (is_new) found->second = contacts_at_once(*prepared_.world->shapes()[shape].shape);
    return found->second;
  }

  /// Adds a contact. n contacts of a pair oscillate like one whose mass is 1/n of theirs.
  void contact(const Interaction& law, double mass, double radius, std::size_t at_once) {
    const double duration = law.force->contact_duration(mass, radius);
    if (!(duration > 0 && duration < kForEver)) return;
    const auto number = static_cast<std::uint32_t>(&law - prepared_.methods.interactions.data());
    const auto [pair, is_new] = lightest_.try_emplace(number, mass, radius);
    if (!is_new) pair->second = std::min(pair->second, std::pair(mass, radius));
    const auto n = static_cast<double>(at_once);
    const ContactRates rates = law.force->rates(mass / n, radius);
    const int dimension = prepared_.world->dimension();
    const double together = duration / std::sqrt(n);
    StepLimit& limit = *limit_of(law);
    limit.contact = std::min(limit.contact, duration);
    if (together < limit.together) limit.together = together, limit.at_once = at_once;
    limit.stable = std::min(limit.stable, longest_step(rates, mass / n, radius, dimension, false));
    limit.resolved = std::min({limit.resolved, duration / kAutoSteps, together / kAutoStepsTogether,
                               kAutoStable * longest_step(rates, mass / n, radius, dimension, true)});
  }

  void wave(const Interaction& law, const Kind& kind) {
    const MaterialEntry& material = prepared_.world->materials()[kind.material];
    const auto moduli = law.law->moduli({material.youngs_modulus, material.poisson_ratio});
    if (!moduli || !std::isfinite(kind.radius)) return;
    if (!std::isfinite(moduli->youngs_modulus) || !(moduli->youngs_modulus > 0)) return;
    StepLimit& limit = *limit_of(law);
    limit.rayleigh = std::min(
        limit.rayleigh.value_or(kForEver),
        rayleigh_time(kind.radius, material.density, moduli->youngs_modulus, std::max(moduli->poisson_ratio, 0.0)));
  }

  static constexpr double kForEver = std::numeric_limits<double>::infinity();

  const Scene& scene_;
  const Prepared& prepared_;
  std::map<std::uint32_t, StepLimit> limits_;
  std::map<std::uint32_t, std::size_t> at_once_;  ///< by shape
  std::map<std::uint32_t, std::pair<double, double>> lightest_;
};

/// Returns the least mass from which on `good` holds, at most `most` [kg].
template <class Good>
double least_mass(double most, const Good& good) {
  double bad = 1e-12 * most;
  if (good(bad)) return 0;
  for (int k = 0; k < 60; ++k) {
    const double middle = std::sqrt(bad * most);
    (good(middle) ? most : bad) = middle;
  }
  return most;
}

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
    dt = std::min({dt, limit.resolved, kAutoRayleigh * limit.rayleigh.value_or(dt / kAutoRayleigh)});
  if (std::isfinite(dt)) return dt;
  throw InputError(fmt::format(
      "{}: \"auto\" is a part of the shortest contact, and nothing here says how long one lasts: integrator \"{}\" "
      "resolves none, or no two bodies that are there or come by hooks meet by a law with a stiffness. Give the time "
      "step [s].",
      scene.where("/integrator/dt"), scene.integrator.type));
}

void watch_steps(const Scene& scene, Prepared& prepared) {
  const double dt = prepared.clock.dt;
  Limits limits(scene, prepared);
  limits.find();
  for (const auto& [number, pair] : limits.lightest()) {
    Interaction& law = prepared.methods.interactions[number];
    const auto& [mass, radius] = pair;
    const auto resolved = [&](double m) { return law.force->contact_duration(m, radius) >= kHasty * dt; };
    const auto stable = [&](double m) {
      return dt <= kMostStable * longest_step(law.force->rates(m, radius), m, radius, scene.dimension, false);
    };
    law.hasty_mass = least_mass(mass, resolved);
    law.unstable_mass = scene.accept_long_dt ? 0 : least_mass(mass, stable);
  }
}

void judge_step(const Scene& scene, Prepared& prepared) {
  const double dt = prepared.clock.dt;
  for (const StepLimit& limit : prepared.limits) {
    constexpr double kRounding = 1e-9;
    const double steps = limit.together / dt * (1 + kRounding), of_stable = dt / limit.stable * (1 - kRounding);
    if (steps >= kResolved && of_stable <= kAutoStable) continue;
    std::string text = fmt::format("{}: a contact of two of the lightest bodies ", law_of(scene, limit));
    if (limit.at_once > 1) text += fmt::format("that touch at {} places at once ", limit.at_once);
    text += fmt::format("lasts about {:.3g} s, {:.2g} steps of {:.3g} s", limit.together, steps, dt);
    const bool few = steps < kResolved;
    text += few ? fmt::format("; below {:g} steps a collision is not resolved", kResolved)
                : fmt::format(
                      ", and dt is {:.3g} % of the longest stable step; above {:g} % its dashpots are not "
                      "resolved",
                      100 * of_stable, 100 * kAutoStable);
    const std::string remedy = fmt::format(
        "Lower /integrator/dt to {:.2g} s or less, or the stiffness, or say \"dt\": "
        "\"auto\".",
        limit.resolved);
    if ((steps < kFewest || of_stable > kMostStable) && !scene.accept_long_dt)
      throw InputError(fmt::format(
          "{}, and {} it gains energy. {} To run all the same, set /run/accept_long_dt to true.", text,
          steps < kFewest ? fmt::format("below {:g}", kFewest) : fmt::format("above {:g} %", 100 * kMostStable),
          remedy));
    prepared.warnings.push_back(fmt::format("{}. {}", text, remedy));
  }
}

}  // namespace detail

std::string text_of(const StepLimit& limit, double dt) {
  std::string text = fmt::format("interaction {} {}: ", limit.entry, limit.name);
  if (std::isfinite(limit.contact))
    text += fmt::format("the shortest contact lasts {:.4g} s, {:.3g} steps", limit.contact, limit.contact / dt);
  if (limit.at_once > 1)
    text += fmt::format("; up to {} contacts of one pair at once, {:.4g} s, {:.3g} steps", limit.at_once,
                        limit.together, limit.together / dt);
  if (std::isfinite(limit.stable))
    text += fmt::format("; dt is {:.3g} % of the longest stable step", 100 * dt / limit.stable);
  if (limit.rayleigh)
    text += fmt::format("{}the Rayleigh time is {:.4g} s, of which dt is {:.3g} %",
                        std::isfinite(limit.contact) ? "; " : "", *limit.rayleigh, 100 * dt / *limit.rayleigh);
  return text;
}

}  // namespace scree
