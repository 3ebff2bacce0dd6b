#pragma once
/// \file The depth field of a star-shaped body, from a table over the directions.

#include <functional>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/shape/smooth_surface.hpp"

namespace scree::detail {

/// A depth [m] and its gradient [-].
struct FieldValue {
  double depth;
  Vec3 gradient;
};

/// The two functions of the direction that a depth is made of, U = p - w rho: w = 1/sqrt(1 + |grad_S r|^2/r^2) and
/// p = w r. On the surface the gradient of U is minus the outer unit normal.
struct RadialPart {
  double p, w;
};

/// \param radius  [m] > 0   \param slope  gradient of the radius on the unit sphere, tangent [m]
RadialPart radial_part(double radius, const Vec3& slope);

/// U about the centre of a star-shaped body. The directions are divided among the six faces of a cube, of
/// cells x cells squares each, and p and w are cubic B-splines on them. The gradient is that of the splines, so it is
/// the derivative of U to rounding. Faces meet to fourth order in the size of a cell.
class RadialField {
 public:
  using Part = std::function<RadialPart(const Vec3& unit)>;

  /// \param cells  along an edge of the cube; 0 evaluates \p part itself each time
  /// \param core   [m] nearer to the centre than this the field is cut off
  RadialField(const Part& part, int cells, double core);

  /// \param at  from the centre [m]
  FieldValue at(const Vec3& at) const { return cells_ == 0 ? direct(at) : from_table(at); }
  /// The depth with its second derivatives; without a table these are differences of gradients.
  DepthCurvature curvature_at(const Vec3& at) const { return cells_ == 0 ? direct_curvature(at) : from_splines(at); }
  /// The depth alone.
  double depth_at(const Vec3& at) const { return cells_ == 0 ? direct(at).depth : depth_from_table(at); }

 private:
  struct FaceAxes;
  struct CellPlace;
  static FaceAxes axes_of(int major);
  CellPlace place(const Vec3& at) const;
  double depth_from_table(Vec3 at) const;
  FieldValue from_table(Vec3 at) const;
  FieldValue direct(Vec3 at) const;
  DepthCurvature from_splines(Vec3 at) const;
  DepthCurvature direct_curvature(const Vec3& at) const;
  void fill_face(int face, const Part& part);
  /// Moves a point that is nearer to the centre than the core out to there. \return its distance before
  double beyond_core(Vec3& at) const;

  int cells_;
  double core_;
  Part part_;                  ///< radial part, evaluated where there is no table
  std::vector<double> p_, w_;  ///< (6, cells + 3, cells + 3) control values
};

}  // namespace scree::detail
