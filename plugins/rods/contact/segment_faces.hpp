#pragma once
/// \file The detector "segment-faces": capsules and rods with obstacles, in 3D.

#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"

namespace scree::rods {

/// With each face one contact at each lowest point of the distance along the segment, and one at the end that is
/// farther. Features of a face: 1 and 2 for the ends, 3 and up for places between them, along the body's axis.
class SegmentFaces final : public ContactDetector {
 public:
  DetectorTraits traits() const override;
  /// \throws OptionError where there are segments and a shape whose faces have no distance at some places: a helicoid
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  /// A nearest point that moves between the ends and the middle of the stretch keeps its spring.
  void match(const ContactMatch& contacts) const override;

 private:
  std::vector<const Segment*> segments_;  ///< by index of the shape
  std::vector<const Faces*> faces_;
};

}  // namespace scree::rods
