#include "near_terms.hpp"

#include <algorithm>
#include <cmath>

namespace scree::mesh {

using namespace skeleton;

namespace {

/// Appends what is not there yet, ascending.
void make_unique(std::vector<std::uint32_t>& list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

/// Checks whether a segment passes through a triangle: its ends are on both sides, and it turns the same way about all
/// three edges.
bool passes_through(const EdgeLine& line, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 from = line.from, to = line.from + line.along, n = (b - a).cross(c - a);
  if (!(n.dot(from - a) * n.dot(to - a) < 0)) return false;
  const auto about = [&](const Vec3& p, const Vec3& q) { return line.along.dot((p - from).cross(q - from)); };
  const double u = about(a, b), v = about(b, c), w = about(c, a);
  return (u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0);
}

/// One thread's working memory.
struct Found {
  std::vector<std::uint32_t> triangles, ridges, corners;
};

bool crosses_mesh(const SeenBody& body, const TriangleMesh& mesh, const Found& found) {
  for (std::uint32_t e = 0; e < body.parts().edges.size(); ++e) {
    const EdgeLine line = body.edge(e);
    for (const std::uint32_t t : found.triangles) {
      const auto& v = mesh.triangles()[t].vertex;
      if (passes_through(line, mesh.vertices()[v[0]], mesh.vertices()[v[1]], mesh.vertices()[v[2]])) return true;
    }
  }
  return false;
}

bool crosses_body(const SeenBody& body, const TriangleMesh& mesh, const Found& found) {
  const Parts& parts = body.parts();
  for (const std::uint32_t e : found.ridges) {
    const Vec3 p = body.in_body(mesh.vertices()[mesh.edge(e)[0]]), q = body.in_body(mesh.vertices()[mesh.edge(e)[1]]);
    for (const FacePart& face : parts.faces) {
      const double begin = face.normal.dot(p) - face.offset, end = face.normal.dot(q) - face.offset;
      if (!(begin * end < 0)) continue;
      const Vec3 at = p + begin / (begin - end) * (q - p);
      if (std::ranges::all_of(parts.corners_of(face),
                              [&](const CornerPart& c) { return c.outward.dot(at) <= c.offset; }))
        return true;
    }
  }
  return false;
}

/// Lists triangles that each vertex may touch as a sphere.
void list_triangles(const SeenBody& body, const TriangleMesh& mesh, double reach, const Found& found, NearTerms& to) {
  to.triangles_begin.assign(1, 0);
  to.triangles.clear();
  for (const Vec3& v : body.vertices()) {
    for (const std::uint32_t t : found.triangles)
      if (mesh.foot(t, v).distance < reach) to.triangles.push_back(t);
    to.triangles_begin.push_back(static_cast<std::uint32_t>(to.triangles.size()));
  }
}

/// Lists terms of ridges and corners.
void list_terms(const SeenBody& body, const TriangleMesh& mesh, double reach, const Found& found, NearTerms& to) {
  to.terms.clear();
  const Parts& parts = body.parts();
  const auto list = [&](Kind kind, std::size_t count, const std::vector<std::uint32_t>& of_mesh, const auto& squared) {
    for (std::uint32_t i = 0; i < count; ++i)
      for (const std::uint32_t j : of_mesh)
        if (squared(i, j) < reach * reach) to.terms.push_back({kind, i, j});
  };
  const auto& at = body.vertices();
  list(Kind::vertex_edge, at.size(), found.ridges,
       [&](auto i, auto j) { return mesh.foot_on_edge(j, at[i]).squaredNorm(); });
  list(Kind::vertex_vertex, at.size(), found.corners,
       [&](auto i, auto j) { return (at[i] - mesh.vertices()[j]).squaredNorm(); });
  list(Kind::edge_edge, parts.edges.size(), found.ridges, [&](auto i, auto j) {
    return parts.edges[i].flat ? reach * reach : nearest_on_edges(body.edge(i), line_of(mesh, j)).d2;
  });
  list(Kind::edge_vertex, parts.edges.size(), found.corners,
       [&](auto i, auto j) { return foot_on_edge(mesh.vertices()[j], body.edge(i)).d2; });
  list(Kind::face_vertex, parts.faces.size(), found.corners,
       [&](auto i, auto j) { return body.squared_distance_of_face(i, mesh.vertices()[j]); });
}

}  // namespace

Crossing find_near(const SeenBody& body, const MeshSurface& surface, double reach, NearTerms& to) {
  thread_local Found found;
  const TriangleMesh& mesh = surface.triangles();
  Eigen::AlignedBox3d box;
  for (const Vec3& v : body.vertices()) box.extend(v);
  box = {box.min().array() - reach, box.max().array() + reach};
  for (auto* list : {&found.triangles, &found.ridges, &found.corners}) list->clear();
  surface.near(box, found.triangles);
  std::ranges::sort(found.triangles);
  for (const std::uint32_t t : found.triangles)
    for (int k = 0; k < 3; ++k) {
      const Triangle& of = mesh.triangles()[t];
      if (surface.ridges().stands_out(of.edge[k])) found.ridges.push_back(of.edge[k]);
      if (!surface.ridges().at(of.vertex[k]).empty()) found.corners.push_back(of.vertex[k]);
    }
  make_unique(found.ridges);
  make_unique(found.corners);
  if (crosses_mesh(body, mesh, found)) return Crossing::edge_through_mesh;
  if (crosses_body(body, mesh, found)) return Crossing::ridge_through_body;
  list_triangles(body, mesh, reach, found, to);
  list_terms(body, mesh, reach, found, to);
  return Crossing::none;
}

bool serves(const NearTermLists::Row& row, const RelativePlace& now, double reach, double margin) {
  if (!(row.slack > 0) || row.margin != margin) return false;
  double way = 0, turn = 0;
  for (int k = 0; k < 3; ++k) way += (now.shift[k] - row.place.shift[k]) * (now.shift[k] - row.place.shift[k]);
  for (int k = 0; k < 4; ++k) turn += (now.turn[k] - row.place.turn[k]) * (now.turn[k] - row.place.turn[k]);
  return std::sqrt(way) + 2 * reach * std::sqrt(turn) < row.slack;
}

void NearTermLists::attach(std::size_t more_words) {
  const std::size_t fixed = sizeof(Header) + pairs_ * sizeof(Row);
  header_ = reinterpret_cast<Header*>(cache_.rows<std::byte>(fixed));
  if (more_words > 0)
    header_ =
        reinterpret_cast<Header*>(cache_.rows<std::byte>(fixed + (header_->used + more_words) * sizeof(std::uint32_t)));
}

void NearTermLists::store(std::size_t pair, const RelativePlace& at, double slack, double margin,
                          const NearTerms& near) {
  static_assert(sizeof(Term) == 3 * sizeof(std::uint32_t));
  const std::size_t needed = near.triangles_begin.size() + near.triangles.size() + 3 * near.terms.size();
  if (needed > rows()[pair].capacity) {
    const std::size_t room = needed + needed / 2;
    attach(room);
    rows()[pair].first = header_->used;
    rows()[pair].capacity = static_cast<std::uint32_t>(room);
    header_->used += room;
  }
  Row& row = rows()[pair];
  row.place = at;
  row.slack = slack;
  row.margin = margin;
  row.vertices = static_cast<std::uint32_t>(near.triangles_begin.size() - 1);
  row.triangles = static_cast<std::uint32_t>(near.triangles.size());
  row.terms = static_cast<std::uint32_t>(near.terms.size());
  std::uint32_t* to = words() + row.first;
  to = std::ranges::copy(near.triangles_begin, to).out;
  to = std::ranges::copy(near.triangles, to).out;
  std::ranges::copy(near.terms, reinterpret_cast<Term*>(to));
}

}  // namespace scree::mesh
