#include <algorithm>

#include "solvers/coulomb/assemble.hpp"
#include "kinds.hpp"
#include "rigid_scene.hpp"

namespace scree::bench {
namespace {

using Eigen::Vector3d;

/// Places of a heap: a lattice of close layers, rounded off, each place a little displaced. In units of a diameter.
std::vector<Vector3d> places(Random& random, int wanted) {
  const int side = static_cast<int>(std::ceil(std::cbrt(2.0 * wanted))) + 1;
  std::vector<Vector3d> all;
  for (int layer = 0; layer < side; ++layer)
    for (int j = 0; j < side; ++j)
      for (int i = 0; i < side; ++i) {
        const double shift = 0.5 * (layer % 2);
        all.emplace_back(i - 0.5 * side + shift, j - 0.5 * side + shift, 0.5 + layer * std::sqrt(0.5));
      }
  std::stable_sort(all.begin(), all.end(), [](const Vector3d& a, const Vector3d& b) { return a.norm() < b.norm(); });
  all.resize(static_cast<std::size_t>(wanted));
  for (Vector3d& place : all) place += random.vector(0.02);
  return all;
}

}  // namespace

coulomb::DelassusProblem<3> sphere_heap(Random& random) {
  const double size = random.scale(1e-3, 1), friction = random.between(0.1, 1), spread = random.between(0, 0.1);
  const double heaviest = random.chance(0.3) ? random.scale(10, 1000) : 2;  // ratio of densities
  RigidScene scene;
  std::vector<double> radius;
  for (const Vector3d& place : places(random, static_cast<int>(random.scale(5, 250)))) {
    radius.push_back(0.5 * size * (1.03 + random.between(-spread, spread)));
    const double mass = random.scale(1000, 1000 * heaviest) * 4.19 * std::pow(radius.back(), 3);
    scene.add(size * place, mass, 0.4 * mass * radius.back() * radius.back() * Eigen::Matrix3d::Identity());
  }
  const double reach = 0.01 * size;  // contacts that may close in this step
  for (std::uint32_t b = 0; b < radius.size(); ++b) {
    const Vector3d& at = scene.centre[b];
    if (const double gap = at.z() - radius[b]; gap < reach)
      scene.touch(coulomb::kImmovable, b, Vector3d::UnitZ(), at - radius[b] * Vector3d::UnitZ(), friction,
                  std::max(gap, 0.));
    for (std::uint32_t a = 0; a < b; ++a) {
      const Vector3d branch = at - scene.centre[a];
      const double gap = branch.norm() - radius[a] - radius[b];
      if (gap > reach) continue;
      const Vector3d normal = branch.normalized();
      scene.touch(a, b, normal, scene.centre[a] + radius[a] * normal, friction, std::max(gap, 0.));
    }
  }
  scene.stir(random, random.scale(1e-3, 10) * kGravity * kStep, random.scale(1e-3, 1) * kGravity * kStep / size);
  return coulomb::assemble(scene.problem);
}

}  // namespace scree::bench
