#include "body_terms.hpp"

namespace scree::mesh {

using namespace skeleton;

void SeenBody::look_at(const Parts& parts, const Mat3& turn, const Vec3& shift, double ratio) {
  parts_ = &parts;
  turn_ = turn;
  shift_ = shift;
  ratio_ = ratio;
  seen_.resize(parts.vertices.size());
  for (std::size_t v = 0; v < seen_.size(); ++v) seen_[v] = turn * (ratio * parts.vertices[v]) + shift;
}

Vec3 SeenBody::way_to_plane(std::uint32_t face, const Vec3& p) const {
  const FacePart& of = parts_->faces[face];
  return turn_ * (ratio_ * (of.offset - of.normal.dot(in_body(p))) * of.normal);
}

Place place_of(const SeenBody& body, const TriangleMesh& mesh, const Term& term) {
  const auto [kind, i, j] = term;
  switch (kind) {
    case Kind::vertex_triangle: {
      const Vec3 way = -mesh.foot(j, body.vertices()[i]).point;
      return {body.vertices()[i] - way, way};
    }
    case Kind::vertex_edge: {
      const Vec3 way = -mesh.foot_on_edge(j, body.vertices()[i]);
      return {body.vertices()[i] - way, way};
    }
    case Kind::vertex_vertex:
      return {mesh.vertices()[j], body.vertices()[i] - mesh.vertices()[j]};
    case Kind::edge_edge: {
      const EdgeLine own = body.edge(i), ridge = line_of(mesh, j);
      const EdgePair at = nearest_on_edges(own, ridge);
      const Vec3 on_mesh = ridge.from + at.t * ridge.along;
      return {on_mesh, own.from + at.s * own.along - on_mesh};
    }
    case Kind::edge_vertex:
      return {mesh.vertices()[j], -foot_on_edge(mesh.vertices()[j], body.edge(i)).way};
    default:
      return {mesh.vertices()[j], body.way_to_plane(i, mesh.vertices()[j])};
  }
}

void TermSum::begin(const SeenBody& body, const MeshSurface& surface, double reach) {
  body_ = &body;
  surface_ = &surface;
  reach_ = reach;
  touches_.clear();
}

void TermSum::count(const Term& term, double weight, bool of_a_patch) {
  for (Touch& t : touches_)
    if (t.term.kind == term.kind && t.term.i == term.i && t.term.j == term.j) {
      t.weight += weight;
      return;
    }
  touches_.push_back({term, weight, of_a_patch});
}

void TermSum::add_sphere(std::uint32_t vertex, Feature feature, std::uint32_t part, double weight, bool of_a_patch) {
  const Kind kind = feature == Feature::face   ? Kind::vertex_triangle
                    : feature == Feature::edge ? Kind::vertex_edge
                                               : Kind::vertex_vertex;
  count({kind, vertex, part}, weight, of_a_patch);
}

void TermSum::add(const Term& term) {
  const auto [kind, i, j] = term;
  const TriangleMesh& mesh = surface_->triangles();
  const auto degree = [&] { return body_->parts().degree[i]; };
  switch (kind) {
    case Kind::vertex_edge: {
      const Vec3 way = -mesh.foot_on_edge(j, body_->vertices()[i]);
      if (near(way.squaredNorm()) && surface_->ridges().stands_out(j, way)) vertex_at_edge(i, j, -degree());
      return;
    }
    case Kind::vertex_vertex: {
      const Vec3 way = body_->vertices()[i] - mesh.vertices()[j];
      if (!near(way.squaredNorm())) return;
      const CornerCount corner = surface_->ridges().count(j, way);
      const int s = corner.tip() ? 1 : 0;
      if (corner.ridges > 0) count(term, s + degree() * (corner.joined() - s));
      return;
    }
    case Kind::edge_edge:
      return edge_edge(i, j);
    case Kind::edge_vertex:
      return edge_vertex(i, j);
    default:
      return face_vertex(i, j);
  }
}

/// Counts a vertex at its nearest place of an edge of the mesh, which may be an end of that.
void TermSum::vertex_at_edge(std::uint32_t vertex, std::uint32_t edge, double weight) {
  const TriangleMesh& mesh = surface_->triangles();
  const double t = foot_on_edge(body_->vertices()[vertex], line_of(mesh, edge)).t;
  if (t == 0 || t == 1) return count({Kind::vertex_vertex, vertex, mesh.edge(edge)[t == 0 ? 0 : 1]}, weight);
  count({Kind::vertex_edge, vertex, edge}, weight);
}

void TermSum::edge_edge(std::uint32_t edge, std::uint32_t ridge) {
  const TriangleMesh& mesh = surface_->triangles();
  const EdgeLine own = body_->edge(edge), other = line_of(mesh, ridge);
  const EdgePair at = nearest_on_edges(own, other);
  if (!near(at.d2)) return;
  const Vec3 way = own.from + at.s * own.along - (other.from + at.t * other.along);
  if (!surface_->ridges().stands_out(ridge, way)) return;
  if (at.parallel) return parallel_edges(edge, ridge, at);
  const EdgePart& part = body_->parts().edges[edge];
  const bool own_end = at.s == 0 || at.s == 1, other_end = at.t == 0 || at.t == 1;
  const std::uint32_t vertex = at.s == 0 ? part.begin : part.end, corner = mesh.edge(ridge)[at.t == 0 ? 0 : 1];
  if (own_end && other_end) return count({Kind::vertex_vertex, vertex, corner}, 1);
  if (own_end) return vertex_at_edge(vertex, ridge, 1);
  if (other_end) return count({Kind::edge_vertex, edge, corner}, 1);
  count({Kind::edge_edge, edge, ridge}, 1);
}

/// Gives half to each end of the stretch that the two share, so that what is aligned feels no torque.
void TermSum::parallel_edges(std::uint32_t edge, std::uint32_t ridge, const EdgePair& at) {
  const TriangleMesh& mesh = surface_->triangles();
  const EdgePart& part = body_->parts().edges[edge];
  const auto& ends = mesh.edge(ridge);
  const CommonStretch common = common_stretch(body_->edge(edge), line_of(mesh, ridge));
  if (!(common.s[0] < common.s[1]))
    return count({Kind::vertex_vertex, at.s < 0.5 ? part.begin : part.end, ends[at.t < 0.5 ? 0 : 1]}, 1);
  for (int k : {0, 1}) {
    if (common.end_of_second[k])
      count({Kind::edge_vertex, edge, ends[common.second_begins[k] ? 0 : 1]}, 0.5);
    else
      vertex_at_edge(k == 0 ? part.begin : part.end, ridge, 0.5);
  }
}

void TermSum::edge_vertex(std::uint32_t edge, std::uint32_t corner) {
  const EdgePart& part = body_->parts().edges[edge];
  const EdgeFoot foot = foot_on_edge(surface_->triangles().vertices()[corner], body_->edge(edge));
  if (!near(foot.d2)) return;
  const CornerCount at = surface_->ridges().count(corner, -foot.way);
  const int s = at.tip() ? 1 : 0, weight = part.flat ? -s : part.sheets * s - at.joined();
  if (weight == 0) return;
  if (foot.t == 0 || foot.t == 1)
    count({Kind::vertex_vertex, foot.t == 0 ? part.begin : part.end, corner}, weight);
  else
    count({Kind::edge_vertex, edge, corner}, weight);
}

void TermSum::face_vertex(std::uint32_t face, std::uint32_t corner) {
  const Parts& parts = body_->parts();
  const Vec3 &p = surface_->triangles().vertices()[corner], seen = body_->in_body(p);
  if (!near(body_->squared_distance_of_face(face, p))) return;
  const FaceFoot foot = foot_on_face(seen, parts, parts.faces[face]);
  const EdgePart* const rim = foot.corner ? &parts.edges[foot.corner->edge] : nullptr;
  const Term term = !rim ? Term{Kind::face_vertex, face, corner}
                    : foot.t == 0 || foot.t == 1
                        ? Term{Kind::vertex_vertex, foot.t == 0 ? rim->begin : rim->end, corner}
                        : Term{Kind::edge_vertex, foot.corner->edge, corner};
  if (surface_->ridges().count(corner, place_of(*body_, surface_->triangles(), term).way).tip()) count(term, 1);
}

}  // namespace scree::mesh
