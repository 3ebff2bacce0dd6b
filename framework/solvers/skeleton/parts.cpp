#include "solvers/skeleton/parts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"
#include "scree/shape/swept_polyhedron.hpp"

namespace scree::skeleton {

namespace {

/// Tolerance of flat edges, on the product of their faces' unit normals: one less the cosine of an angle of 1.4e-4 rad.
constexpr double kFlat = 1e-8;

void add_round_vertices(const RoundVertices& round, Parts& parts) {
  parts.vertices.assign(round.centres().begin(), round.centres().end());
  parts.vertex_radius.assign(round.radii().begin(), round.radii().end());
  parts.degree.assign(parts.vertices.size(), 0);
}

/// The axis of a capsule, which is its only edge and its only face.
void add_segment(const Segment& segment, Parts& parts) {
  parts.radius = segment.radius();
  parts.edges.push_back({EdgeLine::between(parts.vertices[0], parts.vertices[1]), 0, 1, false, 1});
  parts.degree = {1, 1};
}

/// Measures that follow from the others.
void measure(Parts& parts) {
  for (std::size_t v = 0; v < parts.vertices.size(); ++v) {
    parts.largest_radius = std::max(parts.largest_radius, parts.vertex_radius[v]);
    parts.reach = std::max(parts.reach, parts.vertices[v].norm());
    parts.bounding_radius = std::max(parts.bounding_radius, parts.vertices[v].norm() + parts.vertex_radius[v]);
  }
  for (const EdgePart& e : parts.edges)
    if (!e.flat) parts.shortest_edge = std::min(parts.shortest_edge, e.line.along.norm());
}

/// Plane of a face by Newell's method.
FacePart plane_of(const Parts& parts, std::span<const std::uint32_t> corners) {
  Vec3 area = Vec3::Zero(), middle = Vec3::Zero();
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const Vec3 &p = parts.vertices[corners[k]], &q = parts.vertices[corners[(k + 1) % corners.size()]];
    area += (p - parts.vertices[corners[0]]).cross(q - parts.vertices[corners[0]]);
    middle += p / static_cast<double>(corners.size());
  }
  const Vec3 normal = area.normalized();
  return {normal, normal.dot(middle), 0, 0};
}

/// Solid angle of a triangle seen from the origin. \source Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983)
double angle_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double na = a.norm(), nb = b.norm(), nc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)), na * nb * nc + a.dot(b) * nc + b.dot(c) * na + c.dot(a) * nb);
}

}  // namespace

Parts polyhedron_parts(std::span<const Vec3> vertices, std::span<const std::uint32_t> face_begin,
                       std::span<const std::uint32_t> face_vertices, double radius) {
  Parts parts;
  parts.vertices.assign(vertices.begin(), vertices.end());
  parts.vertex_radius.assign(vertices.size(), radius);
  parts.degree.assign(vertices.size(), 0);
  parts.radius = radius;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::uint32_t, std::uint32_t>> known;  // edge and face
  for (std::uint32_t f = 0; f + 1 < face_begin.size(); ++f) {
    const auto corners = face_vertices.subspan(face_begin[f], face_begin[f + 1] - face_begin[f]);
    FacePart& face = parts.faces.emplace_back(plane_of(parts, corners));
    face.first = static_cast<std::uint32_t>(parts.corners.size());
    face.count = static_cast<std::uint32_t>(corners.size());
    for (std::size_t k = 0; k < corners.size(); ++k) {
      const std::uint32_t a = corners[k], b = corners[(k + 1) % corners.size()];
      const auto next = static_cast<std::uint32_t>(parts.edges.size());
      const auto [at, added] = known.try_emplace(std::minmax(a, b), next, f);
      if (added)
        parts.edges.push_back({EdgeLine::between(vertices[a], vertices[b]), a, b, false, 0});
      else
        parts.edges[at->second.first].flat = parts.faces[at->second.second].normal.dot(face.normal) > 1 - kFlat;
      const Vec3 outward = (vertices[b] - vertices[a]).normalized().cross(face.normal);
      parts.corners.push_back({a, at->second.first, outward, outward.dot(vertices[a])});
    }
  }
  for (const EdgePart& e : parts.edges)
    if (!e.flat) ++parts.degree[e.begin], ++parts.degree[e.end];
  measure(parts);
  return parts;
}

Parts make_parts(const Shape& shape) {
  if (shape.dimension() != 3) return {};
  if (const auto* swept = facet<SweptPolyhedron>(shape))
    return polyhedron_parts(swept->vertices(), swept->face_begin(), swept->face_vertices(), swept->radius());
  Parts parts;
  const auto* round = facet<RoundVertices>(shape);
  if (!round) return parts;
  add_round_vertices(*round, parts);
  if (const auto* segment = facet<Segment>(shape)) add_segment(*segment, parts);
  measure(parts);
  return parts;
}

bool encloses(const Parts& parts, const Vec3& p) {
  double angle = 0;
  for (const FacePart& face : parts.faces) {
    const auto corners = parts.corners_of(face);
    const auto seen = [&](std::size_t k) { return Vec3(parts.vertices[corners[k].vertex] - p); };
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) angle += angle_of_triangle(seen(0), seen(k), seen(k + 1));
  }
  return std::abs(angle) > 2 * std::numbers::pi;
}

}  // namespace scree::skeleton
