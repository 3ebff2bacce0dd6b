#pragma once
/// \file Bodies with nodes against obstacles, in kernels. The detector knows the nodes, the obstacle its distance: the
/// stage is the obstacle's, and asks the detector's tables.

#include "scree/device/faces.hpp"
#include "scree/device/node_contacts.hpp"

namespace scree::device {

/// The nodes of a shape in the tables of DeviceOutlines, which begin with one such entry for each shape.
struct OutlineTable {
  std::uint32_t nodes, offset;  ///< number, and where they begin as PlanarVector [bytes]
  double spacing;               ///< largest distance of neighbouring nodes [m]
};

/// Face "device-outlines/1" of detectors that look at the nodes of a body in the distance of an obstacle.
class DeviceOutlines {
 public:
  static constexpr std::string_view kName = "device-outlines/1";
  virtual ~DeviceOutlines() = default;
  /// OutlineTable of each shape, and their nodes. \param shapes  the detector's numbers of those that take part
  virtual std::vector<std::byte> tables(std::span<const std::uint32_t> shapes) const = 0;
  virtual std::string trouble(int code, const NamedBody& a, const NamedBody& b) const = 0;
};

struct NodeWallArguments {
  FaceArguments wall;
  double scale;  ///< of the obstacle
  const std::byte* tables;
  const std::uint32_t* shape_of_species;
};

/// Contacts of a body with an obstacle, at most.
inline constexpr int kNodeWallContacts = 8;

/// What matching needs of a geometry.
struct MatchByRuns {
  SCREE_HD void match(const ContactMatch& contacts) const { match_runs(contacts); }
};

/// Field has distance(x, y) -> FieldValue, in the frame of the obstacle's shape.
template <class Field>
struct NodesOnWall {
  static constexpr int kContacts = kNodeWallContacts;
  const std::uint32_t* site;
  std::uint32_t obstacle;
  double scale;
  const std::byte* tables;
  const std::uint32_t* shape_of_species;
  Field field;

  SCREE_HD static PlanarPlacement placement(const Bodies& bodies, std::uint32_t body, double size) {
    return planar_placement(bodies.x[body].x, bodies.x[body].y, bodies.q[body].w, bodies.q[body].z, size);
  }
  SCREE_HD std::uint32_t find(const NarrowArguments& n, std::uint32_t item, std::uint32_t slot) const {
    const std::uint32_t at = site[item], body = n.sites.body[at];
    const OutlineTable& table = reinterpret_cast<const OutlineTable*>(tables)[shape_of_species[n.sites.species[at]]];
    const OutlineSide grain{reinterpret_cast<const PlanarVector*>(tables + table.offset), table.nodes, table.spacing,
                            placement(n.bodies, body, n.sites.scale[at])};
    const OutlineSide wall{nullptr, 0, 0, placement(n.bodies, obstacle, scale)};
    const PlanarPlacement seen = relative(grain.at, wall.at);
    const auto distance = [this](double x, double y) { return field.distance(x, y); };
    if (distance(seen.x, seen.y).distance > (n.sites.radius[at] + n.margin) / scale) return 0;
    FoundContacts<kContacts> found;
    const decltype(distance)* const none = nullptr;
    if (body < obstacle)
      find_node_contacts(grain, none, wall, &distance, n.margin, found);
    else
      find_node_contacts(wall, &distance, grain, none, n.margin, found);
    std::uint32_t bits = 0;
    if (!found.trouble && found.count > 0) bits = keep(n, slot, n.segment.per_item, found, MatchByRuns{});
    const bool first = body < obstacle;
    if (found.trouble)
      atomic_min(&n.control->trouble, trouble_of(first ? body : obstacle, first ? obstacle : body, found.trouble));
    return bits;
  }
  SCREE_HD void move(const NarrowArguments& n, std::uint32_t item, std::uint32_t slot) const {
    const std::uint32_t body = n.sites.body[site[item]];
    find_motion(n, slot, body < obstacle ? body : obstacle, body < obstacle ? obstacle : body, Vector3d{0, 0, 0});
  }
};

/// A stage for the table of a plugin: DeviceFaces::nodes.
template <class Field>
int touch_nodes(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const NodeWallArguments*>(arguments);
  const NodesOnWall<Field> items{a.wall.site, a.wall.obstacle,    a.scale,
                                 a.tables,    a.shape_of_species, *static_cast<const Field*>(parameters)};
  return for_blocks(e, a.wall.narrow.segment.tiles(), NarrowPhase<NodesOnWall<Field>>{a.wall.narrow, items});
}

}  // namespace scree::device
