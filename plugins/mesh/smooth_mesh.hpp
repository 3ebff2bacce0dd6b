#pragma once
/// \file The detector "smooth-mesh": bodies of smooth depth fields against a surface of triangles.

#include <vector>

#include "mesh_surface.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/shape/smooth_surface.hpp"

namespace scree::mesh {

/// One contact per critical point of the depth of the mesh in the body: see SmoothPatch for convex bodies, and
/// DentedPatch for all others.
class SmoothMesh final : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  /// \throws NumericalError where the mesh has come near the middle of a body
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  /// A contact continues the nearest one on the mesh.
  void match(const ContactMatch& contacts) const override;

 private:
  struct Side {
    const SmoothField* field;
    const MeshSurface* mesh;
    bool convex;     ///< true where the body is known to be convex
    double margin;   ///< depth of a top beyond that of the samples around it, at most [m]
    double spacing;  ///< distance of these samples [m]
  };
  static Side make_side(const Shape& shape);
  std::vector<Side> sides_;  ///< by index of the shape
};

}  // namespace scree::mesh
