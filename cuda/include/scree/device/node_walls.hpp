#pragma once
/// \file Bodies with nodes against obstacles, in kernels. The detector knows the nodes, the obstacle its distance: the
/// stage is the obstacle's, and asks the detector's tables.

#include "scree/device/faces.hpp"
#include "scree/device/node_contacts.hpp"

namespace scree::device {

/// Face "device-outlines/1" of detectors that look at the nodes of a body in the distance of an obstacle.
class DeviceOutlines {
 public:
  static constexpr std::string_view kName = "device-outlines/1";
  virtual ~DeviceOutlines() = default;
  /// OutlineTable of each shape. \param nodes_of, fields_of  the detector's numbers of those whose nodes and fields are
  /// asked for
  virtual std::vector<std::byte> tables(std::span<const std::uint32_t> nodes_of,
                                        std::span<const std::uint32_t> fields_of) const = 0;
  virtual std::string trouble(int code, const NamedBody& a, const NamedBody& b) const = 0;
};

struct NodeWallArguments {
  FaceArguments wall;
  double scale;         ///< of the obstacle
  std::uint32_t shape;  ///< of the obstacle: the detector's number
  const std::byte* tables;
  const std::uint32_t* shape_of_species;
};

/// Contacts of a body with an obstacle, at most.
inline constexpr int kNodeWallContacts = 8;

/// Field has distance(x, y) -> FieldValue, in the frame of the obstacle's shape.
template <class Field>
struct NodesOnWall {
  static constexpr int kContacts = kNodeWallContacts;
  static constexpr int kLeastBlocks = 1;
  const std::uint32_t* site;
  std::uint32_t obstacle;
  double scale;
  std::uint32_t shape;
  const std::byte* tables;
  const std::uint32_t* shape_of_species;
  Field field;

  /// The distance of the obstacle.
  struct Distance {
    const Field& field;
    SCREE_HD FieldValue operator()(double x, double y) const { return field.distance(x, y); }
    SCREE_HD double bounding_radius() const { return 1e150; }
  };

  SCREE_HD static PlanarPlacement placement(const Bodies& bodies, std::uint32_t body, double size) {
    return planar_placement(bodies.x[body].x, bodies.x[body].y, bodies.q[body].w, bodies.q[body].z, size);
  }
  using Found = KeptContacts<kContacts>;
  SCREE_HD ItemContacts find(const NarrowArguments& n, std::uint32_t item, std::uint32_t before, Found& found) const {
    const std::uint32_t at = site[item], body = n.sites.body[at];
    const TabledShape grain(tables, shape_of_species[n.sites.species[at]]), nodes_of_wall(tables, shape);
    const OutlineSide side = grain.side(placement(n.bodies, body, n.sites.scale[at])),
                      wall = nodes_of_wall.side(placement(n.bodies, obstacle, scale));
    const PlanarPlacement seen = relative(side.at, wall.at);
    const Distance distance{field};
    if (distance(seen.x, seen.y).distance > (n.sites.radius[at] + n.margin) / scale) return {};
    const TabledShape* const field_of_grain = wall.count > 0 && grain.has_field() ? &grain : nullptr;
    if (body < obstacle)
      find_node_contacts(side, field_of_grain, wall, &distance, n.margin, found);
    else
      find_node_contacts(wall, &distance, side, field_of_grain, n.margin, found);
    const bool first = body < obstacle;
    return keep_or_report(n, item, before, first ? body : obstacle, first ? obstacle : body, found, NodesInFields{});
  }
  SCREE_HD double move(const NarrowArguments& n, std::uint32_t item, std::uint32_t, std::uint32_t place) const {
    return find_motion_on_wall(n, place, stored_contact(n, place), n.sites.body[site[item]], obstacle, false);
  }
};

/// A stage for the table of a plugin: DeviceFaces::nodes.
template <class Field>
int touch_nodes(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const NodeWallArguments*>(arguments);
  const NodesOnWall<Field> items{a.wall.site,
                                 a.wall.obstacle,
                                 a.scale,
                                 a.shape,
                                 a.tables,
                                 a.shape_of_species,
                                 *static_cast<const Field*>(parameters)};
  return for_tiles(e, NarrowPhase<NodesOnWall<Field>>{{a.wall.narrow}, items});
}

}  // namespace scree::device
