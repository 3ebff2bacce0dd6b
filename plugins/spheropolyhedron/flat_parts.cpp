#include "flat_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "scree/base/error.hpp"

namespace scree::spheropolyhedron {

namespace {

using Face = std::vector<std::uint32_t>;
using Faces = std::vector<Face>;

/// A flat part of the surface: its plane, and the loops around it, outer one first.
struct FlatPart {
  Vec3 normal;
  Faces loops;
};

/// Faces by their flat part: those in the plane of the largest face they are joined to.
std::vector<std::uint32_t> part_of_faces(const Polyhedron& body, const std::vector<PolyhedronEdge>& edges) {
  const std::size_t count = body.faces.size();
  std::vector<std::vector<std::uint32_t>> neighbours(count);
  for (const PolyhedronEdge& e : edges)
    for (int side : {0, 1}) neighbours[e.face[side]].push_back(e.face[1 - side]);
  std::vector<Vec3> area(count);
  std::vector<std::uint32_t> order(count);
  for (std::uint32_t f = 0; f < count; ++f) area[f] = area_vector(body, body.faces[f]), order[f] = f;
  std::ranges::stable_sort(order, [&](auto p, auto q) { return area[p].squaredNorm() > area[q].squaredNorm(); });
  const double tolerance = kSamePlace * size_of(body);
  std::vector<std::uint32_t> part(count, ~0u);
  for (const std::uint32_t seed : order) {
    if (part[seed] != ~0u) continue;
    part[seed] = seed;
    const Vec3 normal = area[seed].normalized(), origin = body.vertices[body.faces[seed][0]];
    const auto joins = [&](std::uint32_t f) {
      if (part[f] != ~0u || normal.dot(area[f]) < 0) return false;
      return std::ranges::all_of(
          body.faces[f], [&](std::uint32_t v) { return std::abs(normal.dot(body.vertices[v] - origin)) <= tolerance; });
    };
    for (std::vector<std::uint32_t> next{seed}; !next.empty();) {
      const std::uint32_t f = next.back();
      next.pop_back();
      for (const std::uint32_t g : neighbours[f])
        if (joins(g)) part[g] = seed, next.push_back(g);
    }
  }
  return part;
}

/// Follows the rim of one part, given as the next vertex of each.
Faces loops_of(const std::map<std::uint32_t, std::uint32_t>& rim) {
  Faces loops;
  std::set<std::uint32_t> seen;
  for (const auto& [first, unused] : rim) {
    if (seen.contains(first)) continue;
    Face& loop = loops.emplace_back();
    for (std::uint32_t v = first; seen.insert(v).second; v = rim.at(v)) loop.push_back(v);
  }
  return loops;
}

std::vector<FlatPart> flat_parts(const Polyhedron& body, const std::string& pointer) {
  const std::vector<PolyhedronEdge> edges = edges_of(body, pointer);
  const std::vector<std::uint32_t> part = part_of_faces(body, edges);
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> rims;
  const auto add = [&](std::uint32_t of, std::uint32_t from, std::uint32_t to) {
    if (rims[of].try_emplace(from, to).second) return;
    const Vec3& p = body.vertices[from];
    throw OptionError(pointer,
                      fmt::format("vertex {} at [{:.6g}, {:.6g}, {:.6g}] joins two corners of one flat face. Move "
                                  "the corners apart.",
                                  from, p[0], p[1], p[2]));
  };
  for (const PolyhedronEdge& e : edges) {
    if (part[e.face[0]] == part[e.face[1]]) continue;
    add(part[e.face[0]], e.begin, e.end);
    add(part[e.face[1]], e.end, e.begin);
  }
  std::vector<FlatPart> parts;
  for (const auto& [of, rim] : rims) {
    FlatPart& flat = parts.emplace_back(area_vector(body, body.faces[of]).normalized(), loops_of(rim));
    const auto signed_area = [&](const Face& loop) { return area_vector(body, loop).dot(flat.normal); };
    std::ranges::stable_sort(flat.loops, [&](const Face& p, const Face& q) { return signed_area(p) > signed_area(q); });
  }
  return parts;
}

/// Leaves out vertices that lie within straight edges between two parts.
void drop_straight(const Polyhedron& body, std::vector<FlatPart>& parts) {
  const double tolerance = kSamePlace * size_of(body);
  std::map<std::uint32_t, std::vector<Face*>> loops;
  for (FlatPart& part : parts)
    for (Face& loop : part.loops)
      for (const std::uint32_t v : loop) loops[v].push_back(&loop);
  for (const auto& [v, of] : loops) {
    if (of.size() != 2 || of[0]->size() <= 3 || of[1]->size() <= 3) continue;
    const auto at = std::ranges::find(*of[0], v);
    const auto k = static_cast<std::size_t>(at - of[0]->begin()), n = of[0]->size();
    const Vec3 &p = body.vertices[(*of[0])[(k + n - 1) % n]], &q = body.vertices[(*of[0])[(k + 1) % n]];
    const Vec3 along = (q - p).normalized(), from = body.vertices[v] - p;
    const double way = along.dot(from);
    if (way <= 0 || way >= (q - p).norm() || (from - way * along).norm() > tolerance) continue;
    for (Face* loop : of) loop->erase(std::ranges::find(*loop, v));
  }
}

/// The plane of a part, with x and y in it.
struct Plane {
  Vec3 x, y;
  explicit Plane(const Vec3& normal) : x(normal.unitOrthogonal()), y(normal.cross(x)) {}
  Vec2 operator()(const Vec3& p) const { return {x.dot(p), y.dot(p)}; }
};

/// > 0 where r lies to the left of the way from p to q [m^2].
double left_of(const Vec2& p, const Vec2& q, const Vec2& r) {
  const Vec2 a = q - p, b = r - p;
  return a.x() * b.y() - a.y() * b.x();
}

bool cross_each_other(const Vec2& p, const Vec2& q, const Vec2& r, const Vec2& s) {
  return left_of(p, q, r) * left_of(p, q, s) <= 0 && left_of(r, s, p) * left_of(r, s, q) <= 0;
}

/// Joins a hole to the outer loop along the shortest way between vertices that crosses no edge, there and back.
Face cut_open(const Polyhedron& body, const FlatPart& part) {
  const Plane plane(part.normal);
  const auto place = [&](std::uint32_t v) { return plane(body.vertices[v]); };
  Face outer = part.loops[0];
  Faces holes(part.loops.begin() + 1, part.loops.end());
  const auto free = [&](std::uint32_t p, std::uint32_t q) {
    const auto clear = [&](const Face& loop) {
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const std::uint32_t r = loop[k], s = loop[(k + 1) % loop.size()];
        if (r != p && r != q && s != p && s != q && cross_each_other(place(p), place(q), place(r), place(s)))
          return false;
      }
      return true;
    };
    return clear(outer) && std::ranges::all_of(holes, clear);
  };
  while (!holes.empty()) {
    double least = std::numeric_limits<double>::infinity();
    std::size_t hole = 0, from = 0, to = 0;
    for (std::size_t h = 0; h < holes.size(); ++h)
      for (std::size_t i = 0; i < outer.size(); ++i)
        for (std::size_t j = 0; j < holes[h].size(); ++j) {
          const double way = (place(outer[i]) - place(holes[h][j])).norm();
          if (way < least && free(outer[i], holes[h][j])) least = way, hole = h, from = i, to = j;
        }
    Face loop = holes[hole];
    holes.erase(holes.begin() + static_cast<std::ptrdiff_t>(hole));
    std::rotate(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(to), loop.end());
    loop.push_back(loop.front());
    loop.push_back(outer[from]);
    outer.insert(outer.begin() + static_cast<std::ptrdiff_t>(from) + 1, loop.begin(), loop.end());
  }
  return outer;
}

/// Cuts ears off until triangles are left.
Faces triangles_of(Face left, const std::vector<Vec2>& at) {
  Faces triangles;
  while (left.size() > 3) {
    const std::size_t n = left.size();
    std::size_t ear = n;
    double best = 0;  // the ear of the largest area, as part of its longest side's square: no slivers
    for (std::size_t k = 0; k < n; ++k) {
      const std::uint32_t u = left[(k + n - 1) % n], v = left[k], w = left[(k + 1) % n];
      const Vec2 &p = at[u], &q = at[v], &r = at[w];
      const double area = left_of(p, q, r),
                   longest = std::max({(p - q).squaredNorm(), (q - r).squaredNorm(), (r - p).squaredNorm()});
      if (!(area > best * longest)) continue;
      const bool empty = std::ranges::none_of(left, [&](std::uint32_t o) {
        return at[o] != p && at[o] != q && at[o] != r && left_of(p, q, at[o]) >= 0 && left_of(q, r, at[o]) >= 0 &&
               left_of(r, p, at[o]) >= 0;
      });
      if (empty) best = area / longest, ear = k;
    }
    if (ear == n) ear = 0;  // rounding left nothing but slivers
    triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  triangles.push_back(left);
  return triangles;
}

bool is_convex(const Face& face, const std::vector<Vec2>& at) {
  const std::size_t n = face.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 &p = at[face[k]], &q = at[face[(k + 1) % n]], &r = at[face[(k + 2) % n]];
    if (left_of(p, q, r) < -1e-9 * (q - p).norm() * (r - q).norm()) return false;
  }
  return true;
}

/// Two pieces as one along an edge they share; empty where they share none.
Face joined(const Face& p, const Face& q) {
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < q.size(); ++j) {
      if (p[i] != q[(j + 1) % q.size()] || p[(i + 1) % p.size()] != q[j]) continue;
      Face sum;
      for (std::size_t k = 1; k <= p.size(); ++k) sum.push_back(p[(i + k) % p.size()]);
      for (std::size_t k = 2; k < q.size(); ++k) sum.push_back(q[(j + k) % q.size()]);
      Face sorted = sum;
      std::ranges::sort(sorted);
      if (std::ranges::adjacent_find(sorted) == sorted.end()) return sum;
    }
  return {};
}

/// Renumbers vertices: those without a face go.
void compact(Polyhedron& body) {
  std::vector<std::uint32_t> to(body.vertices.size(), ~0u);
  for (const Face& face : body.faces)
    for (const std::uint32_t v : face) to[v] = 0;
  std::vector<Vec3> kept;
  for (std::size_t v = 0; v < to.size(); ++v)
    if (to[v] == 0) to[v] = static_cast<std::uint32_t>(kept.size()), kept.push_back(body.vertices[v]);
  for (Face& face : body.faces)
    for (std::uint32_t& v : face) v = to[v];
  body.vertices = std::move(kept);
}

}  // namespace

std::vector<std::vector<std::uint32_t>> convex_pieces(const Polyhedron& body, const std::vector<std::uint32_t>& corners,
                                                      const Vec3& normal) {
  const Plane plane(normal);
  std::vector<Vec2> at(body.vertices.size());
  for (const std::uint32_t v : corners) at[v] = plane(body.vertices[v]);
  Face sorted = corners;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) == sorted.end() && is_convex(corners, at)) return {corners};
  Faces pieces = triangles_of(corners, at);
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < pieces.size() && !again; ++i)
      for (std::size_t j = i + 1; j < pieces.size() && !again; ++j) {
        Face sum = joined(pieces[i], pieces[j]);
        if (sum.empty() || !is_convex(sum, at)) continue;
        pieces[i] = std::move(sum);
        pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(j));
        again = true;
      }
  }
  return pieces;
}

void merge_flat_parts(Polyhedron& body, const std::string& pointer) {
  std::vector<FlatPart> parts = flat_parts(body, pointer);
  drop_straight(body, parts);
  body.faces.clear();
  for (const FlatPart& part : parts)
    for (Face& piece : convex_pieces(body, part.loops.size() > 1 ? cut_open(body, part) : part.loops[0], part.normal))
      body.faces.push_back(std::move(piece));
  compact(body);
}

}  // namespace scree::spheropolyhedron
