#include "writer/interface_surface.hpp"

#include "solid/granules.hpp"

namespace scree::culling {

namespace {

constexpr double kClosing = 0.5;    // [d]
constexpr double kVoxel = 1.0 / 3;  // [d]

}  // namespace

/// Drawn in the frame of the aggregate, so that it moves without changing.
Triangles interface_surface(const World& world, const Aggregate& aggregate, double diameter) {
  std::vector<Ball> balls;
  Vec3 lower = Vec3::Constant(1e300), upper = Vec3::Constant(-1e300);
  for (const StoredGranule& g : aggregate.stored)
    for_each_ball(*world.shapes()[g.shape].shape, g.scale, g.pose, [&](const Vec3& x, double r) {
      balls.push_back({x, r});
      lower = lower.cwiseMin(x - Vec3::Constant(r)), upper = upper.cwiseMax(x + Vec3::Constant(r));
    });
  if (balls.empty()) return {};
  const Vec3 margin = Vec3::Constant((kClosing + 2 * kVoxel) * diameter);
  const auto field = make_field(FieldKind::automatic, {lower - margin, upper + margin, kVoxel * diameter},
                                kClosing * diameter, balls.size());
  field->add(balls);
  field->close(kClosing * diameter);
  field->fill_cavities();
  Triangles surface = field->surface();
  const Pose frame = world_frame(world, aggregate);
  for (Vec3& x : surface.points) x = frame.position + frame.orientation * x;
  return surface;
}

}  // namespace scree::culling
