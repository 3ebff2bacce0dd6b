#pragma once
/// \file Stationary points of the depth of one body in another along the surface of the first.
///
/// The surface is u_own = 0. A point of it is stationary where grad u + lambda grad u_own = 0. By the envelope theorem
/// the depth there changes as if the point stood still in its body, so that grad u is the force's direction.

#include <optional>

#include "surface/field.hpp"

namespace scree::star3d {

/// A field and where its body stands.
struct PlacedField {
  const Field& field;
  const Placement& placement;

  void look(std::span<const Vec3> points, std::span<double> depth, std::span<Vec3> gradient) const {
    look_at(field, placement, points, depth, gradient);
  }
  DepthCurvature curvature(const Vec3& at, double step) const { return curvature_at(field, placement, at, step); }
};

/// Surface of a body, and the field that it meets; in one frame.
struct Meeting {
  PlacedField own, other;
  double spacing;  ///< spacing of the nodes on the surface [m]
  double least;    ///< tops below this depth are of no interest [m]
};

/// A stationary point of the depth.
struct Stationary {
  Vec3 at;          ///< on the surface [m]
  double depth;     ///< in the other field [m]
  Vec3 gradient;    ///< gradient of the other field, into its body [-]
  Vec3 outward;     ///< unit normal of the surface
  Mat3 own_second;  ///< second derivatives of the own field [1/m]
  bool found;       ///< false where a climb was given up, or no saddle was found near the start
};

/// The top that is reached by climbing from a point on or near the surface: Newton's method, with steps of half a
/// spacing at most, each of which leads up. Given up, at some point below `least`, where four times the rise that
/// Newton's step promises does not lead there. On a ridge of the other field, where its gradient jumps, the top has the
/// mean of the gradients around that is normal to the surface.
Stationary polished_peak(const Meeting& meeting, const Vec3& start);

/// The top near a point, by Newton's method for a stationary point on the surface, or none where that fails: where the
/// surface does not curve away from the field, or a step is longer than half a spacing. Needs two or three looks at
/// each field if the start is within 1e-3 spacings.
std::optional<Stationary> followed_peak(const Meeting& meeting, const Vec3& start);

/// The saddle near a point: Newton's method. `found` where it converges within three spacings to a point at which the
/// depth grows in one direction along the surface and falls in the other.
Stationary polished_saddle(const Meeting& meeting, const Vec3& start);

/// 1/sqrt(det K), with K the sum of the curvature tensors of both surfaces in their common tangent plane, each at its
/// own surface: the radius of two spheres that press alike.
/// \source K. L. Johnson, Contact Mechanics (1985), sec. 4.2, "equivalent radius" R_e
/// \return at most `largest`
double equivalent_radius(const Meeting& meeting, const Stationary& peak, double largest);

}  // namespace scree::star3d
