#include "engine/batch_inputs.hpp"

#include <algorithm>
#include <limits>

namespace scree::device {

std::vector<Pose> walls_at(const World& world, const DevicePlan& plan, double time) {
  std::vector<Pose> walls;
  for (const WallMethods& wall : plan.walls) {
    const auto found = world.prescribed().find(plan.id_of_rank[wall.body]);
    walls.push_back(found == world.prescribed().end() ? wall.pose
                                                      : pose_at(found->second.motions, found->second.initial, time));
  }
  return walls;
}

bool some_wall_moves(const World& world, const DevicePlan& plan) {
  return std::ranges::any_of(
      plan.walls, [&](const WallMethods& wall) { return world.prescribed().contains(plan.id_of_rank[wall.body]); });
}

void BatchInputs::upload_poses(std::span<const double> times) {
  std::vector<PrescribedPose> poses;
  const std::vector<Id>& ids = plan_.id_of_rank;  // ascending
  for (const double time : times)
    for (const auto& [id, entry] : world_.prescribed()) {
      const auto found = std::ranges::lower_bound(ids, id);
      if (found == ids.end() || *found != id) continue;
      const Pose pose = pose_at(entry.motions, entry.initial, time);
      const Twist twist = twist_at(entry.motions, entry.initial, time);
      poses.push_back({static_cast<std::uint32_t>(found - ids.begin()), plain(pose.position), plain(pose.orientation),
                       plain(twist.velocity), plain(twist.angular_velocity)});
    }
  prescribed_ = times.empty() ? 0 : static_cast<std::uint32_t>(poses.size() / times.size());
  poses_.upload(poses);
}

void BatchInputs::upload_walls(std::span<const double> times, const WallReference& reference) {
  const bool moving = some_wall_moves(world_, plan_);
  std::vector<WallMotion> motions;
  for (const double time : moving ? times : times.first(1)) {
    const std::vector<Pose> now = walls_at(world_, plan_, time);
    for (std::size_t g = 0; g < now.size(); ++g) {
      const WallMethods& wall = plan_.walls[g];
      // What an endless surface does beyond the farthest body is of no account.
      motions.push_back({(now[g].position - reference.poses[g].position).norm(),
                         now[g].orientation.angularDistance(reference.poses[g].orientation), wall.rotation_reach,
                         wall.endless ? reference.farthest_site : std::numeric_limits<double>::infinity()});
    }
  }
  walls_.upload(motions);
  count_ = static_cast<std::uint32_t>(plan_.walls.size());
  per_step_ = moving ? count_ : 0;
}

}  // namespace scree::device
