#include "shape/capsule.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "scree/shape/segment_distance.hpp"
#include "shape/moments.hpp"

namespace scree::rods {

namespace {

/// Corners around a tube, and rings of a cap without its pole.
constexpr int kSides = 16, kRings = 4;

/// Points of a half-circle in the plane, without its last.
constexpr int kArc = 24;

/// The largest distance of boundary nodes on the straight sides [radii].
constexpr double kNodeSpacing = 0.25;

/// Around the outline, counter-clockwise from the lower left. \param straight  points on each straight side, the first
/// one included
std::vector<Vec3> outline(double h, double r, int straight) {
  std::vector<Vec3> points;
  for (const double side : {-1.0, 1.0}) {
    for (int k = 0; k < straight; ++k) points.emplace_back(-side * (-h + 2 * h * k / straight), side * r, 0);
    for (int k = 0; k < kArc; ++k) {
      const double angle = std::numbers::pi * (k / double{kArc} + side / 2);
      points.emplace_back(-side * h + r * std::cos(angle), r * std::sin(angle), 0);
    }
  }
  return points;
}

/// A tube about z between two caps, facing outward.
Surface tube(double h, double r) {
  Surface surface;
  const auto ring = [&](double z, double radius) {
    for (int k = 0; k < kSides; ++k) {
      const double angle = 2 * std::numbers::pi * k / kSides;
      surface.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
  };
  surface.points.emplace_back(0, 0, -h - r);
  for (int cap = 0; cap < 2; ++cap)
    for (int k = 0; k <= kRings; ++k) {
      const double latitude =
          std::numbers::pi / 2 * (cap == 0 ? k - kRings : k) / (kRings + 1.0) * (kRings + 1) / kRings;
      if (cap == 0 ? k > 0 : k < kRings) ring((cap == 0 ? -h : h) + r * std::sin(latitude), r * std::cos(latitude));
    }
  surface.points.emplace_back(0, 0, h + r);
  const auto last = static_cast<std::uint32_t>(surface.points.size() - 1);
  const std::uint32_t rings = (last - 1) / kSides;
  for (std::uint32_t k = 0; k < kSides; ++k) {
    const std::uint32_t next = (k + 1) % kSides;
    surface.cells.push_back({0, 1 + next, 1 + k});
    for (std::uint32_t j = 0; j + 1 < rings; ++j) {
      const std::uint32_t here = 1 + j * kSides, above = here + kSides;
      surface.cells.push_back({here + k, here + next, above + next, above + k});
    }
    surface.cells.push_back({last - kSides + k, last - kSides + next, last});
  }
  return surface;
}

}  // namespace

Capsule::Capsule(const CapsuleOptions& options) : options_(options) {
  const double h = options_.half_length, r = options_.radius;
  vertices_ = {Vec2(-h, 0), Vec2(h, 0)};
  centres_ = {-h * axis(), h * axis()};
  radii_ = {r, r};
  if (options_.dimension == 2) nodes_ = outline(h, r, 1 + static_cast<int>(2 * h / (kNodeSpacing * r)));
}

MassProperties Capsule::mass(double density) const {
  const double h = options_.half_length, r = options_.radius;
  if (options_.dimension == 3) {
    const SlenderMoments m = options_.caps_weigh ? capsule_moments(h, r) : cylinder_moments(h, r);
    return {density * m.volume, density * Vec3(m.across, m.across, m.about_axis)};
  }
  const PlaneMoments m = options_.caps_weigh ? stadium_moments(h, r) : rectangle_moments(h, r);
  const double t = options_.thickness, slab = m.area * t * t / 12;
  return {density * t * m.area, density * t * Vec3(m.yy + slab, m.xx + slab, m.xx + m.yy)};
}

Surface Capsule::surface() const {
  if (options_.dimension == 3) return tube(options_.half_length, options_.radius);
  Surface surface;
  surface.points = outline(options_.half_length, options_.radius, 1);
  surface.cells.emplace_back(surface.points.size());
  std::iota(surface.cells[0].begin(), surface.cells[0].end(), 0u);
  return surface;
}

const void* Capsule::facet(std::string_view name) const noexcept {
  if (name == Segment::kName) return static_cast<const Segment*>(this);
  if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
  if (name == RoundVertices::kName) return static_cast<const RoundVertices*>(this);
  if (options_.dimension == 3) return nullptr;
  if (name == SweptPolygon::kName) return static_cast<const SweptPolygon*>(this);
  if (name == BoundaryNodes::kName) return static_cast<const BoundaryNodes*>(this);
  return nullptr;
}

void Capsule::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  const Vec3 u = axis(), across = Vec3::UnitY();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 from = points[i] - clamped(points[i].dot(u), options_.half_length) * u;
    const double length = from.norm();
    distance[i] = length - options_.radius;
    gradient[i] = length > 0 ? Vec3(from / length) : across;
  }
}

std::shared_ptr<const Shape> make_capsule(const Options& options, const ShapeContext& context) {
  return std::make_shared<Capsule>(CapsuleOptions{options.number("length") / 2, options.number("radius"),
                                                  context.dimension, options.number("thickness"),
                                                  options.text("mass_of") == "capsule"});
}

}  // namespace scree::rods
