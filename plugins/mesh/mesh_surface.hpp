#pragma once
/// \file Facet of surfaces of triangles, for the detectors of this plugin.

#include <string_view>
#include <vector>

#include "ridges.hpp"
#include "triangle_mesh.hpp"

namespace scree::mesh {

/// A surface of triangles in the body frame.
class MeshSurface {
 public:
  static constexpr std::string_view kName = "MeshSurface/1";
  virtual ~MeshSurface() = default;
  virtual const TriangleMesh& triangles() const = 0;
  /// Edges and corners that stand out.
  virtual const Ridges& ridges() const = 0;
  /// Checks whether the surface bounds matter; else it is a sheet that acts on both sides.
  virtual bool solid() const noexcept = 0;
  /// Appends the triangles that may lie within `reach` [m] of a point, in no particular order: all that do, and others.
  virtual void near(const Vec3& point, double reach, std::vector<std::uint32_t>& found) const = 0;
  /// Returns the nearest place to a point.
  virtual Foot nearest(const Vec3& point) const = 0;
  /// Appends the triangles that may meet a box, in no particular order: all that do, and others.
  virtual void near(const Eigen::AlignedBox3d& box, std::vector<std::uint32_t>& found) const = 0;
};

}  // namespace scree::mesh
