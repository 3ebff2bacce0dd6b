#include "ridges.hpp"

#include <algorithm>
#include <cmath>

namespace scree::mesh {

namespace {

/// Turns of edges that count as none [rad].
constexpr double kFlat = 1.4e-4;
/// Distance from a plane or a line that counts as none, over the diagonal: four times that of welded places.
constexpr double kSamePlane = 4e-7;

std::uint32_t across(const TriangleMesh& mesh, std::uint32_t edge, std::uint32_t triangle) {
  const auto& ends = mesh.edge(edge);
  const Triangle& t = mesh.triangles()[triangle];
  for (const std::uint32_t v : t.vertex)
    if (v != ends[0] && v != ends[1]) return v;
  return t.vertex[0];
}

}  // namespace

Ridges::Ridges(const TriangleMesh& mesh, bool solid)
    : mesh_(mesh), tolerance_(kSamePlane * (mesh.upper() - mesh.lower()).norm()) {
  const auto count = static_cast<std::uint32_t>(mesh.edge_count());
  kind_.resize(count);
  first_.assign(mesh.vertices().size() + 1, 0);
  for (std::uint32_t e = 0; e < count; ++e) {
    kind_[e] = kind_of(e, solid);
    if (!stands_out(e)) continue;
    for (const std::uint32_t v : mesh.edge(e)) ++first_[v + 1];
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  edges_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t e = 0; e < count; ++e)
    if (stands_out(e))
      for (const std::uint32_t v : mesh.edge(e)) edges_[next[v]++] = e;
}

/// Returns the unit vector in the plane of a triangle, from its edge into it.
Vec3 Ridges::inward(std::uint32_t edge, std::uint32_t triangle) const {
  const Vec3 from = mesh_.vertices()[mesh_.edge(edge)[0]];
  const Vec3 along = (mesh_.vertices()[mesh_.edge(edge)[1]] - from).normalized();
  const Vec3 to = mesh_.vertices()[across(mesh_, edge, triangle)] - from;
  return (to - along.dot(to) * along).normalized();
}

Ridges::Kind Ridges::kind_of(std::uint32_t edge, bool solid) const {
  const auto triangles = mesh_.triangles_of(edge);
  if (triangles.size() != 2) return Kind::always;
  const Vec3 bend = inward(edge, triangles[0]) + inward(edge, triangles[1]);
  if (bend.norm() < kFlat) return Kind::none;
  const auto off = [&](int of) {
    const Vec3 p = mesh_.vertices()[across(mesh_, edge, triangles[1 - of])];
    return std::abs(mesh_.normal(triangles[of]).dot(p - mesh_.vertices()[mesh_.edge(edge)[0]]));
  };
  if (std::min(off(0), off(1)) < tolerance_) return Kind::none;
  if (!solid) return Kind::one_side;
  return bend.dot(mesh_.outward(Feature::edge, edge)) < 0 ? Kind::always : Kind::none;
}

/// A fold stands out on the side where it leaves more than half of the space about it. The other side is the wedge
/// between its two triangles, about the sum of their inward vectors u: there the cosine of the angle with that sum is
/// above |u|/2, the sine of half the turn.
bool Ridges::stands_out(std::uint32_t edge, const Vec3& way) const {
  if (kind_[edge] != Kind::one_side) return kind_[edge] == Kind::always;
  const Vec3 along = (mesh_.vertices()[mesh_.edge(edge)[1]] - mesh_.vertices()[mesh_.edge(edge)[0]]).normalized();
  const Vec3 aside = way - along.dot(way) * along;
  const auto triangles = mesh_.triangles_of(edge);
  const Vec3 bend = inward(edge, triangles[0]) + inward(edge, triangles[1]);
  return aside.dot(bend) <= aside.norm() * bend.squaredNorm() / 2;
}

bool Ridges::in_line(std::uint32_t vertex, std::uint32_t e, std::uint32_t f) const {
  const auto other = [&](std::uint32_t edge) {
    const auto& ends = mesh_.edge(edge);
    return mesh_.vertices()[ends[0] == vertex ? ends[1] : ends[0]];
  };
  const Vec3 p = mesh_.vertices()[vertex], a = other(e) - p, b = other(f) - p;
  if (a.dot(b) >= 0) return false;
  return (a.normalized() + b.normalized()).norm() < kFlat || a.cross(b).norm() < tolerance_ * (b - a).norm();
}

CornerCount Ridges::count(std::uint32_t vertex, const Vec3& way) const {
  CornerCount corner;
  std::uint32_t first = 0;
  for (const std::uint32_t e : at(vertex)) {
    if (!stands_out(e, way)) continue;
    corner.straight = ++corner.ridges == 2 && in_line(vertex, first, e);
    if (corner.ridges == 1) first = e;
  }
  return corner;
}

}  // namespace scree::mesh
