#include "sphere_patch.hpp"

#include <algorithm>
#include <cmath>

namespace scree::mesh {

namespace {

/// Differences of distances that are rounding, over the radius.
constexpr double kRounding = 1e-13;

}  // namespace

std::span<const Minimum> SpherePatch::find(const MeshSurface& surface, const Vec3& centre, double radius,
                                           double reach) {
  near_.clear();
  surface.near(centre, reach, near_);
  std::ranges::sort(near_);
  return find_among(near_, surface, centre, radius, reach);
}

std::span<const Minimum> SpherePatch::find_among(std::span<const std::uint32_t> near, const MeshSurface& surface,
                                                 const Vec3& centre, double radius, double reach) {
  const TriangleMesh& mesh = surface.triangles();
  minima_.clear();
  saddles_.clear();
  gather(near, mesh, centre, reach);
  if (pieces_.empty()) return minima_;
  if (surface.solid()) {
    if (in_matter(mesh)) {
      const auto nearest = std::ranges::min_element(pieces_, [](const Piece& a, const Piece& b) {
        return a.foot.distance != b.foot.distance ? a.foot.distance < b.foot.distance : a.number < b.number;
      });
      minima_.push_back({nearest->foot, 1, false, nearest->number});
      minima_[0].foot.distance = -nearest->foot.distance;
      return minima_;
    }
    // Seen from outside, faces that look away belong to the back of something thin.
    std::erase_if(pieces_, [&](const Piece& p) {
      return mesh.normal(p.triangle).dot(mesh.vertices()[mesh.triangles()[p.triangle].vertex[0]] - centre) >= 0;
    });
  }
  if (pieces_.size() > 1) {
    list_arcs(mesh, centre, reach);
    join(kRounding * radius);
  }
  weigh(radius);
  return minima_;
}

void SpherePatch::gather(std::span<const std::uint32_t> near, const TriangleMesh& mesh, const Vec3& centre,
                         double reach) {
  pieces_.clear();
  for (const std::uint32_t t : near) {
    const Foot foot = mesh.foot(t, centre);
    if (!(foot.distance < reach)) continue;
    const Vec3 normal = foot.distance > 0 ? Vec3(foot.point / -foot.distance) : mesh.normal(t);
    pieces_.push_back({foot, normal, mesh.number(foot.feature, foot.part), t, reach, true});
  }
}

/// Checks whether the centre lies in the matter, by the outward direction at the nearest point.
bool SpherePatch::in_matter(const TriangleMesh& mesh) const {
  const auto nearest = std::ranges::min_element(
      pieces_, [](const Piece& a, const Piece& b) { return a.foot.distance < b.foot.distance; });
  return mesh.outward(nearest->foot.feature, nearest->foot.part).dot(nearest->foot.point) > 0;
}

/// Lists the edges that join two pieces, the nearest first. Edges of three triangles and more join them in turn.
void SpherePatch::list_arcs(const TriangleMesh& mesh, const Vec3& centre, double reach) {
  edges_.clear();
  arcs_.clear();
  for (std::uint32_t p = 0; p < pieces_.size(); ++p)
    for (const std::uint32_t e : mesh.triangles()[pieces_[p].triangle].edge) edges_.emplace_back(e, p);
  std::ranges::sort(edges_);
  for (std::size_t k = 1; k < edges_.size(); ++k) {
    if (edges_[k].first != edges_[k - 1].first) continue;
    const double level = mesh.foot_on_edge(edges_[k].first, centre).norm();
    if (level < reach) arcs_.push_back({level, edges_[k].first, edges_[k - 1].second, edges_[k].second});
  }
  std::ranges::sort(arcs_, [](const Arc& a, const Arc& b) {
    return a.level != b.level ? a.level < b.level : a.edge != b.edge ? a.edge < b.edge : a.b < b.b;
  });
}

std::uint32_t SpherePatch::root(std::uint32_t piece) {
  while (parent_[piece] != piece) piece = parent_[piece] = parent_[parent_[piece]];
  return piece;
}

/// Joins pieces across edges, and drops those that have no minimum of their own.
void SpherePatch::join(double rounding) {
  parent_.resize(pieces_.size());
  for (std::uint32_t p = 0; p < parent_.size(); ++p) parent_[p] = p;
  const auto each = [&](std::uint32_t of, const auto& visit) {
    for (std::uint32_t p = 0; p < pieces_.size(); ++p)
      if (pieces_[p].minimum && root(p) == of) visit(p);
  };
  for (const Arc& arc : arcs_) {
    const std::uint32_t a = root(arc.a), b = root(arc.b);
    if (a == b) continue;
    const auto lowest = [&](std::uint32_t of) {
      double least = arc.level;
      each(of, [&](std::uint32_t p) { least = std::min(least, pieces_[p].foot.distance); });
      return least;
    };
    const auto first_number = [&](std::uint32_t of) {
      std::uint64_t least = UINT64_MAX;
      each(of, [&](std::uint32_t p) { least = std::min(least, pieces_[p].number); });
      return least;
    };
    const auto drop = [&](std::uint32_t of) { each(of, [&](std::uint32_t p) { pieces_[p].minimum = false; }); };
    const bool none_in_a = arc.level - lowest(a) <= rounding, none_in_b = arc.level - lowest(b) <= rounding;
    if (none_in_a && none_in_b) {
      drop(first_number(a) <= first_number(b) ? b : a);
    } else if (none_in_a || none_in_b) {
      drop(none_in_a ? a : b);
    } else {
      each(a, [&](std::uint32_t i) {
        each(b, [&](std::uint32_t j) { saddles_.push_back({std::min(i, j), std::max(i, j), arc.level}); });
      });
      for (const std::uint32_t of : {a, b})
        each(of, [&](std::uint32_t p) { pieces_[p].merged = std::min(pieces_[p].merged, arc.level); });
    }
    parent_[std::max(a, b)] = std::min(a, b);
  }
}

/// Gives the minima their weights, in the order of their parts.
void SpherePatch::weigh(double radius) {
  shared_.assign(pieces_.size(), 0);
  const auto touches = [&](std::uint32_t p) { return pieces_[p].minimum && pieces_[p].foot.distance < radius; };
  const auto persistence = [&](std::uint32_t p) {
    return std::min(radius, pieces_[p].merged) - pieces_[p].foot.distance;
  };
  for (const Saddle& s : saddles_) {
    if (!touches(s.i) || !touches(s.j)) continue;
    const Piece &i = pieces_[s.i], &j = pieces_[s.j];
    const auto [near, far] = std::minmax(i.foot.distance, j.foot.distance);
    if (s.level >= radius || radius - far <= kRounding * radius) continue;
    const double alike = 1 - (1 - i.normal.dot(j.normal)) * radius / (4 * (radius - near));
    if (alike <= 0) continue;
    const double weight = (radius - s.level) / (radius - far) * alike;
    shared_[s.i] += persistence(s.j) * weight;
    shared_[s.j] += persistence(s.i) * weight;
  }
  for (std::uint32_t p = 0; p < pieces_.size(); ++p) {
    if (!pieces_[p].minimum) continue;
    const double own = persistence(p);
    const bool of_a_patch = shared_[p] > 0;
    minima_.push_back({pieces_[p].foot, of_a_patch ? own / (own + shared_[p]) : 1, of_a_patch, pieces_[p].number});
  }
  std::ranges::sort(minima_, {}, &Minimum::number);
}

}  // namespace scree::mesh
