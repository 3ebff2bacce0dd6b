#pragma once
/// \file The detector "segment-sphere": capsules and rods with spheres and clumps, in 3D.

#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"

namespace scree::rods {

/// One contact per sphere, at the point of the axis nearest to its centre. Feature: index of the sphere.
class SegmentSphere final : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;

 private:
  std::vector<const Segment*> segments_;  ///< by index of the shape
  std::vector<const SphereSet*> spheres_;
};

}  // namespace scree::rods
