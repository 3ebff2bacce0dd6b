#include "scree/setup/setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "scree/integrate/integrator.hpp"
#include "scree/setup/detail/interaction_table.hpp"
#include "scree/setup/detail/set_up.hpp"
#include "scree/setup/detail/time_step.hpp"

namespace scree {

namespace {

/// Default skin as a fraction of the smallest moving body's radius. Between 0.4 and 0.7 it hardly matters: a wider skin
/// means fewer rebuilds and more candidates.
constexpr double kSkinFraction = 0.5;

/// Default size of the domain, as a multiple of the scene's initial extent.
constexpr double kDomainFactor = 100;

/// Returns the bounding radius [m] of the smallest shape with bound; 1 if there is none.
double smallest_shape(const World& world) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ShapeEntry& entry : world.shapes()) smallest = std::min(smallest, entry.shape->bounding_radius());
  return std::isfinite(smallest) ? smallest : 1;
}

void set_sizes(const Scene& scene, const detail::Extremes& e, Prepared& prepared) {
  Methods& methods = prepared.methods;
  prepared.smallest_radius = std::isfinite(e.smallest_radius) ? e.smallest_radius : smallest_shape(*prepared.world);
  methods.skin = scene.skin.value_or(kSkinFraction * prepared.smallest_radius);
  const IntegratorTraits traits = methods.integrator->traits();
  methods.margin = std::max(traits.margin, traits.margin_ratio * prepared.smallest_radius);
  // If nothing moves yet, the range of later bodies is unknown.
  if (e.moves) {
    const double margin = kDomainFactor * ((e.upper - e.lower).norm() + e.largest_radius);
    methods.domain.lower = e.lower - Vec3::Constant(margin);
    methods.domain.upper = e.upper + Vec3::Constant(margin);
  }
  const auto limit = [&](Vec3& bound, const std::optional<Vec3>& given) {
    if (!given) return;
    for (int k = 0; k < scene.dimension; ++k) bound[k] = (*given)[k];
  };
  limit(methods.domain.lower, scene.domain_lower);
  limit(methods.domain.upper, scene.domain_upper);
}

/// Checks names of files. \throws InputError for an observer that would write a file of another one, or of the run
/// itself
void check_files(const Scene& scene, const Prepared& prepared) {
  std::map<std::string, std::string> writer = {{"scene.json", "the run"},
                                               {"scene.resolved.json", "the run"},
                                               {"metrics.csv", "the run"},
                                               {"summary.json", "the run"},
                                               {"checkpoints", "the run"}};
  for (std::size_t k = 0; k < prepared.observers.size(); ++k) {
    const std::string place = scene.observers[k].object.options.pointer();
    for (const std::string& file : prepared.observers[k].observer->files())
      if (const auto [earlier, is_new] = writer.emplace(file, place); !is_new)
        throw InputError(
            fmt::format("{}: \"{}\" writes {} into the output folder, and so does {}. Remove one of the two.",
                        scene.where(place), prepared.observers[k].name, file, earlier->second));
  }
}

/// Records plugins. A scene resolved by an earlier run names the plugins it used.
void note_plugins(const Scene& scene, const Registry& registry, Prepared& prepared) {
  prepared.plugins = used_plugins(scene, prepared.methods, registry);
  const PluginChanges changes = plugin_changes(plugins_of_scene(scene.resolved), prepared.plugins.all);
  for (const auto& list : {changes.others, changes.rebuilt})
    for (const std::string& change : list)
      prepared.warnings.push_back(
          fmt::format("{}: {}. Results may differ from that run's.", scene.where("/plugins"), change));
}

/// Refuses modifiers of one type and name: each would write the other's figures and columns.
void check_names(const Scene& scene) {
  std::map<std::pair<std::string, std::string>, std::string> places;
  for (const HookDef& def : scene.modifiers) {
    const Options& options = def.object.options;
    if (!options.has("name")) continue;
    const auto [earlier, is_new] = places.emplace(std::pair(def.object.type, options.text("name")), options.pointer());
    if (!is_new)
      throw InputError(
          fmt::format("{}/name: \"{}\" is the name of another hook of type \"{}\", that of {}. Give each "
                      "a name of its own.",
                      scene.where(options.pointer()), options.text("name"), def.object.type, earlier->second));
  }
}

void make_hooks(const Scene& scene, const Registry& registry, Prepared& prepared) {
  check_names(scene);
  for (const HookDef& def : scene.modifiers)
    prepared.modifiers.push_back(
        {def.object.type, Schedule{def.start, def.interval, def.stop},
         detail::made(scene, def.object, [&] { return registry.modifier(def.object.type)(def.object.options); })});
  for (const HookDef& def : scene.observers)
    prepared.observers.push_back(
        {def.object.type, Schedule{def.start, def.interval, def.stop}, def.writer || def.interval > 0,
         detail::only_on_first_rank(
             detail::made(scene, def.object, [&] { return registry.observer(def.object.type)(def.object.options); }))});
  check_files(scene, prepared);
}

/// Requests a ledger. \throws InputError for an integrator that does not report the forces it applies
void ask_for_ledger(const Scene& scene, Methods& methods) {
  const auto named = [](const std::string& material) { return material == "*" ? "any" : material; };
  for (const InteractionDef& def : scene.interactions) methods.entries.push_back(named(def.a) + "-" + named(def.b));
  methods.energy_ledger = scene.energy_ledger;
  if (!scene.energy_ledger || methods.integrator->traits().mean_force) return;
  throw InputError(fmt::format(
      "{}: integrator \"{}\" does not tell which forces a step applies (IntegratorTraits::mean_force). Choose one that "
      "does, such as \"velocity-verlet\", or leave energy_ledger out.",
      scene.where("/output/energy_ledger"), scene.integrator.type));
}

std::unique_ptr<Integrator> make_integrator(const Scene& scene, const Registry& registry) {
  return detail::made(scene, scene.integrator,
                      [&] { return registry.integrator(scene.integrator.type)(scene.integrator.options); });
}

std::unique_ptr<Engine> make_engine(const Registry& registry, const std::string& device, const Prepared& prepared) {
  const EnginePlan plan{*prepared.world, prepared.methods, prepared.clock.dt, prepared.clock.origin};
  if (device == "cpu") return make_host_engine(plan);
  detail::check_ranks(device);
  std::vector<std::string> known = registry.names("engine");
  if (std::ranges::find(known, device) != known.end()) return registry.engine(device)(plan);
  known.insert(known.begin(), "cpu");
  throw InputError(fmt::format("--device {}: unknown device. Allowed: {}.", device, fmt::join(known, ", ")));
}

/// Removes bodies of removed entries, whose ids are in use.
void remove_bodies(const Scene& scene, const std::vector<detail::PlacedBodies>& placed, World& world) {
  for (std::size_t k = 0; k < placed.size(); ++k)
    if (scene.bodies[k].removed) world.remove(placed[k].ids);
}

/// Shortens an automatic step to one that bonds allow: the engine knows it.
void shorten_for_bonds(const Scene& scene, const Registry& registry, const std::string& device, Prepared& prepared) {
  constexpr double kShare = 0.8;
  if (scene.dt > 0 || !detail::bonds_limit_step(prepared)) return;
  const double stable = kShare * prepared.engine->stable_time_step();
  if (prepared.clock.dt <= stable) return;
  prepared.clock.dt = stable;
  prepared.engine.reset();
  prepared.engine = make_engine(registry, device, prepared);
}

/// Begins the modifiers of the scene.
void begin_modifiers(const Scene& scene, Prepared& prepared) {
  for (std::size_t k = 0; k < scene.modifiers.size(); ++k)
    detail::made(scene, scene.modifiers[k].object, [&] {
      Modifier& modifier = *prepared.modifiers[k].modifier;
      modifier.begin(*prepared.world);
      std::ranges::copy(modifier.makes(), std::back_inserter(prepared.made_kinds));
      return true;
    });
}

/// Calls each(observer, number) for the observers of a scene, with an observer's place in front of what it throws.
template <class Each>
void for_each_observer(const Scene& scene, Prepared& prepared, const Each& each) {
  for (std::size_t k = 0; k < prepared.observers.size(); ++k) {
    const ObjectDef& object = scene.observers[k].object;
    try {
      detail::made(scene, object, [&] {
        each(prepared.observers[k], k);
        return true;
      });
    } catch (const InputError& e) {
      const std::string place = scene.where(object.options.pointer());
      throw InputError(std::string(e.what()).starts_with(place) ? e.what() : place + ": " + e.what());
    }
  }
}

void register_columns(const Scene& scene, Prepared& prepared) {
  detail::made(scene, scene.integrator, [&] {
    prepared.methods.integrator->columns(*prepared.world);
    return true;
  });
}

}  // namespace

std::unique_ptr<Prepared> prepare(const Scene& scene, const Registry& registry, const std::string& device) {
  auto made = std::make_unique<Prepared>();
  Prepared& prepared = *made;
  prepared.world = std::make_unique<World>(scene.dimension);
  prepared.world->cell = {scene.periodic_lower, scene.periodic_length};
  prepared.methods.environment = {
      {scene.linear_damping, scene.angular_damping, scene.fluid_velocity, scene.mass_damping, scene.local_damping},
      scene.gravity,
      scene.gravity_variation};
  prepared.methods.integrator = make_integrator(scene, registry);
  prepared.methods.integrator_name = scene.integrator.type;
  detail::check_ranks(scene, *prepared.methods.integrator);
  ask_for_ledger(scene, prepared.methods);
  make_hooks(scene, registry, prepared);
  const std::vector<detail::PlacedBodies> placed = detail::place_bodies(scene, registry, prepared);
  detail::make_bonds(scene, registry, placed, prepared);
  prepared.bonds_of_scene = prepared.world->bonds().size();
  remove_bodies(scene, placed, *prepared.world);
  prepared.world->take_edits();  // bodies of the start are not reported
  prepared.world->drop_table_edits();
  prepared.methods.alone = detail::lone_materials(scene, *prepared.world);
  const detail::Extremes e = detail::extremes(*prepared.world, prepared.methods);
  set_sizes(scene, e, prepared);
  detail::check_driven(scene, prepared);
  register_columns(scene, prepared);
  begin_modifiers(scene, prepared);
  detail::resolve_channels(scene, registry, prepared);
  detail::set_start_values(scene, placed, *prepared.world);
  prepared.laws = detail::laws_of(scene);
  prepared.limits = detail::step_limits(scene, prepared);
  prepared.clock.dt = detail::time_step(scene, prepared.limits);
  detail::judge_step(scene, prepared);
  detail::check_bodies(scene, prepared);
  detail::check_cell(scene, prepared);
  detail::warn_of_scene(scene, prepared);
  detail::check_domain(scene, prepared);
  prepared.engine = make_engine(registry, device, prepared);
  shorten_for_bonds(scene, registry, device, prepared);
  detail::watch_steps(scene, prepared);
  detail::warn_of_stiff_bonds(scene, prepared);
  detail::warn_of_fracture_steps(scene, prepared);
  detail::warn_of_fast_bodies(scene, prepared);
  detail::warn_by_integrator(scene, prepared);
  note_plugins(scene, registry, prepared);
  prepared.world->dt = prepared.clock.dt;
  for_each_observer(scene, prepared, [&](ScheduledObserver& o, std::size_t) { o.observer->begin(*prepared.world); });
  return made;
}

double plan_observers(const Scene& scene, Prepared& prepared, double duration) {
  double bytes = 0;
  for_each_observer(scene, prepared, [&](ScheduledObserver& o, std::size_t) {
    bytes += o.observer->plan(*prepared.world, o.frames_until(duration, prepared.clock.dt));
  });
  return bytes;
}

void load_observers(const Scene& scene, Prepared& prepared, std::span<const std::vector<std::byte>* const> states) {
  for_each_observer(scene, prepared, [&](ScheduledObserver& o, std::size_t k) {
    if (states[k]) o.observer->load(*states[k]);
  });
}

void start_anew(const Scene& scene, const Registry& registry, const std::string& device, Prepared& prepared) {
  prepared.engine.reset();
  prepared.methods.integrator = make_integrator(scene, registry);
  register_columns(scene, prepared);
  prepared.engine = make_engine(registry, device, prepared);
}

}  // namespace scree
