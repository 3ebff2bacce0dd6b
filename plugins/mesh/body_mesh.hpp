#pragma once
/// \file The detectors "segment-mesh", capsules against a surface of triangles, and "polyhedron-mesh", rounded
/// polyhedra against one.

#include <vector>

#include "mesh_surface.hpp"
#include "scree/detect/contact_detector.hpp"
#include "solvers/skeleton/parts.hpp"

namespace scree::mesh {

/// Bodies that meet a mesh with edges of their own.
enum class Body {
  segment,     ///< Segment/1
  polyhedron,  ///< SweptPolyhedron/1
};

/// Nearer than this part of the radius, and the body's core is about to pass through the mesh.
inline constexpr double kNearest = 0.2;

/// One contact per closest pair of points, with the sum of weights of the terms that meet there (TermSum). Features are
/// the number of the body's part times 256 (vertices, then edges, then faces), and a number of the contact.
class BodyMesh final : public ContactDetector {
 public:
  explicit BodyMesh(Body body) : body_(body) {}

  DetectorTraits traits() const override;
  /// \throws OptionError for bodies of too many parts
  void bind(std::span<const Shape* const> shapes) override;
  /// \throws NumericalError where the core of a body touches the mesh, or lies in it
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  /// A contact continues the nearest one on the mesh: of its part, or of another that hands over to it.
  void match(const ContactMatch& contacts) const override;

 private:
  struct Side {
    skeleton::Parts parts;
    const MeshSurface* mesh;
  };
  Body body_;
  std::vector<Side> sides_;  ///< by index of the shape
};

}  // namespace scree::mesh
