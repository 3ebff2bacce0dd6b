#pragma once
/// \file Rods made of sticks, for tests of files and pictures.

#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "force_field.hpp"
#include "scree/hooks/bond_values.hpp"
#include "scree/shape/segment.hpp"
#include "scree/world/world.hpp"

namespace scree::test {

inline constexpr double kHalf = 0.5, kThick = 0.1;  // of a segment [m]

class Stick final : public Lump, public Segment {
 public:
  using Lump::Lump;
  double half_length() const noexcept override { return kHalf; }
  double radius() const noexcept override { return kThick; }
  const void* facet(std::string_view name) const noexcept override {
    return name == Segment::kName ? static_cast<const Segment*>(this) : nullptr;
  }
};

/// Sticks end to end along `way`, ids from 0, and a holder behind them; bonds only where a test makes them.
struct Sticks {
  World world;
  std::uint32_t stick, holder;

  Sticks(int dimension, std::size_t count, const Vec3& way, const Quat& turn = Quat::Identity()) : world(dimension) {
    stick = world.add_shape("stick", std::make_shared<Stick>(dimension));
    holder = world.add_shape("holder", std::make_shared<Lump>(dimension));
    const auto material = world.add_material({"rope", 1000});
    std::vector<BodySpec> bodies(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
      bodies[i].shape = stick, bodies[i].material = material;
      bodies[i].position = (kHalf + static_cast<double>(i)) * way;
      bodies[i].orientation = turn;
    }
    bodies[count].shape = holder, bodies[count].material = material;
    bodies[count].position = -way;
    world.add(bodies);
  }
  /// Joins two bodies at a place of the world [m].
  void join(Id a, Id b, const Vec3& at) {
    const auto x = world.position.read();
    const auto q = world.orientation.read();
    const std::size_t i = *world.row(a), j = *world.row(b);
    world.bonds().add(std::vector<Bonds::Spec>{{a, b, 0, 1e-2, x[j] - x[i], q[i], q[j], at - x[i]}});
  }
  void join_all(std::size_t count, const Vec3& way) {
    for (std::size_t i = 0; i + 1 < count; ++i) join(i, i + 1, static_cast<double>(i + 1) * way);
  }
};

/// Returns values as a law reports them: bond k has k + 1.
inline BondValues told(const World& world) {
  std::vector<double> value(world.bonds().size());
  for (std::size_t k = 0; k < value.size(); ++k)
    value[k] = world.bonds().whole(k) ? static_cast<double>(k + 1) : std::numeric_limits<double>::quiet_NaN();
  return {{{"tension", "N", true, value}, {"curvature", "1/m", false, value}, {"radius", "", true, value}}};
}

}  // namespace scree::test
