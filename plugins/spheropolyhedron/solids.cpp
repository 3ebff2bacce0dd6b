#include "solids.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::spheropolyhedron {

namespace {

using Face = std::vector<std::uint32_t>;

/// Corners of a regular polygon at height z, counter-clockwise, the first edge across the x axis.
void add_ring(Polyhedron& body, int sides, double edge, double z) {
  const double radius = edge / (2 * std::sin(std::numbers::pi / sides));
  for (int k = 0; k < sides; ++k) {
    const double angle = (2 * k + 1) * std::numbers::pi / sides;
    body.vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
}

std::vector<Vec3> corners_of(const std::string& name) {
  std::vector<Vec3> v;
  const auto signs = [&](double a, double b, double c) {
    for (const double x : {-a, a})
      for (const double y : {-b, b})
        for (const double z : {-c, c})
          if (std::ranges::find(v, Vec3(x, y, z)) == v.end()) v.emplace_back(x, y, z);
  };
  const auto cyclic = [&](double a, double b, double c) { signs(a, b, c), signs(c, a, b), signs(b, c, a); };
  constexpr double golden = std::numbers::phi;
  if (name == "tetrahedron") return {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  if (name == "octahedron") cyclic(1, 0, 0);
  if (name == "icosahedron") cyclic(0, 1, golden);
  if (name == "dodecahedron") signs(1, 1, 1), cyclic(0, 1 / golden, golden);
  return v;
}

/// Faces of the hull of few vertices: each plane through three of them that has no vertex outside.
std::vector<Face> hull_faces(const std::vector<Vec3>& v) {
  std::vector<Face> faces;
  const auto n = static_cast<std::uint32_t>(v.size());
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t j = 0; j < n; ++j)
      for (std::uint32_t k = 0; k < n; ++k) {
        const Vec3 normal = (v[j] - v[i]).cross(v[k] - v[i]);
        if (!(i < j && i < k && j != k) || normal.norm() < 1e-9) continue;
        Face on;
        bool outside = false;
        for (std::uint32_t o = 0; o < n; ++o) {
          const double height = normal.dot(v[o] - v[i]);
          outside = outside || height > 1e-9;
          if (std::abs(height) < 1e-9) on.push_back(o);
        }
        if (outside || on[0] != i) continue;
        const Vec3 x = (v[j] - v[i]).normalized(), y = normal.normalized().cross(x);
        Vec3 middle = Vec3::Zero();
        for (const std::uint32_t o : on) middle += v[o] / static_cast<double>(on.size());
        std::ranges::sort(on, {},
                          [&](std::uint32_t o) { return std::atan2(y.dot(v[o] - middle), x.dot(v[o] - middle)); });
        std::ranges::rotate(on, std::ranges::find(on, i));
        if (std::ranges::find(faces, on) == faces.end()) faces.push_back(on);
      }
  return faces;
}

}  // namespace

Polyhedron box(const Vec3& edges) {
  Polyhedron body;
  for (int k = 0; k < 8; ++k)
    body.vertices.push_back(edges.cwiseProduct(Vec3(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5)));
  body.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  return body;
}

Polyhedron regular_solid(const std::string& name, double edge) {
  Polyhedron body;
  body.vertices = corners_of(name);
  body.faces = hull_faces(body.vertices);
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < body.vertices.size(); ++k)
    shortest = std::min(shortest, (body.vertices[k] - body.vertices[0]).norm());
  for (Vec3& v : body.vertices) v *= edge / shortest;
  return body;
}

Polyhedron prism(int sides, double edge, double height) {
  Polyhedron body;
  add_ring(body, sides, edge, -height / 2);
  add_ring(body, sides, edge, height / 2);
  const auto n = static_cast<std::uint32_t>(sides);
  Face lower, upper;
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t next = (k + 1) % n;
    body.faces.push_back({k, next, n + next, n + k});
    lower.push_back(n - 1 - k);
    upper.push_back(n + k);
  }
  body.faces.push_back(lower);
  body.faces.push_back(upper);
  return body;
}

Polyhedron pyramid(int sides, double edge, double height) {
  Polyhedron body;
  add_ring(body, sides, edge, -height / 4);
  body.vertices.emplace_back(0, 0, 0.75 * height);
  const auto n = static_cast<std::uint32_t>(sides);
  Face base;
  for (std::uint32_t k = 0; k < n; ++k) {
    body.faces.push_back({k, (k + 1) % n, n});
    base.push_back(n - 1 - k);
  }
  body.faces.push_back(base);
  return body;
}

}  // namespace scree::spheropolyhedron
