#pragma once
/// \file Volume, centre and second moments of the solid within a closed surface of triangles.

#include "scree/base/types.hpp"
#include "triangle_mesh.hpp"

namespace scree::mesh {

struct SolidMoments {
  double volume = 0;            ///< [m^3]
  Vec3 centre = Vec3::Zero();   ///< [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre, at density 1 [m^5]
};

/// Sums over the tetrahedra of the triangles and the origin, exact for the polyhedron.
inline SolidMoments solid_moments(const TriangleMesh& mesh) {
  SolidMoments m;
  Mat3 second = Mat3::Zero();  // int x x^T dV
  Vec3 first = Vec3::Zero();
  for (const Triangle& t : mesh.triangles()) {
    const Vec3 &a = mesh.vertices()[t.vertex[0]], &b = mesh.vertices()[t.vertex[1]], &c = mesh.vertices()[t.vertex[2]];
    const double volume = a.dot(b.cross(c)) / 6;
    const Vec3 sum = a + b + c;
    m.volume += volume;
    first += volume / 4 * sum;
    second += volume / 20 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  m.centre = first / m.volume;
  second -= m.volume * m.centre * m.centre.transpose();
  m.inertia = second.trace() * Mat3::Identity() - second;
  return m;
}

}  // namespace scree::mesh
