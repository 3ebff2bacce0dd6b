#pragma once
/// \file Exact signed distances of bodies of revolution about the z axis, from their section in the half-plane (rho,
/// z), and of tori. Pure, host and device. Lengths in metres; < 0 inside the matter.

#include "solid_distance.hpp"

namespace scree::obstacles {

/// Most corners of a section.
inline constexpr int kMostCorners = 4;

/// A convex section, counter-clockwise in (rho, z), rho >= 0. An edge on the axis is no surface, and is left out.
template <class Real>
struct Profile {
  int corners = 0;
  Real rho[kMostCorners] = {}, z[kMostCorners] = {};
};

/// Distance in the plane of the section, its gradient, and what the normal's rho component and the place of the foot
/// say about the curvature around the axis [1/m]: n_rho / rho on edges, 0 at corners.
template <class Real>
struct SectionDistance {
  Real d, g_rho, g_z, around;
};

/// One edge as it is seen from a point.
template <class Real>
struct SectionEdge {
  Real level;     ///< distance to its line, > 0 outside
  Real distance;  ///< to the edge itself
  Real along;     ///< place of the foot on it, 0 to 1 if it is no corner
  Real n_rho, n_z, foot_rho, foot_z;
};

template <class Real>
SCREE_HD inline SectionEdge<Real> see_edge(const Profile<Real>& p, int k, Real rho, Real z) {
  const int next = k + 1 < p.corners ? k + 1 : 0;
  const Real e_rho = p.rho[next] - p.rho[k], e_z = p.z[next] - p.z[k];
  const Real length = std::sqrt(e_rho * e_rho + e_z * e_z);
  SectionEdge<Real> e;
  e.n_rho = e_z / length, e.n_z = -e_rho / length;
  const Real x = rho - p.rho[k], y = z - p.z[k];
  e.level = x * e.n_rho + y * e.n_z;
  e.along = (x * e_rho + y * e_z) / (length * length);
  const Real t = e.along < 0 ? Real(0) : e.along > 1 ? Real(1) : e.along;
  e.foot_rho = t < 1 ? p.rho[k] + t * e_rho : p.rho[next];
  e.foot_z = t < 1 ? p.z[k] + t * e_z : p.z[next];
  const Real off_rho = rho - e.foot_rho, off_z = z - e.foot_z;
  e.distance = t == e.along ? std::abs(e.level) : std::sqrt(off_rho * off_rho + off_z * off_z);
  return e;
}

/// The point (rho, z) and the section: inside the nearest edge's line, outside the nearest edge, from a corner along
/// the way to the point. rho < 0 looks at the section from the other side of the axis.
template <class Real>
SCREE_HD inline SectionDistance<Real> section_distance(const Profile<Real>& p, Real rho, Real z) {
  SectionEdge<Real> nearest{}, highest{};
  bool first = true;
  for (int k = 0; k < p.corners; ++k) {
    const int next = k + 1 < p.corners ? k + 1 : 0;
    if (p.rho[k] == 0 && p.rho[next] == 0) continue;
    const SectionEdge<Real> e = see_edge(p, k, rho, z);
    if (first || e.level > highest.level) highest = e;
    if (first || e.distance < nearest.distance) nearest = e;
    first = false;
  }
  const bool inside = highest.level <= 0;
  const SectionEdge<Real>& e = inside ? highest : nearest;
  const bool corner = !inside && !(e.along >= 0 && e.along <= 1) && e.distance > 0;
  if (corner) return {e.distance, (rho - e.foot_rho) / e.distance, (z - e.foot_z) / e.distance, Real(0)};
  const Real rho_at_foot = rho - e.level * e.n_rho;
  return {e.level, e.n_rho, e.n_z, rho_at_foot > 0 ? e.n_rho / rho_at_foot : Real(0)};
}

/// From the plane of a section into space. \param side  1: the meridian of the point, -1: the one across the axis. On
/// the axis the radial direction is e_x.
template <class Real, class Section>
SCREE_HD inline SolidDistance<Real> revolved(Real x, Real y, Real z, Real side, const Section& section) {
  const Real rho = std::sqrt(x * x + y * y);
  const bool axis = !(rho > 0);
  const Real inverse = 1 / (axis ? Real(1) : rho), ex = axis ? Real(1) : x * inverse, ey = axis ? Real(0) : y * inverse;
  const SectionDistance<Real> s = section(side * rho, z);
  return {s.d, side * s.g_rho * ex, side * s.g_rho * ey, s.g_z, s.around, Real(0)};
}

/// The wall of a container: the matter behind the line through (rho_0, z_0) with the unit normal n, endless.
template <class Real>
SCREE_HD inline SectionDistance<Real> line_distance(Real rho, Real z, Real rho_0, Real z_0, Real n_rho, Real n_z) {
  const Real d = (rho - rho_0) * n_rho + (z - z_0) * n_z, foot = rho - d * n_rho;
  return {d, n_rho, n_z, foot > 0 ? n_rho / foot : Real(0)};
}

/// The point and the torus: the circle of radius R about the axis, swept by a ball of radius r < R. The curvature along
/// the section, 1/r, is left to the caller.
template <class Real>
SCREE_HD inline SectionDistance<Real> torus_distance(Real rho, Real z, Real R, Real r) {
  const Real x = rho - R, d = std::sqrt(x * x + z * z);
  const bool middle = !(d > 0);
  const Real inverse = 1 / (middle ? Real(1) : d), g = middle ? Real(1) : x * inverse;
  const Real foot = R + r * g;
  return {d - r, g, z * inverse, g / foot};
}

}  // namespace scree::obstacles
