#pragma once
/// \file The detector "sphere-surface": bodies made of spheres against the faces of obstacles.

#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "scree/shape/facets.hpp"
#include "sphere_tile.hpp"

namespace scree::spheres {

/// One contact per sphere and face that touch; feature = sphere * (number of faces) + face. Contacts of a pair come in
/// order of their features.
class SphereSurface final : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;

 private:
  std::vector<Set> sets_;            ///< by index of the shape
  std::vector<const Faces*> faces_;  ///< by index of the shape; null where it has none
};

}  // namespace scree::spheres
