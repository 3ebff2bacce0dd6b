#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

#include "scree/base/computable.hpp"
#include "scree/base/philox.hpp"
#include "scree/hooks/stored_bodies.hpp"
#include "scree/plugin/size_distribution.hpp"
#include "scree/setup/detail/set_up.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape_facts.hpp"

namespace scree::detail {

namespace {

/// Removes bodies at a set time: gates that open, supports that are pulled.
class RemoveBodies final : public Modifier {
 public:
  explicit RemoveBodies(std::vector<Id> ids) : ids_(std::move(ids)) {}
  void apply(World& world, const ContactView*, HistoryStore& history) override {
    bring_back(world, history, ids_);
    world.remove(ids_);
  }

 private:
  std::vector<Id> ids_;
};

Quat orientation_of(const BodiesDef& def, const Placement& place, std::size_t index, int dimension) {
  if (place.orientation) return *place.orientation;
  if (!def.random_orientation) return def.orientation;
  const RandomStream random(def.seed, "orientation");
  if (dimension == 3) return uniform_rotation(random.triple(index));
  const double half = std::numbers::pi * random.pair(index)[0];
  return Quat(std::cos(half), 0, 0, std::sin(half));
}

Vec3 random_direction(const BodiesDef& def, std::size_t index, int dimension) {
  const RandomStream random(def.seed, "velocity");
  if (dimension == 3) return uniform_rotation(random.triple(index)) * Vec3::UnitX();
  const double angle = 2 * std::numbers::pi * random.pair(index)[0];
  return {std::cos(angle), std::sin(angle), 0};
}

Packed placements(const Scene& scene, const Registry& registry, const BodiesDef& def, const PackingContext& context) {
  if (!def.packing) return std::vector{Placement{kNewId, def.position, {}, {}, {}, 1}};
  return made(scene, *def.packing, [&] { return registry.packing(def.packing->type)(def.packing->options, context); });
}

/// Returns the size of a body relative to its shape, by the entry.
double drawn_size(const BodiesDef& def, const SizeDistribution& sizes, std::size_t index) {
  return sizes.at(RandomStream(def.seed, "scale").pair(index)[0]);
}

/// Returns the size of a body by the entry and the packing.
double scale_of(const Scene& scene, const BodiesDef& def, const SizeDistribution& sizes, const Placement& place,
                std::size_t index, const ShapeEntry& shape) {
  if (!(place.scale > 0) || !std::isfinite(place.scale))
    throw InputError(fmt::format("{}: place {} has the scale {}; a scale is a finite number above 0.",
                                 scene.where(def.packing->options.pointer()), index, place.scale));
  const double scale = place.scale * drawn_size(def, sizes, index);
  if (scale != 1 && !std::isfinite(shape.shape->bounding_radius()))
    throw InputError(
        fmt::format("{}: shape \"{}\" is without bound and has no size that a scale of {:.6g} could change. Remove "
                    "the \"scale\", or change the shape's own options.",
                    scene.where(def.pointer), shape.name, scale));
  return scale;
}

/// Limit of masses: beyond it, products may overflow.
constexpr double kLargestMass = 1e100;  ///< [kg]

bool computable(const Vec3& v) { return v.cwiseAbs().maxCoeff() <= kLargestComputable; }  // false for NaN too

/// Checks numbers. \throws InputError for a place or speed that cannot be computed with
void check_numbers(const Scene& scene, const BodiesDef& def, const BodySpec& body, std::size_t index) {
  const auto require = [&](const Vec3& v, const char* what, const char* unit) {
    if (computable(v)) return;
    throw InputError(
        fmt::format("{}: body {} of this entry has the {} ({:.6g}, {:.6g}, {:.6g}) {}; numbers up to {:.0e} "
                    "can be computed with. Look for a wrong unit or exponent.",
                    scene.where(def.packing ? def.packing->options.pointer() : def.pointer), index, what, v[0], v[1],
                    v[2], unit, kLargestComputable));
  };
  require(body.position, "position", "m");
  require(body.velocity, "velocity", "m/s");
  require(body.angular_velocity, "angular velocity", "rad/s");
}

/// Checks a size. \throws InputError for a shape too large or too small to compute with
void check_size(const Scene& scene, const ShapeDef& def, const Shape& shape) {
  const double radius = shape.bounding_radius();
  if (std::isinf(radius) || (radius <= kLargestComputable && radius >= 1 / kLargestComputable)) return;
  throw InputError(
      fmt::format("{}: the bounding radius is {:.6g} m; sizes from {:.0e} to {:.0e} m can be computed with. "
                  "Look for a wrong unit or exponent.",
                  scene.where(def.object.options.pointer()), radius, 1 / kLargestComputable, kLargestComputable));
}

Motion motion_of(const MotionDef& def) {
  const auto rows_of = [](const std::vector<MotionDef::Row>& rows) {
    std::vector<MotionRow> copy;
    for (const MotionDef::Row& row : rows) copy.push_back({row.time, row.value});
    return copy;
  };
  return {def.velocity,
          def.angular_velocity,
          def.centre.value_or(Vec3::Zero()),
          !def.centre,
          def.amplitude,
          def.frequency,
          def.start,
          def.stop,
          rows_of(def.velocities),
          rows_of(def.displacements)};
}

/// Returns the box that holds a body starting here, or nullptr.
const HeldDef* holder(const BodiesDef& def, const Vec3& position, int dimension) {
  for (const HeldDef& held : def.held) {
    bool inside = true;
    for (int k = 0; k < dimension; ++k) inside = inside && position[k] >= held.lower[k] && position[k] <= held.upper[k];
    if (inside) return &held;
  }
  return nullptr;
}

/// Checks boxes of held bodies. \throws InputError for a box without bodies
void check_held(const Scene& scene, const BodiesDef& def, const std::vector<Placement>& places) {
  for (const HeldDef& held : def.held) {
    const auto in = [&](const Placement& p) { return holder(def, p.position, scene.dimension) == &held; };
    if (std::ranges::none_of(places, in))
      throw InputError(
          fmt::format("{}: no body of \"{}\" starts in this box, or another box holds those that do. "
                      "Give the corners in metres, around the bodies that are to be held.",
                      scene.where(held.pointer), def.name));
  }
}

/// One entry of the scene's `bodies`.
struct Entry {
  const Scene& scene;
  const BodiesDef& def;
  std::uint32_t group;                ///< its index
  std::vector<std::uint32_t> shapes;  ///< shapes of the World, which bodies take in turn
  std::uint32_t material;
  SizeDistribution sizes;
};

/// Checks that a shape can move freely. \throws InputError if it cannot
void check_mobile(const Entry& entry, const BodySpec& body, const World& world) {
  const Scene& scene = entry.scene;
  const BodiesDef& def = entry.def;
  const Shape& shape = *world.shapes()[body.shape].shape;
  if (const std::string_view immobile = shape.traits().immobile; !immobile.empty())
    throw InputError(
        fmt::format("{}: shape \"{}\" cannot move freely: {} Or make the body \"fixed\": true or give "
                    "it a \"motion\".",
                    scene.where(def.pointer), world.shapes()[body.shape].name, immobile));
  const double mass = shape.mass(world.materials()[body.material].density).mass;
  if (!(mass > 0) || !std::isfinite(shape.bounding_radius()))
    throw InputError(
        fmt::format("{}: shape \"{}\" of material \"{}\" has mass {} kg, so it cannot move freely. "
                    "Give the material a positive density, or the body \"fixed\": true or a \"motion\".",
                    scene.where(def.pointer), world.shapes()[body.shape].name, def.material, mass));
  if (!(mass <= kLargestMass))
    throw InputError(fmt::format(
        "{}: shape \"{}\" of material \"{}\" has mass {:.6g} kg; masses up to {:.0e} kg can be computed with. "
        "Look for a wrong unit or exponent in its size, thickness or density.",
        scene.where(def.pointer), world.shapes()[body.shape].name, def.material, mass, kLargestMass));
}

BodySpec body_at(const Entry& entry, const Placement& place, std::size_t index, const World& world) {
  const Scene& scene = entry.scene;
  const BodiesDef& def = entry.def;
  BodySpec body;
  body.id = place.id;
  body.shape = entry.shapes.at(place.shape.value_or(index % entry.shapes.size()));
  body.material = entry.material;
  body.group = entry.group;
  body.scale = scale_of(scene, def, entry.sizes, place, index, world.shapes()[body.shape]);
  const HeldDef* const held = holder(def, place.position, scene.dimension);
  const std::vector<MotionDef>& motions = held ? held->motions : def.motions;
  body.kind = !motions.empty() ? BodyKind::prescribed : held || def.fixed ? BodyKind::fixed : BodyKind::dynamic;
  body.position = place.position;
  body.orientation = orientation_of(def, place, index, scene.dimension);
  if (body.kind == BodyKind::dynamic) {
    body.velocity = place.velocity.value_or(def.velocity);
    if (def.random_speed > 0) body.velocity += def.random_speed * random_direction(def, index, scene.dimension);
    body.angular_velocity = place.angular_velocity.value_or(def.angular_velocity);
    check_mobile(entry, body, world);
  }
  check_numbers(scene, def, body, index);
  for (const MotionDef& motion : motions) body.motions.push_back(motion_of(motion));
  body.surface_velocity = def.surface_velocity;
  return body;
}

/// Adds bodies, a few at a time, and never many compared with existing ones: the description of a body takes more
/// memory than the body itself. \return their ids
std::vector<Id> add_bodies(const Entry& entry, std::span<const Placement> places, World& world) {
  const std::size_t more_entries = entry.scene.bodies.size() - entry.group;  // one body each, or more
  world.reserve(world.size() + places.size() + more_entries);
  std::vector<Id> ids;
  ids.reserve(places.size());
  std::vector<BodySpec> bodies;
  while (ids.size() < places.size()) {
    // Searching for used ids goes over all bodies once per call.
    const std::size_t at_once = std::max<std::size_t>(1024, world.size() / 16);
    bodies.clear();
    for (std::size_t k = ids.size(); k < std::min(ids.size() + at_once, places.size()); ++k)
      bodies.push_back(body_at(entry, places[k], k, world));
    try {
      const std::vector<Id> added = world.add(bodies);
      ids.insert(ids.end(), added.begin(), added.end());
    } catch (const Error& e) {
      const bool taken =
          std::ranges::any_of(bodies, [&](const BodySpec& body) { return body.id != kNewId && world.row(body.id); });
      throw InputError(fmt::format("{}: {}{}", entry.scene.where(entry.def.pointer), e.what(),
                                   taken ? " List entries whose ids come from files or places first." : ""));
    }
  }
  return ids;
}

/// Writes the columns of a packing. \param ids  ids of its places
void write_columns(const Packed& packed, std::span<const Id> ids, World& world) {
  for (const PlacedColumn& placed : packed.columns) {
    ColumnStorage& column = world.storage(placed.name, ColumnType::float64, placed.components, placed.unit, false);
    const auto components = static_cast<std::size_t>(placed.components);
    const ColumnWriter<std::byte> rows(column, column.open_write());
    for (std::size_t k = 0; k < ids.size(); ++k) {
      std::byte* const to = rows.data() + *world.row(ids[k]) * components * sizeof(double);
      std::memcpy(to, placed.values.data() + k * components, components * sizeof(double));
    }
  }
}

/// Returns the walls of later entries: single bodies that are fixed or prescribed.
std::unique_ptr<World> walls_behind(const Scene& scene, std::uint32_t group, const World& world,
                                    const std::map<std::string, std::uint32_t>& shapes,
                                    const std::map<std::string, std::uint32_t>& materials) {
  auto walls = std::make_unique<World>(scene.dimension);
  walls->cell = world.cell;
  for (const ShapeEntry& shape : world.shapes()) walls->add_shape(shape.name, shape.shape);
  for (const MaterialEntry& material : world.materials()) walls->add_material(material);
  for (++group; group < scene.bodies.size(); ++group) {
    const BodiesDef& def = scene.bodies[group];
    if (def.packing || def.removed || !(def.fixed || !def.motions.empty())) continue;
    const Entry entry{scene,
                      def,
                      group,
                      {shapes.at(def.shapes.at(0))},
                      materials.at(def.material),
                      SizeDistribution(def.scale, scene.dimension)};
    BodySpec body = body_at(entry, Placement{kNewId, def.position, {}, {}, {}, 1}, 0, *walls);
    body.group = 0;
    walls->add(std::vector<BodySpec>{body});
  }
  return walls;
}

/// Returns the radius about the reference point, which a packing places.
double packing_radius(const Shape& shape) { return shape.bounding_radius() + shape.reference_point().norm(); }

}  // namespace

std::vector<PlacedBodies> place_bodies(const Scene& scene, const Registry& registry, Prepared& prepared) {
  std::vector<PlacedBodies> placed;
  World& world = *prepared.world;
  std::map<std::string, std::uint32_t> shape_index, material_index;
  for (const ShapeDef& def : scene.shapes) {
    auto shape = made(scene, def.object, [&] {
      return registry.shape(def.object.type)(def.object.options, ShapeContext{scene.dimension});
    });
    if (shape->dimension() != scene.dimension)
      throw InputError(
          fmt::format("{}: a {} is a shape of {} dimensions; the scene's /dimension is {}. Choose another "
                      "shape or change /dimension.",
                      scene.where(def.object.options.pointer()), def.object.type, shape->dimension(), scene.dimension));
    for (const std::string& note : shape->traits().notes)
      prepared.warnings.push_back(scene.where(def.object.options.pointer()) + ": " + note);
    if (const auto* const of = facet<ShapeFacts>(*shape))
      for (const std::string& fact : of->facts())
        prepared.notes.push_back(scene.where(def.object.options.pointer()) + ": " + fact);
    check_size(scene, def, *shape);
    shape_index[def.name] = world.add_shape(def.name, std::move(shape));
  }
  for (const MaterialDef& def : scene.materials)
    material_index[def.name] = world.add_material({def.name, def.density, def.youngs_modulus, def.poisson_ratio});

  for (std::uint32_t group = 0; group < scene.bodies.size(); ++group) {
    const BodiesDef& def = scene.bodies[group];
    world.group_names.push_back(def.name);
    Entry entry{scene, def, group, {}, material_index.at(def.material), SizeDistribution(def.scale, scene.dimension)};
    PackingContext context{scene.dimension, 0, def.seed};
    context.density = world.materials()[entry.material].density;
    context.size = [&](std::size_t index) { return drawn_size(def, entry.sizes, index); };
    context.world = &world;
    for (const std::string& name : def.shapes) {
      entry.shapes.push_back(shape_index.at(name));
      context.shapes.push_back(world.shapes()[entry.shapes.back()]);
      const double radius = packing_radius(*context.shapes.back().shape);
      context.bounding_radius = std::max(context.bounding_radius, entry.sizes.largest() * radius);
    }
    const auto later = def.packing ? walls_behind(scene, group, world, shape_index, material_index) : nullptr;
    context.later_walls = later.get();
    Packed packed = placements(scene, registry, def, context);
    check_held(scene, def, packed.places);

    std::vector<Id> ids = add_bodies(entry, packed.places, world);
    if (def.remove_at)
      prepared.modifiers.push_back(
          {"remove " + def.name, Schedule{*def.remove_at, 0, 1e300}, std::make_unique<RemoveBodies>(ids)});
    write_columns(packed, ids, world);
    for (const std::string& note : packed.notes)
      prepared.warnings.push_back(scene.where(def.packing->options.pointer()) + ": " + note);
    placed.push_back({std::move(ids), std::move(packed.shared_faces), std::move(packed.strands)});
  }
  return placed;
}

}  // namespace scree::detail
