#pragma once
/// \file The detector "segment-segment": capsules and rods with each other, in 3D.

#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "scree/shape/segment.hpp"

namespace scree::rods {

/// One contact where the segments are nearest; bodies that lie along each other have a second one at the far end of
/// their common stretch (contacts_of()). The feature is the end of the stretch, seen along a: 1, 2, or 0 between them.
class SegmentSegment final : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  /// A nearest point that moves between the ends and the middle of the stretch keeps its spring.
  void match(const ContactMatch& contacts) const override;

 private:
  std::vector<const Segment*> segments_;
};

}  // namespace scree::rods
