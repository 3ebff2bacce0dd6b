#pragma once
/// \file The shape "spheropolyhedron": a closed polyhedron with all within a radius of it.

#include <string>
#include <vector>

#include "moments.hpp"
#include "polyhedron.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"
#include "scree/shape/swept_polyhedron.hpp"
#include "solvers/skeleton/parts.hpp"

namespace scree::spheropolyhedron {

using namespace skeleton;

struct SweptSolidOptions {
  double radius = 0;                      ///< radius of the sphere [m], > 0
  std::string pointer;                    ///< JSON pointer of the option that gave the surface, for messages
  bool placed_by_centre_of_mass = false;  ///< `position` means the centre of mass; else the origin of the vertices
};

/// The body frame has its origin in the centre of mass of the swept body, and its principal axes.
///
/// Facets: SweptPolyhedron/1, RoundVertices/1, ExactDistance/1, SignedDistance/1.
class SweptSolid final : public Shape, public SweptPolyhedron, public RoundVertices, public ExactDistance {
 public:
  /// Welds vertices, joins flat parts, and checks. \throws OptionError, see check_and_orient() and merge_flat_parts()
  SweptSolid(Polyhedron body, const SweptSolidOptions& options);

  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density * volume_, density * inertia_}; }
  double bounding_radius() const noexcept override { return parts_.bounding_radius; }
  double rotation_reach() const noexcept override { return parts_.reach; }
  Vec3 reference_point() const noexcept override { return reference_point_; }
  Surface surface() const override;
  const void* facet(std::string_view name) const noexcept override;

  std::span<const Vec3> vertices() const override { return body_.vertices; }
  std::span<const std::uint32_t> face_begin() const override { return face_begin_; }
  std::span<const std::uint32_t> face_vertices() const override { return face_vertices_; }
  double radius() const noexcept override { return options_.radius; }
  std::span<const Vec3> centres() const override { return body_.vertices; }
  std::span<const double> radii() const override { return parts_.vertex_radius; }
  /// To the polyhedron, less the radius: exact outside; within, never larger in size than the distance.
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  ShapeTraits traits() const override { return {.notes = notes_, .body_to_reference = body_to_reference_}; }

  const Polyhedron& polyhedron() const { return body_; }

 private:
  void make_frame(const std::vector<PolyhedronEdge>& edges);
  void fill_facet();

  Polyhedron body_;  ///< body frame
  SweptSolidOptions options_;
  std::vector<std::uint32_t> face_begin_, face_vertices_;
  Parts parts_;
  double volume_ = 0;
  Vec3 inertia_ = Vec3::Zero(), reference_point_ = Vec3::Zero();
  Quat body_to_reference_ = Quat::Identity();
  std::vector<std::string> notes_;
};

/// Distance to a polyhedron, below 0 inside, and the way out. \pre there are faces
struct SkeletonDistance {
  double distance;
  Vec3 out;  ///< unit
};
SkeletonDistance distance_to(const Parts& parts, const Vec3& p);

}  // namespace scree::spheropolyhedron
