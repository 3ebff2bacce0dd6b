#pragma once
/// \file The faces of all obstacles of this plugin as plain data, for devices: the formulas of obstacle_distance.hpp
/// and solid_distance.hpp.

#include <limits>

#include "obstacle_distance.hpp"
#include "scree/device/node_walls.hpp"
#include "solid_distance.hpp"

namespace scree::obstacles {

struct ObstacleFaces {
  enum class Kind { half_space, rectangle, cuboid, circle, ball, cylinder };
  Kind kind = Kind::half_space;
  bool inside = false;         ///< a container
  double size[3] = {0, 0, 0};  ///< normal of a half-space; half sizes; radius; radius and half length [m]

  /// Returns the number of faces: Faces::face_count() of the shape.
  SCREE_HD int faces() const {
    if (!inside || kind == Kind::circle || kind == Kind::ball) return 1;
    if (kind == Kind::rectangle) return 4;
    if (kind == Kind::cuboid) return 6;
    return size[1] < std::numeric_limits<double>::infinity() ? 3 : 1;
  }

  /// Returns SignedDistance::distance() of the shape, for one point of the plane.
  SCREE_HD device::FieldValue distance(double x, double y) const {
    Distance<double> d = kind == Kind::half_space  ? half_plane_distance(x, y, size[0], size[1])
                         : kind == Kind::rectangle ? box_distance(x, y, size[0], size[1])
                                                   : circle_distance(x, y, size[0]);
    if (inside) d = complement(d);
    return {d.d, d.gx, d.gy};
  }

  /// Returns Faces::face() of the shape, for one point.
  SCREE_HD device::SeenFace see(int face, const device::Vector3d& x) const {
    const auto planar = [&](Distance<double> s, double curvature) {
      if (inside) s = complement(s);
      return device::SeenFace{s.d, {s.gx, s.gy, 0}, inside ? -curvature : curvature, 0};
    };
    const auto solid = [&](SolidDistance<double> s) {
      if (inside) s = complement(s);
      return device::SeenFace{s.d, {s.gx, s.gy, s.gz}, s.k1, s.k2};
    };
    switch (kind) {
      case Kind::half_space:
        return solid(half_space_distance(x.x, x.y, x.z, size[0], size[1], size[2]));
      case Kind::rectangle:
        return inside ? container_wall(face, x) : planar(box_distance(x.x, x.y, size[0], size[1]), 0);
      case Kind::cuboid:
        return inside ? container_wall(face, x) : solid(cuboid_distance(x.x, x.y, x.z, size[0], size[1], size[2]));
      case Kind::circle:
        return planar(circle_distance(x.x, x.y, size[0]), 1 / size[0]);
      case Kind::ball:
        return solid(ball_distance(x.x, x.y, x.z, size[0]));
      case Kind::cylinder:
        break;
    }
    if (!inside) return solid(cylinder_distance(x.x, x.y, x.z, size[0], size[1]));
    if (face > 0) {
      const double side = face == 1 ? -1 : 1;
      return {container_wall_distance(x.z, size[1], side), {0, 0, -side}, 0, 0};
    }
    return solid(cylinder_distance(x.x, x.y, x.z, size[0], std::numeric_limits<double>::infinity()));
  }

 private:
  /// \param face  2 axis for the wall at -half, 2 axis + 1 for that at +half
  SCREE_HD device::SeenFace container_wall(int face, const device::Vector3d& x) const {
    const int axis = face / 2;
    const double side = face % 2 == 0 ? -1 : 1, along = axis == 0 ? x.x : axis == 1 ? x.y : x.z;
    return {container_wall_distance(along, size[axis], side),
            {axis == 0 ? -side : 0, axis == 1 ? -side : 0, axis == 2 ? -side : 0},
            0,
            0};
  }
};

/// Face DeviceFaces of a shape of this plugin.
class FacesOnDevice {
 public:
  explicit FacesOnDevice(const ObstacleFaces& faces)
      : faces_(faces), offer_{{"obstacles", "look", &faces_}, "list-near", faces.faces(), "touch-nodes"} {}
  FacesOnDevice(const FacesOnDevice&) = delete;
  FacesOnDevice& operator=(const FacesOnDevice&) = delete;
  const device::DeviceFaces* offer() const noexcept { return &offer_; }

 private:
  ObstacleFaces faces_;
  device::DeviceFaces offer_;
};

}  // namespace scree::obstacles
