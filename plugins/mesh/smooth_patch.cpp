#include "smooth_patch.hpp"

#include <algorithm>
#include <cmath>

namespace scree::mesh {

namespace {

/// Steps of this part of the reach are none.
constexpr double kConverged = 1e-12;

Vec3 into(const Vec3& a, const Vec3& b, const Vec3& opposite) {
  const Vec3 along = (b - a).normalized(), way = opposite - a;
  return way - way.dot(along) * along;
}

/// Newton's step to a top in the plane of two tangents, uphill whatever the curvatures are.
Vec3 uphill(const DepthCurvature& here, const Vec3& s, const Vec3& t, double longest) {
  const double xx = s.dot(here.second * s), xy = s.dot(here.second * t), yy = t.dot(here.second * t);
  const double gx = here.gradient.dot(s), gy = here.gradient.dot(t);
  const double determinant = xx * yy - xy * xy;
  Vec3 step = xx < 0 && determinant > 0
                  ? Vec3(((xy * gy - yy * gx) / determinant) * s + ((xy * gx - xx * gy) / determinant) * t)
                  : Vec3(longest / std::max(std::hypot(gx, gy), 1e-300) * (gx * s + gy * t));
  const double length = step.norm();
  return length > longest ? Vec3(longest / length * step) : step;
}

}  // namespace

std::span<const CriticalPoint> SmoothPatch::find(const PlacedMesh& surface, const SmoothField& field, double reach,
                                                 double least) {
  field_ = &field;
  reach_ = reach;
  least_ = least;
  vertices_.clear();
  edges_.clear();
  found_.clear();
  for (const std::uint32_t t : surface.triangles) look_into(surface, t);
  for (const Edge& e : edges_)
    if (e.top) add(e.at, e.depth, 1 - e.rising, surface.mesh.number(Feature::edge, e.number));
  for (Vertex& v : vertices_)
    if (v.near) add(v.at, v.depth, 1 - v.rising, surface.mesh.number(Feature::vertex, v.number));
  std::ranges::sort(found_, {}, &CriticalPoint::part);
  return found_;
}

void SmoothPatch::add(const Vec3& at, const DepthCurvature& depth, int weight, std::uint64_t part) {
  if (weight != 0 && depth.depth > least_) found_.push_back({at, depth, weight, part});
}

std::uint32_t SmoothPatch::vertex(const PlacedMesh& surface, std::uint32_t number) {
  for (std::uint32_t k = 0; k < vertices_.size(); ++k)
    if (vertices_[k].number == number) return k;
  Vertex v{number, surface.place(number), false, {}, 0};
  v.near = v.at.squaredNorm() < reach_ * reach_;
  if (v.near) v.depth = field_->curvature(v.at);
  vertices_.push_back(v);
  return static_cast<std::uint32_t>(vertices_.size() - 1);
}

std::uint32_t SmoothPatch::edge(const PlacedMesh& surface, std::uint32_t number) {
  for (std::uint32_t k = 0; k < edges_.size(); ++k)
    if (edges_[k].number == number) return k;
  Edge e{};
  e.number = number;
  for (int k = 0; k < 2; ++k) e.ends[k] = vertex(surface, surface.mesh.edge(number)[static_cast<std::size_t>(k)]);
  Vertex* const end[2] = {&vertices_[e.ends[0]], &vertices_[e.ends[1]]};
  for (int k = 0; k < 2; ++k) {
    e.up[k] = !end[k]->near || end[k]->depth.gradient.dot(end[1 - k]->at - end[k]->at) > 0;
    if (end[k]->near && e.up[k]) ++end[k]->rising;
  }
  e.top = e.up[0] && e.up[1];
  if (e.top) find_top_of(e);
  edges_.push_back(e);
  return static_cast<std::uint32_t>(edges_.size() - 1);
}

/// Finds the top within an edge from which the depth rises at both ends: Newton's method within a bracket.
void SmoothPatch::find_top_of(Edge& e) {
  const Vec3 &a = vertices_[e.ends[0]].at, way = vertices_[e.ends[1]].at - a;
  const double length = way.norm();
  const Vec3 along = way / length;
  const double foot = -a.dot(along), away2 = (a + foot * along).squaredNorm();
  if (away2 >= reach_ * reach_) return void(e.top = false);
  const double half = std::sqrt(reach_ * reach_ - away2);
  double low = std::max(0.0, foot - half), high = std::min(length, foot + half);
  if (low >= high) return void(e.top = false);
  double t = std::clamp(foot, low, high);
  for (int k = 0; k < 100; ++k) {
    e.at = a + t * along;
    e.depth = field_->curvature(e.at);
    const double slope = e.depth.gradient.dot(along), bend = along.dot(e.depth.second * along);
    (slope > 0 ? low : high) = t;
    double next = bend < 0 ? t - slope / bend : low;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::abs(next - t) < kConverged * reach_) return;
    t = next;
  }
}

/// Counts where the depth rises into a triangle, and finds its top within.
void SmoothPatch::look_into(const PlacedMesh& surface, std::uint32_t number) {
  const Triangle& t = surface.mesh.triangles()[number];
  std::uint32_t v[3], e[3];
  for (int k = 0; k < 3; ++k) e[k] = edge(surface, t.edge[k]);
  for (int k = 0; k < 3; ++k) v[k] = vertex(surface, t.vertex[k]);
  const Vec3 corner[3] = {vertices_[v[0]].at, vertices_[v[1]].at, vertices_[v[2]].at};
  const auto up = [&](int of_edge, std::uint32_t from) {
    const Edge& edge = edges_[e[of_edge]];
    return edge.up[edge.ends[0] == from ? 0 : 1];
  };
  for (int k = 0; k < 3; ++k)  // edges k and k + 2 meet at corner k
    if (vertices_[v[k]].near && up(k, v[k]) && up((k + 2) % 3, v[k])) --vertices_[v[k]].rising;

  const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
  double highest = -std::numeric_limits<double>::infinity();
  int best = -1;
  bool rises = false, some_near = false;
  for (int k = 0; k < 3; ++k) {
    if (const Vertex& at = vertices_[v[k]]; at.near) {
      some_near = true;
      if (at.depth.depth > highest) highest = at.depth.depth, best = -1, rises = false;
    }
    Edge& at = edges_[e[k]];
    if (!at.top) continue;
    some_near = true;
    const bool into_this = at.depth.gradient.dot(into(corner[k], corner[(k + 1) % 3], corner[(k + 2) % 3])) > 0;
    if (into_this) ++at.rising;
    if (at.depth.depth > highest) highest = at.depth.depth, best = k, rises = into_this;
  }
  const std::uint64_t part = surface.mesh.number(Feature::face, number);
  const double height = normal.dot(corner[0]);  // of the plane over the body's origin
  if (std::abs(height) >= reach_) return;
  if (some_near && best >= 0 && rises) climb(part, corner, normal, edges_[e[best]].at, false);
  if (!some_near && within(corner, normal, height * normal)) climb(part, corner, normal, height * normal, true);
}

/// Climbs within the plane of a triangle.
void SmoothPatch::climb(std::uint64_t part, const Vec3 (&corner)[3], const Vec3& normal, Vec3 at, bool must_be_within) {
  const Vec3 s = normal.unitOrthogonal(), t = normal.cross(s);
  DepthCurvature here = field_->curvature(at);
  double longest = 0.3 * reach_;
  for (int k = 0; k < 100; ++k) {
    const Vec3 step = uphill(here, s, t, longest);
    const Vec3 next = at + step;
    const DepthCurvature there = field_->curvature(next);
    const double length = step.norm();
    if (there.depth < here.depth - 1e-14 * reach_ && length > kConverged * reach_) {
      longest = 0.25 * length;
      continue;
    }
    at = next;
    here = there;
    if (length < kConverged * reach_) break;
  }
  if (!must_be_within || within(corner, normal, at)) add(at, here, 1, part);
}

}  // namespace scree::mesh
