#include "scree/setup/setup.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <utility>

#include "scree/setup/detail/set_up.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

namespace {

/// Skin as a fraction of the smallest moving body's radius where the scene says nothing. Between 0.4 and 0.7 it hardly
/// matters: a wider skin means fewer rebuilds and more candidates.
constexpr double kSkinFraction = 0.5;

/// The world's default size, as a multiple of the scene's initial extent.
constexpr double kDomainFactor = 100;

/// Pairs are told apart by images up to this many cells away (see packed() in world/periodic_cell.hpp).
constexpr double kMostCells = 510;

/// Fewer steps per contact than this, and a collision is no longer resolved in time.
constexpr double kStepsPerContact = 5;

struct Extremes {
  double smallest_radius = std::numeric_limits<double>::infinity(), largest_radius = 0;
  double smallest_mass = std::numeric_limits<double>::infinity();
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
};

Extremes extremes(const World& world) {
  Extremes e;
  const auto x = world.position.read();
  const auto r = world.radius.read(), m = world.mass.read(), im = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (!std::isfinite(r[i])) continue;
    e.lower = e.lower.cwiseMin(x[i] - Vec3::Constant(r[i]));
    e.upper = e.upper.cwiseMax(x[i] + Vec3::Constant(r[i]));
    if (im[i] == 0) continue;
    e.smallest_radius = std::min(e.smallest_radius, r[i]);
    e.largest_radius = std::max(e.largest_radius, r[i]);
    e.smallest_mass = std::min(e.smallest_mass, m[i]);
  }
  return e;
}

/// Bounding radius [m] of the smallest shape with bound; 1 where there is none.
double smallest_shape(const World& world) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const ShapeEntry& entry : world.shapes()) smallest = std::min(smallest, entry.shape->bounding_radius());
  return std::isfinite(smallest) ? smallest : 1;
}

void set_sizes(const Scene& scene, const Extremes& e, Prepared& prepared) {
  Methods& methods = prepared.methods;
  prepared.smallest_radius = std::isfinite(e.smallest_radius) ? e.smallest_radius : smallest_shape(*prepared.world);
  methods.skin = scene.skin.value_or(kSkinFraction * prepared.smallest_radius);
  const IntegratorTraits traits = methods.integrator->traits();
  methods.margin = std::max(traits.margin, traits.margin_ratio * prepared.smallest_radius);
  // Where nothing moves yet, nobody knows how far bodies that come will go.
  if (std::isfinite(e.smallest_radius)) {
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

void warn_of_short_contacts(const Scene& scene, const Extremes& e, Prepared& prepared) {
  if (!std::isfinite(e.smallest_mass)) return;
  for (const Interaction& interaction : prepared.methods.interactions) {
    if (!interaction.force) continue;
    const double duration = interaction.force->contact_duration(0.5 * e.smallest_mass, 0.5 * e.smallest_radius);
    if (duration >= kStepsPerContact * scene.dt) continue;
    prepared.warnings.push_back(
        fmt::format("{}: a contact of two of the lightest bodies lasts about {:.3g} s, {:.2g} steps of {:.3g} s; below "
                    "{:g} steps a "
                    "collision is not resolved. Lower /integrator/dt to {:.2g} s or less, or the stiffness.",
                    scene.where(scene.interactions[interaction.entry].pointer + "/law"), duration, duration / scene.dt,
                    scene.dt, kStepsPerContact, duration / 10));
  }
}

bool moves_freely(const BodiesDef& bodies) { return !bodies.fixed && !bodies.motion; }

/// In the plane a body's mass is proportional to its shape's option `thickness`, where it has one: two values in one
/// scene are rarely meant.
void warn_of_mixed_thickness(const Scene& scene, Prepared& prepared) {
  if (scene.dimension != 2) return;
  const ShapeDef* first = nullptr;
  for (const ShapeDef& shape : scene.shapes) {
    const auto moves = [&](const BodiesDef& b) { return moves_freely(b) && std::ranges::count(b.shapes, shape.name); };
    if (!shape.object.options.has("thickness") || std::ranges::none_of(scene.bodies, moves)) continue;
    if (!first) first = &shape;
    const double one = first->object.options.number("thickness"), other = shape.object.options.number("thickness");
    if (one == other) continue;
    prepared.warnings.push_back(fmt::format(
        "{}: bodies of shape \"{}\" are {:.6g} m thick, those of shape \"{}\" {:.6g} m, and mass is area times "
        "thickness times density. Give both the same thickness, unless you mean it.",
        scene.where("/shapes/" + shape.name + "/thickness"), shape.name, other, first->name, one));
    return;
  }
}

/// \throws InputError naming the shape of a body that turns about its axes in different ways, where the integrator
/// knows spheres alone
void check_inertia(const Scene& scene, const Prepared& prepared) {
  if (!prepared.methods.integrator->traits().isotropic_inertia_only || scene.dimension == 2) return;
  const World& world = *prepared.world;
  const auto moments = world.inertia.read();
  const auto free = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (free[i] > 0 && moments[i].maxCoeff() > moments[i].minCoeff() * (1 + 1e-9))
      throw InputError(fmt::format(
          "{}: integrator \"{}\" moves bodies with three equal moments of inertia; those of shape \"{}\" are {:.4g}, "
          "{:.4g} and {:.4g} kg m^2. Choose another shape or integrator.",
          scene.where("/integrator"), scene.integrator.type, world.shapes()[world.shape.read()[i]].name, moments[i][0],
          moments[i][1], moments[i][2]));
}

/// Whether the surface is the same after a shift along `axis`, as that of a plane or of a tube without ends.
bool endless_along(const Shape& shape, const Vec3& axis) {
  const auto* const distance = facet<SignedDistance>(shape);
  const Surface surface = shape.surface();
  if (!distance || surface.points.empty() || std::isfinite(shape.bounding_radius())) return false;
  double size = 0;
  for (const Vec3& p : surface.points) size = std::max(size, p.norm());
  std::vector<Vec3> far;
  for (const double way : {-10., 10.})
    for (const Vec3& p : surface.points) far.push_back(p + way * size * axis);
  std::vector<double> d(far.size());
  std::vector<Vec3> gradient(far.size());
  distance->distance(far, d, gradient);
  return std::ranges::all_of(d, [&](double x) { return std::abs(x) < 1e-6 * size; });
}

/// Who moves a wall along itself expects it to end somewhere, as in pictures.
void warn_of_endless_walls(const Scene& scene, Prepared& prepared) {
  const World& world = *prepared.world;
  std::set<std::uint32_t> told;
  for (const auto& [id, entry] : world.prescribed()) {
    const std::size_t row = *world.row(id);
    const Vec3 way = entry.motion.velocity + 2 * std::numbers::pi * entry.motion.frequency * entry.motion.amplitude;
    const ShapeEntry& shape = world.shapes()[world.shape.read()[row]];
    if (way.isZero(0) || !endless_along(*shape.shape, entry.initial.orientation.conjugate() * way.normalized()))
      continue;
    const std::uint32_t group = world.group.read()[row];
    if (!told.insert(group).second) continue;
    prepared.warnings.push_back(fmt::format(
        "{}: \"{}\" moves along its shape \"{}\", which has no end there: it rubs, but never comes off what it "
        "holds, though pictures draw an end. Give the shape a length, or, for a belt, the body a "
        "surface_velocity.",
        scene.where("/bodies"), world.group_names[group], shape.name));
  }
}

/// The scene's own bodies were checked where they were placed, with a place in the scene.
/// \throws InputError naming a body that is to move freely and has no mass
void check_mobile(const Prepared& prepared) {
  const World& world = *prepared.world;
  const auto movable = world.inverse_mass.read();
  const auto kind = world.kind.read();
  const auto id = world.id.read(), owner = world.owner.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic) && owner[i] == id[i] && movable[i] == 0)
      throw InputError(fmt::format(
          "body {} is to move freely, but its shape \"{}\" of material \"{}\" has no mass. Give the material a "
          "density, choose a shape with bound, or add the body as a fixed or prescribed one.",
          id[i], world.shapes()[world.shape.read()[i]].name, world.materials()[world.material.read()[i]].name));
}

/// Explicit integration of bonds is stable up to a step that is known before the run.
void warn_of_stiff_bonds(const Scene& scene, Prepared& prepared) {
  const IntegratorTraits traits = prepared.methods.integrator->traits();
  if (prepared.methods.bonds.empty() || traits.face == PotentialFace::kName || traits.bond_face == EnergyTerm::kName)
    return;
  const double stable = prepared.engine->stable_time_step();
  if (scene.dt <= stable) return;
  prepared.warnings.push_back(
      fmt::format("{}: dt = {:.3g} s, and bonds are surely stable up to {:.3g} s only; beyond {:.3g} s or so they blow "
                  "up. Lower dt to {:.2g} s or less, soften the bonds, or choose an implicit integrator.",
                  scene.where("/integrator"), scene.dt, stable, stable / 0.7, 0.8 * stable));
}

/// \throws InputError for an observer that would write what another one, or the run itself, writes
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

/// A scene that an earlier run has resolved says which plugins it used.
void note_plugins(const Scene& scene, const Registry& registry, Prepared& prepared) {
  prepared.plugins = used_plugins(scene, prepared.methods, registry);
  const PluginChanges changes = plugin_changes(plugins_of_scene(scene.resolved), prepared.plugins.all);
  for (const auto& list : {changes.others, changes.rebuilt})
    for (const std::string& change : list)
      prepared.warnings.push_back(
          fmt::format("{}: {}. Results may differ from that run's.", scene.where("/plugins"), change));
}

void make_hooks(const Scene& scene, const Registry& registry, Prepared& prepared) {
  for (const HookDef& def : scene.modifiers)
    prepared.modifiers.push_back(
        {def.object.type, Schedule{def.start, def.interval, def.stop},
         detail::made(scene, def.object, [&] { return registry.modifier(def.object.type)(def.object.options); })});
  for (const HookDef& def : scene.observers)
    prepared.observers.push_back(
        {def.object.type, Schedule{def.start, def.interval, def.stop}, def.writer || def.interval > 0,
         detail::made(scene, def.object, [&] { return registry.observer(def.object.type)(def.object.options); })});
  check_files(scene, prepared);
}

/// A run would end in its first step.
void check_domain(const Scene& scene, const Prepared& prepared) {
  const World& world = *prepared.world;
  const Domain& domain = prepared.methods.domain;
  const auto x = world.position.read();
  const auto free = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (free[i] == 0 || ((x[i].array() >= domain.lower.array()).all() && (x[i].array() <= domain.upper.array()).all()))
      continue;
    throw InputError(
        fmt::format("{}: body {} of \"{}\" starts outside, at ({:.6g}, {:.6g}, {:.6g}) m. Enlarge the domain, "
                    "or move the body into it.",
                    scene.where("/domain"), world.id.read()[i], world.group_names[world.group.read()[i]], x[i][0],
                    x[i][1], x[i][2]));
  }
}

void warn_of_no_steps(const Scene& scene, Prepared& prepared) {
  if (scene.duration == 0 || std::llround(scene.duration / scene.dt) > 0) return;
  prepared.warnings.push_back(
      fmt::format("{}: {:.6g} s is less than half a step of {:.6g} s (/integrator/dt): no step is made.",
                  scene.where("/run/duration"), scene.duration, scene.dt));
}

std::unique_ptr<Integrator> make_integrator(const Scene& scene, const Registry& registry) {
  return detail::made(scene, scene.integrator,
                      [&] { return registry.integrator(scene.integrator.type)(scene.integrator.options); });
}

std::unique_ptr<Engine> make_engine(const Scene& scene, const Registry& registry, const std::string& device,
                                    const Prepared& prepared) {
  const EnginePlan plan{*prepared.world, prepared.methods, scene.dt};
  if (device == "cpu") return make_host_engine(plan);
  std::vector<std::string> known = registry.names("engine");
  if (std::ranges::find(known, device) != known.end()) return registry.engine(device)(plan);
  known.insert(known.begin(), "cpu");
  throw InputError(fmt::format("--device {}: {}. Allowed: {}.", device,
                               device == "cuda" ? "this scree was built without the CUDA backend" : "unknown device",
                               fmt::join(known, ", ")));
}

/// Those that the scene names.
void begin_modifiers(const Scene& scene, Prepared& prepared) {
  for (std::size_t k = 0; k < scene.modifiers.size(); ++k)
    detail::made(scene, scene.modifiers[k].object, [&] {
      prepared.modifiers[k].modifier->begin(*prepared.world);
      return true;
    });
}

void register_columns(const Scene& scene, Prepared& prepared) {
  detail::made(scene, scene.integrator, [&] {
    prepared.methods.integrator->columns(*prepared.world);
    return true;
  });
}

/// Bodies that move freely come back into the cell. Others stay where they are, and may be larger than it.
/// \throws InputError naming one that reaches too many cells away
void check_images(const Scene& scene, const World& world) {
  const auto x = world.position.read();
  const auto radius = world.radius.read(), movable = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double length = scene.periodic_length[k];
      if (length == 0 || movable[i] > 0 || !std::isfinite(radius[i])) continue;
      const double cells = (std::abs(x[i][k] - scene.periodic_lower[k] - length / 2) + radius[i]) / length;
      if (cells <= kMostCells) continue;
      throw InputError(fmt::format(
          "{}: the cell is {:.6g} m long, and body {} of radius {:.6g} m at {:.6g} m reaches {:.3g} cells away from "
          "it; "
          "{:g} are possible. Put the body into the cell, and give it a shape without bound, such as a half-space, "
          "where it is to go on without end.",
          scene.where(fmt::format("/periodic/{}", "xyz"[k])), length, world.id.read()[i], radius[i], x[i][k], cells,
          kMostCells));
    }
}

}  // namespace

void detail::check_bodies(const Scene& scene, const Prepared& prepared) {
  check_mobile(prepared);
  check_inertia(scene, prepared);
}

void detail::check_cell(const Scene& scene, const Prepared& prepared) {
  const World& world = *prepared.world;
  if (!world.cell.any()) return;
  check_images(scene, world);
  const Methods& methods = prepared.methods;
  const auto radius = world.radius.read(), movable = world.inverse_mass.read();
  const auto shape = world.shape.read(), material = world.material.read();
  double needed = 0, of_radius = 0;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (movable[i] == 0 || !std::isfinite(radius[i])) continue;
    const std::int32_t itself = methods.channel(shape[i], material[i], shape[i], material[i]);
    const double margin =
        itself == Methods::kNoChannel ? methods.margin : methods.channels[static_cast<std::size_t>(itself)].margin;
    const double wide = 2 * radius[i] + methods.skin + margin;
    if (wide > needed) needed = wide, of_radius = radius[i];
  }
  for (int k = 0; k < 3; ++k) {
    const double length = scene.periodic_length[k];
    if (length == 0 || length > needed) continue;
    throw InputError(fmt::format(
        "{}: the cell is {:.6g} m long, and a body of radius {:.6g} m would touch itself around it. It must be longer "
        "than {:.6g} m, the largest moving body's diameter and the reach of the neighbour list.",
        scene.where(fmt::format("/periodic/{}", "xyz"[k])), length, of_radius, needed));
  }
}

std::unique_ptr<Prepared> prepare(const Scene& scene, const Registry& registry, const std::string& device) {
  auto made = std::make_unique<Prepared>();
  Prepared& prepared = *made;
  prepared.world = std::make_unique<World>(scene.dimension);
  prepared.world->cell = {scene.periodic_lower, scene.periodic_length};
  prepared.methods.environment = {scene.gravity,          scene.linear_damping, scene.angular_damping,
                                  scene.fluid_velocity,   scene.mass_damping,   scene.local_damping,
                                  scene.gravity_variation};
  prepared.methods.integrator = make_integrator(scene, registry);
  make_hooks(scene, registry, prepared);
  detail::make_bonds(scene, registry, detail::place_bodies(scene, registry, prepared), prepared);
  prepared.world->take_edits();  // bodies of the start are no news
  prepared.world->drop_table_edits();
  const Extremes e = extremes(*prepared.world);
  set_sizes(scene, e, prepared);
  detail::resolve_channels(scene, registry, prepared);
  detail::check_bodies(scene, prepared);
  detail::check_cell(scene, prepared);
  warn_of_short_contacts(scene, e, prepared);
  warn_of_endless_walls(scene, prepared);
  warn_of_mixed_thickness(scene, prepared);
  check_domain(scene, prepared);
  warn_of_no_steps(scene, prepared);
  register_columns(scene, prepared);
  begin_modifiers(scene, prepared);
  prepared.engine = make_engine(scene, registry, device, prepared);
  warn_of_stiff_bonds(scene, prepared);
  note_plugins(scene, registry, prepared);
  return made;
}

void start_anew(const Scene& scene, const Registry& registry, const std::string& device, Prepared& prepared) {
  prepared.engine.reset();
  prepared.methods.integrator = make_integrator(scene, registry);
  register_columns(scene, prepared);
  prepared.engine = make_engine(scene, registry, device, prepared);
}

void rehearse_observers(const Scene& scene, const Registry& registry, const Prepared& prepared) {
  if (scene.observers.empty()) return;
  std::string folder = (std::filesystem::temp_directory_path() / "scree_rehearsal_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return;  // what is wrong will be told when the run begins
  const struct Removal {
    const std::string& folder;
    ~Removal() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
  } removal{folder};
  for (const HookDef& def : scene.observers) {
    try {
      detail::made(scene, def.object, [&] {
        registry.observer(def.object.type)(def.object.options)->begin(*prepared.world, folder);
        return true;
      });
    } catch (const InputError& e) {
      const std::string place = scene.where(def.object.options.pointer());
      throw InputError(std::string(e.what()).starts_with(place) ? e.what() : place + ": " + e.what());
    }
  }
}

void check_initial_overlaps(const Scene& scene, Prepared& prepared, Wanted wanted) {
  const World& world = *prepared.world;
  Engine& engine = *prepared.engine;
  const auto look = [&] {
    try {
      engine.look(wanted);
    } catch (const NumericalError& e) {
      throw InputError(fmt::format("{}: the bodies start too deep in each other: {} Move them apart.",
                                   scene.where("/bodies"), e.what()));
    }
  };
  look();
  const auto radius = world.radius.read();
  if (radius.empty()) return;
  // Records of all contacts take much memory: they are made only where the largest overlap is too much for the smallest
  // body, whether or not these two meet.
  if (engine.totals().max_overlap / *std::ranges::min_element(radius) <= scene.max_initial_overlap) return;
  if (!std::exchange(wanted.contacts, true)) look();
  const ContactView contacts = engine.contacts();
  const ContactRecord* worst = nullptr;
  double worst_ratio = scene.max_initial_overlap, worst_radius = 0;
  std::size_t count = 0;
  for (const ContactRecord& c : contacts) {
    const double r = std::min(radius[*world.row(c.a)], radius[*world.row(c.b)]);
    const double ratio = c.overlap / r;
    count += ratio > scene.max_initial_overlap;
    if (ratio > worst_ratio) worst = &c, worst_ratio = ratio, worst_radius = r;
  }
  if (!worst) return;
  const auto owner = [&](Id id) { return world.group_names[world.group.read()[*world.row(id)]]; };
  throw InputError(fmt::format(
      "{}: bodies {} (of \"{}\") and {} (of \"{}\") overlap by {:.4g} m at the start, {:.3g} of the smaller radius "
      "{:.4g} m; "
      "allowed is {:g} (/run/max_initial_overlap); {} contact(s) are beyond it. Move them apart, widen the packing, or "
      "raise the bound.",
      scene.where("/bodies"), worst->a, owner(worst->a), worst->b, owner(worst->b), worst->overlap, worst_ratio,
      worst_radius, scene.max_initial_overlap, count));
}

}  // namespace scree
