#pragma once
/// \file The one interface every particle, wall and tool is seen through.

#include <span>
#include <string>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/shape/surface.hpp"

namespace scree {

/// Mass [kg] and principal moments of inertia [kg m^2] about the centre of mass. In 2D only inertia.z counts.
/// An obstacle that can only be fixed or prescribed returns mass 0.
struct MassProperties {
  double mass = 0;
  Vec3 inertia = Vec3::Zero();
};

/// Mass and moments of a body \p scale times as large as its shape, of the same density. Mass goes as scale^3 and
/// moments as scale^5, in 2D as scale^2 and scale^4, since bodies of all sizes are equally thick.
inline MassProperties scaled(const MassProperties& shape, double scale, int dimension) {
  const double mass_ratio = dimension == 2 ? scale * scale : scale * scale * scale;
  return {mass_ratio * shape.mass, mass_ratio * scale * scale * shape.inertia};
}

/// Properties of a shape that set-up needs. Spans and texts live as long as the shape.
struct ShapeTraits {
  std::span<const std::string> notes = {};  ///< sentences shown as warnings: what was put right in the input
  /// Why no body of the shape can move freely, and what to do about it, in whole sentences; empty where one can.
  std::string_view immobile = {};
  /// Bodies are moved by integrators alone that offer this face (Integrator::face()), e.g. "material-points/1": others
  /// would let them fall through everything. Empty: by any integrator.
  std::string_view driven_by = {};
  std::string_view driven_by_advice = {};  ///< advice to users of another integrator, in whole sentences
  /// Turns vectors of the body frame into the axes that users mean by a body's orientation. A clump, say, is described
  /// in axes of the user's choice, while its body frame has the principal axes.
  Quat body_to_reference = Quat::Identity();
};

/// A rigid shape, shared by all bodies that have it. Everything is expressed in the *body frame*: origin at the centre
/// of mass, axes along the principal directions. Immutable after construction; all functions are reentrant.
///
/// What a contact method needs beyond this is a *facet*: a small interface asked for by versioned name. A shape offers
/// as many as it can; this interface never grows.
class SCREE_API Shape {
 public:
  virtual ~Shape();

  /// 2 for shapes that live in the x-y plane, 3 for solids.
  virtual int dimension() const noexcept = 0;

  /// \param density [kg/m^3]
  virtual MassProperties mass(double density) const = 0;

  /// Radius [m] of a circle or sphere about the body origin that holds the shape; infinity for half-planes and the
  /// like. Above 0: only that of World::frame_shape() is 0, and touches nobody.
  virtual double bounding_radius() const noexcept = 0;

  /// Distance [m] that the boundary sweeps when the body turns by one radian about its origin, at most. Default: the
  /// bounding radius. A circle about its own centre returns 0.
  virtual double rotation_reach() const noexcept;

  virtual ShapeTraits traits() const;

  /// The point, in the body frame, that the user means by "position" (the centre the outline was given about).
  /// It need not be the centre of mass. Default: the origin.
  virtual Vec3 reference_point() const noexcept;

  virtual Surface surface() const = 0;

  /// \param name a facet's name with its version, e.g. "SignedDistance/1"
  /// \return the facet, converted from a pointer to exactly the facet's type, or nullptr; lives as long as the shape
  virtual const void* facet(std::string_view name) const noexcept = 0;
};

/// The facet F of a shape, or nullptr: `if (const auto* nodes = facet<BoundaryNodes>(shape)) ...`
template <class F>
const F* facet(const Shape& shape) noexcept {
  return static_cast<const F*>(shape.facet(F::kName));
}

}  // namespace scree
