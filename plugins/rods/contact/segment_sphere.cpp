#include "contact/segment_sphere.hpp"

#include <cmath>

#include "contact/segment_bodies.hpp"
#include "scree/shape/segment_distance.hpp"

namespace scree::rods {

namespace {

/// R* of a sphere on a cylinder: the geometric mean of the relative curvatures 1/r + 1/r_cylinder and 1/r.
/// \source K. L. Johnson, Contact Mechanics (1985), sec. 4.2, "equivalent radius"
double radius_on_cylinder(double sphere, double cylinder) { return sphere / std::sqrt(1 + sphere / cylinder); }

}  // namespace

DetectorTraits SegmentSphere::traits() const {
  DetectorTraits traits;
  traits.facets_a = {Segment::kName};
  traits.facets_b = {SphereSet::kName};
  traits.dimension = 3;
  traits.specificity = 22;  // see CONTRIBUTING.md
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.scales = true;
  return traits;
}

void SegmentSphere::bind(std::span<const Shape* const> shapes) {
  segments_ = segments_of(shapes);
  spheres_.clear();
  for (const Shape* shape : shapes) spheres_.push_back(facet<SphereSet>(*shape));
}

void SegmentSphere::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                           ContactBuffer& out) const {
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    const Pair& pair = pairs[k];
    const bool segment_is_a = segments_[bodies.shape[pair.a]] && spheres_[bodies.shape[pair.b]];
    const std::uint32_t rod = segment_is_a ? pair.a : pair.b, other = segment_is_a ? pair.b : pair.a;
    const PlacedSegment segment = placed(bodies, rod, *segments_[bodies.shape[rod]]);
    const SphereSet& set = *spheres_[bodies.shape[other]];
    const BodyRow& body = bodies.row[other];
    const double scale = bodies.scale_of(other);
    for (std::uint32_t s = 0; s < set.radii().size(); ++s) {
      const double radius = scale * set.radii()[s], reach = segment.radius + radius + margin;
      const Vec3 from = body.position + body.orientation * (scale * set.centres()[s]) - segment.middle;
      const double along = clamped(from.dot(segment.axis), segment.half_length);
      const Vec3 way = from - along * segment.axis;
      const double square = way.squaredNorm();
      if (!(square < reach * reach)) continue;
      if (!(square > 0)) axes_meet(bodies, pair.a, pair.b);
      const double distance = std::sqrt(square), overlap = segment.radius + radius - distance;
      const Vec3 out_of_rod = way / distance;
      const Vec3 point = segment.middle + along * segment.axis + (segment.radius - overlap / 2) * out_of_rod;
      out.push(k, overlap, segment_is_a ? out_of_rod : Vec3(-out_of_rod), point, s, std::uint64_t{s} + 1);
      out.set_radius(radius_on_cylinder(radius, segment.radius));
    }
  }
}

}  // namespace scree::rods
