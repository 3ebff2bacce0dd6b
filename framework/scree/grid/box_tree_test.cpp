#include "scree/grid/box_tree.hpp"

#include <algorithm>
#include <random>

#include "catch.hpp"

using namespace scree;

namespace {

struct Random {
  std::mt19937_64 engine{5};
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 vector(double low, double high) { return {(*this)(low, high), (*this)(low, high), (*this)(low, high)}; }
};

/// Boxes of up to 0.1 in a cube of 1, which go by up to `way` and a wind that is the same for all.
std::vector<MovingBox> boxes(std::size_t n, double way, const Vec3& wind, bool flat = false) {
  Random random;
  std::vector<MovingBox> all(n);
  for (MovingBox& box : all) {
    Vec3 low = random.vector(0, 1), high = low + random.vector(0, 0.1);
    Vec3 goes_low = wind + random.vector(-way, way), goes_high = wind + random.vector(-way, way);
    if (flat) low.z() = high.z() = goes_low.z() = goes_high.z() = 0;
    box = {{low, low + goes_low}, {high, high + goes_high}};
  }
  return all;
}

bool apart(const MovingBox& a, const MovingBox& b) {
  for (int k = 0; k < 3; ++k) {
    if (a.low[0][k] > b.high[0][k] && a.low[1][k] > b.high[1][k]) return true;
    if (b.low[0][k] > a.high[0][k] && b.low[1][k] > a.high[1][k]) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a tree finds exactly the boxes that no axis keeps apart, each once, from any place on") {
  for (const std::size_t n : {0, 1, 7, 8, 9, 64, 65, 700})
    for (const bool flat : {false, true}) {
      const auto all = boxes(n, 0.05, Vec3::Zero(), flat);
      const BoxTree tree(all);
      REQUIRE(tree.size() == n);
      std::size_t pairs = 0;
      for (std::size_t k = 0; k < n; ++k)
        for (const std::size_t from : {std::size_t{0}, k + 1}) {
          std::vector<std::size_t> found, expected;
          tree.find(all[tree.at(k)], from, [&](std::size_t other) { found.push_back(other); });
          for (std::size_t other = from; other < n; ++other)
            if (!apart(all[tree.at(k)], all[tree.at(other)])) expected.push_back(other);
          REQUIRE(found == expected);
          pairs += found.size();
        }
      if (n > 100) CHECK(pairs > 2 * n);
    }
}

TEST_CASE("a wind that carries all boxes along brings no further pairs") {
  const auto count = [](const Vec3& wind) {
    const auto all = boxes(500, 0.001, wind);
    const BoxTree tree(all);
    std::size_t pairs = 0;
    for (std::size_t k = 0; k < all.size(); ++k) tree.find(all[tree.at(k)], k + 1, [&](std::size_t) { ++pairs; });
    return pairs;
  };
  CHECK(count({3, -2, 1}) == count({0, 0, 0}));
  CHECK(count({0, 0, 0}) > 50);
}

TEST_CASE("the box of a tree holds all of its boxes") {
  const auto all = boxes(100, 0.2, {1, 0, 0});
  const MovingBox whole = BoxTree(all).whole();
  for (int t = 0; t < 2; ++t)
    for (const MovingBox& box : all) {
      CHECK((whole.low[t].array() <= box.low[t].array()).all());
      CHECK((whole.high[t].array() >= box.high[t].array()).all());
    }
}
