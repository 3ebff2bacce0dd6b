#include "triangle_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "scree/base/error.hpp"

namespace scree::mesh {

namespace {

/// Distance of places that count as one, over the diagonal of the mesh: files hold single precision.
constexpr double kSamePlace = 1e-7;
/// Twice the area of a triangle that counts as none, over the square of the diagonal.
constexpr double kNoArea = 1e-12;

/// Places that were met before, in a grid of cells as wide as the tolerance.
class Welder {
 public:
  Welder(double tolerance, std::vector<Vec3>& kept) : tolerance_(tolerance), kept_(kept) {}

  std::uint32_t index_of(const Vec3& p) {
    std::int64_t cell[3];
    for (int k = 0; k < 3; ++k) cell[k] = tolerance_ > 0 ? static_cast<std::int64_t>(std::floor(p[k] / tolerance_)) : 0;
    std::uint32_t found = static_cast<std::uint32_t>(kept_.size());
    for (int n = 0; n < 27; ++n) {
      const auto [begin, end] =
          cells_.equal_range(key(cell[0] + n % 3 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n / 9 - 1));
      for (auto at = begin; at != end; ++at)
        if ((kept_[at->second] - p).norm() <= tolerance_) found = std::min(found, at->second);
    }
    if (found < kept_.size()) return found;
    kept_.push_back(p);
    cells_.emplace(key(cell[0], cell[1], cell[2]), found);
    return found;
  }

 private:
  static std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto u = [](std::int64_t v) { return static_cast<std::uint64_t>(v); };
    return u(x) * 0x9e3779b97f4a7c15ull ^ u(y) * 0xc2b2ae3d27d4eb4full ^ u(z) * 0x165667b19e3779f9ull;
  }
  double tolerance_;
  std::vector<Vec3>& kept_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> cells_;
};

std::uint64_t edge_key(std::uint32_t v, std::uint32_t w) {
  return std::uint64_t{std::min(v, w)} << 32 | std::max(v, w);
}

}  // namespace

TriangleMesh::TriangleMesh(const SurfaceMesh& surface, bool hollow, const std::string& pointer) {
  weld(surface, pointer);
  join_edges();
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
  Welder welder(kSamePlace * diagonal, vertices_);
  std::vector<std::uint32_t> to;
  for (const Vec3& p : surface.vertices) to.push_back(welder.index_of(p));
  std::unordered_multimap<std::uint64_t, std::uint32_t> known;  // triangles by a hash of their corners
  for (const auto& face : surface.faces)
    for (std::size_t k = 2; k < face.size(); ++k) {
      ++report_.given;
      const Triangle t{{to[face[0]], to[face[k - 1]], to[face[k]]}, {}};
      const Vec3 &a = vertices_[t.vertex[0]], &b = vertices_[t.vertex[1]], &c = vertices_[t.vertex[2]];
      if (!((b - a).cross(c - a).norm() > kNoArea * diagonal * diagonal)) {
        ++report_.degenerate;
        continue;
      }
      std::array<std::uint32_t, 3> corners{t.vertex[0], t.vertex[1], t.vertex[2]};
      std::ranges::sort(corners);
      const std::uint64_t hash = (corners[0] * 0x9e3779b97f4a7c15ull ^ corners[1]) * 0xc2b2ae3d27d4eb4full ^ corners[2];
      const auto [begin, end] = known.equal_range(hash);
      const bool there = std::any_of(begin, end, [&](const auto& other) {
        std::array<std::uint32_t, 3> of_other;
        std::ranges::copy(triangles_[other.second].vertex, of_other.begin());
        std::ranges::sort(of_other);
        return of_other == corners;
      });
      if (there) {
        ++report_.doubles;
        continue;
      }
      known.emplace(hash, static_cast<std::uint32_t>(triangles_.size()));
      triangles_.push_back(t);
    }
  if (triangles_.empty()) throw OptionError(pointer, "the file has no triangle with an area.");
}

void TriangleMesh::join_edges() {
  std::unordered_map<std::uint64_t, std::uint32_t> index;
  index.reserve(2 * triangles_.size());
  for (Triangle& t : triangles_)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t v = t.vertex[k], w = t.vertex[(k + 1) % 3];
      const auto [at, made] = index.emplace(edge_key(v, w), static_cast<std::uint32_t>(edges_.size()));
      if (made) edges_.push_back({std::min(v, w), std::max(v, w)});
      t.edge[k] = at->second;
    }
  first_of_edge_.assign(edges_.size() + 1, 0);
  for (const Triangle& t : triangles_)
    for (const std::uint32_t e : t.edge) ++first_of_edge_[e + 1];
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
