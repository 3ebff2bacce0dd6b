#pragma once
/// \file What a device is to run, taken out of an EnginePlan. Whatever it cannot run is refused here, before step 1.

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/list_kernels.hpp"
#include "scree/contacts/methods.hpp"
#include "scree/device/faces.hpp"
#include "scree/device/law.hpp"
#include "scree/device/pairs.hpp"
#include "scree/engine/engine.hpp"
#include "scree/integrate/kick_drift_scheme.hpp"

namespace scree::device {

/// A law and a detector, and who they are for.
struct ContactMethods {
  const Channel* channel;
  const Interaction* interaction;
  const DeviceLaw* law;
  bool central = false;
};
struct PairMethods : ContactMethods {
  const DevicePairs* pairs;
};

/// An obstacle and the species of sites that one law gives forces for.
struct WallMethods : ContactMethods {
  const DeviceFaceContacts* contacts;
  const DeviceFaces* faces;
  std::uint32_t body;  ///< rank
  double scale;
  Pose pose;                        ///< of one that stays
  double rotation_reach;            ///< Shape::rotation_reach(), for a body of this size [m]
  bool endless;                     ///< no bounding radius
  std::vector<std::uint8_t> meets;  ///< by species
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
  std::uint32_t species = 0;              ///< of sites
  std::vector<std::int32_t> channel_of;   ///< by two species: index into `pairs`, or -1
  std::vector<PairMethods> pairs;
  std::vector<WallMethods> walls;
  double largest_radius = 0;   ///< of a site [m]
  double margin = 0;           ///< largest of all channels [m]
  int history = 0;             ///< most columns of a law
  bool moments = false;        ///< some law gives couples
  bool turning_sites = false;  ///< some are not at the centre of their body

 private:
  void order_bodies(const World& world);
  void refuse_what_no_device_does(const EnginePlan& plan) const;
  void define_sites(const EnginePlan& plan);
  void find_pair_methods(const EnginePlan& plan);
  void find_walls(const EnginePlan& plan);
  ContactMethods methods_of(const Methods& methods, std::int32_t channel);

  struct Species {
    std::uint32_t shape, material;
    bool movable = false;
  };
  std::vector<Species> species_;
};

}  // namespace scree::device
