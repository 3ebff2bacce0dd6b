#pragma once
/// \file From vertices that are near edges to the contacts of a pair of bodies. Host and device. Lengths in metres,
/// places seen from b's centre in world axes.

#include <cmath>
#include <cstdint>

#include "corner_weight.hpp"
#include "segment.hpp"
#include "springs.hpp"

namespace scree::spheropolygon {

/// Nearer than this part of the sum of radii, and the skeletons are about to pass through each other.
inline constexpr double kNearest = 0.2;

/// Trouble with the places of two bodies.
enum class Trouble { none, edges_cross, one_within_the_other, too_near };

/// Two vertices near each other.
struct Corner {
  std::uint32_t of_a, of_b;
  int terms[2];   ///< vertex-edge pairs whose foot is this corner, by side of the vertex
  double x, y;    ///< a's, seen from b's centre [m]
  double dx, dy;  ///< from b's to a's [m]
};

struct Touch {
  double overlap;
  double nx, ny;  ///< unit normal from a to b
  double x, y;    ///< point where the forces act, seen from b's centre
  double radius;  ///< radius of curvature
  double weight;  ///< weight of force and energy of the law
  Features features;
};

/// R* = r_v r_w/(r_v + r_w), on edges too, though a face has no curvature: laws after Hertz would gain or lose energy
/// where a vertex moves from an edge to its end. Where one of the two is sharp (radius 0), the other's radius counts,
/// so that they do not vanish there.
SCREE_HD inline double reduced_radius(double rv, double rw) {
  if (rv == 0 || rw == 0) return rv + rw;
  return rv * rw / (rv + rw);
}

/// A vertex whose foot is inside an edge. \param side  of the vertex: 0 is a  \param d  distance [m]
/// \param share  weight of the contact
/// \source README.md, eqs. (2) and (3)
SCREE_HD inline Touch touch_on_edge(int side, const RoundVertex& v, const Foot<double>& foot, double d,
                                    double edge_radius, double share, const Features& features) {
  const double nx = foot.dx / d, ny = foot.dy / d, arm = v.radius - (v.rs - d) / 2;
  const double sign = side == 0 ? -1 : 1;
  return {v.rs - d, sign * nx, sign * ny, v.x - arm * nx, v.y - arm * ny, reduced_radius(v.radius, edge_radius),
          share,    features};
}

/// Two vertices. \param ra, rb  their radii
SCREE_HD inline Touch touch_at_corner(const Corner& c, double ra, double rb, double weight) {
  const double d = std::sqrt(c.dx * c.dx + c.dy * c.dy), overlap = ra + rb - d;
  const double nx = c.dx / d, ny = c.dy / d, arm = ra - overlap / 2;  // from b to a
  return {overlap,
          -nx,
          -ny,
          c.x - arm * nx,
          c.y - arm * ny,
          reduced_radius(ra, rb),
          weight,
          {weight > 0 ? Features::kVertices : Features::kTakenBack, c.of_a, c.of_b, 0}};
}

/// Makes contacts of what touches, in the order it is told. Pair has
///
///   edge_radius(side)                                [m]
///   vertex_radius(side, vertex), degree(side, vertex), share(side, vertex)
///   end_of(side, edge)                               the vertex it ends with
///   corners                                          of Corner: push_back(), and a range
///   add(touch)                                       takes a contact
///   too_near(distance, rs)                           of a vertex and an edge
template <class Pair>
class TouchWriter {
 public:
  SCREE_HD TouchWriter(Pair& pair, int corner_weight, double margin)
      : pair_(pair), corner_weight_(corner_weight), margin_(margin) {}

  /// Adds a contact of a vertex and an edge. \param side  side of the vertex
  SCREE_HD void vertex_edge(int side, std::uint32_t vertex, std::uint32_t edge, const RoundVertex& v,
                            const Segment& e) {
    const Foot<double> foot = foot_on_segment(v.x, v.y, e);
    if (foot.d2 < kNearest * kNearest * v.rs * v.rs) pair_.too_near(std::sqrt(foot.d2), v.rs);
    const std::uint32_t end = pair_.end_of(1 - side, edge);
    note_corner(side, vertex, edge, v, e.mx - e.hx, e.my - e.hy, foot.t == -1);
    note_corner(side, vertex, end, v, e.mx + e.hx, e.my + e.hy, foot.t == 1);
    if (foot.t == -1 || foot.t == 1) return;
    const auto kind = side == 0 ? Features::kVertexOfA : Features::kVertexOfB;
    pair_.add(touch_on_edge(side, v, foot, std::sqrt(foot.d2), pair_.edge_radius(1 - side), share(side, vertex),
                            {kind, vertex, edge, end}));
  }

  /// After all vertices and edges: the pairs of vertices.
  SCREE_HD void corners() {
    for (const Corner& c : pair_.corners) {
      const double weight = corner_weight_ == 2 ? left_of(0, c) + left_of(1, c) : left_of_all(c);
      if (weight != 0)
        pair_.add(touch_at_corner(c, pair_.vertex_radius(0, c.of_a), pair_.vertex_radius(1, c.of_b), weight));
    }
  }

 private:
  /// Weight of a vertex with an edge. Only c = 2 has shares: then each term to take back is one of one vertex.
  SCREE_HD double share(int side, std::uint32_t vertex) const {
    return corner_weight_ == 2 ? pair_.share(side, vertex) : 1;
  }
  /// Returns what is left of the terms of one side's vertex. \pre c = 2
  SCREE_HD double left_of(int side, const Corner& c) const {
    const std::uint32_t vertex = side == 0 ? c.of_a : c.of_b, other = side == 0 ? c.of_b : c.of_a;
    return pair_.share(side, vertex) * (c.terms[side] - once_too_often(pair_.degree(1 - side, other)));
  }
  /// Returns what is left of all terms. \pre c is not 2
  SCREE_HD double left_of_all(const Corner& c) const {
    return c.terms[0] + c.terms[1] - taken_back(corner_weight_, pair_.degree(0, c.of_a), pair_.degree(1, c.of_b));
  }
  /// Notes a vertex of the other body that is near, whether or not it is the foot.
  /// \param wx, wy  position of the vertex [m]
  SCREE_HD void note_corner(int side, std::uint32_t vertex, std::uint32_t other, const RoundVertex& v, double wx,
                            double wy, bool foot) {
    if (!foot && corner_weight_ == 0) return;
    const double dx = v.x - wx, dy = v.y - wy, reach = v.rs + margin_;
    if (dx * dx + dy * dy >= reach * reach) return;
    const std::uint32_t of_a = side == 0 ? vertex : other, of_b = side == 0 ? other : vertex;
    for (Corner& c : pair_.corners)
      if (c.of_a == of_a && c.of_b == of_b) {
        c.terms[side] += foot;
        return;
      }
    if (side == 0)
      pair_.corners.push_back({of_a, of_b, {foot, 0}, v.x, v.y, dx, dy});
    else
      pair_.corners.push_back({of_a, of_b, {0, foot}, wx, wy, -dx, -dy});
  }

  Pair& pair_;
  int corner_weight_;
  double margin_;
};

}  // namespace scree::spheropolygon
