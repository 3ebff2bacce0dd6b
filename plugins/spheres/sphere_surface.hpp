#pragma once
/// \file The detectors "sphere-surface", bodies made of spheres against the faces of obstacles, and "vertex-wall",
/// bodies with rounded vertices against walls that have no edges of their own.

#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "scree/shape/facets.hpp"
#include "sphere_tile.hpp"

namespace scree::spheres {

/// Kind of spheres and faces that meet.
enum class Pairing {
  spheres_with_faces,   ///< SphereSet/1 with Faces/1
  vertices_with_walls,  ///< RoundVertices/1 with WallFaces/1
};

/// One contact per sphere and face that touch; feature = sphere * (number of faces) + face. Contacts of a pair come in
/// order of their features.
class SphereSurface final : public ContactDetector {
 public:
  explicit SphereSurface(Pairing pairing = Pairing::spheres_with_faces) : pairing_(pairing) {}

  DetectorTraits traits() const override;
  /// Offers DeviceFaceContacts: sites are spheres, or rounded vertices.
  const void* face(std::string_view name) const noexcept override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;

 private:
  Pairing pairing_;
  std::vector<Set> sets_;            ///< by index of the shape
  std::vector<const Faces*> faces_;  ///< by index of the shape; null where it has none
  /// Shares of rounded vertices, by index of the shape: corner_shares(). Empty where all are 1.
  std::vector<std::vector<double>> shares_;
};

}  // namespace scree::spheres
