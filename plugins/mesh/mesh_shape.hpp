#pragma once
/// \file The shape "mesh": a wall or a tool of triangles.

#include <string>
#include <vector>

#include "mesh_surface.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"
#include "scree/shape/shape_facts.hpp"
#include "triangle_tree.hpp"

namespace scree::mesh {

enum class Sides {
  automatic,  ///< solid where the surface is closed, else both
  outside,    ///< the surface bounds matter, which it must close in
  both,       ///< a sheet without thickness
};

struct MeshOptions {
  bool inside = false;  ///< a container: matter is outside
  Sides sides = Sides::automatic;
  std::string pointer;  ///< JSON pointer of the file, for messages
};

/// The body frame has its origin in the middle of the mesh's box, and the axes of the file. Facets: MeshSurface/1,
/// ExactDistance/1, ShapeFacts/1; SignedDistance/1 where the surface bounds matter.
class MeshShape final : public Shape, public MeshSurface, public ExactDistance, public ShapeFacts {
 public:
  /// \throws OptionError for a surface that is not closed where it must be
  MeshShape(const SurfaceMesh& surface, const MeshOptions& options);

  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return bounding_radius_; }
  Vec3 reference_point() const noexcept override { return reference_point_; }
  ShapeTraits traits() const override;
  Surface surface() const override;
  const void* facet(std::string_view name) const noexcept override;

  std::span<const std::string> facts() const override { return facts_; }
  const TriangleMesh& triangles() const override { return mesh_; }
  bool solid() const noexcept override { return solid_; }
  const Ridges& ridges() const override { return ridges_; }
  void near(const Vec3& point, double reach, std::vector<std::uint32_t>& found) const override {
    tree_.find(point, reach, found);
  }
  Foot nearest(const Vec3& point) const override { return tree_.nearest(mesh_, point); }
  void near(const Eigen::AlignedBox3d& box, std::vector<std::uint32_t>& found) const override {
    tree_.find(box, found);
  }
  /// Distance to the surface, below 0 in matter; of a sheet it is never below 0.
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;

 private:
  TriangleMesh mesh_;
  Vec3 reference_point_;
  bool solid_;
  TriangleTree tree_;
  Ridges ridges_;
  double bounding_radius_ = 0;
  std::vector<std::string> facts_;
};

}  // namespace scree::mesh
