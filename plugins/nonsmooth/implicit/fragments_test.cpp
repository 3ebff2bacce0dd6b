#include "implicit/fragments.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace scree;
using namespace scree::nonsmooth;

namespace {

ChainLink link(std::uint32_t a, std::uint32_t b) { return {a, b, Vec3(0, 0, 0.5), Vec3(0, 0, -0.5)}; }

/// Rows in reversed order of ids: 7 free bodies and a holder, row 0. A rod 7-6-5 on the holder; a free rod 4-3; 2 is
/// bonded to 3 without a link; 1 is bonded to the holder alone.
struct Bodies {
  std::vector<Id> id{7, 6, 5, 4, 3, 2, 1, 0};
  std::vector<double> inverse_mass{0, 1, 1, 1, 1, 1, 1, 1};
  std::vector<BodyPair> pairs{{0, 7}, {7, 6}, {6, 5}, {4, 3}, {3, 2}, {0, 1}};
  std::vector<ChainLink> links{link(0, 7), link(7, 6), link(6, 5), link(4, 3)};
};

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> bodies) {
  std::ranges::sort(bodies);
  return bodies;
}

}  // namespace

TEST_CASE("fragments are what bonds join among bodies that move freely, in the order of ids") {
  const Bodies b;
  const auto found = fragments_of(b.id, b.inverse_mass, b.pairs, b.links);
  REQUIRE(found.size() == 2);
  CHECK(sorted(found[0].bodies) == std::vector<std::uint32_t>{5, 6, 7});
  CHECK(sorted(found[1].bodies) == std::vector<std::uint32_t>{2, 3, 4});
}

TEST_CASE("trees begin where something holds them, else at the lowest id, and follow the links") {
  const Bodies b;
  const auto found = fragments_of(b.id, b.inverse_mass, b.pairs, b.links);
  const Fragment& rod = found[0];
  CHECK(rod.trees == std::vector<std::size_t>{0, 3});
  CHECK((rod.branches[0].body == 7 && rod.branches[0].parent == 0));
  CHECK((rod.branches[1].body == 6 && rod.branches[1].parent == 7 && rod.branches[1].parents_branch == 0));
  CHECK((rod.branches[2].body == 5 && rod.branches[2].parent == 6 && rod.branches[2].parents_branch == 1));
  CHECK(rod.branches[0].point == Vec3(0, 0, -0.5));
  CHECK(rod.branches[0].parents_point == Vec3(0, 0, 0.5));
  // A tree of 4 and 3, one of 2 alone. Row 4 has the id 3, row 3 the id 4.
  const Fragment& pieces = found[1];
  REQUIRE(pieces.trees.size() == 3);
  std::vector<std::uint32_t> roots;
  for (std::size_t t = 0; t < 2; ++t) roots.push_back(pieces.branches[pieces.trees[t]].body);
  CHECK(sorted(roots) == std::vector<std::uint32_t>{2, 4});
  for (std::size_t t = 0; t < 2; ++t) CHECK(pieces.branches[pieces.trees[t]].parent == Branch::kNone);
}

TEST_CASE("a ring is one tree, the last link of which is left to its energy") {
  const std::vector<Id> id{0, 1, 2, 3};
  const std::vector<double> inverse_mass(4, 1);
  const std::vector<BodyPair> pairs{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  const auto found = fragments_of(id, inverse_mass, pairs, std::vector{link(0, 1), link(1, 2), link(2, 3), link(3, 0)});
  REQUIRE(found.size() == 1);
  CHECK(found[0].branches.size() == 4);
  CHECK(found[0].trees == std::vector<std::size_t>{0, 4});
}
