#pragma once
/// \file Fields of depth that the nodes of one body meet in another.

#include <span>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/shape/shape.hpp"
#include "scree/shape/smooth_surface.hpp"

namespace scree::star3d {

/// One field of a shape: its own smooth one, or the exact one of one of its spheres or faces.
struct Field {
  enum class Kind { smooth, sphere, face };
  Kind kind;
  const SmoothField* smooth = nullptr;
  const Faces* faces = nullptr;
  int face = 0;
  Vec3 centre = Vec3::Zero();  ///< centre of the sphere [m]
  double radius = 0;           ///< radius of the sphere [m]
  double steepest;             ///< bound of the gradient's length outside; infinity where none is known
  double curvature;            ///< largest curvature of its surface [1/m]; infinity where it is not known
  double greatest_depth;       ///< [m]
  double nominal_radius = 0;   ///< SmoothField::nominal_radius() [m]
  bool convex;                 ///< true where the body is known to be convex; of a face, a plane
};

/// The fields that a shape shows: its smooth one, those of its spheres, or those of its faces; else none.
std::vector<Field> fields_of(const Shape& shape);

/// A body that stands beside another one: its size, and its place in the other's frame, in which lengths are those of
/// the world.
struct Placement {
  Mat3 turn = Mat3::Identity();
  Vec3 position = Vec3::Zero();
  double size = 1;     ///< relative to the shape [-]
  bool turned = true;  ///< false where `turn` is the identity

  Vec3 point(const Vec3& of_shape) const { return turn * (size * of_shape) + position; }
};

/// Depth and derivatives of a field whose body stands somewhere.
/// \param point  in the frame that the placement leads to [m]
/// \param step   [m] over which gradients of faces are compared
DepthCurvature curvature_at(const Field& field, const Placement& placement, const Vec3& point, double step);

/// Depths [m] and gradients [-] of a field whose body stands somewhere.
/// \param points    in the frame that the placement leads to [m]
/// \param gradient  empty where nobody asks
void look_at(const Field& field, const Placement& placement, std::span<const Vec3> points, std::span<double> depth,
             std::span<Vec3> gradient);

}  // namespace scree::star3d
