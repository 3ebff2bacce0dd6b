#include "contact/segment_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/match_stretches.hpp"
#include "contact/segment_bodies.hpp"

namespace scree::rods {

namespace {

/// The segment is cut into so many parts, in each of which the distance has one lowest point at most.
constexpr int kParts = 8;

/// Slopes below this are 0 with rounding errors.
constexpr double kFlat = 1e-9;

/// Places of one face: two ends, and lowest points between them.
constexpr std::uint32_t kFeatures = kParts + 3;

/// Halvings of an interval of the segment: to 1e-12 of its length.
constexpr int kHalvings = 40;

/// One face, seen from points of one segment.
class View {
 public:
  View(const PlacedSegment& segment, const BodyRow& wall, double scale, const Faces& faces, int face)
      : faces_(faces), face_(face), scale_(scale) {
    const Quat back = wall.orientation.conjugate();
    middle_ = back * (segment.middle - wall.position);
    axis_ = back * segment.axis;
  }
  /// At the point t [m] of the segment. Lengths are those of the scaled obstacle.
  FacePoint at(double t) const {
    const Vec3 point = (middle_ + t * axis_) / scale_;
    FacePoint seen;
    faces_.face(face_, {&point, 1}, {&seen, 1});
    seen.distance *= scale_;
    for (double& k : seen.curvature) k /= scale_;
    return seen;
  }
  /// Change of the distance per length.
  double slope(const FacePoint& seen) const { return seen.normal.dot(axis_); }
  /// Returns the place where the slope rises through 0. \pre it does between `below` and `above`
  double lowest(double below, double above) const {
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = (below + above) / 2;
      (slope(at(middle)) < 0 ? below : above) = middle;
    }
    return (below + above) / 2;
  }

 private:
  const Faces& faces_;
  int face_;
  double scale_;
  Vec3 middle_, axis_;
};

struct Place {
  double t;  ///< [m]
  FacePoint seen;
  std::uint32_t feature;
};

/// Places of one segment and one face.
struct Places {
  std::array<Place, kParts + 2> place;
  std::size_t count = 0;
  void add(const Place& p) { place[count++] = p; }
  std::span<const Place> all() const { return {place.data(), count}; }
};

/// The places of a segment that may touch a face: each lowest point of the distance along it, and the end that is
/// farther. Along planes the lowest point is an end; in hollow faces both ends are; along convex solids there is one,
/// along others, such as the rim of a hole, there are several. Forces are the gradient of the energy of all overlaps.
Places places_of(const View& view, double half, double reach) {
  const Place lower{-half, view.at(-half), 1}, upper{half, view.at(half), 2};
  const double first = view.slope(lower.seen), last = view.slope(upper.seen);
  const bool upper_is_farther = upper.seen.distance >= lower.seen.distance;
  Places places;
  if (first >= -kFlat || !upper_is_farther) places.add(lower);
  if (last <= kFlat || upper_is_farther) places.add(upper);
  // The distance changes by at most the way: no point between the ends is nearer than this.
  if ((lower.seen.distance + upper.seen.distance) / 2 - half >= reach) return places;
  double begin = -half;
  bool falls = first < -kFlat;
  std::uint32_t feature = 3;
  for (int k = 1; k <= kParts; ++k) {
    const double end = half * (2.0 * k / kParts - 1);
    const double slope = k == kParts ? last : view.slope(view.at(end));
    if (falls && (k < kParts ? slope >= -kFlat : slope > kFlat)) {
      const double t = view.lowest(begin, end);
      places.add({t, view.at(t), feature++});
    }
    falls = slope < -kFlat;
    begin = end;
  }
  return places;
}

/// Places about a body at which its faces are looked at.
constexpr int kLooks = 200;

/// Checks whether every face has a distance at every place: a segment needs it all along its axis. The faces of a screw
/// are its blades above and below a place, and differ from one place to the next.
bool seen_from_everywhere(const Faces& faces, double radius) {
  for (int k = 0; k < kLooks; ++k) {
    const double angle = 2.4 * k, height = 2.0 * (k + 0.5) / kLooks - 1, across = std::sqrt(1 - height * height);
    const double far = radius * (k % 5 + 1) / 4;
    const Vec3 point = far * Vec3(across * std::cos(angle), across * std::sin(angle), height);
    for (int face = 0; face < faces.face_count(); ++face) {
      FacePoint seen;
      faces.face(face, {&point, 1}, {&seen, 1});
      if (!std::isfinite(seen.distance)) return false;
    }
  }
  return true;
}

}  // namespace

DetectorTraits SegmentFaces::traits() const {
  DetectorTraits traits;
  traits.facets_a = {Segment::kName};
  traits.facets_b = {Faces::kName};
  traits.dimension = 3;
  traits.specificity = 16;  // see CONTRIBUTING.md
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.scales = true;
  return traits;
}

void SegmentFaces::bind(std::span<const Shape* const> shapes) {
  segments_ = segments_of(shapes);
  const bool any = std::ranges::any_of(segments_, [](const Segment* segment) { return segment != nullptr; });
  faces_.clear();
  for (const Shape* shape : shapes) {
    faces_.push_back(facet<Faces>(*shape));
    const double radius = std::isfinite(shape->bounding_radius()) ? shape->bounding_radius() : 1;
    if (any && shape->dimension() == 3 && faces_.back() && !seen_from_everywhere(*faces_.back(), radius))
      throw OptionError("",
                        "a shape of the scene has faces that are not seen from everywhere, as the blades of a screw; "
                        "capsules do not meet it. Make it of other obstacles, or the grains of other shapes.");
  }
}

void SegmentFaces::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                          ContactBuffer& out) const {
  for (std::uint32_t k = 0; k < pairs.size(); ++k) {
    const Pair& pair = pairs[k];
    const bool wall_is_a = faces_[bodies.shape[pair.a]] && segments_[bodies.shape[pair.b]];
    const std::uint32_t wall = wall_is_a ? pair.a : pair.b, rod = wall_is_a ? pair.b : pair.a;
    const PlacedSegment segment = placed(bodies, rod, *segments_[bodies.shape[rod]]);
    const Faces& faces = *faces_[bodies.shape[wall]];
    const double reach = segment.radius + margin;
    for (int face = 0; face < faces.face_count(); ++face) {
      const View view(segment, bodies.row[wall], bodies.scale_of(wall), faces, face);
      const Places places = places_of(view, segment.half_length, reach);
      const auto nearest = std::ranges::min_element(places.all(), {}, [](const Place& p) { return p.seen.distance; });
      for (const Place& place : places.all()) {
        if (!(place.seen.distance < reach)) continue;
        const std::uint64_t which = first_payload(face) + (&place != &*nearest);
        const Vec3 outward = bodies.row[wall].orientation * place.seen.normal;
        const double overlap = segment.radius - place.seen.distance;
        const Vec3 point = segment.middle + place.t * segment.axis - (segment.radius - overlap / 2) * outward;
        out.push(k, overlap, wall_is_a ? outward : Vec3(-outward), point,
                 kFeatures * static_cast<std::uint32_t>(face) + place.feature, which);
        out.set_radius(segment.radius);
      }
    }
  }
}

void SegmentFaces::match(const ContactMatch& contacts) const { match_stretches(contacts); }

}  // namespace scree::rods
