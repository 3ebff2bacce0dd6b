#include "sphere_tile.hpp"

namespace scree::spheres {

Set make_set(const Shape& shape) { return make_set(facet<SphereSet>(shape)); }

Set make_set(const SphereSet* spheres) {
  if (!spheres) return {};
  const bool is_sphere = spheres->radii().size() == 1 && spheres->centres()[0].isZero(0);
  return {spheres->centres(), spheres->radii(), is_sphere};
}

void SphereTile::fill(const BodyView& bodies, std::span<const Set> sets) {
  spheres.clear();
  first.resize(bodies.size + 1);
  for (std::size_t i = 0; i < bodies.size; ++i) {
    const Set& set = sets[bodies.shape[i]];
    const BodyRow& body = bodies.row[i];
    const double scale = bodies.scale_of(i);
    first[i] = static_cast<std::uint32_t>(spheres.size());
    if (set.is_sphere) {
      spheres.push_back({body.position, scale * set.radii[0]});
      continue;
    }
    if (set.radii.empty()) continue;
    const Mat3 turn = scale * body.orientation.toRotationMatrix();
    for (std::size_t s = 0; s < set.radii.size(); ++s)
      spheres.push_back({body.position + turn * set.centres[s], scale * set.radii[s]});
  }
  first[bodies.size] = static_cast<std::uint32_t>(spheres.size());
}

}  // namespace scree::spheres
