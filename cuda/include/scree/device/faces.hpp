#pragma once
/// \file Obstacles on a device: what sites see of their faces, and the narrow phase that makes contacts of it.
///
/// The shape of an obstacle and the detector belong to plugins that do not know each other. The first writes what a
/// site sees of each face to columns, of which the second makes contacts.

#include "scree/device/contact.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

/// A face as it is seen from a point, in the frame of its obstacle: FacePoint of shape/facets.hpp.
struct SeenFace {
  double distance;  ///< to the face [m], < 0 within the matter
  Vector3d normal;  ///< unit, out of the matter
  double k1, k2;    ///< principal curvatures [1/m]
};

/// What the sites near an obstacle see, by face times sites, and site.
struct SeenFaces {
  double *distance, *normal[3], *k1, *k2;
};

/// Facet "DeviceFaces/1" of shapes: a stage whose arguments are LookArguments, or ListArguments where `list` says so.
struct DeviceFaces : DeviceStage {
  static constexpr std::string_view kName = "DeviceFaces/1";
  const char* list;             ///< name of the stage that tells which sites are near
  int faces;                    ///< Faces::face_count()
  const char* nodes = nullptr;  ///< name of the stage for bodies with nodes, see node_walls.hpp; null: none
};

/// Face "device-faces/1" of detectors: a stage whose arguments are FaceArguments.
struct DeviceFaceContacts : DeviceStage {
  static constexpr std::string_view kName = "device-faces/1";
};

/// An obstacle as it lies.
struct Obstacle {
  std::uint32_t body;  ///< rank
  double scale;        ///< size relative to its shape
  Vector3d x;
  Quaterniond q;
};

/// near[i] = 1 for sites i that come within `reach` of the obstacle, besides their radius.
struct ListArguments {
  Sites sites;
  const std::uint8_t* meets;  ///< by species: whether the two may touch
  Obstacle obstacle;
  double reach;  ///< [m]
  std::uint32_t* near;
};

struct LookArguments {
  Bodies bodies;
  Sites sites;
  Segment segment;
  const std::uint32_t* site;  ///< of each item, its slot
  std::uint32_t obstacle;     ///< rank
  double scale;
  SeenFaces seen;
};

struct FaceArguments {
  NarrowArguments narrow;
  const std::uint32_t* site;
  std::uint32_t obstacle;  ///< rank
  SeenFaces seen;
};

/// What a point sees of a face, in world axes. \tparam Shape  has see(face, point in its frame) -> SeenFace
template <class Shape>
SCREE_HD inline SeenFace seen_from(const Shape& shape, int face, const Vector3d& x, const Obstacle& o) {
  Vector3d local = turned(inverse(o.q), x - o.x);
  if (o.scale != 1) local = (1 / o.scale) * local;
  SeenFace seen = shape.see(face, local);
  if (o.scale != 1) {
    seen.distance *= o.scale;
    seen.k1 /= o.scale;
    seen.k2 /= o.scale;
  }
  seen.normal = turned(o.q, seen.normal);
  return seen;
}

template <class Shape>
struct ListNear {
  ListArguments a;
  Shape shape;
  int faces;

  SCREE_HD void operator()(std::uint32_t slot) const {
    bool near = false;
    if (a.meets[a.sites.species[slot]])
      for (int face = 0; face < faces; ++face)
        near = near || seen_from(shape, face, a.sites.x0[slot], a.obstacle).distance < a.sites.radius[slot] + a.reach;
    a.near[slot] = near ? 1 : 0;
  }
};

template <class Shape>
struct Look {
  LookArguments a;
  Shape shape;

  SCREE_HD void operator()(std::uint32_t i) const {
    const std::uint32_t item = i % a.segment.items, face = i / a.segment.items;
    const Obstacle o{a.obstacle, a.scale, a.bodies.x[a.obstacle], a.bodies.q[a.obstacle]};
    const SeenFace seen = seen_from(shape, static_cast<int>(face), a.sites.x[a.site[item]], o);
    a.seen.distance[i] = seen.distance;
    store(a.seen.normal, i, seen.normal);
    a.seen.k1[i] = seen.k1;
    a.seen.k2[i] = seen.k2;
  }
};

/// find_motion() of a contact of a body with an obstacle. \return its overlap [m]
SCREE_HD inline double find_motion_on_wall(const NarrowArguments& n, std::uint32_t place, const Contact& contact,
                                           std::uint32_t body, std::uint32_t obstacle, bool fresh) {
  find_motion(n, place, contact, body < obstacle ? body : obstacle, body < obstacle ? obstacle : body,
              Vector3d{0, 0, 0}, fresh);
  return contact.overlap;
}

/// Geometry has touch(x, radius, seen) -> Contact, its normal into the matter.
template <class Geometry>
struct FaceContacts {
  static constexpr int kContacts = 6;  ///< faces of an obstacle, at most
  struct Found {};
  const std::uint32_t* site;
  std::uint32_t obstacle;
  SeenFaces seen;
  Geometry geometry;

  SCREE_HD ItemContacts find(const NarrowArguments& n, std::uint32_t item, std::uint32_t before, Found&) const {
    const double radius = n.sites.radius[site[item]];
    std::uint32_t bits = 0;
    for (std::uint32_t k = 0; k < n.segment.per_item; ++k)
      if (seen.distance[k * n.segment.items + item] < radius + n.margin) bits |= 1u << k;
    return {bits, bits & before};
  }
  SCREE_HD double move(const NarrowArguments& n, std::uint32_t item, std::uint32_t k, std::uint32_t place) const {
    const std::uint32_t sphere = site[item], body = n.sites.body[sphere], at = k * n.segment.items + item;
    const SeenFace face{seen.distance[at], load(seen.normal, at), seen.k1[at], seen.k2[at]};
    Contact contact = geometry.touch(n.sites.x[sphere], n.sites.radius[sphere], face);
    if (n.sites.share) contact.force_weight = contact.energy_weight = n.sites.share[sphere];
    if (obstacle < body) contact.normal = -1.0 * contact.normal;  // from a to b: a is that of the lower id
    return find_motion_on_wall(n, place, contact, body, obstacle, true);
  }
};

// Stages for the tables of plugins.

template <class Shape>
int list_near(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const ListArguments*>(arguments);
  const auto& shape = *static_cast<const Shape*>(parameters);
  return for_each(e, a.sites.count, ListNear<Shape>{a, shape, shape.faces()});
}
template <class Shape>
int look(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const LookArguments*>(arguments);
  return for_each(e, a.segment.items * a.segment.per_item, Look<Shape>{a, *static_cast<const Shape*>(parameters)});
}
template <class Geometry>
int touch_faces(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const FaceArguments*>(arguments);
  const NarrowPhase<FaceContacts<Geometry>> body{
      {a.narrow}, {a.site, a.obstacle, a.seen, *static_cast<const Geometry*>(parameters)}};
  return for_tiles(e, body);
}

}  // namespace scree::device
