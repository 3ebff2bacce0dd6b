#pragma once
/// \file Region of space in a scene: bodies are placed, counted or removed there.

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/scene/options.hpp"

namespace scree {

/// Box, sphere (in 2D a disc), cylinder, frustum, half-space (in 2D a half-plane) or polygon (2D), or everything
/// outside of it. A box or cylinder without height is flat: a place to start from.
class SCREE_API Region {
 public:
  struct Box {
    Vec3 lower, upper;  ///< [m]
  };
  struct Sphere {
    Vec3 centre;    ///< [m]
    double radius;  ///< [m]
  };
  /// Frustum about an axis: a cylinder if both radii are the same.
  struct Frustum {
    Vec3 centre;                       ///< middle of the axis [m]
    Quat turn;                         ///< rotation from the z axis to the axis
    double lower, upper, half_length;  ///< radii at the ends against and along the axis, half of its length [m]
  };
  struct HalfSpace {
    Vec3 point, normal;  ///< point on the plane [m]; unit normal, out of the region
  };
  struct Polygon {
    std::vector<Vec2> corners;  ///< [m]
  };
  using Form = std::variant<Box, Sphere, Frustum, HalfSpace, Polygon>;

  Region(Form form, int dimension, bool outside = false)
      : form_(std::move(form)), dimension_(dimension), outside_(outside) {}

  /// Returns the depth of a point within the region: inside, the exact distance to its nearest side [m]; below 0
  /// elsewhere. If the region is the outside of a form, only the sign is right.
  double depth(const Vec3& p) const;
  bool contains(const Vec3& p) const { return outside_ ? form_depth(p) < 0 : form_depth(p) >= 0; }
  /// Returns the volume [m^3], in 2D area [m^2]; 0 if flat, infinite without bound.
  double measure() const;
  bool bounded() const { return !outside_ && !std::holds_alternative<HalfSpace>(form_); }
  /// Returns the union of the region and its images in a periodic cell, if they join. A box loses the sides at which it
  /// reaches from one side of the cell to the other, a cylinder its ends. Other forms stay as they are.
  /// \param lower, length  corner and lengths of the cell [m]; a length of 0: not periodic
  Region continued(const Vec3& lower, const Vec3& length) const;
  /// Returns a point uniformly distributed over the region, from three numbers in (0, 1), or nothing if this draw
  /// misses it.
  /// \pre bounded()
  std::optional<Vec3> at(const Vec3& u) const;

 private:
  double form_depth(const Vec3& p) const;

  Form form_;
  int dimension_;
  bool outside_;
};

/// Reads the region of an option. \throws OptionError
SCREE_API Region read_region(const Options& options, std::string_view key, int dimension);

}  // namespace scree
