#include "solvers/coulomb/assemble.hpp"
#include "kinds.hpp"
#include "rigid_scene.hpp"

namespace scree::bench {
namespace {

using Eigen::Vector3d;

/// A face between two boxes: points of contact on the rim of a rectangle, four corners first, then midpoints of sides.
struct Face {
  Vector3d centre;
  double half_x, half_y;

  Vector3d point(int k) const {
    constexpr int around[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    return centre + Vector3d(around[k][0] * half_x, around[k][1] * half_y, 0);
  }
};

/// What makes one stack unlike another.
struct Style {
  double edge, friction, heaviest, unevenness;  ///< [m], [-], ratio of masses, [rad] of normals
  int points;                                   ///< of contact in a face
};

Style any_style(Random& random) {
  return {random.scale(1e-2, 1), random.between(0.2, 1), random.chance(0.3) ? random.scale(10, 1000) : 2,
          random.chance(0.5) ? 0 : 1e-3, random.integer(4, 8)};
}

std::uint32_t add_box(RigidScene& scene, Random& random, const Style& style, const Vector3d& at) {
  const double mass = 1000 * std::pow(style.edge, 3) * random.scale(1, style.heaviest);
  return scene.add(at, mass, mass * style.edge * style.edge / 6 * Eigen::Matrix3d::Identity());
}

void join(RigidScene& scene, Random& random, const Style& style, std::uint32_t below, std::uint32_t above,
          const Face& face) {
  for (int k = 0; k < style.points; ++k) {
    const Vector3d normal = random.rotation(style.unevenness) * Vector3d::UnitZ();
    scene.touch(below, above, normal, face.point(k), style.friction);
  }
}

/// Towers: each box on one other, shifted a little.
void build_tower(RigidScene& scene, Random& random, const Style& style, int levels, double x) {
  std::uint32_t below = coulomb::kImmovable;
  Vector3d at(x, 0, 0.5 * style.edge);
  for (int level = 0; level < levels; ++level) {
    const std::uint32_t box = add_box(scene, random, style, at);
    const double half = 0.45 * style.edge;
    join(scene, random, style, below, box, {at - Vector3d(0, 0, 0.5 * style.edge), half, half});
    below = box;
    at += Vector3d(random.between(-0.05, 0.05), random.between(-0.05, 0.05), 1) * style.edge;
  }
}

/// A wall in running bond: each box on two others.
void build_wall(RigidScene& scene, Random& random, const Style& style, int levels, int length) {
  std::vector<std::uint32_t> below;
  for (int level = 0; level < levels; ++level) {
    std::vector<std::uint32_t> course;
    for (int k = 0; k < length; ++k) {
      const Vector3d at = style.edge * Vector3d(k + 0.5 * (level % 2), 0, level + 0.5);
      course.push_back(add_box(scene, random, style, at));
      const Vector3d bottom = at - Vector3d(0, 0, 0.5 * style.edge);
      const double half = 0.45 * style.edge, quarter = 0.25 * style.edge;
      if (level == 0) {
        join(scene, random, style, coulomb::kImmovable, course.back(), {bottom, half, half});
        continue;
      }
      // In courses that stand out to the right, the box to the right of the upper one is the next below, else itself.
      const int right = level % 2 ? k + 1 : k, left = right - 1;
      const Vector3d aside(quarter, 0, 0);
      if (left >= 0)
        join(scene, random, style, below[static_cast<std::size_t>(left)], course.back(),
             {bottom - aside, 0.9 * quarter, half});
      if (right < length)
        join(scene, random, style, below[static_cast<std::size_t>(right)], course.back(),
             {bottom + aside, 0.9 * quarter, half});
    }
    below = course;
  }
}

}  // namespace

coulomb::DelassusProblem<3> box_stack(Random& random) {
  const Style style = any_style(random);
  RigidScene scene;
  if (random.chance(0.5)) {
    const int towers = random.integer(1, 3);
    for (int k = 0; k < towers; ++k) build_tower(scene, random, style, random.integer(2, 8), 2 * k * style.edge);
  } else {
    build_wall(scene, random, style, random.integer(2, 5), random.integer(2, 5));
  }
  const double speed = random.scale(1e-3, 10) * kGravity * kStep;
  scene.stir(random, speed, speed / style.edge);
  return coulomb::assemble(scene.problem);
}

}  // namespace scree::bench
