#include "sphere_tile.hpp"

#include "scree/shape/facets.hpp"

namespace scree::spheres {

Set make_set(const Shape& shape) {
  const auto* spheres = facet<SphereSet>(shape);
  if (!spheres) return {};
  const bool is_sphere = spheres->radii().size() == 1 && spheres->centres()[0].isZero(0);
  return {spheres->centres(), spheres->radii(), shape.bounding_radius(), is_sphere};
}

void SphereTile::fill(const BodyView& bodies, std::span<const Set> sets) {
  first.resize(bodies.size + 1);
  std::uint32_t count = 0;
  only_spheres = true;
  for (std::size_t i = 0; i < bodies.size; ++i) {
    const Set& set = sets[bodies.shape[i]];
    first[i] = count;
    count += static_cast<std::uint32_t>(set.radii.size());
    only_spheres = only_spheres && set.is_sphere;
  }
  first[bodies.size] = count;
  for (std::vector<double>* column : {&x, &y, &z, &r})
    if (column->size() < count) column->resize(count);

  for (std::size_t i = 0; i < bodies.size; ++i) {
    const Set& set = sets[bodies.shape[i]];
    const Vec3& at = bodies.position[i];
    std::uint32_t k = first[i];
    if (set.is_sphere) {
      x[k] = at[0], y[k] = at[1], z[k] = at[2], r[k] = set.radii[0];
      continue;
    }
    if (set.radii.empty()) continue;
    const Mat3 turn = bodies.orientation[i].toRotationMatrix();
    for (std::size_t s = 0; s < set.radii.size(); ++s, ++k) {
      const Vec3 c = at + turn * set.centres[s];
      x[k] = c[0], y[k] = c[1], z[k] = c[2], r[k] = set.radii[s];
    }
  }
}

}  // namespace scree::spheres
