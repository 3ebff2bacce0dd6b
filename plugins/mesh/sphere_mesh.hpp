#pragma once
/// \file The detector "sphere-mesh": spheres and clumps against a surface of triangles.

#include <vector>

#include "mesh_surface.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/shape/facets.hpp"

namespace scree::mesh {

/// One contact per sphere and lasting minimum of its distance to the mesh (SpherePatch). Features are the number of the
/// sphere times 256, and a number of the contact. The payload has the place of the contact on the mesh, for match().
class SphereMesh final : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  /// Lists the triangles near each sphere: those that it can reach while it moves by no more than the skin.
  void prepare(const BodyView& bodies, std::span<const Pair> pairs, double skin, double margin,
               PairCache& cache) const override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  /// A contact continues the nearest one of its sphere, within a third of the radius. One that shares its force with
  /// another takes a copy of that one's spring when it begins.
  void match(const ContactMatch& contacts) const override;

 private:
  struct Side {
    const SphereSet* spheres;
    const MeshSurface* mesh;
  };
  struct Seen;
  template <class Each>
  void for_each_sphere(const BodyView& bodies, std::span<const Pair> pairs, const Each& each) const;

  std::vector<Side> sides_;  ///< by index of the shape
};

}  // namespace scree::mesh
