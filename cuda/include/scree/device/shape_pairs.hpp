#pragma once
/// \file The narrow phase of pairs of bodies that are more than spheres: each body is one site, of its bounding radius,
/// and the detector knows its shape.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/detect/contact_match.hpp"
#include "scree/device/pairs.hpp"

namespace scree::device {

/// A body that a device reports.
struct NamedBody {
  Id id;
  std::uint32_t shape;  ///< the detector's number
  double scale = 1;     ///< size of the body relative to the shape
};

/// How far the table of a shape is from the shape.
struct ShapeError {
  std::uint32_t shape;  ///< the detector's number
  double largest;       ///< of the distance, over the bounding radius
};

/// Face "device-shape-pairs/1" of detectors: what they do on a device.
class DeviceShapePairs {
 public:
  static constexpr std::string_view kName = "device-shape-pairs/1";
  virtual ~DeviceShapePairs() = default;

  /// A stage whose arguments are ShapePairArguments.
  virtual DeviceStage stage() const = 0;
  /// The same where some body has another size than its shape.
  virtual DeviceStage sized_stage() const { return stage(); }
  /// Contacts of a pair of bodies, at most.
  virtual int contacts() const = 0;
  /// What kernels know of shapes: plain data without pointers, copied to the device as it is.
  /// \param shapes  the detector's numbers of those that take part  \throws InputError where one cannot
  virtual std::vector<std::byte> tables(std::span<const std::uint32_t> shapes) const = 0;
  /// Of tables made so far, where they are not exact.
  virtual std::vector<ShapeError> errors() const { return {}; }
  /// Why a pair has no contacts, in whole sentences. \param code  that the geometry gave
  virtual std::string trouble(int code, const NamedBody& a, const NamedBody& b) const = 0;
};

struct ShapePairArguments {
  PairArguments pairs;
  const std::byte* tables;                ///< DeviceShapePairs::tables()
  const std::uint32_t* shape_of_species;  ///< the detector's number
};

/// A body of a pair as it stands; b where its image is. Lengths of the shape are to be multiplied by `scale`.
struct PlacedShape {
  Vector3d x;     ///< [m]
  Quaterniond q;  ///< body to world
  double scale;
  std::uint32_t shape;
};

/// A pair has more contacts than there is room for: what every geometry may answer.
inline constexpr int kTooManyContacts = 255;

/// The contacts of one pair, in the order of the detector on the host.
template <int kMost>
struct FoundContacts {
  int count = 0;
  int trouble = 0;  ///< 1 .. 255: the pair cannot be worked out, and the run ends
  Contact contact[kMost];
  std::uint64_t payload[kMost];  ///< as the host's ContactBuffer has it

  SCREE_HD void add(const Contact& c, std::uint64_t p) {
    if (count == kMost) {
      trouble = kTooManyContacts;
      return;
    }
    contact[count] = c;
    payload[count++] = p;
  }
};

/// A column of numbers keeps 64 bits of any kind.
SCREE_HD inline std::uint64_t bits_of(double number) {
  std::uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}
SCREE_HD inline double number_of(std::uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

/// Gives contact i the slot of an old contact that has ended and whose history nobody takes over.
/// \return whether there is one
SCREE_HD inline bool find_room(std::uint32_t* feature, int i, int count, const std::uint32_t* old_feature,
                               const std::int32_t* source, std::uint32_t per_item) {
  for (std::uint32_t slot = 0; slot < per_item; ++slot) {
    bool taken = false;
    for (int k = 0; k < count; ++k)
      taken = taken || (k != i && feature[k] == slot) || (source[k] >= 0 && old_feature[source[k]] == slot);
    if (taken) continue;
    feature[i] = slot;
    return true;
  }
  return false;
}

/// Puts the contacts of a pair into its slots. A feature is a slot of the pair, so what a contact remembers stays where
/// it is as long as it goes on. \return bit k is set where slot first_slot + k has a contact
template <int kMost, class Geometry>
SCREE_HD inline std::uint32_t keep(const NarrowArguments& n, std::uint32_t first_slot, std::uint32_t per_item,
                                   FoundContacts<kMost>& found, const Geometry& geometry) {
  std::uint32_t feature[kMost], old_feature[kMost];
  std::uint64_t old_payload[kMost];
  std::int32_t source[kMost];
  std::uint32_t old = 0;
  for (std::uint32_t k = 0; k < per_item; ++k) {
    if (!n.slots.live[first_slot + k]) continue;
    old_feature[old] = k;
    old_payload[old++] = bits_of(n.payload[first_slot + k]);
  }
  for (int i = 0; i < found.count; ++i) feature[i] = static_cast<std::uint32_t>(i), source[i] = -1;
  if (old > 0)
    geometry.match(ContactMatch{old, static_cast<std::size_t>(found.count), old_feature, old_payload, feature,
                                found.payload, source});
  for (int i = 0; i < found.count; ++i)
    if (feature[i] >= per_item && !find_room(feature, i, found.count, old_feature, source, per_item)) {
      found.trouble = kTooManyContacts;
      return 0;
    }
  std::uint32_t bits = 0;
  for (int i = 0; i < found.count; ++i) {
    const std::uint32_t slot = first_slot + feature[i];
    bits |= 1u << feature[i];
    n.slots.live[slot] = source[i] >= 0 ? 1 : 0;
    const std::uint32_t from = source[i] >= 0 ? first_slot + old_feature[source[i]] : slot;
    for (int k = 0; k < n.history && from != slot; ++k) n.slots.history[k][slot] = n.slots.history[k][from];
    store(n.slots, slot, found.contact[i]);
    n.payload[slot] = number_of(found.payload[i]);
  }
  return bits;
}

/// keep(), or a report of what is wrong with the pair. \param a, b  ranks of the bodies, a the lower one
template <int kMost, class Geometry>
SCREE_HD inline std::uint32_t keep_or_report(const NarrowArguments& n, std::uint32_t first_slot, std::uint32_t a,
                                             std::uint32_t b, FoundContacts<kMost>& found, const Geometry& geometry) {
  std::uint32_t bits = 0;
  if (!found.trouble && found.count > 0) bits = keep(n, first_slot, n.segment.per_item, found, geometry);
  if (found.trouble) atomic_min(&n.control->trouble, trouble_of(a, b, found.trouble));
  return bits;
}

/// Geometry has
///
///   kContacts                                      at most, of a pair; up to 32
///   find(a, b, margin, tables, found)              fills FoundContacts<kContacts>; normals point from a to b
///   match(const ContactMatch&)                     as ContactDetector::match()
///
/// Contacts have the features that the host gives them.
template <class Geometry>
struct ShapePairs {
  static constexpr int kContacts = Geometry::kContacts;
  static constexpr int kLeastBlocks = least_blocks<Geometry>();
  static_assert(kContacts <= 32);
  const std::uint32_t *a, *b;
  std::uint32_t first;
  const Vector3d* shift;
  const std::byte* tables;
  const std::uint32_t* shape_of_species;
  Geometry geometry;

  SCREE_HD PlacedShape placed(const NarrowArguments& n, std::uint32_t site, std::uint32_t image) const {
    const std::uint32_t body = n.sites.body[site];
    Vector3d x = n.bodies.x[body];
    if (image != kOwnImage) x = x + shift[image];
    return {x, n.bodies.q[body], n.sites.scale[site], shape_of_species[n.sites.species[site]]};
  }

  SCREE_HD std::uint32_t find(const NarrowArguments& n, std::uint32_t item, std::uint32_t slot) const {
    const std::uint32_t site_a = a[first + item], site_b = b[first + item] & kSiteMask;
    const PlacedShape at_a = placed(n, site_a, kOwnImage), at_b = placed(n, site_b, b[first + item] >> kSiteBits);
    const Vector3d d = at_b.x - at_a.x;
    const double reach = n.sites.radius[site_a] + n.sites.radius[site_b] + n.margin;
    if (dot(d, d) > reach * reach) return 0;
    FoundContacts<kContacts> found;
    geometry.find(at_a, at_b, n.margin, tables, found);
    return keep_or_report(n, slot, n.sites.body[site_a], n.sites.body[site_b], found, geometry);
  }
  SCREE_HD void move(const NarrowArguments& n, std::uint32_t item, std::uint32_t slot) const {
    find_motion_of_pair(n, slot, a[first + item], b[first + item], shift);
  }
};

/// A stage for the table of a plugin.
template <class Geometry>
int narrow_shapes(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const ShapePairArguments*>(arguments);
  const PairArguments& p = a.pairs;
  const NarrowPhase<ShapePairs<Geometry>> body{
      p.narrow, {p.a, p.b, p.first, p.shift, a.tables, a.shape_of_species, *static_cast<const Geometry*>(parameters)}};
  return for_blocks(e, p.narrow.segment.tiles(), body);
}

}  // namespace scree::device
