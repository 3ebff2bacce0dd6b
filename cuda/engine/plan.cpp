#include "engine/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "scree/base/error.hpp"
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

constexpr std::size_t kMostWalls = 64;  ///< each takes its own launches

}  // namespace

DevicePlan::DevicePlan(const EnginePlan& plan) {
  const auto* const found = static_cast<const KickDriftScheme*>(plan.methods.integrator->face(KickDriftScheme::kName));
  if (!found)
    refuse(fmt::format("integrator \"{}\"", plan.methods.integrator_name),
           "Choose \"symplectic-euler\" or \"velocity-verlet\"");
  scheme = *found;
  refuse_what_no_device_does(plan);
  order_bodies(plan.world);
  define_sites(plan);
  find_pair_methods(plan);
  find_walls(plan);
}

void DevicePlan::refuse_what_no_device_does(const EnginePlan& plan) const {
  const World& world = plan.world;
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

/// Bodies made of spheres are sites, sphere by sphere.
void DevicePlan::define_sites(const EnginePlan& plan) {
  const World& world = plan.world;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  for (std::uint32_t rank = 0; rank < row_of_rank.size(); ++rank) {
    const std::uint32_t row = row_of_rank[rank];
    first_site.push_back(static_cast<std::uint32_t>(sites.size()));
    const auto* const set = facet<SphereSet>(*world.shapes()[world.shape[row]].shape);
    if (!set) {
      if (world.inverse_mass[row] > 0)
        refuse(fmt::format("bodies of shape \"{}\" that move", shape_name(world, row)),
               "Give them a shape made of spheres");
      continue;
    }
    const auto [entry, added] =
        numbers.try_emplace({world.shape[row], world.material[row]}, static_cast<std::uint32_t>(species_.size()));
    if (added) species_.push_back({world.shape[row], world.material[row]});
    species_[entry->second].movable |= world.inverse_mass[row] > 0;
    for (std::size_t k = 0; k < set->radii().size(); ++k) {
      const Vec3 local = world.scale[row] * set->centres()[k];
      const double radius = world.scale[row] * set->radii()[k];
      sites.push_back({rank, entry->second, radius, {local[0], local[1], local[2]}});
      largest_radius = std::max(largest_radius, radius);
      turning_sites = turning_sites || !local.isZero(0);
    }
  }
  first_site.push_back(static_cast<std::uint32_t>(sites.size()));
  species = static_cast<std::uint32_t>(species_.size());
  if (sites.size() >= kMostSites)
    refuse(fmt::format("{} spheres", sites.size()), fmt::format("Use fewer than {}", kMostSites));
}

ContactMethods DevicePlan::methods_of(const Methods& methods, std::int32_t number) {
  const Channel& channel = methods.channels[static_cast<std::size_t>(number)];
  const Interaction& interaction = methods.interactions[channel.interaction];
  const auto* const law = static_cast<const DeviceLaw*>(interaction.law->face(DeviceLaw::kName));
  const std::string named = fmt::format("law \"{}\" of interaction {}", interaction.law_name, interaction.name);
  if (!law || !interaction.force) refuse(named, "Choose \"linear\" or \"hertz-mindlin\"");
  if (interaction.inputs) refuse(named + ", which reads further columns", "Choose another law");
  if (!interaction.needs.history_in_place && interaction.history > 0)
    refuse(named + ", whose history is not kept in place", "Choose another law");
  history = std::max(history, interaction.history);
  margin = std::max(margin, channel.margin);
  moments = moments || interaction.needs.moment;
  return {&channel, &interaction, law, channel.detector->central()};
}

void DevicePlan::find_pair_methods(const EnginePlan& plan) {
  const Methods& methods = plan.methods;
  channel_of.assign(std::size_t{species} * species, -1);
  std::map<std::int32_t, std::int32_t> numbers;
  for (std::uint32_t a = 0; a < species; ++a)
    for (std::uint32_t b = 0; b < species; ++b) {
      const std::int32_t channel =
          methods.channel(species_[a].shape, species_[a].material, species_[b].shape, species_[b].material);
      if (channel < 0 || !(species_[a].movable || species_[b].movable)) continue;
      const auto [entry, added] = numbers.try_emplace(channel, static_cast<std::int32_t>(pairs.size()));
      channel_of[a * species + b] = entry->second;
      if (!added) continue;
      const ContactDetector* const detector = methods.channels[static_cast<std::size_t>(channel)].detector;
      const auto* const stage = face_of<DevicePairs>(*detector);
      if (!stage) refuse(fmt::format("detector \"{}\"", detector_name(methods, detector)), "Choose \"sphere-sphere\"");
      pairs.push_back({methods_of(methods, channel), stage});
    }
}

/// Obstacles: bodies that stay or move as prescribed, and are no spheres.
void DevicePlan::find_walls(const EnginePlan& plan) {
  const World& world = plan.world;
  const Methods& methods = plan.methods;
  for (std::uint32_t rank = 0; rank < row_of_rank.size(); ++rank) {
    const std::uint32_t row = row_of_rank[rank];
    if (first_site[rank] != first_site[rank + 1]) continue;
    std::map<std::int32_t, std::vector<std::uint8_t>> meets;
    for (std::uint32_t s = 0; s < species; ++s) {
      const std::int32_t channel =
          methods.channel(species_[s].shape, species_[s].material, world.shape[row], world.material[row]);
      if (channel >= 0 && species_[s].movable) meets.try_emplace(channel, species, 0).first->second[s] = 1;
    }
    const Shape& shape = *world.shapes()[world.shape[row]].shape;
    const auto* const faces = facet<DeviceFaces>(shape);
    for (auto& [channel, of_species] : meets) {
      if (!faces)
        refuse(fmt::format("obstacles of shape \"{}\"", shape_name(world, row)),
               "Choose a half-space, box, cylinder or sphere-wall");
      const ContactDetector* const detector = methods.channels[static_cast<std::size_t>(channel)].detector;
      const auto* const contacts = face_of<DeviceFaceContacts>(*detector);
      if (world.cell.any() && std::isfinite(world.radius[row]))
        refuse(fmt::format("obstacles with an end, such as \"{}\", in a periodic cell", shape_name(world, row)),
               "Choose one without");
      if (!contacts)
        refuse(fmt::format("detector \"{}\"", detector_name(methods, detector)), "Choose \"sphere-surface\"");
      walls.push_back({methods_of(methods, channel),
                       contacts,
                       faces,
                       rank,
                       world.scale[row],
                       {world.position[row], world.orientation[row]},
                       world.scale[row] * shape.rotation_reach(),
                       !std::isfinite(world.radius[row]),
                       std::move(of_species)});
    }
  }
  if (walls.size() > kMostWalls)
    refuse(fmt::format("{} obstacles", walls.size()), fmt::format("Use at most {}", kMostWalls));
}

}  // namespace scree::device
