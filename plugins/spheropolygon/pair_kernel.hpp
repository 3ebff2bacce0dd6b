#pragma once
/// \file The detector "vertex-edge" for one pair of bodies, in a kernel: the contacts of VertexEdge::detect(), in the
/// same order and with the same bits.

#include "close_parts.hpp"
#include "scree/device/shape_pairs.hpp"

namespace scree::spheropolygon {

/// Geometry of device::ShapePairs.
struct VertexEdgeKernel {
  static constexpr int kContacts = 32;
  static constexpr int kTests = 96;    ///< vertices that touch an edge, at its end or within it
  static constexpr int kCorners = 40;  ///< pairs of vertices that are near each other
  using Found = device::FoundContacts<kContacts>;

  int corner_weight;  ///< 0, 2 or 3

  /// Finds contacts. It searches for skeletons that intersect every time; the host does so once, for new pairs.
  SCREE_HD void find(const device::PlacedShape& a, const device::PlacedShape& b, double margin, const std::byte* tables,
                     Found& found) const {
    const StandingPair pair{{TableShape(tables, a.shape), TableShape(tables, b.shape)},
                            {pose_of(a.x.x, a.x.y, a.q.w, a.q.z), pose_of(b.x.x, b.x.y, b.q.w, b.q.z)},
                            {a.scale, b.scale},
                            margin};
    CloseParts<kTests> close(pair);
    found.trouble = static_cast<int>(close.find());
    if (found.trouble) return;
    KernelPair to{pair, found};
    TouchWriter<KernelPair> writer(to, corner_weight, margin);
    for (const CloseTest& t : close.tests())
      writer.vertex_edge(t.side(), t.vertex(), t.edge(), pair.vertex(t.side(), t.vertex()),
                         pair.edge(1 - t.side(), t.edge()));
    writer.corners();
    if (close.tests().overflown() || to.corners.overflown()) found.trouble = device::kTooManyContacts;
    if (to.near) found.trouble = static_cast<int>(Trouble::too_near);
  }
  SCREE_HD void match(const ContactMatch& contacts) const { match_features(contacts); }

 private:
  /// See TouchWriter.
  struct KernelPair {
    const StandingPair& at;
    Found& found;
    Few<Corner, kCorners> corners{};
    bool near = false;  ///< a vertex is about to pass through an edge

    SCREE_HD double edge_radius(int side) const { return at.edge_radius(side); }
    SCREE_HD double vertex_radius(int side, std::uint32_t v) const {
      return at.size[side] * at.shape[side].vertex(v).radius;
    }
    SCREE_HD int degree(int side, std::uint32_t v) const { return static_cast<int>(at.shape[side].vertex(v).degree); }
    SCREE_HD double share(int side, std::uint32_t v) const { return at.shape[side].vertex(v).share; }
    SCREE_HD std::uint32_t end_of(int side, std::uint32_t edge) const { return at.shape[side].end_of(edge); }
    SCREE_HD void add(const Touch& t) {
      found.add({t.overlap,
                 {t.nx, t.ny, 0},
                 {at.pose[1].x + t.x, at.pose[1].y + t.y, 0},
                 t.radius,
                 -1,
                 -1,
                 t.weight,
                 t.weight},
                t.features.packed());
    }
    SCREE_HD void too_near(double, double) { near = true; }
  };
};

}  // namespace scree::spheropolygon
