#include "engine/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "scree/base/error.hpp"
#include "scree/shape/corner_shares.hpp"
#include "scree/shape/facets.hpp"

namespace scree::device {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw InputError(fmt::format("this device does not run {}. {}, or use --device cpu.", what, remedy));
}

const std::string& shape_name(const World& world, std::uint32_t row) { return world.shapes()[world.shape[row]].name; }

std::string detector_name(const Methods& methods, const ContactDetector* detector) {
  for (std::size_t k = 0; k < methods.detectors.size(); ++k)
    if (methods.detectors[k].get() == detector) return methods.detector_names[k];
  return "";
}

template <class Face>
const Face* face_of(const ContactDetector& detector) {
  return static_cast<const Face*>(detector.face(Face::kName));
}

/// A body that stays or moves as prescribed, and that others see by its faces.
bool is_wall(const World& world, std::uint32_t row) {
  const Shape& shape = *world.shapes()[world.shape[row]].shape;
  if (world.inverse_mass[row] > 0 || facet<SphereSet>(shape)) return false;
  return facet<DeviceFaces>(shape) || !std::isfinite(world.radius[row]);
}

constexpr std::size_t kMostWalls = 64;  ///< each takes its own launches

}  // namespace

DevicePlan::DevicePlan(const EnginePlan& plan) {
  const std::optional<KickDriftScheme> found = plan.methods.integrator->traits().kick_drift;
  if (!found)
    refuse(fmt::format("integrator \"{}\"", plan.methods.integrator_name),
           "Choose \"symplectic-euler\" or \"velocity-verlet\"");
  scheme = *found;
  planar = plan.world.dimension() == 2;
  refuse_what_no_device_does(plan);
  order_bodies(plan.world);
  find_parts(plan);
  define_sites(plan.world);
  find_pair_methods(plan);
  find_walls(plan);
}

void DevicePlan::refuse_what_no_device_does(const EnginePlan& plan) const {
  const World& world = plan.world;
  if (plan.methods.energy_ledger) refuse("energy ledgers", "Remove /output/energy_ledger");
  if (!plan.methods.bonds.empty() || world.bonds().size() > 0) refuse("bonds", "Remove /bonds");
  if (!world.members().empty()) refuse("bodies that ride on others", "Make them one clump");
  if (!world.surface_velocities().empty()) refuse("conveyors (surface_velocity)", "Remove it");
  if (world.cell.any()) {
    if (world.cell.deforms() || !world.cell.is_box()) refuse("periodic cells that deform", "Keep the cell as it is");
    for (std::size_t row = 0; row < world.size(); ++row)
      if (world.inverse_mass[row] == 0 && std::isfinite(world.radius[row]) &&
          !world.cell.image_of(world.position[row]).isZero())
        refuse(fmt::format("body {}, which is fixed outside of the periodic cell", world.id[row]),
               "Put it into the cell");
  }
}

void DevicePlan::order_bodies(const World& world) {
  const auto id = world.id.read();
  row_of_rank.resize(id.size());
  std::iota(row_of_rank.begin(), row_of_rank.end(), 0u);
  std::ranges::sort(row_of_rank, {}, [&](std::uint32_t row) { return id[row]; });
  for (const std::uint32_t row : row_of_rank) id_of_rank.push_back(id[row]);
}

/// Which detectors the bodies of each kind will meet, and hence what they are to these.
void DevicePlan::find_parts(const EnginePlan& plan) {
  const World& world = plan.world;
  const Methods& methods = plan.methods;
  for (std::uint32_t row = 0; row < world.size(); ++row) {
    const Kind kind{world.shape[row], world.material[row]};
    const bool movable = world.inverse_mass[row] > 0;
    if (movable || !is_wall(world, row))
      grains_[kind].movable |= movable;
    else
      walls_.insert(kind);
  }
  const auto detector = [&](const Kind& a, const Kind& b) -> const ContactDetector* {
    const std::int32_t channel = methods.channel(a.shape, a.material, b.shape, b.material);
    return channel < 0 ? nullptr : methods.channels[static_cast<std::size_t>(channel)].detector;
  };
  for (auto& [kind, part] : grains_) {
    for (const auto& [other, other_part] : grains_) {
      const ContactDetector* const found = detector(kind, other);
      if (!found || !(part.movable || other_part.movable)) continue;
      part.whole = part.whole || face_of<DeviceShapePairs>(*found);
    }
    for (const Kind& wall : walls_) {
      const ContactDetector* const found = detector(kind, wall);
      if (!found || !part.movable) continue;
      part.whole = part.whole || face_of<DeviceOutlines>(*found);
      part.vertices = part.vertices || face_of<DeviceFaceContacts>(*found);
    }
  }
}

std::uint32_t DevicePlan::species_of(const Kind& kind, SiteRole role) {
  for (std::uint32_t s = 0; s < species_.size(); ++s)
    if (species_[s].kind == kind && species_[s].role == role) return s;
  species_.push_back({kind, role, grains_.at(kind).movable});
  shape_of_species.push_back(kind.shape);
  return static_cast<std::uint32_t>(species_.size() - 1);
}

void DevicePlan::add_spheres(const World& world, std::uint32_t rank, const SphereSet& set, SiteRole role) {
  const std::uint32_t row = row_of_rank[rank];
  const std::uint32_t of = species_of({world.shape[row], world.material[row]}, role);
  const double scale = world.scale[row];
  const auto count = static_cast<std::uint32_t>(set.radii().size());
  std::vector<double> share;
  const Shape& shape = *world.shapes()[world.shape[row]].shape;
  if (const auto* const polygon = facet<SweptPolygon>(shape); polygon && role == SiteRole::vertex)
    share = corner_shares(*polygon, shape.bounding_radius());
  share.resize(count, 1);
  for (std::uint32_t k = 0; k < count; ++k) {
    const Vec3 local = scale * set.centres()[k];
    const double radius = scale * set.radii()[k];
    sites.push_back({rank, of, radius, {local[0], local[1], local[2]}, scale, share[k]});
    places.push_back({k, count});
    largest_radius = std::max(largest_radius, radius);
    turning_sites = turning_sites || !local.isZero(0);
  }
}

void DevicePlan::add_whole(const World& world, std::uint32_t rank) {
  const std::uint32_t row = row_of_rank[rank];
  const double radius = world.scale[row] * world.shapes()[world.shape[row]].shape->bounding_radius();
  const std::uint32_t of = species_of({world.shape[row], world.material[row]}, SiteRole::whole);
  sites.push_back({rank, of, radius, {0, 0, 0}, world.scale[row]});
  places.push_back({0, 1});
  largest_radius = std::max(largest_radius, radius);
}

void DevicePlan::define_sites(const World& world) {
  for (std::uint32_t rank = 0; rank < row_of_rank.size(); ++rank) {
    first_site.push_back(static_cast<std::uint32_t>(sites.size()));
    const std::uint32_t row = row_of_rank[rank];
    const Kind kind{world.shape[row], world.material[row]};
    const bool grain = world.inverse_mass[row] > 0 || !is_wall(world, row);
    if (!grain) continue;
    const Shape& shape = *world.shapes()[world.shape[row]].shape;
    const Part& part = grains_.at(kind);
    if (const auto* const set = facet<SphereSet>(shape))
      add_spheres(world, rank, *set, SiteRole::sphere);
    else if (const auto* const vertices = facet<RoundVertices>(shape); vertices && part.vertices)
      add_spheres(world, rank, *vertices, SiteRole::vertex);
    if (part.whole) add_whole(world, rank);
  }
  first_site.push_back(static_cast<std::uint32_t>(sites.size()));
  species = static_cast<std::uint32_t>(species_.size());
  if (sites.size() >= kMostSites)
    refuse(fmt::format("{} spheres", sites.size()), fmt::format("Use fewer than {}", kMostSites));
}

ContactMethods DevicePlan::methods_of(const Methods& methods, std::int32_t number, bool payload, bool two_spheres) {
  const Channel& channel = methods.channels[static_cast<std::size_t>(number)];
  const Interaction& interaction = methods.interactions[channel.interaction];
  const auto* const law = static_cast<const DeviceLaw*>(interaction.law->face(DeviceLaw::kName));
  const std::string named = fmt::format("law \"{}\" of interaction {}", interaction.law_name, interaction.name);
  if (!law || !interaction.force) refuse(named, "Choose \"linear\" or \"hertz-mindlin\"");
  if (interaction.inputs) refuse(named + ", which reads further columns", "Choose another law");
  if (!interaction.needs.history_in_place && interaction.history > 0)
    refuse(named + ", whose history is not kept in place", "Choose another law");
  history = std::max(history, interaction.history + (payload ? 1 : 0));
  margin = std::max(margin, channel.margin);
  const ContactMethods found{&channel,
                             &interaction,
                             law,
                             channel.detector->central(),
                             payload,
                             planar && law->flat_in_plane,
                             ContactMethods::can_be_together(*law, interaction.needs, two_spheres)};
  columns.add(found);
  return found;
}

PairMethods DevicePlan::pair_methods(const EnginePlan& plan, std::int32_t number, SiteRole role) {
  const ContactDetector& detector = *plan.methods.channels[static_cast<std::size_t>(number)].detector;
  if (role == SiteRole::sphere) {
    const auto& spheres = *face_of<DevicePairs>(detector);
    return {methods_of(plan.methods, number, false, spheres.two_spheres), spheres, 1, nullptr, {}};
  }
  const auto& shapes = *face_of<DeviceShapePairs>(detector);
  std::vector<std::uint32_t> taking_part;
  for (const std::uint32_t shape : whole_shapes())
    for (const Species& a : species_)
      for (const Species& b : species_)
        if (a.kind.shape == shape && a.role == SiteRole::whole && b.role == SiteRole::whole &&
            plan.methods.channel(shape, a.kind.material, b.kind.shape, b.kind.material) == number &&
            (taking_part.empty() || taking_part.back() != shape))
          taking_part.push_back(shape);
  return {methods_of(plan.methods, number, true), plan.world.scaled() ? shapes.sized_stage() : shapes.stage(),
          static_cast<std::uint32_t>(shapes.contacts()), &shapes, shapes.tables(taking_part)};
}

/// Shapes of bodies that are sites as a whole, in ascending order.
std::vector<std::uint32_t> DevicePlan::whole_shapes() const {
  std::vector<std::uint32_t> shapes;
  for (const Species& s : species_)
    if (s.role == SiteRole::whole) shapes.push_back(s.kind.shape);
  std::ranges::sort(shapes);
  shapes.erase(std::ranges::unique(shapes).begin(), shapes.end());
  return shapes;
}

void DevicePlan::find_pair_methods(const EnginePlan& plan) {
  const Methods& methods = plan.methods;
  channel_of.assign(std::size_t{species} * species, -1);
  std::map<std::int32_t, std::int32_t> numbers;
  for (std::uint32_t a = 0; a < species; ++a)
    for (std::uint32_t b = 0; b < species; ++b) {
      const Species &of_a = species_[a], &of_b = species_[b];
      const std::int32_t channel =
          methods.channel(of_a.kind.shape, of_a.kind.material, of_b.kind.shape, of_b.kind.material);
      if (channel < 0 || !(of_a.movable || of_b.movable)) continue;
      const ContactDetector* const detector = methods.channels[static_cast<std::size_t>(channel)].detector;
      const bool whole = face_of<DeviceShapePairs>(*detector), spheres = face_of<DevicePairs>(*detector);
      if (!whole && !spheres)
        refuse(fmt::format("detector \"{}\"", detector_name(methods, detector)), "Choose another detector or shape");
      const SiteRole role = whole ? SiteRole::whole : SiteRole::sphere;
      if (of_a.role != role || of_b.role != role) continue;
      const auto [entry, added] = numbers.try_emplace(channel, static_cast<std::int32_t>(pairs.size()));
      channel_of[a * species + b] = entry->second;
      if (added) pairs.push_back(pair_methods(plan, channel, role));
    }
  refuse_unserved_kinds(plan);
}

/// Bodies that a channel is for, and of which there are no sites.
void DevicePlan::refuse_unserved_kinds(const EnginePlan& plan) const {
  const auto has = [&](const Kind& kind, SiteRole role) {
    return std::ranges::any_of(species_, [&](const Species& s) { return s.kind == kind && s.role == role; });
  };
  for (const auto& [a, part_a] : grains_)
    for (const auto& [b, part_b] : grains_) {
      const std::int32_t channel = plan.methods.channel(a.shape, a.material, b.shape, b.material);
      if (channel < 0 || !(part_a.movable || part_b.movable)) continue;
      const bool served = (has(a, SiteRole::sphere) && has(b, SiteRole::sphere)) ||
                          (has(a, SiteRole::whole) && has(b, SiteRole::whole));
      if (served) continue;
      const ContactDetector* const detector = plan.methods.channels[static_cast<std::size_t>(channel)].detector;
      refuse(
          fmt::format("detector \"{}\", for bodies of shapes \"{}\" and \"{}\"", detector_name(plan.methods, detector),
                      plan.world.shapes()[a.shape].name, plan.world.shapes()[b.shape].name),
          "Choose another detector or shape");
    }
}

/// Obstacles: bodies that stay or move as prescribed, and are no spheres.
void DevicePlan::find_walls(const EnginePlan& plan) {
  for (std::uint32_t rank = 0; rank < row_of_rank.size(); ++rank)
    if (first_site[rank] == first_site[rank + 1] && plan.world.inverse_mass[row_of_rank[rank]] == 0)
      find_wall(plan, rank);
  if (walls.size() > kMostWalls)
    refuse(fmt::format("{} obstacles", walls.size()), fmt::format("Use at most {}", kMostWalls));
}

/// \param with_nodes  the obstacle has nodes too, which the bodies' fields are asked about
std::vector<std::byte> DevicePlan::outline_tables(const WallMethods& wall, bool with_nodes) const {
  std::vector<std::uint32_t> grains;
  for (std::uint32_t s = 0; s < species; ++s)
    if (wall.meets[s]) grains.push_back(species_[s].kind.shape);
  std::ranges::sort(grains);
  grains.erase(std::ranges::unique(grains).begin(), grains.end());
  std::vector<std::uint32_t> nodes = grains;
  if (!with_nodes) return wall.outlines->tables(nodes, {});
  nodes.push_back(wall.shape);
  return wall.outlines->tables(nodes, grains);
}

void DevicePlan::find_wall(const EnginePlan& plan, std::uint32_t rank) {
  const World& world = plan.world;
  const Methods& methods = plan.methods;
  const std::uint32_t row = row_of_rank[rank];
  const Shape& shape = *world.shapes()[world.shape[row]].shape;
  const auto* const faces = facet<DeviceFaces>(shape);
  std::map<std::int32_t, std::vector<std::uint8_t>> meets;
  for (std::uint32_t s = 0; s < species; ++s) {
    const Species& site = species_[s];
    const std::int32_t channel =
        methods.channel(site.kind.shape, site.kind.material, world.shape[row], world.material[row]);
    if (channel < 0 || !site.movable) continue;
    if (!faces)
      refuse(fmt::format("obstacles of shape \"{}\"", shape_name(world, row)),
             "Choose a half-space, box, cylinder or sphere-wall");
    const ContactDetector* const detector = methods.channels[static_cast<std::size_t>(channel)].detector;
    const bool of_nodes = face_of<DeviceOutlines>(*detector), of_spheres = face_of<DeviceFaceContacts>(*detector);
    if (!(of_nodes || of_spheres))
      refuse(fmt::format("detector \"{}\"", detector_name(methods, detector)), "Choose another detector or shape");
    if (of_nodes == (site.role == SiteRole::whole)) meets.try_emplace(channel, species, 0).first->second[s] = 1;
  }
  if (!meets.empty() && world.cell.any() && std::isfinite(world.radius[row]))
    refuse(fmt::format("obstacles with an end, such as \"{}\", in a periodic cell", shape_name(world, row)),
           "Choose one without");
  for (auto& [channel, of_species] : meets) {
    const ContactDetector& detector = *methods.channels[static_cast<std::size_t>(channel)].detector;
    const auto* const outlines = face_of<DeviceOutlines>(detector);
    if (outlines && !faces->nodes)
      refuse(fmt::format("bodies with nodes and obstacles of shape \"{}\"", shape_name(world, row)),
             "Choose another obstacle");
    WallMethods wall{methods_of(methods, channel, outlines != nullptr),
                     face_of<DeviceFaceContacts>(detector),
                     outlines,
                     faces,
                     static_cast<std::uint32_t>(outlines ? kNodeWallContacts : faces->faces),
                     rank,
                     world.shape[row],
                     world.scale[row],
                     {world.position[row], world.orientation[row]},
                     world.scale[row] * shape.rotation_reach(),
                     !std::isfinite(world.radius[row]),
                     std::move(of_species),
                     {}};
    if (outlines) wall.tables = outline_tables(wall, facet<BoundaryNodes>(shape));
    walls.push_back(std::move(wall));
  }
}

}  // namespace scree::device
