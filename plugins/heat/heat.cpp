#include "heat.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "conduction.hpp"
#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"
#include "scree/base/packed_bytes.hpp"

namespace scree::heat {

namespace {

constexpr double kFlat = std::numeric_limits<double>::infinity();

Column<double> temperature_of(World& world) { return world.column<double>("temperature", "K"); }
Column<double> flux_of(World& world) { return world.column<double>("heat_flux", "W"); }
/// Power that contacts took from the motion of a body, by its share, when the hook last ran.
Column<double> power_of(World& world) { return world.column<double>("contact_power", "W", false); }

/// Heat of all bodies that have a capacity [J].
double total_heat(std::span<const double> capacity, std::span<const double> temperature) {
  ExactSum sum;
  for (std::size_t i = 0; i < capacity.size(); ++i) sum.add(capacity[i] * temperature[i]);
  return sum.value();
}

/// Velocity of a body's surface at a point, as laws see it [m/s].
Vec3 surface_velocity(const World& world, std::size_t row, const Vec3& arm, const Vec3& normal) {
  Vec3 v = world.velocity[row] + world.angular_velocity[row].cross(arm);
  if (const auto belt = world.surface_velocities().find(world.id[row]); belt != world.surface_velocities().end())
    v += belt->second - belt->second.dot(normal) * normal;
  return v;
}

}  // namespace

Heat::Heat(const Options& options)
    : interval_(options.number_or("interval", 0)),
      temperature_(options.number("temperature")),
      crossing_(options.text("radius") == "overlap"),
      dissipation_(options.boolean("dissipation")),
      softness_power_(0),
      most_steps_(static_cast<std::size_t>(options.integer("most_substeps"))) {
  if (!(interval_ > 0))
    throw OptionError("",
                      "heat: has no \"interval\", so heat would never flow. Give the time between exchanges, one to "
                      "ten time steps [s].");
  bool real = false;
  for (const Options& m : options.objects("materials")) {
    given_.push_back({.name = m.text("material"),
                      .conductivity = m.number("conductivity"),
                      .heat_capacity = m.number("heat_capacity"),
                      .real_modulus = m.number_or("real_youngs_modulus", 0)});
    real = real || m.has("real_youngs_modulus");
  }
  for (const Options& c : options.objects("conditions"))
    conditions_.push_back({c.text("bodies"), c.number_or("temperature", temperature_), c.has("temperature"),
                           c.boolean("fixed"), c.boolean("insulated"), c.number("source"), c.number_or("capacity", 0)});
  changes_ = read_changes(options);
  if (real != options.has("softness"))
    throw OptionError("", real ? "heat: there is a \"real_youngs_modulus\", but no \"softness\". Say what the "
                                 "springs are too soft for: \"collisions\" or \"lasting\" contacts."
                               : "heat: \"softness\" needs the \"real_youngs_modulus\" [Pa] of one of the materials "
                                 "at least.");
  if (real) softness_power_ = options.text("softness") == "collisions" ? 1.0 / 5 : 1.0 / 3;
}

bool Heat::gives_sources() const {
  return std::ranges::any_of(changes_, [](const Change& change) { return change.source.has_value(); });
}

void Heat::begin(World& world) {
  if (world.dimension() != 3)
    throw OptionError("",
                      "heat: the conductance of a contact is that of two spheres, so the scene needs \"dimension\": "
                      "3. This one has 2.");
  read_materials(world);
  read_conditions(world);
  temperature_of(world), flux_of(world);
  if (dissipation_) power_of(world);
  if (gives_sources()) given_source_of(world);
  start_new_bodies(world);
  for (const char* name :
       {"heat_J", "heat_supplied_J", "heat_carried_J", "temperature_min_K", "temperature_mean_K", "temperature_max_K"})
    world.metric(name) = 0;
  if (dissipation_) world.metric("heat_dissipated_J") = 0;
}

void Heat::read_materials(const World& world) {
  std::vector<std::string> names;
  for (const MaterialEntry& m : world.materials()) names.push_back(m.name);
  substances_.assign(names.size(), {});
  for (std::size_t k = 0; k < given_.size(); ++k) {
    const auto at = std::ranges::find(names, given_[k].name);
    if (at == names.end())
      throw OptionError(fmt::format("/materials/{}/material", k),
                        fmt::format("heat: the scene has no material \"{}\". There are: {}.", given_[k].name,
                                    fmt::join(names, ", ")));
    const std::size_t m = static_cast<std::size_t>(at - names.begin());
    const MaterialEntry& entry = world.materials()[m];
    Substance s = given_[k];
    if (dissipation_ && !(entry.density > 0))
      throw OptionError(fmt::format("/materials/{}", k),
                        fmt::format("heat: \"dissipation\" divides heat by sqrt(conductivity density heat_capacity), "
                                    "but material \"{}\" has no density. Give /materials/{}/density [kg/m^3].",
                                    s.name, s.name));
    s.effusivity = effusivity(s.conductivity, entry.density, s.heat_capacity);
    if (softness_power_ > 0 && !(entry.youngs_modulus > 0))
      throw OptionError(fmt::format("/materials/{}", k),
                        fmt::format("heat: material \"{}\" has no youngs_modulus in the scene that the real one could "
                                    "be compared with. Give /materials/{}/youngs_modulus [Pa]; \"rigid\" is one too.",
                                    s.name, s.name));
    const double of_strain = 1 - std::pow(std::max(0.0, entry.poisson_ratio), 2);
    s.soft_compliance = of_strain / entry.youngs_modulus;
    s.real_compliance = s.real_modulus > 0 ? of_strain / s.real_modulus : s.soft_compliance;
    if (substances_[m].conductivity > 0)
      throw OptionError(fmt::format("/materials/{}", k),
                        fmt::format("heat: material \"{}\" is there twice. Remove one.", s.name));
    substances_[m] = s;
  }
  for (std::uint32_t m = 0; m < names.size(); ++m)
    if (substances_[m].conductivity == 0 && std::ranges::find(world.material.read(), m) == world.material.read().end())
      throw OptionError(
          "/materials",
          fmt::format("heat: material \"{}\" has no conductivity and heat_capacity here. No body of the "
                      "start is of it, but some may come. Give them, or take the material out of the scene.",
                      names[m]));
}

void Heat::read_conditions(const World& world) {
  of_group_.assign(world.group_names.size(), Condition{.bodies = "", .temperature = temperature_});
  for (std::size_t k = 0; k < conditions_.size(); ++k) {
    const Condition& c = conditions_[k];
    const auto at = std::ranges::find(world.group_names, c.bodies);
    if (at == world.group_names.end())
      throw OptionError(
          fmt::format("/conditions/{}/bodies", k),
          fmt::format("heat: no entry of the scene's bodies, and no emitter of a hook before this one, is "
                      "called \"{}\". There are: {}.",
                      c.bodies, fmt::join(world.group_names, ", ")));
    if (c.fixed && (c.insulated || c.source != 0 || c.capacity > 0))
      throw OptionError(fmt::format("/conditions/{}", k),
                        fmt::format("heat: bodies of \"{}\" have a \"fixed\" temperature, so they can have neither "
                                    "\"source\" nor \"capacity\", nor be \"insulated\". Remove one.",
                                    c.bodies));
    Condition& of_entry = of_group_[static_cast<std::size_t>(at - world.group_names.begin())];
    if (!of_entry.bodies.empty())
      throw OptionError(fmt::format("/conditions/{}", k),
                        fmt::format("heat: \"{}\" has two conditions. Put all in one.", c.bodies));
    of_entry = c;
  }
}

const Heat::Condition& Heat::condition(const World& world, std::size_t row) const {
  static const Condition kNone;
  const std::uint32_t group = world.group[row];
  return group < of_group_.size() ? of_group_[group] : kNone;
}

/// Refuses a body whose material has no values, or that has a source but no capacity.
void Heat::require_values(const World& world, std::size_t row) const {
  const std::uint32_t material = world.material[row];
  const Condition& c = condition(world, row);
  const std::string who = fmt::format(
      "body {}{}", world.id[row],
      world.group[row] < world.group_names.size() ? " of \"" + world.group_names[world.group[row]] + "\"" : "");
  if ((material >= substances_.size() || substances_[material].conductivity == 0) && !c.insulated)
    throw InputError(
        fmt::format("heat: {} is of material \"{}\", which has no conductivity and heat_capacity. Give them in "
                    "\"materials\" of the hook, or make the body \"insulated\" in \"conditions\".",
                    who, world.materials()[material].name));
  if (c.source != 0 && own_capacity(world, row, world.mass[row]) == 0)
    throw InputError(
        fmt::format("heat: {} has a source of {} W, but no mass that would take up its heat. Give its \"capacity\" "
                    "[J/K].",
                    who, c.source));
}

/// Capacity of a body for its mass without that of members [J/K].
double Heat::own_capacity(const World& world, std::size_t row, double mass) const {
  const Condition& c = condition(world, row);
  if (c.fixed) return 0;
  if (c.capacity > 0) return c.capacity;
  const std::uint32_t material = world.material[row];
  return material < substances_.size() ? substances_[material].heat_capacity * mass : 0;
}

/// Gives bodies that came since the last time their start temperature: what is new has 0 K. Frames of members have no
/// material of their own.
void Heat::start_new_bodies(World& world) {
  auto column = temperature_of(world);
  const auto temperature = column.write();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (temperature[i] != 0) continue;
    const std::uint32_t group = world.group[i];
    temperature[i] = group < of_group_.size() ? of_group_[group].temperature : temperature_;
    if (world.radius[i] != 0) require_values(world, i);
  }
}

/// Gives entries with a fixed temperature theirs, which a stage may change.
void Heat::hold_fixed_bodies(World& world) const {
  auto column = temperature_of(world);
  const auto temperature = column.write();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (const Condition& c = condition(world, i); c.fixed && c.given) temperature[i] = c.temperature;
}

/// Adds members to their owners. Where their temperatures differ, all get the one that keeps the heat.
void Heat::join_members(const World& world, Network& net, std::span<double> temperature) const {
  const auto members = world.members();
  if (members.empty()) return;
  const std::size_t n = world.size();
  std::vector<double> rest(n, 0.0), heat(n, 0.0);
  std::vector<char> differs(n, 0);
  for (const World::Member& m : members) net.carrier[m.row] = m.owner, rest[m.owner] += world.mass[m.row];
  for (const World::Member& m : members) {
    if (rest[m.owner] < 0) continue;  // done
    const double own = world.mass[m.owner] - rest[m.owner];
    const bool frame = world.radius[m.owner] == 0 || own <= 1e-9 * world.mass[m.owner];
    net.capacity[m.owner] = frame ? 0 : own_capacity(world, m.owner, own);
    heat[m.owner] = net.capacity[m.owner] * temperature[m.owner];
    rest[m.owner] = -1;
  }
  for (const World::Member& m : members) {
    const double capacity = condition(world, m.owner).fixed ? 0 : own_capacity(world, m.row, world.mass[m.row]);
    net.capacity[m.owner] += capacity, net.capacity[m.row] = 0;
    heat[m.owner] += capacity * temperature[m.row];
    if (temperature[m.row] != temperature[m.owner]) differs[m.owner] = 1;
  }
  for (const World::Member& m : members)
    if (differs[m.owner] == 1) {
      if (net.capacity[m.owner] > 0) temperature[m.owner] = heat[m.owner] / net.capacity[m.owner];
      differs[m.owner] = 2;
    }
  for (const World::Member& m : members) temperature[m.row] = temperature[m.owner];
}

/// Radius of a body's surface near a point that touches: that of the nearest sphere of a set; flat for other bodies
/// that do not move freely; else that of the bounding sphere [m].
double Heat::local_radius(const World& world, std::size_t row, const Vec3& point) {
  while (sphere_sets_.size() < world.shapes().size())
    sphere_sets_.push_back(
        static_cast<const SphereSet*>(world.shapes()[sphere_sets_.size()].shape->facet(SphereSet::kName)));
  const SphereSet* const set = sphere_sets_[world.shape[row]];
  if (!set) return world.kind[row] == static_cast<std::uint32_t>(BodyKind::dynamic) ? world.radius[row] : kFlat;
  const auto radii = set->radii();
  if (radii.size() == 1) return world.scale[row] * radii[0];
  const Vec3 local = world.orientation[row].conjugate() * (point - world.position[row]) / world.scale[row];
  std::size_t nearest = 0;
  double least = kFlat;
  for (std::size_t k = 0; k < radii.size(); ++k)
    if (const double d = (set->centres()[k] - local).norm() - radii[k]; d < least) least = d, nearest = k;
  return world.scale[row] * radii[nearest];
}

double Heat::contact_radius(const World& world, const ContactRecord& contact, std::size_t a, std::size_t b) {
  const double of_a = local_radius(world, a, contact.point);
  const double of_b = local_radius(world, b, contact.point - world.cell.shift(unpacked(contact.image)));
  if (std::isinf(of_a) && std::isinf(of_b)) return 0;
  double radius = crossing_ ? crossing_radius(of_a, of_b, contact.overlap)
                            : hertz_radius(1 / (1 / of_a + 1 / of_b), contact.overlap);
  if (softness_power_ > 0) {
    const Substance &s = substances_[world.material[a]], &t = substances_[world.material[b]];
    const double soft = s.soft_compliance + t.soft_compliance, real = s.real_compliance + t.real_compliance;
    if (soft > 0) radius *= softness_factor(1 / soft, 1 / real, softness_power_);
  }
  return radius;
}

Heat::Network Heat::network(World& world, const ContactView& contacts) {
  const std::size_t n = world.size();
  Network net{std::vector<std::uint32_t>(n),
              std::vector<double>(n),
              std::vector<double>(n, 0.0),
              std::vector<double>(n, 0.0),
              {}};
  for (std::size_t i = 0; i < n; ++i) {
    net.carrier[i] = static_cast<std::uint32_t>(i);
    net.capacity[i] = own_capacity(world, i, world.mass[i]);
  }
  auto column = temperature_of(world);
  join_members(world, net, column.write());
  for (std::size_t i = 0; i < n; ++i) net.source[net.carrier[i]] += condition(world, i).source;
  if (gives_sources()) {
    auto given = given_source_of(world);
    const auto source = given.read();
    for (std::size_t i = 0; i < n; ++i) net.source[net.carrier[i]] += source[i];
  }
  net.links.reserve(contacts.size());
  for (const ContactRecord& c : contacts) {
    if (!(c.overlap > 0)) continue;
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b || condition(world, *a).insulated || condition(world, *b).insulated) continue;
    const double h = conductance(contact_radius(world, c, *a, *b), substances_[world.material[*a]].conductivity,
                                 substances_[world.material[*b]].conductivity);
    if (net.carrier[*a] != net.carrier[*b]) net.links.push_back({net.carrier[*a], net.carrier[*b], h});
  }
  return net;
}

/// Adds what contacts took from the motion: the mean of their power now and when the hook last ran. Power is
/// -F.v, and each body's share is by effusivity; an insulated body gets none, unless both are.
void Heat::add_dissipation(World& world, const ContactView& contacts, Network& net, double elapsed) {
  const std::size_t n = world.size();
  std::vector<double> now(n, 0.0);
  const auto weight = [&](std::size_t row) {
    return condition(world, row).insulated ? 0 : substances_[world.material[row]].effusivity;
  };
  for (const ContactRecord& c : contacts) {
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b) continue;
    const Image image = unpacked(c.image);
    const Vec3 at_a = surface_velocity(world, *a, c.point - world.position[*a], c.normal);
    const Vec3 at_b = surface_velocity(world, *b, c.point - world.position[*b] - world.cell.shift(image), c.normal) +
                      world.cell.velocity(image);
    const double power = -c.force.dot(at_b - at_a), of_a = weight(*a), of_b = weight(*b);
    const double share = of_a + of_b > 0 ? of_a / (of_a + of_b) : 0.5;
    now[net.carrier[*a]] += share * power;
    now[net.carrier[*b]] += power - share * power;
  }
  auto column = power_of(world);
  const auto last = column.write();
  ExactSum made;
  for (std::size_t i = 0; i < n; ++i) {
    net.made[net.carrier[i]] += last[i] / 2 + now[i] / 2;
    made.add(elapsed * (last[i] / 2 + now[i] / 2));
    last[i] = now[i];
  }
  world.metric("heat_dissipated_J") += made.value();
}

/// Half of the least C/sum H [s]. \param row  that of the body
double Heat::longest_step(const Network& net, std::uint32_t& row) const {
  std::vector<double> sum(net.capacity.size(), 0.0);
  for (const Link& l : net.links) sum[l.a] += l.conductance, sum[l.b] += l.conductance;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sum.size(); ++i)
    if (net.capacity[i] > 0 && net.capacity[i] < least * sum[i])
      least = net.capacity[i] / sum[i], row = static_cast<std::uint32_t>(i);
  return least / 2;
}

std::size_t Heat::steps_for(const World& world, const Network& net, double elapsed) const {
  std::uint32_t row = 0;
  const double longest = longest_step(net, row), steps = std::ceil(elapsed / longest);
  if (steps <= static_cast<double>(most_steps_)) return std::max<std::size_t>(1, static_cast<std::size_t>(steps));
  const std::string text = fmt::format(
      "heat: body {} exchanges heat so fast that steps may last {:.3g} s, half of m c/sum H. The hook runs every "
      "{:.3g} "
      "s: that takes {:.0f} sub-steps, and \"most_substeps\" is {}. Give a shorter \"interval\", or allow more.",
      world.id[row], longest, elapsed, steps, most_steps_);
  if (last_ < 0) throw InputError(text);
  throw NumericalError(text);
}

/// Advances temperatures: T(t + h) = sum (h A)^k/k! up to k = 4, by Horner's rule. What bodies get is h times the flux
/// at the last of the four evaluations.
void Heat::exchange(World& world, const Network& net, double elapsed, std::span<double> temperature) {
  const std::size_t n = net.capacity.size(), steps = steps_for(world, net, last_ < 0 ? interval_ : elapsed);
  std::vector<double> stage(n), flux(n), mean(n, 0.0);
  const auto find_flux = [&](std::span<const double> at) {
    for (std::size_t i = 0; i < n; ++i) flux[i] = (net.capacity[i] > 0 ? net.source[i] : 0) + net.made[i];
    for (const Link& l : net.links) {
      const double power = l.conductance * (at[l.a] - at[l.b]);
      flux[l.a] -= power, flux[l.b] += power;
    }
  };
  const double h = elapsed / static_cast<double>(steps);
  for (std::size_t s = 0; s < steps; ++s) {
    std::ranges::copy(temperature, stage.begin());
    for (const double part : {h / 4, h / 3, h / 2, h}) {
      find_flux(stage);
      for (std::size_t i = 0; i < n; ++i)
        if (net.capacity[i] > 0) stage[i] = temperature[i] + part * flux[i] / net.capacity[i];
    }
    std::ranges::copy(stage, temperature.begin());
    for (std::size_t i = 0; i < n; ++i) mean[i] += flux[i] / static_cast<double>(steps);
  }
  for (std::size_t i = 0; i < n; ++i) temperature[i] = temperature[net.carrier[i]];
  ExactSum supplied;
  for (std::size_t i = 0; i < n; ++i) supplied.add(elapsed * (net.capacity[i] > 0 ? net.source[i] : -mean[i]));
  world.metric("heat_supplied_J") += supplied.value();
  auto column = flux_of(world);
  std::ranges::copy(mean, column.write().begin());
}

void Heat::check(const World& world, std::span<const double> temperature) const {
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    if (temperature[i] > 0 && std::isfinite(temperature[i])) continue;
    const std::uint32_t group = world.group[i];
    const std::string text = fmt::format(
        "heat: body {}{} has a temperature of {} K at {} s; it must be above 0. {}", world.id[i],
        group < world.group_names.size() ? " of \"" + world.group_names[group] + "\"" : "", temperature[i], world.time,
        last_ < 0 ? "Give it another in \"columns\" of its entry, or in \"conditions\"."
                  : "A source below 0 takes more heat than there is, or a program wrote it.");
    throw NumericalError(text);
  }
}

void Heat::apply(World& world, const ContactView* contacts, HistoryStore&) {
  start_new_bodies(world);
  if (!held_) hold_fixed_bodies(world);
  held_ = true;
  Network net = network(world, *contacts);
  auto column = temperature_of(world);
  const auto temperature = column.write();
  check(world, temperature);
  const double elapsed = last_ < 0 ? 0 : std::max(0.0, world.time - last_);
  if (last_ >= 0) world.metric("heat_carried_J") += total_heat(net.capacity, temperature) - world.metric("heat_J");
  if (dissipation_) add_dissipation(world, *contacts, net, elapsed);
  exchange(world, net, elapsed, temperature);
  const double before = total_heat(net.capacity, temperature);
  // A millionth of the time between calls: times are multiples of time steps, with rounding.
  const double slack = 1e-6 * interval_;
  make_changes(world, changes_, last_ < 0 ? -kFlat : last_ + slack, world.time + slack, net.carrier, temperature);
  if (last_ >= 0) world.metric("heat_carried_J") += total_heat(net.capacity, temperature) - before;
  last_ = world.time;
  check(world, temperature);
  show(world, net, temperature);
}

/// Shows the heat of all bodies that have a capacity, and their temperatures.
void Heat::show(World& world, const Network& net, std::span<const double> temperature) const {
  ExactSum capacity;
  double least = kFlat, most = 0;
  for (std::size_t i = 0; i < temperature.size(); ++i) {
    if (!(net.capacity[i] > 0)) continue;
    capacity.add(net.capacity[i]);
    least = std::min(least, temperature[i]), most = std::max(most, temperature[i]);
  }
  const double heat = total_heat(net.capacity, temperature), all = capacity.value();
  world.metric("heat_J") = heat;
  world.metric("temperature_min_K") = all > 0 ? least : 0;
  world.metric("temperature_mean_K") = all > 0 ? heat / all : 0;
  world.metric("temperature_max_K") = most;
}

std::vector<std::byte> Heat::save() const {
  ByteWriter to;
  to.put(last_);
  return {to.bytes().begin(), to.bytes().end()};
}

void Heat::load(const std::vector<std::byte>& state) {
  const auto refuse = [](const char* what) {
    throw InputError(
        fmt::format("heat: its state in the checkpoint {}. The checkpoint is damaged, or was not written by this "
                    "scene's run.",
                    what));
  };
  if (state.size() != 8) refuse("has another size");
  ByteReader from(state);
  last_ = from.take<double>();
  if (!std::isfinite(last_)) refuse("holds what is no number");
}

}  // namespace scree::heat
