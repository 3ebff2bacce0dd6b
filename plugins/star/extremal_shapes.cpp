#include "extremal_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

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
}

ExtremalPair ExtremalShapes::pair(const BodyView& bodies, const Pair& pair, std::uint32_t index) const {
  ExtremalPair result;
  result.index = index;
  const std::uint32_t rows[2] = {pair.a, pair.b};
  for (int side = 0; side < 2; ++side) {
    result.outline[side] = outline(bodies.shape[rows[side]]);
    result.pose[side] = planar_pose(bodies, rows[side], result.outline[side]->centre);
    result.id[side] = bodies.row[rows[side]].id;
  }
  return result;
}

void wall_extrema(const ExtremalShapes& shapes, const BodyView& bodies, const Pair& pair, std::uint32_t index,
                  double margin, WallScratch& scratch, ContactBuffer& out) {
  const int side = shapes.outline(bodies.shape[pair.a]) != nullptr ? 0 : 1;
  const std::uint32_t star = side == 0 ? pair.a : pair.b, wall = side == 0 ? pair.b : pair.a;
  const ExtremalOutline& own = *shapes.outline(bodies.shape[star]);
  const ExtremalShapes::Entry& surface = shapes.of_shape[bodies.shape[wall]];
  const PlanarPose frame = planar_pose(bodies, wall, Vec2::Zero());
  const RelativePose pose = relative_pose(planar_pose(bodies, star, own.centre), frame);
  if (surface.exact) {  // |grad u| <= 1: a contact begins within spacing/4 of a node at most
    const Vec3 centre(pose.x, pose.y, 0);
    double distance;
    Vec3 gradient;
    surface.distance->distance({&centre, 1}, {&distance, 1}, {&gradient, 1});
    if (distance > own.r_max + own.spacing / 4 + margin) return;
  }
  const auto n = static_cast<std::size_t>(own.nodes);
  scratch.depths.resize(n);
  scratch.points.resize(n);
  scratch.gradients.resize(n);
  scratch.distances.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = i + ExtremalOutline::kBefore;
    const PlanarPoint<double> p = transform(pose, own.x[k], own.y[k]);
    scratch.points[i] = {p.x, p.y, 0};
  }
  surface.distance->distance(scratch.points, scratch.distances, scratch.gradients);
  bool finite = true;
  for (std::size_t i = 0; i < n; ++i) {
    scratch.depths.x[i] = scratch.points[i].x();
    scratch.depths.y[i] = scratch.points[i].y();
    scratch.depths.u[i] = -scratch.distances[i];
    scratch.depths.gx[i] = -scratch.gradients[i].x();
    scratch.depths.gy[i] = -scratch.gradients[i].y();
    finite = finite && std::isfinite(scratch.depths.gx[i] + scratch.depths.gy[i] + scratch.depths.u[i]);
  }
  if (!finite)
    throw NumericalError(
        fmt::format("bodies {} and {}: the distance to body {} is not a number, or has no gradient, at a node of body "
                    "{}. Use a smaller dt or a stiffer law, or mend the shape's SignedDistance.",
                    bodies.row[pair.a].id, bodies.row[pair.b].id, bodies.row[wall].id, bodies.row[star].id));
  push_terms(scratch.depths, {index, side, static_cast<std::uint32_t>(n), frame, 1.0}, margin, 0, out);
}

}  // namespace scree::star
