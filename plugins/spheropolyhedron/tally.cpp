#include "tally.hpp"

namespace scree::spheropolyhedron {

void Tally::add(Kind kind, FeaturePair features) {
  switch (kind) {
    case kVertexFace:
      return vertex_face(0, features);
    case kFaceVertex:
      return vertex_face(1, features);
    case kEdgeEdge:
      return edge_edge(features);
    case kVertexEdge:
    case kEdgeVertex:
      return vertex_edge(kind, features);
    default:
      if (near(view_->vertex_vertex(features.i, features.j).squaredNorm(), 1,
               view_->pair().vertex_radius(0, features.i) + view_->pair().vertex_radius(1, features.j)))
        count(kVertexVertex, features, 2 * weight_of(view_->pair(), kind, features));
  }
}

void Tally::count(Kind kind, FeaturePair features, int halves) {
  for (ClosestPair& p : pairs_)
    if (p.kind == kind && p.features.i == features.i && p.features.j == features.j) {
      p.halves += halves;
      return;
    }
  pairs_.push_back({kind, features, halves});
}

void Tally::count_vertices(int side, std::uint32_t own, std::uint32_t other, int halves) {
  count(kVertexVertex, side == 0 ? FeaturePair{own, other} : FeaturePair{other, own}, halves);
}

void Tally::count_on_edge(int side, std::uint32_t vertex, std::uint32_t edge, int halves) {
  const double t = view_->vertex_edge(side, vertex, edge).t;
  const EdgePart& of = view_->parts(1 - side).edges[edge];
  if (t == 0 || t == 1) return count_vertices(side, vertex, t == 0 ? of.begin : of.end, halves);
  count(side == 0 ? kVertexEdge : kEdgeVertex, {vertex, edge}, halves);
}

void Tally::vertex_face(int side, FeaturePair features) {
  const auto [v, face] = features;
  const Encounter& pair = view_->pair();
  const FaceFoot foot = view_->vertex_face(side, v, face);
  if (!near(foot.d2, 1 - side, pair.vertex_radius(side, v) + pair.radius(1 - side))) return;
  if (!foot.corner) return count(side == 0 ? kVertexFace : kFaceVertex, features, 2);
  const EdgePart& edge = view_->parts(1 - side).edges[foot.corner->edge];
  if (foot.t == 0 || foot.t == 1) return count_vertices(side, v, foot.t == 0 ? edge.begin : edge.end, 2);
  count(side == 0 ? kVertexEdge : kEdgeVertex, {v, foot.corner->edge}, 2);
}

void Tally::vertex_edge(Kind kind, FeaturePair features) {
  const int side = kind == kVertexEdge ? 0 : 1;
  const Encounter& pair = view_->pair();
  const double rs = pair.vertex_radius(side, features.i) + pair.radius(1 - side);
  if (!near(view_->vertex_edge(side, features.i, features.j).d2, 1 - side, rs)) return;
  count_on_edge(side, features.i, features.j, 2 * weight_of(pair, kind, features));
}

void Tally::edge_edge(FeaturePair features) {
  const auto [i, j] = features;
  const EdgePair at = view_->edge_edge(i, j);
  if (!near(at.d2, 1, view_->pair().radius(0) + view_->pair().radius(1))) return;
  const EdgePart &a = view_->parts(0).edges[i], &b = view_->parts(1).edges[j];
  if (at.parallel) {  // half to each end of the common stretch, so that aligned boxes feel no torque
    const CommonStretch common = common_stretch(view_->edge(0, i), b.line);
    if (common.s[0] < common.s[1]) {
      for (int k : {0, 1}) {
        if (common.end_of_second[k])
          count_on_edge(1, common.second_begins[k] ? b.begin : b.end, i, 1);
        else
          count_on_edge(0, k == 0 ? a.begin : a.end, j, 1);
      }
      return;
    }
    return count(kVertexVertex, {at.s < 0.5 ? a.begin : a.end, at.t < 0.5 ? b.begin : b.end}, 2);
  }
  const bool end_a = at.s == 0 || at.s == 1, end_b = at.t == 0 || at.t == 1;
  if (end_a && end_b) return count(kVertexVertex, {at.s == 0 ? a.begin : a.end, at.t == 0 ? b.begin : b.end}, 2);
  if (end_a) return count_on_edge(0, at.s == 0 ? a.begin : a.end, j, 2);
  if (end_b) return count_on_edge(1, at.t == 0 ? b.begin : b.end, i, 2);
  count(kEdgeEdge, features, 2);
}

}  // namespace scree::spheropolyhedron
