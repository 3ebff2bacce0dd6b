#include "extremal/extremal_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scree/base/error.hpp"

namespace scree::star {

ExtremalShapes::ExtremalShapes(std::span<const Shape* const> shapes) {
  for (const Shape* shape : shapes) {
    Entry& entry = of_shape.emplace_back();
    fields.resize(of_shape.size() * kFieldKnots);
    if (shape == nullptr) continue;
    if (const auto* function = facet<RadialFunction>(*shape)) {
      entry.outline = std::make_unique<const ExtremalOutline>(*function);
      std::copy(entry.outline->field.begin(), entry.outline->field.end(), fields.end() - kFieldKnots);
    }
    entry.distance = facet<SignedDistance>(*shape);
    entry.exact = facet<ExactDistance>(*shape) != nullptr;
  }
  bound_error();
}

void ExtremalShapes::bound_error() {
  double farthest = 0;
  for (const Entry& entry : of_shape)
    if (entry.outline != nullptr) farthest = std::max(farthest, entry.outline->r_max);
  for (const Entry& entry : of_shape) {
    if (entry.outline == nullptr) continue;
    const FieldBounds& bounds = entry.outline->bounds;
    const double of_places = 1e-6 * bounds.steepest * (farthest + entry.outline->r_max);
    error.at_outline = std::max(error.at_outline, static_cast<float>(bounds.at_outline + of_places));
    error.per_depth = std::max(error.per_depth, static_cast<float>(1.001 * bounds.per_depth));
  }
}

ExtremalPair ExtremalShapes::pair(const BodyView& bodies, const Pair& pair, std::uint32_t index) const {
  return outline_pair<ExtremalOutline>([this](std::uint32_t shape) { return outline(shape); }, bodies, pair, index);
}

namespace {

void resize(WallScratch& s, std::size_t points) {
  s.points.resize(points);
  s.distances.resize(points);
  s.gradients.resize(points);
}

/// Distances of the nodes' blocks tell which nodes may come within `near` of the surface: |grad distance| <= 1.
/// \return false when none may
bool look_near(const ExtremalOutline& own, const RelativePose& pose, const SignedDistance& surface, double near,
               WallScratch& s) {
  resize(s, own.blocks.size());
  for (std::size_t i = 0; i < own.blocks.size(); ++i) {
    const PlanarPoint<double> p = transform(pose, own.blocks[i].x, own.blocks[i].y);
    s.points[i] = {p.x, p.y, 0};
  }
  surface.distance(s.points, s.distances, s.gradients);
  const auto n = static_cast<std::uint32_t>(own.nodes);
  s.looked.assign(mask_words(n), 0);
  s.wanted.clear();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < own.blocks.size(); ++i) {
    const NodeBlock& block = own.blocks[i];
    if (s.distances[i] > block.radius + near) continue;
    ++kept;
    // An extremum is at most one node away from a node that is near, and its stencil reaches two nodes further.
    for (int k = -3; k < block.count + 3; ++k) {
      const auto node = (static_cast<std::uint32_t>(block.first + k) + 4 * n) % n;
      s.wanted.push_back(node);
      if (k >= -1 && k <= block.count) s.looked[node / 64] |= std::uint64_t{1} << (node % 64);
    }
  }
  if (kept == own.blocks.size()) s.looked.clear();
  return !s.wanted.empty();
}

}  // namespace

void wall_extrema(const ExtremalShapes& shapes, const BodyView& bodies, const Pair& pair, std::uint32_t index,
                  double margin, WallScratch& scratch, ContactBuffer& out) {
  const int side = shapes.outline(bodies.shape[pair.a]) != nullptr ? 0 : 1;
  const std::uint32_t star = side == 0 ? pair.a : pair.b, wall = side == 0 ? pair.b : pair.a;
  const ExtremalOutline& own = *shapes.outline(bodies.shape[star]);
  const ExtremalShapes::Entry& surface = shapes.of_shape[bodies.shape[wall]];
  const PlanarPose frame = planar_pose(bodies, wall, Vec2::Zero());
  const RelativePose pose = relative_pose(planar_pose(bodies, star, own.centre), frame);
  // A contact begins within a quarter of a node's spacing of a node.
  const double near = own.spacing / 4 + margin;
  if (surface.exact) {
    const Vec3 centre(pose.x, pose.y, 0);
    double distance;
    Vec3 gradient;
    surface.distance->distance({&centre, 1}, {&distance, 1}, {&gradient, 1});
    if (distance > own.r_max + near) return;
    if (!look_near(own, pose, *surface.distance, near, scratch)) return;
  } else {
    scratch.looked.clear();
  }
  const auto n = static_cast<std::size_t>(own.nodes);
  if (scratch.looked.empty()) {
    scratch.wanted.resize(n);
    std::iota(scratch.wanted.begin(), scratch.wanted.end(), 0u);
  }
  scratch.depths.resize(n);
  resize(scratch, scratch.wanted.size());
  for (std::size_t i = 0; i < scratch.wanted.size(); ++i) {
    const std::size_t k = scratch.wanted[i] + ExtremalOutline::kBefore;
    const PlanarPoint<double> p = transform(pose, own.x[k], own.y[k]);
    scratch.points[i] = {p.x, p.y, 0};
  }
  surface.distance->distance(scratch.points, scratch.distances, scratch.gradients);
  bool finite = true;
  for (std::size_t i = 0; i < scratch.wanted.size(); ++i) {
    const std::size_t node = scratch.wanted[i];
    scratch.depths.x[node] = scratch.points[i].x();
    scratch.depths.y[node] = scratch.points[i].y();
    scratch.depths.u[node] = -scratch.distances[i];
    scratch.depths.gx[node] = -scratch.gradients[i].x();
    scratch.depths.gy[node] = -scratch.gradients[i].y();
    finite = finite && std::isfinite(scratch.distances[i] + scratch.gradients[i].sum());
  }
  if (!finite)
    throw NumericalError(
        fmt::format("bodies {} and {}: the distance to body {} is not a number, or has no gradient, at a node of body "
                    "{}. Use a smaller dt or a stiffer law, or mend the shape's SignedDistance.",
                    bodies.row[pair.a].id, bodies.row[pair.b].id, bodies.row[wall].id, bodies.row[star].id));
  push_terms(scratch.depths, {index, side, own, frame, 1.0}, margin, 0, out, scratch.looked);
}

}  // namespace scree::star
