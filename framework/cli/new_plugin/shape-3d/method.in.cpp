// A 3D shape for scree. The body frame has its origin at the centre of mass, and principal axes.

#include "@name@.hpp"

#include <scree/plugin/plugin.hpp>

#include <cmath>
#include <numbers>

namespace @name@ {

using scree::Vec3;

Dumbbell::Dumbbell(double radius)
    : radius_(radius), centres_{Vec3(0, 0, -radius), Vec3(0, 0, radius)}, radii_{radius, radius} {}

scree::MassProperties Dumbbell::mass(double density) const {
  const double r2 = radius_ * radius_, m = density * 4 / 3 * std::numbers::pi * r2 * radius_;  // of one sphere
  const double own = 0.4 * m * r2, away = own + m * r2;                                        // Steiner
  return {2 * m, Vec3(2 * away, 2 * away, 2 * own)};
}

/// Rings of quads on each sphere: for pictures only.
scree::Surface Dumbbell::surface() const {
  constexpr int rings = 12, around = 24;
  scree::Surface s;
  for (const Vec3& centre : centres_) {
    const auto first = static_cast<std::uint32_t>(s.points.size());
    for (int i = 0; i <= rings; ++i)
      for (int k = 0; k < around; ++k) {
        const double theta = std::numbers::pi * i / rings, phi = 2 * std::numbers::pi * k / around;
        s.points.push_back(centre + radius_ * Vec3(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                                                   std::cos(theta)));
      }
    for (std::uint32_t i = 0; i < rings; ++i)
      for (std::uint32_t k = 0; k < around; ++k) {
        const std::uint32_t next = (k + 1) % around, here = first + i * around;
        s.cells.push_back({here + k, here + around + k, here + around + next, here + next});
      }
  }
  return s;
}

const void* Dumbbell::facet(std::string_view name) const noexcept {
  return name == scree::SphereSet::kName ? static_cast<const scree::SphereSet*>(this) : nullptr;
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.shape("@name@", [](const scree::Options& o) { return std::make_shared<@name@::Dumbbell>(o.number("radius")); });
}
