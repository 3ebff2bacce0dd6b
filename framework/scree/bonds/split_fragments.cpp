#include "scree/bonds/split_fragments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/world/fragments.hpp"

namespace scree {

SplitFragments::SplitFragments(const World& world, const Methods& methods, std::span<const std::uint32_t> broken)
    : now_(detail::fragments_by(world,
                                [&](std::uint32_t k) {
                                  const Bonds& bonds = world.bonds();
                                  return bonds.whole(k) && !methods.bonds[bonds.entry[k]].self_contact;
                                })),
      before_(now_) {
  const Bonds& bonds = world.bonds();
  for (const std::uint32_t k : broken)
    if (!methods.bonds[bonds.entry[k]].self_contact)
      before_.join(static_cast<std::uint32_t>(*world.row(bonds.a[k])),
                   static_cast<std::uint32_t>(*world.row(bonds.b[k])));
}

std::vector<std::uint32_t> SplitFragments::bodies(const World& world) {
  const auto n = static_cast<std::uint32_t>(world.size());
  std::vector<std::uint32_t> size(n), largest(n);  // by current root; by former root, a current root
  for (std::uint32_t i = 0; i < n; ++i) ++size[now_.find(i)], largest[i] = now_.find(i);
  for (std::uint32_t i = 0; i < n; ++i)
    if (std::uint32_t& top = largest[before_.find(i)]; size[now_.find(i)] > size[top]) top = now_.find(i);
  const auto x = world.position.read();
  const auto r = world.radius.read();
  const auto small = [&](std::uint32_t i) { return now_.find(i) != largest[before_.find(i)]; };
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (std::uint32_t i = 0; i < n; ++i)
    if (small(i))
      lower = lower.cwiseMin(x[i] - Vec3::Constant(r[i])), upper = upper.cwiseMax(x[i] + Vec3::Constant(r[i]));
  if (world.cell.any() && std::isfinite(lower.x()))  // parts may be on both sides of the cell
    lower.setConstant(-std::numeric_limits<double>::infinity()), upper = -lower;
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (!std::isfinite(r[i])) continue;
    if (((x[i].array() + r[i]) >= lower.array()).all() && ((x[i].array() - r[i]) <= upper.array()).all())
      found.push_back(i);
  }
  return found;
}

}  // namespace scree
