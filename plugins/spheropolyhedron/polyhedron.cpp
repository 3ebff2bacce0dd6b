#include "polyhedron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "scree/base/computable.hpp"
#include "scree/base/disjoint_sets.hpp"
#include "scree/base/error.hpp"

namespace scree::spheropolyhedron {

namespace {

using Face = std::vector<std::uint32_t>;
using DirectedEdge = std::pair<std::uint32_t, std::uint32_t>;

std::string text_of(const Vec3& p) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", p[0], p[1], p[2]); }

std::string edge_text(const Polyhedron& body, std::uint32_t a, std::uint32_t b) {
  return fmt::format("the edge between vertex {} at {} and vertex {} at {}", a, text_of(body.vertices[a]), b,
                     text_of(body.vertices[b]));
}

void check_flat(const Polyhedron& body, const std::string& pointer) {
  const double size = size_of(body);
  for (std::size_t f = 0; f < body.faces.size(); ++f) {
    const Face& face = body.faces[f];
    if (face.size() == 3) continue;
    const Vec3 normal = area_vector(body, face).normalized();
    Vec3 middle = Vec3::Zero();
    for (const std::uint32_t v : face) middle += body.vertices[v] / static_cast<double>(face.size());
    for (const std::uint32_t v : face)
      if (const double off = normal.dot(body.vertices[v] - middle); !(std::abs(off) <= kSamePlace * size))
        throw OptionError(pointer,
                          fmt::format("face {} is bent: its vertex {} at {} lies {:.3g} m off the plane of the "
                                      "others. Cut the face into triangles, or move the vertex.",
                                      f, v, text_of(body.vertices[v]), std::abs(off)));
  }
}

void check_one_piece(const Polyhedron& body, const std::vector<PolyhedronEdge>& edges, const std::string& pointer) {
  DisjointSets pieces(body.faces.size());
  for (const PolyhedronEdge& e : edges) pieces.join(e.face[0], e.face[1]);
  for (std::uint32_t f = 1; f < body.faces.size(); ++f)
    if (pieces.find(f) != pieces.find(0))
      throw OptionError(pointer,
                        fmt::format("the surface has several pieces: face {}, at {}, is not joined to face 0. Give one "
                                    "shape per piece.",
                                    f, text_of(body.vertices[body.faces[f][0]])));
}

/// Tells whether a segment passes through a face, both without their rims.
bool pierces(const Polyhedron& body, const PolyhedronEdge& edge, const Face& face) {
  const Vec3 &p = body.vertices[edge.begin], &q = body.vertices[edge.end], &origin = body.vertices[face[0]];
  const Vec3 normal = area_vector(body, face).normalized();
  const double sp = normal.dot(p - origin), sq = normal.dot(q - origin);
  if (!(sp * sq < 0)) return false;
  const Vec3 at = p + sp / (sp - sq) * (q - p);
  int turns = 0;  // the polygon need not be convex: crossings of a ray along its first edge
  const Vec3 x = (body.vertices[face[1]] - origin).normalized(), y = normal.cross(x);
  for (std::size_t k = 0; k < face.size(); ++k) {
    const Vec3 a = body.vertices[face[k]] - at, b = body.vertices[face[(k + 1) % face.size()]] - at;
    const double ya = y.dot(a), yb = y.dot(b), xa = x.dot(a), xb = x.dot(b);
    if ((ya > 0) != (yb > 0) && xa + ya / (ya - yb) * (xb - xa) > 0) ++turns;
  }
  return turns % 2 == 1;
}

using Box = Eigen::AlignedBox3d;

}  // namespace

double size_of(const Polyhedron& body) {
  Box box;
  for (const Vec3& v : body.vertices) box.extend(v);
  return box.isEmpty() ? 0 : box.diagonal().norm();
}

Vec3 area_vector(const Polyhedron& body, const Face& face) {
  Vec3 sum = Vec3::Zero();
  const Vec3& origin = body.vertices[face[0]];
  for (std::size_t k = 1; k + 1 < face.size(); ++k)
    sum += (body.vertices[face[k]] - origin).cross(body.vertices[face[k + 1]] - origin);
  return sum;
}

double volume_of(const Polyhedron& body) {
  double sum = 0;
  for (const Face& face : body.faces)
    sum += area_vector(body, face).dot(body.vertices[face[0]] - body.vertices[body.faces[0][0]]) / 6;
  return sum;
}

std::vector<PolyhedronEdge> edges_of(const Polyhedron& body, const std::string& pointer) {
  std::map<DirectedEdge, std::uint32_t> face_of;
  for (std::uint32_t f = 0; f < body.faces.size(); ++f)
    for (std::size_t k = 0; k < body.faces[f].size(); ++k) {
      const std::uint32_t a = body.faces[f][k], b = body.faces[f][(k + 1) % body.faces[f].size()];
      const auto [at, added] = face_of.try_emplace({a, b}, f);
      if (added) continue;
      throw OptionError(pointer,
                        fmt::format("{} runs the same way round faces {} and {}: one of them is turned round, or "
                                    "more than two faces meet there. List corners counter-clockwise from outside.",
                                    edge_text(body, a, b), at->second, f));
    }
  std::vector<PolyhedronEdge> edges;
  for (std::uint32_t f = 0; f < body.faces.size(); ++f)
    for (std::size_t k = 0; k < body.faces[f].size(); ++k) {
      const std::uint32_t a = body.faces[f][k], b = body.faces[f][(k + 1) % body.faces[f].size()];
      const auto twin = face_of.find({b, a});
      if (twin == face_of.end())
        throw OptionError(pointer, fmt::format("{} is in face {} alone: the surface is open there. Close it.",
                                               edge_text(body, a, b), f));
      if (twin->second > f) edges.push_back({a, b, {f, twin->second}});
    }
  return edges;
}

void check_numbers(const Polyhedron& body, const std::string& pointer) {
  for (std::size_t v = 0; v < body.vertices.size(); ++v)
    if (!(body.vertices[v].cwiseAbs().maxCoeff() <= kLargestComputable))
      throw OptionError(pointer,
                        fmt::format("vertex {} is at {} m; coordinates up to {:g} m can be computed with. Look "
                                    "for a wrong unit or exponent.",
                                    v, text_of(body.vertices[v]), kLargestComputable));
  if (body.faces.size() < 4)
    throw OptionError(pointer, fmt::format("{} faces enclose no space; give at least 4.", body.faces.size()));
  for (std::size_t f = 0; f < body.faces.size(); ++f) {
    Face sorted = body.faces[f];
    std::sort(sorted.begin(), sorted.end());
    if (sorted.size() < 3)
      throw OptionError(pointer, fmt::format("face {} has {} corners; give at least 3.", f, sorted.size()));
    if (sorted.back() >= body.vertices.size())
      throw OptionError(pointer, fmt::format("face {} names vertex {}; there are {}, counted from 0.", f, sorted.back(),
                                             body.vertices.size()));
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      throw OptionError(pointer, fmt::format("face {} names vertex {} twice; each corner counts once.", f, *twice));
  }
}

bool check_and_orient(Polyhedron& body, const std::string& pointer) {
  check_numbers(body, pointer);
  check_flat(body, pointer);
  check_one_piece(body, edges_of(body, pointer), pointer);
  const double volume = volume_of(body), size = size_of(body);
  if (!(std::abs(volume) > kSamePlace * size * size * size))
    throw OptionError(pointer, fmt::format("the surface encloses {:.3g} m^3, almost nothing; give a solid.", volume));
  if (volume > 0) return false;
  for (Face& face : body.faces) std::reverse(face.begin(), face.end());
  return true;
}

void check_crossings(const Polyhedron& body, const std::string& pointer) {
  const std::vector<PolyhedronEdge> edges = edges_of(body, pointer);
  std::vector<Box> boxes;
  for (const Face& face : body.faces) {
    Box& box = boxes.emplace_back();
    for (const std::uint32_t v : face) box.extend(body.vertices[v]);
  }
  for (const PolyhedronEdge& e : edges) {
    Box box(body.vertices[e.begin]);
    box.extend(body.vertices[e.end]);
    for (std::size_t f = 0; f < body.faces.size(); ++f) {
      const Face& face = body.faces[f];
      if (!box.intersects(boxes[f]) || std::ranges::count(face, e.begin) || std::ranges::count(face, e.end)) continue;
      if (pierces(body, e, face))
        throw OptionError(pointer, fmt::format("{} passes through face {}: the surface crosses itself. Take away what "
                                               "lies inside.",
                                               edge_text(body, e.begin, e.end), f));
    }
  }
}

void weld(Polyhedron& body) {
  const double grain = kSamePlace * size_of(body);
  std::map<std::array<std::int64_t, 3>, std::vector<std::uint32_t>> cells;
  std::vector<std::uint32_t> to(body.vertices.size());
  std::vector<Vec3> kept;
  const auto cell_of = [&](double x) { return grain > 0 ? static_cast<std::int64_t>(std::floor(x / grain)) : 0; };
  for (std::size_t v = 0; v < body.vertices.size(); ++v) {
    const Vec3& p = body.vertices[v];
    const std::array<std::int64_t, 3> cell{cell_of(p[0]), cell_of(p[1]), cell_of(p[2])};
    to[v] = static_cast<std::uint32_t>(kept.size());
    for (int n = 0; n < 27; ++n) {
      const auto found = cells.find({cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1});
      if (found == cells.end()) continue;
      for (const std::uint32_t k : found->second)
        if ((kept[k] - p).norm() <= grain) to[v] = std::min(to[v], k);
    }
    if (to[v] < kept.size()) continue;
    kept.push_back(p);
    cells[cell].push_back(to[v]);
  }
  std::vector<Face> faces;
  for (const Face& face : body.faces) {
    Face corners;
    for (const std::uint32_t v : face)
      if (corners.empty() || corners.back() != to[v]) corners.push_back(to[v]);
    while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
    if (corners.size() >= 3) faces.push_back(std::move(corners));
  }
  body = {std::move(kept), std::move(faces)};
}

}  // namespace scree::spheropolyhedron
