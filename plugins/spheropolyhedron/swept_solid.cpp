#include "swept_solid.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "flat_parts.hpp"
#include "hollow_moments.hpp"
#include "picture.hpp"
#include "scree/shape/principal_axes.hpp"

namespace scree::spheropolyhedron {

namespace {

/// Along a face a corner is felt as far as sqrt(2 rs delta). With overlaps of 1 % of rs, edges shorter than this many
/// radii lie within the corners at their ends.
constexpr double kShortEdge = 0.3;

}  // namespace

SweptSolid::SweptSolid(Polyhedron body, const SweptSolidOptions& options) : body_(std::move(body)), options_(options) {
  check_numbers(body_, options_.pointer);
  weld(body_);
  if (check_and_orient(body_, options_.pointer))
    notes_.push_back(
        "all faces see inward; they were turned round. List corners counter-clockwise from outside to be rid of this "
        "note.");
  merge_flat_parts(body_, options_.pointer);
  check_crossings(body_, options_.pointer);
  make_frame(edges_of(body_, options_.pointer));
  fill_facet();
  if (parts_.shortest_edge < kShortEdge * options_.radius)
    notes_.push_back(
        fmt::format("the shortest edge is {:.3g} m, below {:g} of the radius, {:.3g} m: contacts are stiffer where "
                    "corners are so close "
                    "together. Remove short edges, or take a smaller radius.",
                    parts_.shortest_edge, kShortEdge, options_.radius));
}

void SweptSolid::make_frame(const std::vector<PolyhedronEdge>& edges) {
  const VolumeIntegrals whole = is_convex(body_, edges) ? convex_integrals(body_, edges, options_.radius)
                                                        : hollow_integrals(body_, options_.radius);
  const Vec3 centre = whole.first / whole.volume;
  const PrincipalAxes frame = principal_axes(inertia_of(whole));
  const Mat3 back = frame.axes.transpose();
  volume_ = whole.volume;
  inertia_ = frame.moments;
  body_to_reference_ = Quat(frame.axes);
  if (!options_.placed_by_centre_of_mass) reference_point_ = -(back * centre);
  for (Vec3& v : body_.vertices) v = back * (v - centre);
}

void SweptSolid::fill_facet() {
  face_begin_ = {0};
  for (const auto& face : body_.faces) {
    face_vertices_.insert(face_vertices_.end(), face.begin(), face.end());
    face_begin_.push_back(static_cast<std::uint32_t>(face_vertices_.size()));
  }
  parts_ = polyhedron_parts(body_.vertices, face_begin_, face_vertices_, options_.radius);
}

Surface SweptSolid::surface() const { return rounded_surface(body_, options_.radius); }

const void* SweptSolid::facet(std::string_view name) const noexcept {
  if (name == SweptPolyhedron::kName) return static_cast<const SweptPolyhedron*>(this);
  if (name == RoundVertices::kName) return static_cast<const RoundVertices*>(this);
  if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
  return nullptr;
}

void SweptSolid::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SkeletonDistance to = distance_to(parts_, points[i]);
    distance[i] = to.distance - options_.radius;
    gradient[i] = to.out;
  }
}

SkeletonDistance distance_to(const Parts& parts, const Vec3& p) {
  const FacePart* nearest = nullptr;
  FaceFoot foot{nullptr, 0, std::numeric_limits<double>::infinity()};
  for (const FacePart& face : parts.faces) {
    const double height = face.normal.dot(p) - face.offset;
    if (height * height >= foot.d2) continue;
    if (const FaceFoot here = foot_on_face(p, parts, face); here.d2 < foot.d2) foot = here, nearest = &face;
  }
  const double sign = encloses(parts, p) ? -1 : 1, away = std::sqrt(foot.d2);
  if (!foot.corner || !(away > 0)) return {sign * away, nearest->normal};
  const EdgeFoot on = foot_on_edge(p, parts.edges[foot.corner->edge].line);
  return {sign * away, sign / away * on.way};
}

}  // namespace scree::spheropolyhedron
