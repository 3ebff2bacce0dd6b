#include "scree/grid/pair_finder.hpp"

#include <omp.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "catch.hpp"

using namespace scree;

namespace {

struct Points {
  std::vector<Vec3> position;
  std::vector<double> radius;
  std::vector<std::uint32_t> rows;
};

Points random_cloud(std::size_t n, int dimension, double box, double r_min, double r_max, unsigned seed) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> u(0, 1);
  Points cloud;
  for (std::size_t i = 0; i < n; ++i) {
    cloud.position.push_back({box * u(engine), box * u(engine), dimension == 3 ? box * u(engine) : 0.0});
    cloud.radius.push_back(r_min * std::pow(r_max / r_min, u(engine)));
  }
  cloud.rows.resize(n);
  std::iota(cloud.rows.begin(), cloud.rows.end(), 0u);
  return cloud;
}

std::vector<RowPair> sorted(std::vector<RowPair> pairs) {
  for (RowPair& p : pairs)
    if (p.i > p.j) std::swap(p.i, p.j);
  std::sort(pairs.begin(), pairs.end(),
            [](const RowPair& a, const RowPair& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; });
  return pairs;
}

std::vector<RowPair> brute_force(const Points& c, double reach) {
  std::vector<RowPair> pairs;
  for (std::uint32_t i = 0; i < c.position.size(); ++i)
    for (std::uint32_t j = i + 1; j < c.position.size(); ++j) {
      const double limit = c.radius[i] + c.radius[j] + reach;
      if ((c.position[i] - c.position[j]).squaredNorm() < limit * limit) pairs.push_back({i, j});
    }
  return pairs;
}

std::vector<RowPair> found(const Points& c, double reach) {
  PairFinder finder;
  std::vector<RowPair> pairs;
  finder.find(c.position, c.radius, c.rows, reach, pairs);
  return pairs;
}

}  // namespace

TEST_CASE("grid finds exactly the brute-force pairs") {
  struct Case {
    const char* name;
    std::size_t n;
    int dimension;
    double box, r_min, r_max, reach;
  };
  const Case cases[] = {
      {"equal sizes in the plane", 2500, 2, 1.0, 0.01, 0.01, 0.002},
      {"equal sizes in space", 1500, 3, 1.0, 0.04, 0.04, 0.0},
      {"sizes 1:8", 2000, 2, 1.0, 0.004, 0.032, 0.001},
      {"sizes 1:1000", 1500, 2, 1.0, 2e-4, 0.2, 1e-4},
      {"sizes 1:100 in space", 1200, 3, 1.0, 0.002, 0.2, 1e-3},
      {"empty space", 600, 3, 1e9, 0.01, 0.02, 0.01},
      {"all in one cell", 200, 2, 1e-4, 0.01, 0.01, 0.0},
      {"points", 500, 2, 1.0, 1e-12, 1e-12, 0.02},
  };
  for (const Case& c : cases)
    for (unsigned seed = 1; seed <= 3; ++seed) {
      INFO(c.name << ", seed " << seed);
      const Points cloud = random_cloud(c.n, c.dimension, c.box, c.r_min, c.r_max, seed);
      const auto expected = brute_force(cloud, c.reach);
      CHECK(sorted(found(cloud, c.reach)) == expected);
    }
}

TEST_CASE("a dense cluster far from a lone body is found whole") {
  Points cloud = random_cloud(400, 2, 1e-3, 1e-5, 1e-4, 7);
  cloud.position.push_back({1e6, -1e6, 0});
  cloud.radius.push_back(3.0);
  cloud.rows.push_back(400);
  CHECK(sorted(found(cloud, 1e-6)) == brute_force(cloud, 1e-6));
}

TEST_CASE("1, 2, 3 threads: identical pair lists in identical order") {
  const Points cloud = random_cloud(6000, 2, 1.0, 0.002, 0.02, 11);
  omp_set_num_threads(1);
  const auto one = found(cloud, 1e-3);
  for (int threads : {2, 3}) {
    omp_set_num_threads(threads);
    CHECK(found(cloud, 1e-3) == one);
  }
  omp_set_num_threads(omp_get_num_procs());
}
