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
  /// What a pair remembers from step to step beside its contacts [bytes]; none of it after lists are made anew.
  virtual std::size_t memory() const { return 0; }
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
  std::byte* memory;                      ///< DeviceShapePairs::memory() of each pair
  std::uint32_t* forgotten;               ///< (pairs + pairs / 32 + 3) for the stage alone, where pairs have memory
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

/// How many contacts a pair has, and what the detector keeps of each, in the order of the detector on the host.
template <int kMost>
struct FoundPayloads {
  int count = 0;
  int trouble = 0;               ///< 1 .. 255: the pair cannot be worked out, and the run ends
  std::uint64_t payload[kMost];  ///< as the host's ContactBuffer has it

  SCREE_HD void add(std::uint64_t p) {
    if (count == kMost)
      trouble = kTooManyContacts;
    else
      payload[count++] = p;
  }
};

/// The contacts themselves too.
template <int kMost>
struct FoundContacts : FoundPayloads<kMost> {
  Contact contact[kMost];

  SCREE_HD void add(const Contact& c, std::uint64_t p) {
    if (this->count < kMost) contact[this->count] = c;
    FoundPayloads<kMost>::add(p);
  }
};

/// With the slot of the pair that each has.
template <int kMost>
struct KeptContacts : FoundContacts<kMost> {
  std::uint32_t feature[kMost];

  /// place_of(k): where the contact of slot k stands in the columns of the step
  template <class PlaceOf>
  SCREE_HD void store(const NarrowArguments& n, const PlaceOf& place_of) const {
    for (int i = 0; i < this->count; ++i) device::store(n, place_of(feature[i]), this->contact[i]);
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

/// Gives the contacts of a pair their slots. A feature is a slot of the pair, so what a contact remembers stays where
/// it is as long as it goes on. \param before  slots with contacts so far \param feature  out: slot k of the item, for
/// each contact
template <int kMost, class Geometry>
SCREE_HD inline ItemContacts keep(const NarrowArguments& n, std::uint32_t item, std::uint32_t before,
                                  FoundPayloads<kMost>& found, const Geometry& geometry, std::uint32_t* feature) {
  std::uint32_t old_feature[kMost];
  std::uint64_t old_payload[kMost];
  std::int32_t source[kMost];
  std::uint32_t old = 0;
  for (std::uint32_t k = 0, rest = before; rest != 0; ++k, rest >>= 1) {
    if (!(rest & 1)) continue;
    old_feature[old] = k;
    old_payload[old++] = bits_of(n.slots.history_of(n.segment.slot(item, k))[n.history]);
  }
  for (int i = 0; i < found.count; ++i) feature[i] = static_cast<std::uint32_t>(i), source[i] = -1;
  if (old > 0)
    geometry.match(ContactMatch{old, static_cast<std::size_t>(found.count), old_feature, old_payload, feature,
                                found.payload, source});
  const std::uint32_t per_item = n.segment.per_item;
  for (int i = 0; i < found.count; ++i)
    if (feature[i] >= per_item && !find_room(feature, i, found.count, old_feature, source, per_item)) {
      found.trouble = kTooManyContacts;
      return {};
    }
  ItemContacts contacts;
  for (int i = 0; i < found.count; ++i) {
    const std::uint32_t slot = n.segment.slot(item, feature[i]);
    contacts.bits |= 1u << feature[i];
    if (source[i] >= 0) contacts.known |= 1u << feature[i];
    const std::uint32_t from = source[i] >= 0 ? n.segment.slot(item, old_feature[source[i]]) : slot;
    double* const history = n.slots.history_of(slot);
    for (int k = 0; k < n.history && from != slot; ++k) history[k] = n.slots.history_of(from)[k];
    history[n.history] = number_of(found.payload[i]);
  }
  return contacts;
}

/// \param a, b  ranks of the bodies, a the lower one
SCREE_HD inline void report_trouble(const NarrowArguments& n, std::uint32_t a, std::uint32_t b, int trouble) {
  if (trouble) atomic_min(&n.control->trouble, trouble_of(a, b, trouble));
}

/// keep(), or a report of what is wrong with the pair.
template <int kMost, class Geometry>
SCREE_HD inline ItemContacts keep_or_report(const NarrowArguments& n, std::uint32_t item, std::uint32_t before,
                                            std::uint32_t a, std::uint32_t b, KeptContacts<kMost>& found,
                                            const Geometry& geometry) {
  ItemContacts contacts;
  if (!found.trouble && found.count > 0) contacts = keep(n, item, before, found, geometry, found.feature);
  report_trouble(n, a, b, found.trouble);
  return contacts;
}

/// Pairs of bodies where they stand.
struct PlacedPairs {
  const std::uint32_t *a, *b;
  std::uint32_t first;
  const Vector3d* shift;
  const std::byte* tables;
  const std::uint32_t* shape_of_species;

  SCREE_HD std::uint32_t site_a(std::uint32_t item) const { return a[first + item]; }
  SCREE_HD std::uint32_t site_b(std::uint32_t item) const { return b[first + item] & kSiteMask; }
  SCREE_HD PlacedShape shape_a(const NarrowArguments& n, std::uint32_t item) const {
    return placed(n, site_a(item), kOwnImage);
  }
  SCREE_HD PlacedShape shape_b(const NarrowArguments& n, std::uint32_t item) const {
    return placed(n, site_b(item), b[first + item] >> kSiteBits);
  }
  /// Whether the bounding spheres are farther apart than the margin.
  SCREE_HD bool apart(const NarrowArguments& n, std::uint32_t item, const PlacedShape& at_a,
                      const PlacedShape& at_b) const {
    const Vector3d d = at_b.x - at_a.x;
    const double reach = n.sites.radius[site_a(item)] + n.sites.radius[site_b(item)] + n.margin;
    return dot(d, d) > reach * reach;
  }
  SCREE_HD void report(const NarrowArguments& n, std::uint32_t item, int trouble) const {
    report_trouble(n, n.sites.body[site_a(item)], n.sites.body[site_b(item)], trouble);
  }
  template <class Space = InSpace>
  SCREE_HD double find_motion(const NarrowArguments& n, std::uint32_t item, std::uint32_t place, const Contact& contact,
                              bool fresh) const {
    find_motion_of_pair<Space>(n, place, contact, a[first + item], b[first + item], shift, fresh);
    return contact.overlap;
  }

 private:
  SCREE_HD PlacedShape placed(const NarrowArguments& n, std::uint32_t site, std::uint32_t image) const {
    const std::uint32_t body = n.sites.body[site];
    Vector3d x = n.bodies.x[body];
    if (image != kOwnImage) x = x + shift[image];
    return {x, n.bodies.q[body], n.sites.scale[site], shape_of_species[n.sites.species[site]]};
  }
};

inline PlacedPairs placed_pairs(const ShapePairArguments& a) {
  return {a.pairs.a, a.pairs.b, a.pairs.first, a.pairs.shift, a.tables, a.shape_of_species};
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
  PlacedPairs pairs;
  Geometry geometry;

  using Found = KeptContacts<kContacts>;
  SCREE_HD ItemContacts find(const NarrowArguments& n, std::uint32_t item, std::uint32_t before, Found& found) const {
    const PlacedShape at_a = pairs.shape_a(n, item), at_b = pairs.shape_b(n, item);
    if (pairs.apart(n, item, at_a, at_b)) return {};
    geometry.find(at_a, at_b, n.margin, pairs.tables, found);
    return keep_or_report(n, item, before, n.sites.body[pairs.site_a(item)], n.sites.body[pairs.site_b(item)], found,
                          geometry);
  }
  SCREE_HD double move(const NarrowArguments& n, std::uint32_t item, std::uint32_t, std::uint32_t place) const {
    return pairs.find_motion(n, item, place, stored_contact(n, place), false);
  }
};

/// A stage for the table of a plugin.
template <class Geometry>
int narrow_shapes(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const ShapePairArguments*>(arguments);
  using Pairs = ShapePairs<Geometry>;
  return for_tiles(e,
                   NarrowPhase<Pairs>{{a.pairs.narrow}, {placed_pairs(a), *static_cast<const Geometry*>(parameters)}});
}

}  // namespace scree::device
