#include "scree/grid/periodic_pairs.hpp"

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "catch.hpp"

using namespace scree;

namespace {

using Found = std::tuple<std::uint32_t, std::uint32_t, int, int, int>;

/// Every pair and every image within five cells, the image seen from the lower row.
std::set<Found> brute_force(const PeriodicCell& cell, const std::vector<Vec3>& x, const std::vector<double>& r,
                            double reach) {
  std::set<Found> found;
  const auto most = [&](int k) { return cell.periodic(k) ? 5 : 0; };
  for (std::uint32_t i = 0; i < x.size(); ++i)
    for (std::uint32_t j = i + 1; j < x.size(); ++j)
      for (int u = -most(0); u <= most(0); ++u)
        for (int v = -most(1); v <= most(1); ++v)
          for (int w = -most(2); w <= most(2); ++w)
            if ((x[j] + cell.shift({u, v, w}) - x[i]).norm() < r[i] + r[j] + reach) found.insert({i, j, u, v, w});
  return found;
}

std::vector<Found> listed(const std::vector<ImagePair>& pairs) {
  std::vector<Found> found;
  for (const ImagePair& p : pairs) {
    const Image n = p.i < p.j ? p.image : Image(-p.image);
    found.push_back({std::min(p.i, p.j), std::max(p.i, p.j), n[0], n[1], n[2]});
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("pairs across the sides of a periodic cell equal brute force, each once, for sizes from 1 to 20") {
  std::mt19937 engine(3);
  const auto [spread, flat] = GENERATE(table<double, bool>({{1.0, false}, {20.0, false}, {20.0, true}}));
  const bool leans = GENERATE(false, true);
  for (int axes = 1; axes < 8; ++axes) {
    PeriodicCell cell{{-1, 0.5, 2}, Vec3::Zero()};
    for (int k = 0; k < 3; ++k)
      if (axes >> k & 1) cell.edges(k, k) = 3.0 + k;
    std::uniform_real_distribution<double> tilt(-0.5, 0.5);
    for (int k = 0; leans && k < 3; ++k)
      for (int along = 0; along < k && cell.periodic(k); ++along)
        cell.edges(along, k) = (cell.periodic(along) ? cell.length(along) : 1) * tilt(engine);
    if (flat) cell.edges(2, 0) = cell.edges(2, 1) = 0;
    std::uniform_real_distribution<double> place(-4, 7), size(0.06, 0.06 * spread);
    std::vector<Vec3> x;
    std::vector<double> r;
    std::vector<std::uint32_t> rows;
    for (std::uint32_t i = 0; i < 150; ++i) {
      x.push_back({place(engine), place(engine), flat ? 0 : place(engine)});  // many lie outside the cell
      r.push_back(size(engine));
      rows.push_back(i);
    }
    r[0] = 1.4;  // nearly as wide as the shortest side of the cell
    std::vector<ImagePair> pairs;
    PeriodicPairs finder;
    finder.find(cell, x, r, rows, 0.6, pairs);
    const std::vector<Found> found = listed(pairs);
    INFO("axes " << axes);
    REQUIRE(found.size() > 20);
    CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
    // Brute force does not look as far as bodies lie apart: compare images within the cell.
    std::set<Found> expected;
    std::vector<Vec3> inside;
    for (const Vec3& p : x) inside.push_back(p - cell.shift(cell.image_of(p)));
    for (auto [i, j, u, v, w] : brute_force(cell, inside, r, 0.6)) {
      const Image n = Image(u, v, w) - cell.image_of(x[j]) + cell.image_of(x[i]);
      expected.insert({i, j, n[0], n[1], n[2]});
    }
    CHECK(std::equal(found.begin(), found.end(), expected.begin(), expected.end()));
  }
}

TEST_CASE("an image survives being packed into one number") {
  for (const Image& image :
       {Image(0, 0, 0), Image(1, -1, 1), Image(-511, 511, -7), Image(-1, 0, 0), Image(511, -511, 511)})
    CHECK(unpacked(packed(image)) == image);
}
