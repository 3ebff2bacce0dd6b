#pragma once
/// \file The narrow phase of pairs of sites, for any geometry.

#include "scree/device/contact.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

/// Face "device-pairs/1" of detectors: a stage whose arguments are PairArguments.
struct DevicePairs : DeviceStage {
  static constexpr std::string_view kName = "device-pairs/1";
  int contacts;  ///< of a pair of sites, at most
};

/// Pairs first .. first + segment.items - 1.
struct PairArguments {
  NarrowArguments narrow;
  const std::uint32_t *a, *b;  ///< slot of a's site; of b's, with its image
  std::uint32_t first;
  const Vector3d* shift;  ///< (27) from a body to its images [m]
};

/// find_motion() of a contact of a pair. \param b_and_image  as PairArguments::b
SCREE_HD inline void find_motion_of_pair(const NarrowArguments& n, std::uint32_t slot, std::uint32_t site_a,
                                         std::uint32_t b_and_image, const Vector3d* shift) {
  find_motion(n, slot, n.sites.body[site_a], n.sites.body[b_and_image & kSiteMask], shift[b_and_image >> kSiteBits]);
}

/// Two sites; a is that of the body with the lower id.
struct PairOfSites {
  Vector3d x;  ///< centre of a [m]
  Vector3d d;  ///< from there to the centre of b [m]
  double radius_a, radius_b;
};

/// Geometry has kContacts and find(pair, margin, contact): bit k is set where contact[k] is one.
template <class Geometry>
struct Pairs {
  static constexpr int kContacts = Geometry::kContacts;
  const std::uint32_t *a, *b;
  std::uint32_t first;
  const Vector3d* shift;
  Geometry geometry;

  SCREE_HD std::uint32_t find(const NarrowArguments& n, std::uint32_t item, std::uint32_t slot) const {
    const std::uint32_t site_a = a[first + item], b_and_image = b[first + item];
    const std::uint32_t site_b = b_and_image & kSiteMask, image = b_and_image >> kSiteBits;
    const Vector3d x = n.sites.x[site_a];
    Vector3d other = n.sites.x[site_b];
    if (image != kOwnImage) other = other + shift[image];
    const PairOfSites pair{x, other - x, n.sites.radius[site_a], n.sites.radius[site_b]};
    Contact contact[kContacts];
    const std::uint32_t bits = geometry.find(pair, n.margin, contact);
    for (int k = 0; k < kContacts; ++k) {
      if (!(bits >> k & 1)) continue;
      if (!(contact[k].normal.x == contact[k].normal.x)) atomic_min(&n.control->coincident, n.sites.body[site_a]);
      if (!n.central) contact[k].arm_a = contact[k].arm_b = -1;
      store(n.slots, slot + k, contact[k]);
    }
    return bits;
  }
  SCREE_HD void move(const NarrowArguments& n, std::uint32_t item, std::uint32_t slot) const {
    find_motion_of_pair(n, slot, a[first + item], b[first + item], shift);
  }
};

/// A stage for the table of a plugin.
template <class Geometry>
int narrow_pairs(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const PairArguments*>(arguments);
  const auto& geometry = *static_cast<const Geometry*>(parameters);
  const NarrowPhase<Pairs<Geometry>> body{a.narrow, {a.a, a.b, a.first, a.shift, geometry}};
  return for_blocks(e, a.narrow.segment.tiles(), body);
}

}  // namespace scree::device
