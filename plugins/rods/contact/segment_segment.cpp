#include "contact/segment_segment.hpp"

#include <cmath>

#include "contact/match_stretches.hpp"
#include "contact/segment_bodies.hpp"
#include "contact/segment_distance.hpp"

namespace scree::rods {

DetectorTraits SegmentSegment::traits() const {
  DetectorTraits traits;
  traits.facets_a = {Segment::kName};
  traits.facets_b = {Segment::kName};
  traits.dimension = 3;
  traits.specificity = 26;  // see CONTRIBUTING.md
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.weighted = true;
  traits.scales = true;
  return traits;
}

void SegmentSegment::bind(std::span<const Shape* const> shapes) { segments_ = segments_of(shapes); }

void SegmentSegment::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                            ContactBuffer& out) const {
  const std::vector<PlacedSegment>& rows = all_placed(bodies, segments_);
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    const auto [row_a, row_b] = pairs[k];
    const PlacedSegment &a = rows[row_a], &b = rows[row_b];
    const double radii = a.radius + b.radius, reach = radii + margin;
    const SegmentPair pair{b.middle - a.middle, a.axis, b.axis, a.half_length, b.half_length};
    if (beside(pair, reach) || lines_apart(pair, reach) || !(nearest_points(pair).square < reach * reach)) continue;
    const SegmentContacts c = contacts_of(pair);
    const auto push = [&](const SegmentPoints& at, std::uint32_t feature, std::uint64_t which, double weight) {
      const double distance = std::sqrt(at.square);
      if (!(distance < reach)) return;
      if (!(distance > 0)) axes_meet(bodies, row_a, row_b);
      const Vec3 normal = at.way / distance;
      const double overlap = radii - distance;
      out.push(k, overlap, normal, a.middle + at.s * a.axis + (a.radius - overlap / 2) * normal, feature, which);
      // Of crossed cylinders. One value for all attitudes: else the force would not be the gradient of an energy.
      out.set_radius(std::sqrt(a.radius * b.radius));
      out.set_weights(weight, weight);
    };
    push(c.nearest, c.nearest_place, first_payload(0), c.one ? 2 : 1);
    if (!c.one) push(c.far, c.far_place, first_payload(0) + 1, 1);
  }
}

void SegmentSegment::match(const ContactMatch& contacts) const { match_stretches(contacts); }

}  // namespace scree::rods
