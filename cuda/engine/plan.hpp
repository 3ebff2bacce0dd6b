#pragma once
/// \file What a device is to run, taken out of an EnginePlan. Whatever it cannot run is refused here, before step 1.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/contact_methods.hpp"
#include "kernels/list_kernels.hpp"
#include "scree/device/node_walls.hpp"
#include "scree/device/shape_pairs.hpp"
#include "scree/engine/engine.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/shape/facets.hpp"

namespace scree::device {

struct PairMethods : ContactMethods {
  DeviceStage stage;
  std::uint32_t contacts;                    ///< of a pair of sites, at most
  const DeviceShapePairs* shapes = nullptr;  ///< of bodies that are one site each
  std::vector<std::byte> tables;             ///< DeviceShapePairs::tables()

  std::size_t memory() const { return shapes ? shapes->memory() : 0; }
};

/// An obstacle and the species of sites that one law gives forces for.
struct WallMethods : ContactMethods {
  const DeviceFaceContacts* contacts;  ///< of spheres and faces
  const DeviceOutlines* outlines;      ///< or, where this is null, of bodies with nodes
  const DeviceFaces* faces;
  std::uint32_t per_item;  ///< contacts of a site, at most
  std::uint32_t body;      ///< rank
  std::uint32_t shape;
  double scale;
  Pose pose;                        ///< of one that stays
  double rotation_reach;            ///< Shape::rotation_reach(), for a body of this size [m]
  bool endless;                     ///< no bounding radius
  std::vector<std::uint8_t> meets;  ///< by species
  std::vector<std::byte> tables;    ///< DeviceOutlines::tables()
};

/// What a site stands for.
enum class SiteRole : std::uint8_t {
  sphere,  ///< one of a body made of spheres
  vertex,  ///< a round vertex, which meets walls alone
  whole,   ///< the body, as detectors see it that know its shape
};

/// A site as the host knows it.
struct SitePlace {
  std::uint32_t index, count;  ///< among those of its body with its role
};

struct DevicePlan {
  DevicePlan() = default;
  /// \throws InputError that names who is not served, and what would help
  explicit DevicePlan(const EnginePlan& plan);

  KickDriftScheme scheme{};
  std::vector<std::uint32_t> row_of_rank;  ///< bodies by ascending id, and their rows when the plan was made
  std::vector<Id> id_of_rank;
  std::vector<std::uint32_t> first_site;  ///< (bodies + 1) by rank
  std::vector<SiteDefinition> sites;      ///< by rank
  std::vector<SitePlace> places;          ///< of the same
  std::uint32_t species = 0;              ///< of sites
  std::vector<std::uint32_t> shape_of_species;
  std::vector<std::int32_t> channel_of;  ///< by two species: index into `pairs`, or -1
  std::vector<PairMethods> pairs;
  std::vector<WallMethods> walls;
  double largest_radius = 0;  ///< of a site [m]
  double margin = 0;          ///< largest of all channels [m]
  int history = 0;            ///< most columns of a law, with those of payloads
  bool planar = false;        ///< all bodies are in a plane
  UsedColumns columns;
  bool turning_sites = false;  ///< some are not at the centre of their body

 private:
  void order_bodies(const World& world);
  void refuse_what_no_device_does(const EnginePlan& plan) const;
  /// A shape and a material, as which channels know bodies.
  struct Kind {
    std::uint32_t shape, material;
    auto operator<=>(const Kind&) const = default;
  };
  /// How the bodies of a kind take part.
  struct Part {
    bool movable = false, whole = false, vertices = false;
  };
  struct Species {
    Kind kind;
    SiteRole role;
    bool movable;
  };

  void find_parts(const EnginePlan& plan);
  void define_sites(const World& world);
  void add_spheres(const World& world, std::uint32_t rank, const SphereSet& set, SiteRole role);
  void add_whole(const World& world, std::uint32_t rank);
  std::uint32_t species_of(const Kind& kind, SiteRole role);
  void find_pair_methods(const EnginePlan& plan);
  PairMethods pair_methods(const EnginePlan& plan, std::int32_t channel, SiteRole role);
  void refuse_unserved_kinds(const EnginePlan& plan) const;
  void find_walls(const EnginePlan& plan);
  void find_wall(const EnginePlan& plan, std::uint32_t rank);
  ContactMethods methods_of(const Methods& methods, std::int32_t channel, bool payload, bool two_spheres = false);
  std::vector<std::uint32_t> whole_shapes() const;
  std::vector<std::byte> outline_tables(const WallMethods& wall, bool with_nodes) const;

  std::map<Kind, Part> grains_;  ///< bodies that sites are made of
  std::set<Kind> walls_;         ///< the others
  std::vector<Species> species_;
};

}  // namespace scree::device
