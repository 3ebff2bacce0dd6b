#include "swept_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "scree/base/error.hpp"

namespace scree::spheropolygon {

namespace {

/// Arcs in pictures and nodes: 24 points to a full turn.
constexpr double kArcStep = std::numbers::pi / 12;

/// Detectors that sample outlines keep places of nodes in 16 bits; four units per node keep neighbours apart.
constexpr std::size_t kMostNodes = 16384;

/// Returns the default spacing: fine enough for the disc, and at most about 400 nodes around a large body.
double default_spacing(double radius, double perimeter) { return std::max(radius / 2, perimeter / 400); }

}  // namespace

SweptBody::SweptBody(Skeleton skeleton, const SweptBodyOptions& options)
    : skeleton_(std::move(skeleton)), options_(options) {
  if (check_and_orient(skeleton_, options_.radius, options_.pointer))
    notes_.push_back(
        "the vertices run clockwise; they were taken in reverse, counter-clockwise. Reverse their order to "
        "be rid of this note.");
  if (skeleton_.closed) {
    area_ = moments(boundary());
    origin_ = area_.centroid;
  } else {
    Box box;
    for (const Vec2& v : skeleton_.vertices) box.add(v);
    origin_ = (box.low + box.high) / 2;
  }
  for (Vec2& v : skeleton_.vertices) {
    v -= origin_;
    bounding_radius_ = std::max(bounding_radius_, v.norm() + options_.radius);
    centres_.emplace_back(v.x(), v.y(), 0);
  }
  radii_.assign(centres_.size(), options_.radius);
  tree_ = EdgeTree(segments_of(skeleton_));
  if (skeleton_.closed) place_nodes();
}

std::vector<OutlinePiece> SweptBody::boundary() const {
  return skeleton_.closed ? rounded_outline(skeleton_, options_.radius) : chain_outline(skeleton_, options_.radius);
}

void SweptBody::place_nodes() {
  const std::vector<OutlinePiece> pieces = boundary();
  double perimeter = 0;
  for (const OutlinePiece& p : pieces)
    perimeter += p.arc() ? options_.radius * (p.end - p.begin) : (p.to - p.from).norm();
  const double spacing =
      options_.node_spacing > 0 ? options_.node_spacing : default_spacing(options_.radius, perimeter);
  if (!(perimeter / spacing < static_cast<double>(kMostNodes) / 2))
    throw OptionError("/node_spacing",
                      fmt::format("a spacing of {} m is too fine for an outline of {:.4g} m; take {:.3g} m "
                                  "or more.",
                                  spacing, perimeter, 2.1 * perimeter / kMostNodes));
  for (const Vec2& p : outline_points(pieces, spacing, kArcStep)) nodes_.emplace_back(p.x(), p.y(), 0);
}

MassProperties SweptBody::mass(double density) const {
  if (!skeleton_.closed) return {};
  const double per_area = density * options_.thickness,
               slab = area_.area * options_.thickness * options_.thickness / 12;
  return {per_area * area_.area, per_area * Vec3(area_.yy + slab, area_.xx + slab, area_.polar())};
}

ShapeTraits SweptBody::traits() const { return {.notes = notes_, .immobile = immobile()}; }

std::string_view SweptBody::immobile() const {
  if (!skeleton_.closed) return "a chain has no inside, and so no mass. Use a \"spheropolygon\".";
  if (options_.radius == 0)
    return "its disc has radius 0, so nothing can overlap with it before its edges cross. Give it a \"radius\" > 0.";
  return {};
}

Surface SweptBody::surface() const {
  Surface surface;
  surface.closed = skeleton_.closed || options_.radius > 0;
  if (surface.closed) {
    const double endless = std::numeric_limits<double>::infinity();
    for (const Vec2& p : outline_points(boundary(), endless, kArcStep)) surface.points.emplace_back(p.x(), p.y(), 0);
  } else {
    surface.points = centres_;
  }
  surface.cells.emplace_back(surface.points.size());
  std::iota(surface.cells[0].begin(), surface.cells[0].end(), 0u);
  return surface;
}

const void* SweptBody::facet(std::string_view name) const noexcept {
  const bool swept = options_.radius > 0, solid = skeleton_.closed || swept;
  if (name == SweptPolygon::kName) return static_cast<const SweptPolygon*>(this);
  if (name == RoundVertices::kName && swept) return static_cast<const RoundVertices*>(this);
  if (name == ExactDistance::kName && solid) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName && solid) return static_cast<const SignedDistance*>(this);
  if (name == BoundaryNodes::kName && skeleton_.closed) return static_cast<const BoundaryNodes*>(this);
  return nullptr;
}

void SweptBody::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 p = points[i].head<2>();
    const auto [edge, foot] = tree_.nearest(p);
    const double away = std::sqrt(foot.d2), sign = skeleton_.closed && inside(skeleton_, p) ? -1 : 1;
    Vec2 out;
    if (away > 0) {
      out = sign / away * Vec2(foot.dx, foot.dy);
    } else {
      const Vec2 along = skeleton_.vertices[skeleton_.end_of(edge)] - skeleton_.vertices[edge];
      out = Vec2(along.y(), -along.x()).normalized();
    }
    distance[i] = sign * away - options_.radius;
    gradient[i] = {out.x(), out.y(), 0};
  }
}

}  // namespace scree::spheropolygon
