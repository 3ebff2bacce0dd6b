#include "moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace scree::spheropolyhedron {

namespace {

/// Integrates 1, x and x x^T over the tetrahedron between the origin and a triangle.
/// \source integrals of linear functions over a simplex
VolumeIntegrals tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double volume = a.dot(b.cross(c)) / 6;
  const Vec3 sum = a + b + c;
  return {volume, volume / 4 * sum,
          volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose())};
}

/// Integrates 1, x and x x^T over the prism of height r on a triangle. \param normal  unit
VolumeIntegrals prism_on(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& normal, double r) {
  const double area = (b - a).cross(c - a).norm() / 2;
  const Vec3 sum = a + b + c, middle = sum / 3;
  const Mat3 flat = area / 12 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  const Mat3 mixed = area * r * r / 2 * middle * normal.transpose();
  return {area * r, area * (r * middle + r * r / 2 * normal),
          r * flat + mixed + mixed.transpose() + area * r * r * r / 3 * normal * normal.transpose()};
}

/// Integrates 1, x and x x^T over the wedge of radius r on an edge from p to q, between the unit normals u and w.
VolumeIntegrals wedge_on(const Vec3& p, const Vec3& q, const Vec3& u, const Vec3& w, double r) {
  const double length = (q - p).norm(), sine = u.cross(w).norm(), cosine = u.dot(w), theta = std::atan2(sine, cosine);
  if (!(theta > 0)) return {};
  const Vec3 middle = (p + q) / 2, along = (q - p) / length;
  const Vec3 x = (u + w).normalized(), y = along.cross(x);  // the wedge is symmetric about x
  const double area = r * r * theta / 2, first = 2.0 / 3 * r * r * r * std::sin(theta / 2);
  const double r4 = r * r * r * r, xx = r4 / 8 * (theta + std::sin(theta)), yy = r4 / 8 * (theta - std::sin(theta));
  const Mat3 mixed = length * first * middle * x.transpose();
  return {length * area, length * (area * middle + first * x),
          length * area * (middle * middle.transpose() + length * length / 12 * along * along.transpose()) + mixed +
              mixed.transpose() + length * (xx * x * x.transpose() + yy * y * y.transpose())};
}

/// Solid angle of the triangle of three unit vectors. \source Van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30
/// (1983)
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 2 * std::atan2(a.dot(b.cross(c)), 1 + a.dot(b) + b.dot(c) + c.dot(a));
}

/// Integrates 1, x and x x^T over the part of a ball of radius r about p in the cone of a spherical polygon,
/// counter-clockwise from outside. Surface integrals of w and w w^T become sums over its arcs, since div P e = -2 w.e
/// and div (w_i P e_j) = delta_ij - 3 w_i w_j.
VolumeIntegrals sector_at(const Vec3& p, const std::vector<Vec3>& normals, double r) {
  double angle = 0;
  Vec3 first = Vec3::Zero();
  Mat3 boundary = Mat3::Zero();
  const std::size_t n = normals.size();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec3 &u = normals[k], &w = normals[(k + 1) % n], across = u.cross(w);
    const double sine = across.norm(), arc = std::atan2(sine, u.dot(w));
    if (k > 0 && k + 1 < n) angle += solid_angle(normals[0], u, w);
    if (!(sine > 0)) continue;
    const Vec3 inward = across / sine;
    first += arc / 2 * inward;
    boundary -= std::tan(arc / 2) * (u + w) * inward.transpose();  // the outward normal of the arc is -inward
  }
  const Mat3 second = (angle * Mat3::Identity() - boundary) / 3;
  const double r2 = r * r, r3 = r2 * r;
  const Mat3 mixed = r3 * r / 4 * p * first.transpose();
  return {angle * r3 / 3, angle * r3 / 3 * p + r3 * r / 4 * first,
          angle * r3 / 3 * p * p.transpose() + mixed + mixed.transpose() + r3 * r2 / 5 * second};
}

std::vector<Vec3> normals_of(const Polyhedron& body) {
  std::vector<Vec3> normals;
  for (const auto& face : body.faces) normals.push_back(area_vector(body, face).normalized());
  return normals;
}

/// Normals of the faces around each vertex, counter-clockwise from outside.
std::vector<std::vector<Vec3>> normals_at_vertices(const Polyhedron& body, const std::vector<Vec3>& normals) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> face_of;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> first(body.vertices.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      before;  // in the face of v -> w: the vertex before v
  for (std::uint32_t f = 0; f < body.faces.size(); ++f) {
    const auto& face = body.faces[f];
    for (std::size_t k = 0; k < face.size(); ++k) {
      const std::uint32_t v = face[k], next = face[(k + 1) % face.size()],
                          last = face[(k + face.size() - 1) % face.size()];
      face_of[{v, next}] = f;
      before[{v, next}] = last;
      first[v] = {v, next};
    }
  }
  std::vector<std::vector<Vec3>> around(body.vertices.size());
  for (std::uint32_t v = 0; v < body.vertices.size(); ++v) {
    auto at = first[v];
    do {
      around[v].push_back(normals[face_of.at(at)]);
      at = {v, before.at(at)};  // the edge v - last, left by the next face counter-clockwise
    } while (at != first[v]);
  }
  return around;
}

}  // namespace

VolumeIntegrals& VolumeIntegrals::operator+=(const VolumeIntegrals& other) {
  volume += other.volume;
  first += other.first;
  second += other.second;
  return *this;
}

bool is_convex(const Polyhedron& body, const std::vector<PolyhedronEdge>& edges) {
  const std::vector<Vec3> normals = normals_of(body);
  return std::ranges::all_of(edges, [&](const PolyhedronEdge& e) {
    const Vec3 along = (body.vertices[e.end] - body.vertices[e.begin]).normalized();
    return normals[e.face[0]].cross(normals[e.face[1]]).dot(along) > -1e-6;
  });
}

VolumeIntegrals solid_integrals(const Polyhedron& body) {
  VolumeIntegrals sum;
  for (const auto& face : body.faces)
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      sum += tetrahedron(body.vertices[face[0]], body.vertices[face[k]], body.vertices[face[k + 1]]);
  return sum;
}

VolumeIntegrals convex_integrals(const Polyhedron& body, const std::vector<PolyhedronEdge>& edges, double radius) {
  VolumeIntegrals sum = solid_integrals(body);
  if (!(radius > 0)) return sum;
  const std::vector<Vec3> normals = normals_of(body);
  for (std::size_t f = 0; f < body.faces.size(); ++f)
    for (std::size_t k = 1; k + 1 < body.faces[f].size(); ++k)
      sum += prism_on(body.vertices[body.faces[f][0]], body.vertices[body.faces[f][k]],
                      body.vertices[body.faces[f][k + 1]], normals[f], radius);
  for (const PolyhedronEdge& e : edges)
    sum += wedge_on(body.vertices[e.begin], body.vertices[e.end], normals[e.face[0]], normals[e.face[1]], radius);
  const auto around = normals_at_vertices(body, normals);
  for (std::size_t v = 0; v < body.vertices.size(); ++v) sum += sector_at(body.vertices[v], around[v], radius);
  return sum;
}

Mat3 inertia_of(const VolumeIntegrals& body) {
  const Vec3 centre = body.first / body.volume;
  const Mat3 second = body.second - body.volume * centre * centre.transpose();
  return second.trace() * Mat3::Identity() - second;
}

}  // namespace scree::spheropolyhedron
