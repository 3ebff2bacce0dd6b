/// \file Lacey's index against values by hand, and of labels at random.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "meters_scenes.hpp"
#include "mixing_meter.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"

namespace scree::meters {

namespace {

using test::TemporaryFolder;

/// Balls at whole places from 0 on, `side` in each direction, in groups red, blue and green.
struct Lattice {
  World world;
  explicit Lattice(int dimension, int side) : world(dimension) {
    world.add_shape("ball", std::make_shared<Ball>(dimension));
    world.add_material({"m", 3});
    world.group_names = {"red", "blue", "green"};
    std::vector<BodySpec> bodies;
    for (int z = 0; z < (dimension == 3 ? side : 1); ++z)
      for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) bodies.emplace_back().position = Vec3(x, y, z);
    world.add(bodies);
  }
  /// Group of each ball, by its place.
  template <typename Rule>
  Lattice& colour(Rule rule) {
    const auto group = world.group.write();
    for (std::size_t i = 0; i < world.size(); ++i) group[i] = rule(world.position[i]);
    return *this;
  }
};

Options options(const std::string& bodies, double cell, const std::string& more = "",
                const Vec3& origin = Vec3::Constant(-0.5)) {
  const auto number = [](double x) { return std::to_string(x); };
  return Options::parse(R"({"name": "mixing", "origin": [)" + number(origin[0]) + ", " + number(origin[1]) + ", " +
                        number(origin[2]) + R"(], "bodies": )" + bodies + ", \"cell_size\": " + number(cell) + more +
                        "}");
}

std::map<std::string, double> measure(const World& world, const Options& with) {
  const TemporaryFolder folder;
  MixingMeter meter(with);
  meter.begin(world);
  meter.open(folder.path().string());
  meter.observe(world, nullptr, {0, 0, 0});
  return read(folder / "mixing.csv").at(0);
}

const std::string kTwo = R"(["red", "blue"])";

}  // namespace

TEST_CASE("separated halves have index 0 where cells end at their interface, and Lacey's value where it cuts cells") {
  for (const int dimension : {2, 3}) {
    Lattice bed(dimension, 12);
    const double n = std::pow(4, dimension), cells = std::pow(3, dimension);
    const auto now = measure(bed.colour([](const Vec3& x) { return x[0] < 4 ? 0u : 1u; }).world, options(kTwo, 4));
    CHECK(now.at("count") == n * cells);
    CHECK(now.at("cells") == cells);
    CHECK(now.at("bodies_per_cell") == n);
    CHECK(now.at("variance_separated") == Approx(2.0 / 9).epsilon(1e-15));
    CHECK(now.at("variance_random") == Approx(2.0 / 9 / n).epsilon(1e-15));
    CHECK(std::abs(now.at("mixing_index")) < 1e-15);  // thirds round
    // Six of twelve columns: cells of red alone, half and half, blue alone. s^2 = (1/4 + 0 + 1/4)/3, s0^2 = 1/4.
    const auto cut = measure(bed.colour([](const Vec3& x) { return x[0] < 6 ? 0u : 1u; }).world, options(kTwo, 4));
    CHECK(cut.at("variance") == Approx(1.0 / 6).epsilon(1e-15));
    CHECK(cut.at("mixing_index") == Approx((1.0 / 4 - 1.0 / 6) / (0.25 - 0.25 / n)).epsilon(1e-14));
  }
}

TEST_CASE(
    "cells begin at the origin: moved by half a cell it makes cells of both kinds, moved by whole cells it does not") {
  for (const int dimension : {2, 3})
    for (int axis = 0; axis < dimension; ++axis) {
      Lattice bed(dimension, 12);
      bed.colour([axis](const Vec3& x) { return x[axis] < 4 ? 0u : 1u; });
      const auto index_with = [&](double shift) {
        return measure(bed.world, options(kTwo, 4, "", Vec3::Constant(-0.5) + shift * Vec3::Unit(axis)))
            .at("mixing_index");
      };
      INFO(dimension << " dimensions, along axis " << axis);
      for (const double whole : {-40., 0., 8.}) CHECK(std::abs(index_with(whole)) < 1e-15);
      // A sixth of all bodies in cells of red alone, a third half and half, half of them in cells of blue alone:
      // s^2 = 4/9/6 + 1/36/3 + 1/9/2 = 5/36. s0^2 = 2/9, and four layers of cells where there were three.
      const double separated = 2. / 9, random = separated * 4 / 3 / std::pow(4, dimension);
      for (const double half : {-2., 2., 6.})
        CHECK(index_with(half) == Approx((separated - 5. / 36) / (separated - random)).epsilon(1e-13));
    }
}

TEST_CASE("a pattern finer than the cells is better than random: n/(n - 1)") {
  Lattice bed(3, 8);
  bed.colour([](const Vec3& x) { return static_cast<std::uint32_t>(x.sum()) % 2; });
  CHECK(measure(bed.world, options(kTwo, 2)).at("mixing_index") == 8.0 / 7);
  CHECK(measure(bed.world, options(kTwo, 2)).at("variance") == 0);
}

TEST_CASE("cells that hold few bodies weigh little: labels at random have index N/(N - 1) on average") {
  // Cells of 1 to 63 bodies. Without replacement, s^2 of a cell of n_c is p (1 - p) (N - n_c) / (n_c (N - 1)), so that
  // the sum over cells weighed by n_c/N is p (1 - p) (C - 1)/(N - 1), against sr^2 = p (1 - p) C/N.
  const std::vector<std::uint64_t> sizes = {1, 2, 3, 5, 8, 13, 21, 34, 63};
  constexpr std::uint64_t all = 150, red = 40;
  static_assert(1 + 2 + 3 + 5 + 8 + 13 + 21 + 34 + 63 == all);
  std::mt19937_64 random(1);
  std::vector<int> labels(all, 0);
  std::fill_n(labels.begin(), red, 1);
  constexpr int runs = 20000;
  double sum = 0, squares = 0;
  for (int run = 0; run < runs; ++run) {
    std::shuffle(labels.begin(), labels.end(), random);
    std::vector<std::uint64_t> counts;
    auto at = labels.begin();
    for (const std::uint64_t size : sizes) {
      const auto end = at + static_cast<std::ptrdiff_t>(size);
      counts.push_back(static_cast<std::uint64_t>(std::count(at, end, 1)));
      counts.push_back(size - counts.back());
      at = end;
    }
    const double index = mixing_of(counts, 2).index;
    sum += index, squares += index * index;
  }
  const double mean = sum / runs, deviation = std::sqrt(squares / runs - mean * mean);
  CHECK(std::abs(mean - 150.0 / 149) < 4 * deviation / std::sqrt(runs));  // four standard errors
  CHECK(deviation < 0.04);                                                // so that the bound above says something
}

TEST_CASE("one random mixture of a bed has index 1 within four of its standard deviations") {
  // Of C cells with n bodies each, s^2/sr^2 is chi-squared over C - 1: M = 1 +- sqrt(2/(C - 1))/(n - 1).
  Lattice bed(3, 16);
  std::mt19937_64 random(7);
  bed.colour([&](const Vec3&) { return static_cast<std::uint32_t>(random() % 2); });
  CHECK(std::abs(measure(bed.world, options(kTwo, 4)).at("mixing_index") - 1) < 4 * std::sqrt(2.0 / 63) / 63);
}

TEST_CASE("names in another order, and bodies in another order, change no bit") {
  Lattice bed(3, 9), turned(3, 9);
  std::mt19937_64 random(3);
  bed.colour([&](const Vec3&) { return static_cast<std::uint32_t>(random() % 3); });
  const std::size_t n = bed.world.size();
  const auto place = turned.world.position.write();
  const auto group = turned.world.group.write();
  for (std::size_t i = 0; i < n; ++i) place[i] = bed.world.position[n - 1 - i], group[i] = bed.world.group[n - 1 - i];
  const auto now = measure(bed.world, options(R"(["red", "blue", "green"])", 2));
  for (const char* const names :
       {R"(["red", "green", "blue"])", R"(["green", "red", "blue"])", R"(["blue", "green", "red"])"}) {
    CHECK(measure(bed.world, options(names, 2)) == now);
    CHECK(measure(turned.world, options(names, 2)) == now);
  }
  CHECK(now.at("mixing_index") == Approx(1).margin(0.2));
}

TEST_CASE("three kinds, each in cells of its own, have index 0, and two of them alone count where two are named") {
  Lattice bed(2, 6);
  bed.colour([](const Vec3& x) { return static_cast<std::uint32_t>(x[0] / 2); });
  const auto now = measure(bed.world, options(R"(["red", "blue", "green"])", 2));
  CHECK(std::abs(now.at("mixing_index")) < 1e-15);
  CHECK(now.at("variance_separated") == Approx(1.0 / 3).epsilon(1e-15));  // half of three times 1/3 * 2/3
  CHECK(measure(bed.world, options(kTwo, 2)).at("count") == 24);
  CHECK(measure(bed.world, options(kTwo, 2)).at("variance_separated") == 0.25);
}

TEST_CASE("where there is nothing to mix the index is 0: no bodies, one kind alone, a body per cell") {
  Lattice bed(2, 4);
  bed.colour([](const Vec3&) { return 0u; });
  CHECK(measure(bed.world, options(kTwo, 2)).at("mixing_index") == 0);
  CHECK(measure(bed.world, options(R"(["green", "blue"])", 2)).at("count") == 0);
  bed.colour([](const Vec3& x) { return static_cast<std::uint32_t>(x[0]) % 2; });
  CHECK(measure(bed.world, options(kTwo, 1)).at("mixing_index") == 0);
}

TEST_CASE("bodies count within the region, and a cell that is larger than it, or a name that is no entry, is refused") {
  Lattice bed(2, 12);
  bed.colour([](const Vec3& x) { return x[0] < 4 ? 0u : 1u; });
  const auto box = [](double x) {
    return R"(, "region": {"type": "box", "outside": false, "lower": [-0.5, -0.5], "upper": [)" + std::to_string(x) +
           ", 1.5]}";
  };
  CHECK(measure(bed.world, options(kTwo, 2, box(7.5))).at("count") == 16);
  CHECK_THROWS_WITH(measure(bed.world, options(kTwo, 2.5, box(1.5))),
                    "is 2.5 m; a cell of this size is larger than the region, which has 4 m^2. Give less than 2 m, or "
                    "a larger region.");
  CHECK_THROWS_WITH(measure(bed.world, options(kTwo, 2.5, box(-0.5))),
                    "is flat, so that no cell fits into it. Give it a height.");
  CHECK_THROWS_WITH(measure(bed.world, options(R"(["red", "bleu"])", 2)),
                    "there is no entry \"bleu\" of bodies, and no emitter of this name before this hook. There are: "
                    "red, blue, green.");
}

}  // namespace scree::meters
