#include "triangle_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "scree/base/error.hpp"
#include "triangle_tree.hpp"

namespace scree::mesh {

namespace {

/// Distance of places that count as one, over the diagonal of the mesh: files hold single precision.
constexpr double kSamePlace = 1e-7;
/// Twice the area of a triangle that counts as none, over the square of the diagonal.
constexpr double kNoArea = 1e-12;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Numbers 0, 1, ... by a hash of what they stand for. The caller tells which of one hash is meant.
class Chains {
 public:
  explicit Chains(std::size_t expected) : head_(std::bit_ceil(expected + 1), kNone) { next_.reserve(expected); }

  /// Calls visit(number) for all numbers that may have this hash, the last one first.
  template <class Visit>
  void visit(std::uint64_t hash, const Visit& visit) const {
    for (std::uint32_t at = head_[slot(hash)]; at != kNone; at = next_[at]) visit(at);
  }
  /// Adds the next number.
  void add(std::uint64_t hash) {
    next_.push_back(head_[slot(hash)]);
    head_[slot(hash)] = static_cast<std::uint32_t>(next_.size() - 1);
  }

 private:
  std::size_t slot(std::uint64_t hash) const { return (hash ^ hash >> 32) & (head_.size() - 1); }
  std::vector<std::uint32_t> head_, next_;
};

std::uint64_t hash_of(std::uint64_t x, std::uint64_t y, std::uint64_t z = 0) {
  return (x * 0x9e3779b97f4a7c15ull ^ y) * 0xc2b2ae3d27d4eb4full ^ z * 0x165667b19e3779f9ull;
}

/// Places that were met before, in a grid of cells several times as wide as the tolerance.
class Welder {
 public:
  Welder(double tolerance, const Vec3& lower, std::size_t expected, std::vector<Vec3>& kept)
      : tolerance_(tolerance),
        per_length_(tolerance > 1e-290 ? 1 / (kCell * tolerance) : 0),
        lower_(lower),
        kept_(kept),
        cells_(expected) {}

  /// Returns the number of the first place within the tolerance, which is this one if there was none. Files without
  /// connectivity repeat a place soon after it came first.
  std::uint32_t index_of(const Vec3& p) {
    Recent& recent = recent_[recent_slot(p)];
    if (recent.number == kNone || recent.place != p) recent = {p, search(p)};
    return recent.number;
  }

 private:
  struct Recent {
    Vec3 place;
    std::uint32_t number = kNone;
  };
  static std::size_t recent_slot(const Vec3& p) {
    const auto bits = [&](int k) { return std::bit_cast<std::uint64_t>(p[k]); };
    const std::uint64_t hash = hash_of(bits(0), bits(1), bits(2));
    return (hash ^ hash >> 32) >> 8 & (kRecent - 1);
  }

  std::uint32_t search(const Vec3& p) {
    const std::array<std::int64_t, 3> first = cell(p, -tolerance_), last = cell(p, tolerance_);
    auto found = static_cast<std::uint32_t>(kept_.size());
    for (std::int64_t x = first[0]; x <= last[0]; ++x)
      for (std::int64_t y = first[1]; y <= last[1]; ++y)
        for (std::int64_t z = first[2]; z <= last[2]; ++z)
          cells_.visit(key(x, y, z), [&](std::uint32_t k) {
            if (k < found && (kept_[k] - p).norm() <= tolerance_) found = k;
          });
    if (found < kept_.size()) return found;
    kept_.push_back(p);
    const std::array<std::int64_t, 3> own = cell(p, 0);
    cells_.add(key(own[0], own[1], own[2]));
    return found;
  }

  std::array<std::int64_t, 3> cell(const Vec3& p, double off) const {
    std::array<std::int64_t, 3> c;
    for (int k = 0; k < 3; ++k) c[k] = static_cast<std::int64_t>(std::floor((p[k] - lower_[k] + off) * per_length_));
    return c;
  }
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    return hash_of(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(z));
  }

  static constexpr double kCell = 32;              ///< width of a cell, in tolerances
  static constexpr std::size_t kRecent = 1 << 13;  ///< places remembered, a power of two: half of a core's second cache
  double tolerance_, per_length_;                  ///< [m], cells per length [1/m]
  Vec3 lower_;
  std::vector<Vec3>& kept_;
  Chains cells_;
  std::vector<Recent> recent_{kRecent};
};

std::array<std::uint32_t, 3> sorted_corners(const Triangle& t) {
  std::uint32_t a = t.vertex[0], b = t.vertex[1], c = t.vertex[2];
  if (a > b) std::swap(a, b);
  if (b > c) std::swap(b, c);
  if (a > b) std::swap(a, b);
  return {a, b, c};
}

/// Compares element by element: for arrays of integers gcc calls memcmp.
template <std::size_t n>
bool same(const std::array<std::uint32_t, n>& a, const std::array<std::uint32_t, n>& b) {
  bool equal = true;
  for (std::size_t k = 0; k < n; ++k) equal &= a[k] == b[k];
  return equal;
}

}  // namespace

TriangleMesh::TriangleMesh(const SurfaceMesh& surface, bool hollow, const std::string& pointer) {
  weld(surface, pointer);
  join_edges();
  if (report_.open_edges > 0) split_seams();
  orient(hollow);
  find_pseudonormals();
}

void TriangleMesh::weld(const SurfaceMesh& surface, const std::string& pointer) {
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    const Vec3& p = surface.vertices[v];
    if (!p.allFinite())
      throw OptionError(pointer, fmt::format("vertex {} is no place: ({}, {}, {}).", v, p[0], p[1], p[2]));
    lower_ = v == 0 ? p : lower_.cwiseMin(p).eval();
    upper_ = v == 0 ? p : upper_.cwiseMax(p).eval();
  }
  const double diagonal = (upper_ - lower_).norm();
  if (!(diagonal < 1e100)) throw OptionError(pointer, fmt::format("the surface is {:g} m long.", diagonal));
  Welder welder(kSamePlace * diagonal, lower_, surface.vertices.size(), vertices_);
  std::vector<std::uint32_t> to;
  to.reserve(surface.vertices.size());
  for (const Vec3& p : surface.vertices) to.push_back(welder.index_of(p));
  triangles_.reserve(surface.faces.size());
  Chains known(surface.faces.size());
  for (const auto& face : surface.faces)
    for (std::size_t k = 2; k < face.size(); ++k) {
      ++report_.given;
      const Triangle t{{to[face[0]], to[face[k - 1]], to[face[k]]}, {}};
      const Vec3 &a = vertices_[t.vertex[0]], &b = vertices_[t.vertex[1]], &c = vertices_[t.vertex[2]];
      if (!((b - a).cross(c - a).norm() > kNoArea * diagonal * diagonal)) {
        ++report_.degenerate;
        continue;
      }
      const std::array<std::uint32_t, 3> corners = sorted_corners(t);
      const std::uint64_t hash = hash_of(corners[0], corners[1], corners[2]);
      bool there = false;
      known.visit(hash, [&](std::uint32_t other) { there |= same(sorted_corners(triangles_[other]), corners); });
      if (there) {
        ++report_.doubles;
        continue;
      }
      known.add(hash);
      triangles_.push_back(t);
    }
  if (triangles_.empty()) throw OptionError(pointer, "the file has no triangle with an area.");
}

void TriangleMesh::join_edges() {
  edges_.clear();
  edges_.reserve(3 * triangles_.size() / 2);
  Chains known(3 * triangles_.size() / 2);
  for (Triangle& t : triangles_)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = t.vertex[k], w = t.vertex[(k + 1) % 3];
      const std::array<std::uint32_t, 2> ends{std::min(v, w), std::max(v, w)};
      const std::uint64_t hash = hash_of(ends[0], ends[1]);
      t.edge[k] = kNone;
      known.visit(hash, [&](std::uint32_t e) {
        if (same(edges_[e], ends)) t.edge[k] = e;
      });
      if (t.edge[k] != kNone) continue;
      t.edge[k] = static_cast<std::uint32_t>(edges_.size());
      edges_.push_back(ends);
      known.add(hash);
    }
  first_of_edge_.assign(edges_.size() + 1, 0);
  for (const Triangle& t : triangles_)
    for (const std::uint32_t e : t.edge) ++first_of_edge_[e + 1];
  report_.open_edges = report_.branches = 0;
  for (std::size_t e = 0; e < edges_.size(); ++e) {
    const std::uint32_t count = first_of_edge_[e + 1];
    report_.open_edges += count == 1;
    report_.branches += count > 2;
    first_of_edge_[e + 1] += first_of_edge_[e];
  }
  of_edge_.resize(3 * triangles_.size());
  std::vector<std::uint32_t> next(first_of_edge_.begin(), first_of_edge_.end() - 1);
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    for (const std::uint32_t e : triangles_[t].edge) of_edge_[next[e]++] = t;
}

/// Finds corners of open edges that lie within other open edges, and cuts the triangles of these there.
void TriangleMesh::split_seams() {
  const auto is_open = [&](std::uint32_t e) { return first_of_edge_[e + 1] - first_of_edge_[e] == 1; };
  const double tolerance = kSamePlace * (upper_ - lower_).norm();
  std::vector<std::uint32_t> at_rim, corners;
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    if (std::ranges::any_of(triangles_[t].edge, is_open)) at_rim.push_back(t);
  for (std::uint32_t e = 0; e < edges_.size(); ++e)
    if (is_open(e)) corners.insert(corners.end(), edges_[e].begin(), edges_[e].end());
  std::ranges::sort(corners);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  const TriangleTree tree(*this, at_rim);
  std::map<std::uint32_t, Seams> cuts;
  std::vector<std::uint32_t> near;
  for (const std::uint32_t v : corners) {
    near.clear();
    tree.find(vertices_[v], 2 * tolerance, near);
    for (const std::uint32_t t : near) {
      if (std::ranges::count(triangles_[t].vertex, v) > 0) continue;
      for (int k = 0; k < 3; ++k) {
        const std::uint32_t e = triangles_[t].edge[k];
        if (!is_open(e) || foot_on_edge(e, vertices_[v]).norm() > tolerance) continue;
        cuts[t][static_cast<std::size_t>(k)].push_back(v);
        ++report_.split;
        break;
      }
    }
  }
  for (auto& [t, seams] : cuts) split(t, seams);
  if (!cuts.empty()) join_edges();
}

/// Cuts a triangle at places on its edges. The first edge with such places makes a fan about the corner across; places
/// on the other two edges make fans of its first and its last part.
void TriangleMesh::split(std::uint32_t triangle, Seams& seams) {
  std::size_t first = 0;
  while (seams[first].empty()) ++first;
  const Triangle whole = triangles_[triangle];
  const auto chain = [&](std::size_t k) {  // along edge first + k, ends too
    const std::uint32_t from = whole.vertex[(first + k) % 3], to = whole.vertex[(first + k + 1) % 3];
    std::vector<std::uint32_t> places = seams[(first + k) % 3];
    std::ranges::sort(places, {}, [&](std::uint32_t v) { return (vertices_[v] - vertices_[from]).squaredNorm(); });
    places.insert(places.begin(), from);
    places.push_back(to);
    return places;
  };
  std::vector<Triangle> parts;
  const auto fan = [&](std::uint32_t top, std::span<const std::uint32_t> along) {
    for (std::size_t k = 0; k + 1 < along.size(); ++k) parts.push_back({{top, along[k], along[k + 1]}, {}});
  };
  const std::vector<std::uint32_t> base = chain(0), after = chain(1), before = chain(2);
  fan(base[1], before);
  fan(before[0], std::span(base).subspan(1, base.size() - 2));
  fan(base[base.size() - 2], after);
  triangles_[triangle] = parts[0];
  triangles_.insert(triangles_.end(), parts.begin() + 1, parts.end());
}

void TriangleMesh::turn(Triangle& t) {
  std::swap(t.vertex[1], t.vertex[2]);
  std::swap(t.edge[0], t.edge[2]);
}

/// Turns triangles so that those of one piece agree across edges of two, then closed pieces outward.
void TriangleMesh::orient(bool hollow) {
  const auto runs_up = [&](const Triangle& t, std::uint32_t e) {  // from the smaller to the larger vertex
    for (int k = 0; k < 3; ++k)
      if (t.edge[k] == e) return t.vertex[k] == edges_[e][0];
    return false;
  };
  std::vector<bool> seen(triangles_.size(), false);
  std::vector<std::uint32_t> stack;
  for (std::uint32_t seed = 0; seed < triangles_.size(); ++seed) {
    if (seen[seed]) continue;
    seen[seed] = true;
    stack.push_back(seed);
    while (!stack.empty()) {
      const std::uint32_t t = stack.back();
      stack.pop_back();
      for (const std::uint32_t e : triangles_[t].edge) {
        if (first_of_edge_[e + 1] - first_of_edge_[e] != 2) continue;
        const std::uint32_t first = of_edge_[first_of_edge_[e]], second = of_edge_[first_of_edge_[e] + 1];
        const std::uint32_t other = first == t ? second : first;
        const bool agrees = runs_up(triangles_[t], e) != runs_up(triangles_[other], e);
        if (seen[other]) {
          report_.oriented = report_.oriented && agrees;
          continue;
        }
        if (!agrees) turn(triangles_[other]), ++report_.turned;
        seen[other] = true;
        stack.push_back(other);
      }
    }
  }
  if (!closed()) return;
  if ((volume() < 0) != hollow)
    for (Triangle& t : triangles_) turn(t);
}

void TriangleMesh::find_pseudonormals() {
  edge_outward_.assign(edges_.size(), Vec3::Zero());
  vertex_outward_.assign(vertices_.size(), Vec3::Zero());
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    const Vec3 n = normal(t);
    for (int k = 0; k < 3; ++k) {
      const auto& v = triangles_[t].vertex;
      const Vec3 to_next = vertices_[v[(k + 1) % 3]] - vertices_[v[k]],
                 to_last = vertices_[v[(k + 2) % 3]] - vertices_[v[k]];
      edge_outward_[triangles_[t].edge[k]] += n;
      vertex_outward_[v[k]] += std::atan2(to_next.cross(to_last).norm(), to_next.dot(to_last)) * n;
    }
  }
}

Vec3 TriangleMesh::outward(Feature feature, std::uint32_t part) const {
  return feature == Feature::face   ? normal(part)
         : feature == Feature::edge ? edge_outward_[part]
                                    : vertex_outward_[part];
}

Vec3 TriangleMesh::normal(std::uint32_t triangle) const {
  const auto& v = triangles_[triangle].vertex;
  return (vertices_[v[1]] - vertices_[v[0]]).cross(vertices_[v[2]] - vertices_[v[0]]).normalized();
}

double TriangleMesh::volume() const {
  double six = 0;
  const Vec3 origin = (lower_ + upper_) / 2;
  for (const Triangle& t : triangles_)
    six +=
        (vertices_[t.vertex[0]] - origin).dot((vertices_[t.vertex[1]] - origin).cross(vertices_[t.vertex[2]] - origin));
  return six / 6;
}

double TriangleMesh::area() const {
  double twice = 0;
  for (const Triangle& t : triangles_)
    twice +=
        (vertices_[t.vertex[1]] - vertices_[t.vertex[0]]).cross(vertices_[t.vertex[2]] - vertices_[t.vertex[0]]).norm();
  return twice / 2;
}

void TriangleMesh::shift(const Vec3& by) {
  for (Vec3& v : vertices_) v += by;
  lower_ += by;
  upper_ += by;
}

Vec3 TriangleMesh::foot_on_edge(std::uint32_t edge, const Vec3& from) const {
  const Vec3 a = vertices_[edges_[edge][0]] - from, b = vertices_[edges_[edge][1]] - from, along = b - a;
  const double t = -a.dot(along) / along.squaredNorm();
  return t <= 0 ? a : t >= 1 ? b : Vec3(a + t * along);
}

/// Finds the region of the triangle that the point lies over.
/// \source C. Ericson, Real-Time Collision Detection (2005), sec. 5.1.5
Foot TriangleMesh::foot(std::uint32_t triangle, const Vec3& from) const {
  const Triangle& t = triangles_[triangle];
  const Vec3 a = vertices_[t.vertex[0]] - from, b = vertices_[t.vertex[1]] - from, c = vertices_[t.vertex[2]] - from;
  const auto at_vertex = [&](int k, const Vec3& p) { return Foot{p, p.norm(), Feature::vertex, t.vertex[k]}; };
  const auto on_edge = [&](int k) {
    const Vec3 p = foot_on_edge(t.edge[k], from);
    return Foot{p, p.norm(), Feature::edge, t.edge[k]};
  };
  const Vec3 ab = b - a, ac = c - a;
  const double d1 = -ab.dot(a), d2 = -ac.dot(a);
  if (d1 <= 0 && d2 <= 0) return at_vertex(0, a);
  const double d3 = -ab.dot(b), d4 = -ac.dot(b);
  if (d3 >= 0 && d4 <= d3) return at_vertex(1, b);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return on_edge(0);
  const double d5 = -ab.dot(c), d6 = -ac.dot(c);
  if (d6 >= 0 && d5 <= d6) return at_vertex(2, c);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return on_edge(2);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return on_edge(1);
  const Vec3 n = ab.cross(ac).normalized();
  const double height = n.dot(a + b + c) / 3;
  return {height * n, std::abs(height), Feature::face, triangle};
}

}  // namespace scree::mesh
