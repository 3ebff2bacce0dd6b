#pragma once
/// \file The shape "mesh-grain": a grain of any form, from a closed surface of triangles.

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "grain/depth_grid.hpp"
#include "grain/surface_net.hpp"
#include "scree/shape/principal_axes.hpp"
#include "scree/shape/shape.hpp"
#include "scree/shape/shape_facts.hpp"
#include "scree/shape/smooth_surface.hpp"
#include "triangle_mesh.hpp"

namespace scree::mesh {

struct MeshGrainOptions {
  int resolution = 24;  ///< cells of the depth field's grid along the smallest extent
  int nodes = 642;      ///< approximate number on the surface
  double volume = 0;    ///< [m^3]; above 0: the surface is scaled to it
  std::string pointer;  ///< JSON pointer of the file, for messages
};

/// The body frame has its origin in the centre of mass, which `position` means too, and the principal axes. Mass and
/// moments are those of the polyhedron, exactly. Contacts see a depth field on a grid, whose edges are rounded by about
/// half a cell, and nodes on its surface. Facets: SurfaceNodes/1, BoundaryNodes/1, SmoothField/1, SignedDistance/1,
/// ShapeFacts/1.
class MeshGrain final : public Shape,
                        public SurfaceNodes,
                        public SmoothField,
                        public SignedDistance,
                        public ShapeFacts {
 public:
  /// \throws OptionError for a surface that is not closed, is in several pieces, or is too thin for its grid
  MeshGrain(SurfaceMesh surface, const MeshGrainOptions& options);

  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density * volume_, density * principal_.moments}; }
  double bounding_radius() const noexcept override { return bounding_radius_; }
  ShapeTraits traits() const override { return {.body_to_reference = Quat(principal_.axes)}; }
  Surface surface() const override { return picture_; }
  const void* facet(std::string_view name) const noexcept override;

  std::span<const std::string> facts() const override { return facts_; }
  std::span<const Vec3> nodes() const override { return net_.points; }
  std::span<const std::uint32_t> first_neighbour() const override { return neighbours_.first; }
  std::span<const std::uint32_t> neighbours() const override { return neighbours_.list; }
  double spacing() const noexcept override { return spacing_; }
  void depth(std::span<const Vec3> points, std::span<double> depth, std::span<Vec3> gradient) const override;
  DepthCurvature curvature(const Vec3& point) const override { return field_->at(point); }
  double steepest() const noexcept override { return steepest_; }
  double greatest_depth() const noexcept override { return greatest_depth_; }
  double nominal_radius() const noexcept override { return std::cbrt(0.75 / std::numbers::pi * volume_); }
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;

 private:
  void make_field(const TriangleMesh& mesh, int resolution);
  void make_nodes(int wanted, double area);

  double volume_ = 0;
  PrincipalAxes principal_;
  Vec3 lower_, upper_;  ///< box of the surface in the body frame [m]
  std::optional<DepthGrid> field_;
  SurfaceNet net_;
  MeshNeighbours neighbours_;
  Surface picture_;
  double spacing_ = 0, steepest_ = 0, greatest_depth_ = 0, bounding_radius_ = 0;
  std::vector<std::string> facts_;
};

}  // namespace scree::mesh
