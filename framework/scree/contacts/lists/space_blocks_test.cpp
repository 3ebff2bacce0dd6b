#include "scree/contacts/lists/space_blocks.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "catch.hpp"
#include "scree/world/world.hpp"

using namespace scree;

namespace {

struct Crowd {
  std::vector<Vec3> position;
  std::vector<double> radius;
  std::vector<Id> id;
  std::vector<std::uint32_t> kind;

  void add(const Vec3& x, double r, BodyKind what = BodyKind::dynamic) {
    position.push_back(x);
    radius.push_back(r);
    id.push_back(id.size());
    kind.push_back(static_cast<std::uint32_t>(what));
  }
  SpaceBlocks blocks(int dimension = 3) const {
    return {{radius, kind}, spatial_order(position, id, 2.0), dimension, 2.0};
  }
  /// Row i becomes the row that was order[i].
  Crowd in_order(const std::vector<std::size_t>& order) const {
    Crowd other;
    for (const std::size_t k : order) {
      other.position.push_back(position[k]);
      other.radius.push_back(radius[k]);
      other.id.push_back(id[k]);
      other.kind.push_back(kind[k]);
    }
    return other;
  }
};

Crowd random_crowd(std::size_t count, int dimension) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> place(-40, 40);
  Crowd crowd;
  for (std::size_t i = 0; i < count; ++i)
    crowd.add({place(engine), place(engine), dimension == 3 ? place(engine) : 0}, 1);
  return crowd;
}

}  // namespace

TEST_CASE("bodies of one block stand in one cube, of eight cells along each side in space and 32 in the plane") {
  for (const int dimension : {2, 3}) {
    const Crowd crowd = random_crowd(20000, dimension);
    const SpaceBlocks blocks = crowd.blocks(dimension);
    const double side = 2.0 * (dimension == 3 ? 8 : 32);
    std::map<std::uint64_t, Vec3> corner;
    std::size_t astray = 0;
    for (std::uint32_t i = 0; i < crowd.position.size(); ++i) {
      const Vec3 here = (crowd.position[i] / side).array().floor();
      astray += corner.try_emplace(blocks.block(i), here).first->second != here;
    }
    CHECK(astray == 0);
    CHECK(corner.size() == (dimension == 3 ? 216u : 4u));
  }
}

TEST_CASE("homes depend on positions and ids, not on rows nor on bodies elsewhere") {
  const Crowd crowd = random_crowd(500, 3);
  const SpaceBlocks blocks = crowd.blocks();
  std::vector<std::size_t> order(crowd.id.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Crowd shuffled = crowd.in_order(order);
  shuffled.add({3e4, 0, 0}, 1);  // a stranger
  const SpaceBlocks others = shuffled.blocks();
  std::size_t different = 0;
  for (std::uint32_t i = 0; i < order.size(); ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      const auto home = others.home_first(i, j).first;
      const auto before = blocks.home_first(static_cast<std::uint32_t>(order[i]), static_cast<std::uint32_t>(order[j]));
      different += order[home] != before.first || others.block(home) != blocks.block(before.first);
    }
  CHECK(different == 0);
}

TEST_CASE("walls and prescribed bodies are the home of no pair with a body that moves freely") {
  Crowd crowd;
  crowd.add({-30, -30, -30}, std::numeric_limits<double>::infinity(), BodyKind::fixed);
  crowd.add({-20, -20, -20}, 1, BodyKind::prescribed);
  crowd.add({10, 10, 10}, 1);
  crowd.add({20, 20, 20}, 1);
  const SpaceBlocks blocks = crowd.blocks();
  CHECK(blocks.home_first(0, 2).first == 2);
  CHECK(blocks.home_first(2, 1).first == 2);
  CHECK(blocks.home_first(3, 2).first == 2);
}

TEST_CASE("small bodies among large ones get smaller blocks") {
  Crowd crowd = random_crowd(1000, 3);
  const auto count = [](const Crowd& c) {
    const SpaceBlocks blocks = c.blocks();
    std::vector<std::uint64_t> all;
    for (std::uint32_t i = 0; i < c.id.size(); ++i) all.push_back(blocks.block(i));
    std::ranges::sort(all);
    return std::unique(all.begin(), all.end()) - all.begin();
  };
  const auto coarse = count(crowd);
  for (std::size_t i = 0; i + 1 < crowd.radius.size(); ++i) crowd.radius[i] = 0.25;
  CHECK(count(crowd) > 3 * coarse);
}
