#include "parts.hpp"

#include <algorithm>
#include <limits>

#include "scree/shape/corner_shares.hpp"
#include "scree/shape/facets.hpp"

namespace scree::spheropolygon {

namespace {

void take_polygon(const SweptPolygon& polygon, Parts& p) {
  p.skeleton = {{polygon.vertices().begin(), polygon.vertices().end()}, polygon.closed()};
  const std::size_t n = p.skeleton.vertices.size();
  p.edge_radius = polygon.radius();
  p.vertex_radius.assign(n, polygon.radius());
  p.degree.assign(n, 2);
  if (!polygon.closed()) p.degree.front() = p.degree.back() = 1;
  p.edges = segments_of(p.skeleton);
  p.tree = EdgeTree(p.edges);
  p.shortest_edge = std::numeric_limits<double>::infinity();
  for (const Segment& e : p.edges) p.shortest_edge = std::min(p.shortest_edge, 2 * std::hypot(e.hx, e.hy));
}

void take_spheres(const SphereSet& spheres, Parts& p) {
  for (const Vec3& c : spheres.centres()) p.skeleton.vertices.emplace_back(c.x(), c.y());
  p.vertex_radius.assign(spheres.radii().begin(), spheres.radii().end());
  p.degree.assign(p.vertex_radius.size(), 0);
}

}  // namespace

Parts make_parts(const Shape& shape) {
  Parts p;
  const auto* const polygon = facet<SweptPolygon>(shape);
  if (polygon) {
    take_polygon(*polygon, p);
  } else if (const auto* spheres = facet<RoundVertices>(shape)) {
    take_spheres(*spheres, p);
  }
  p.bounding_radius = shape.bounding_radius();
  if (polygon) p.share = corner_shares(*polygon, p.bounding_radius);
  if (p.share.empty()) p.share.assign(p.vertex_radius.size(), 1);
  for (std::size_t k = 0; k < p.vertex_radius.size(); ++k) {
    const Vec2& v = p.skeleton.vertices[k];
    p.rows.push_back({v.x(), v.y(), p.vertex_radius[k], p.vertex_radius[k]});
    p.box.add(v);
    p.reach = std::max(p.reach, v.norm());
  }
  for (const double r : p.vertex_radius) p.largest_vertex_radius = std::max(p.largest_vertex_radius, r);
  return p;
}

}  // namespace scree::spheropolygon
