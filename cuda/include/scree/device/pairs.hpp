#pragma once
/// \file The narrow phase of pairs of sites, for any geometry.

#include "scree/device/contact.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

/// Face "device-pairs/2" of detectors: a stage whose arguments are PairArguments. Two sites have one contact at most.
struct DevicePairs : DeviceStage {
  static constexpr std::string_view kName = "device-pairs/2";
  bool two_spheres = false;  ///< the geometry is TwoSpheres: laws may find such contacts themselves
};

/// Pairs first .. first + segment.items - 1.
struct PairArguments {
  NarrowArguments narrow;
  const std::uint32_t *a, *b;  ///< slot of a's site; of b's, with its image
  std::uint32_t first;
  const Vector3d* shift;  ///< (27) from a body to its images [m]
};

/// motion_of() a contact of a pair. \param b_and_image  as PairArguments::b
template <class Space = InSpace>
SCREE_HD inline MotionAt<Space> motion_of_pair(const NarrowArguments& n, const Contact& contact, std::uint32_t site_a,
                                               std::uint32_t b_and_image, const Vector3d* shift) {
  return motion_of<Space>(n, contact, n.sites.body[site_a], n.sites.body[b_and_image & kSiteMask],
                          shift[b_and_image >> kSiteBits]);
}
/// find_motion() of it.
template <class Space = InSpace>
SCREE_HD inline void find_motion_of_pair(const NarrowArguments& n, std::uint32_t place, const Contact& contact,
                                         std::uint32_t site_a, std::uint32_t b_and_image, const Vector3d* shift,
                                         bool fresh) {
  find_motion<Space>(n, place, contact, n.sites.body[site_a], n.sites.body[b_and_image & kSiteMask],
                     shift[b_and_image >> kSiteBits], fresh);
}

/// Two sites; a is that of the body with the lower id.
struct PairOfSites {
  Vector3d x;  ///< centre of a [m]
  Vector3d d;  ///< from there to the centre of b [m]
  double radius_a, radius_b;
};

/// Geometry has find(pair, margin, contact) -> whether there is a contact.
template <class Geometry>
struct Pairs {
  static constexpr int kContacts = 1;
  const std::uint32_t *a, *b;
  std::uint32_t first;
  const Vector3d* shift;
  Geometry geometry;

  struct Found {
    Contact contact;
    std::uint32_t site_a, b_and_image;
  };
  SCREE_HD ItemContacts find(const NarrowArguments& n, std::uint32_t item, std::uint32_t before, Found& found) const {
    const std::uint32_t site_a = a[first + item], b_and_image = b[first + item];
    const std::uint32_t site_b = b_and_image & kSiteMask, image = b_and_image >> kSiteBits;
    const Vector3d x = n.sites.x[site_a];
    Vector3d other = n.sites.x[site_b];
    if (image != kOwnImage) other = other + shift[image];
    const PairOfSites pair{x, other - x, n.sites.radius[site_a], n.sites.radius[site_b]};
    Contact& contact = found.contact;
    if (!geometry.find(pair, n.margin, contact)) return {};
    if (!(contact.normal.x == contact.normal.x)) atomic_min(&n.control->coincident, n.sites.body[site_a]);
    found.site_a = site_a, found.b_and_image = b_and_image;
    return {1, before & 1};
  }
  SCREE_HD double move(const NarrowArguments& n, const Found& found, std::uint32_t place) const {
    find_motion_of_pair(n, place, found.contact, found.site_a, found.b_and_image, shift, true);
    return found.contact.overlap;
  }
};

/// A stage for the table of a plugin.
template <class Geometry>
int narrow_pairs(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const PairArguments*>(arguments);
  const auto& geometry = *static_cast<const Geometry*>(parameters);
  const NarrowPhase<Pairs<Geometry>> body{{a.narrow}, {a.a, a.b, a.first, a.shift, geometry}};
  return for_tiles(e, body);
}

}  // namespace scree::device
