#pragma once
/// \file Two bodies of the plane, given by nodes on their outlines and by distance fields: each run of nodes of one
/// that lie in the other, in kernels. Runs of both sides that bound the same overlap are one contact, at the deepest
/// node.

#include "scree/detect/planar_placement.hpp"
#include "scree/device/baked_field.hpp"
#include "scree/device/outline_runs.hpp"
#include "scree/device/shape_pairs.hpp"

namespace scree::device {

/// The nodes of a body, and where it stands. A body may have none.
struct OutlineSide {
  const PlanarVector* nodes;
  std::uint32_t count;
  double spacing;  ///< largest distance of neighbouring nodes [m], of the shape
  PlanarPlacement at;
};

/// What find_node_contacts() has trouble with: a field without gradient.
inline constexpr int kNoNormal = 1;

/// A shape in the tables of detectors that look at nodes in fields: they begin with one such entry for each shape.
struct OutlineTable {
  std::uint32_t nodes, first_node;  ///< number, and where they begin as PlanarVector [bytes]
  double spacing;                   ///< largest distance of neighbouring nodes [m]
  std::uint32_t field_nodes;        ///< where the baked field's nodes begin [bytes]; 0: it is not baked
  BakedField field;
};

/// A body as these tables have it.
struct TabledShape {
  const std::byte* tables;
  const OutlineTable& table;

  SCREE_HD TabledShape(const std::byte* bytes, std::uint32_t shape)
      : tables(bytes), table(reinterpret_cast<const OutlineTable*>(bytes)[shape]) {}
  SCREE_HD OutlineSide side(const PlanarPlacement& at) const {
    return {reinterpret_cast<const PlanarVector*>(tables + table.first_node), table.nodes, table.spacing, at};
  }
  SCREE_HD bool has_field() const { return table.field_nodes != 0; }
  /// In the frame of the shape.
  SCREE_HD FieldValue operator()(double x, double y) const {
    return baked_distance(table.field, tables + table.field_nodes, x, y);
  }
  SCREE_HD double bounding_radius() const { return table.field.radius; }
};

/// The runs of one side's nodes in the field of the other.
/// \param field  (x, y) in the frame of its shape -> FieldValue; bounding_radius(), nothing of the shape is farther out
/// \return 0, or the trouble
template <int kMostRuns, class Field>
SCREE_HD inline int collect_runs(const OutlineSide& side, const PlanarPlacement& f, const Field& field, double margin,
                                 RunList<kMostRuns, TouchingRun>& runs) {
  const PlanarPlacement seen = relative(side.at, f);
  const double reach = margin / f.size, farthest = field.bounding_radius() + reach;
  for (std::uint32_t k = 0; k < side.count; ++k) {
    const PlanarVector node = side.nodes[k], p = seen.point(node.x, node.y);
    if (p.x * p.x + p.y * p.y > farthest * farthest) continue;
    const double distance = field(p.x, p.y).distance;
    if (distance >= reach) continue;
    if (!(distance == distance)) return kNoNormal;
    const PlanarVector world = side.at.point(node.x, node.y);
    runs.add({{k, 1}, k, -f.size * distance, world.x, world.y, world.x, world.y});
  }
  runs.close(side.count);
  return runs.full ? kTooManyContacts : 0;
}

/// The node that a contact is made of. \param sign  -1 for a's nodes: the normal points from a to b
template <class Field>
SCREE_HD inline Contact node_contact(const OutlineSide& side, const TouchingRun& run, const PlanarPlacement& f,
                                     const Field& field, double sign) {
  const PlanarVector node = side.nodes[run.deepest], point = side.at.point(node.x, node.y);
  const PlanarVector p = relative(side.at, f).point(node.x, node.y);
  const FieldValue value = field(p.x, p.y);
  const PlanarVector n = f.direction(value.nx, value.ny);
  return {run.depth, {sign * n.x, sign * n.y, 0}, {point.x, point.y, 0}, 0, -1, -1};
}

/// \param field_a, field_b  null pointers where a body has none
template <int kMost, class FieldA, class FieldB>
SCREE_HD inline void find_node_contacts(const OutlineSide& a, const FieldA* field_a, const OutlineSide& b,
                                        const FieldB* field_b, double margin, FoundContacts<kMost>& found) {
  RunList<kMost, TouchingRun> runs_a, runs_b;
  if (field_b) found.trouble = collect_runs(a, b.at, *field_b, margin, runs_a);
  if (field_a && !found.trouble) found.trouble = collect_runs(b, a.at, *field_a, margin, runs_b);
  if (found.trouble) return;
  const double reach = a.at.size * a.spacing + b.at.size * b.spacing + 2 * margin;
  const auto near = [limit = reach * reach](double dx, double dy) { return dx * dx + dy * dy <= limit; };
  join_runs(runs_a, runs_b, [&](const TouchingRun& s, const TouchingRun& t) {
    return near(s.end_x - t.begin_x, s.end_y - t.begin_y) || near(s.begin_x - t.end_x, s.begin_y - t.end_y);
  });
  const auto interval = [](const TouchingRun* run, const OutlineSide& side) {
    return run ? ring_interval(run->nodes, side.count) : RingInterval{};
  };
  for (std::uint32_t region = 0; region < runs_a.count + runs_b.count; ++region) {
    const TouchingRun* const on_a = deepest_of(runs_a, region);
    const TouchingRun* const on_b = deepest_of(runs_b, region);
    if (!on_a && !on_b) continue;
    const bool a_is_deeper = !on_b || (on_a && !(on_a->depth < on_b->depth));
    const Contact contact =
        a_is_deeper ? node_contact(a, *on_a, b.at, *field_b, -1) : node_contact(b, *on_b, a.at, *field_a, 1);
    if (!(dot(contact.normal, contact.normal) > 0.25)) found.trouble = kNoNormal;
    found.add(contact, pack_intervals(interval(on_a, a), interval(on_b, b)));
  }
}

/// The placement of a body in the plane.
SCREE_HD inline PlanarPlacement placement_of(const PlacedShape& body) {
  return planar_placement(body.x.x, body.x.y, body.q.w, body.q.z, body.scale);
}

/// Geometry of ShapePairs: nodes of each body in the baked field of the other.
struct NodesInFields {
  static constexpr int kContacts = 8;
  static constexpr int kLeastBlocks = 1;
  SCREE_HD void find(const PlacedShape& a, const PlacedShape& b, double margin, const std::byte* tables,
                     FoundContacts<kContacts>& found) const {
    const TabledShape shape_a(tables, a.shape), shape_b(tables, b.shape);
    find_node_contacts(shape_a.side(placement_of(a)), shape_a.has_field() ? &shape_a : nullptr,
                       shape_b.side(placement_of(b)), shape_b.has_field() ? &shape_b : nullptr, margin, found);
  }
  SCREE_HD void match(const ContactMatch& contacts) const { match_runs(contacts); }
};

}  // namespace scree::device
