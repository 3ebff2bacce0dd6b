/// \file Grids: their cells, and those that cannot be.

#include "catch.hpp"
#include "fields_scenes.hpp"
#include "lucy.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"

namespace scree::fields {

using test::grid_of;

TEST_CASE("a grid has whole cells of the spacing or less, and spans the periodic cell as it deforms") {
  World world(3);
  world.cell = PeriodicCell(Vec3(0, -1, 0), Vec3(3.3, 2, 0));
  Grid grid = grid_of(world, R"(, "lower": [7, 7, 0], "upper": [8, 8, 1], "width": 1, "spacing": 0.5)");
  CHECK(grid.counts == std::array{7, 4, 2});
  CHECK(grid.periodic == std::array{true, true, false});
  CHECK((grid.lower - Vec3(0, -1, 0)).norm() == 0);
  CHECK(grid.spacing[0] == Approx(3.3 / 7));
  CHECK(grid.cell_volume() == Approx(3.3 * 2 * 1 / grid.cells()));
  world.cell.edges(0, 0) = 3, world.cell.lower[0] = 0.15;
  grid.follow(world.cell);
  CHECK(grid.spacing[0] == Approx(3. / 7));
  CHECK(grid.lower[0] == 0.15);
  CHECK(grid.upper(2) == Approx(1));
  const Grid by_default = grid_of(world, R"(, "lower": [0, 0, 0], "upper": [1, 1, 1])", 0.4);
  CHECK(by_default.width == 0.4);
  CHECK(by_default.counts[2] == 5);
}

TEST_CASE("the variance of the kernel along an axis is that of its width") {
  for (const int dimension : {2, 3}) {
    constexpr int n = 400000;
    double all = 0, square = 0;
    for (int k = 0; k < n; ++k) {
      const double r = (k + 0.5) / n, weight = lucy(r) * std::pow(r, dimension - 1);
      all += weight, square += weight * r * r / dimension;
    }
    CHECK(std::sqrt(square / all) * radius_over_width(dimension) == Approx(1).epsilon(1e-8));
  }
}

TEST_CASE("grids that cannot be are refused with place and remedy") {
  World world(3);
  const auto refuses = [&](const std::string& options, const char* pointer, const std::string& text) {
    const auto refusal = scree::test::message_of<OptionError>([&] { grid_of(world, options, 0); });
    CHECK(refusal == text);
    try {
      grid_of(world, options, 0);
    } catch (const OptionError& error) {
      CHECK(error.pointer() == pointer);
    }
  };
  const std::string box = R"(, "lower": [0, 0, 0], "upper": [1, 1, 1])";
  refuses(box, "",
          "has no width: it is the mean diameter of grains by default, and there are none at the start. Give "
          "\"width\", one to three diameters of the grains to come [m].");
  refuses(R"(, "width": 0.1)", "",
          "has no end along x: that direction is not periodic. Give \"lower\" and \"upper\", the corners of the grid, "
          "0.346 m beyond walls or more: so far do fields reach.");
  refuses(R"(, "width": 0.1, "lower": [0, 0, 1], "upper": [1, 1, 0])", "/upper",
          "is 0 m along z, not above \"lower\", 1 m. Exchange the two.");
  refuses(box + R"(, "width": 0.1, "spacing": 0.2)", "/spacing",
          "is 0.2 m, above 1.5 of the kernel's width, 0.1 m: fields would depend on where grains lie in a cell. Give "
          "0.15 m or less, or a larger \"width\".");
  refuses(box + R"(, "width": 0.1, "spacing": 0.001)", "/spacing",
          "is 0.001 m, below a tenth of the kernel's width, 0.1 m: it would show nothing more. Give 0.01 m or more, "
          "or a smaller \"width\".");
  const auto huge =
      scree::test::message_of<OptionError>([&] { grid_of(world, box + R"(, "width": 2e-4, "spacing": 1e-4)"); });
  CHECK_THAT(huge, Catch::Matchers::StartsWith("gives a grid of 1e+04 x 1e+04 x 1e+04 = 1e+12 cells, which take "));
  CHECK_THAT(huge, Catch::Contains(" GiB can be had. Give a spacing above ") && Catch::EndsWith("or a smaller grid."));
  // A grid like a line overflows no number.
  const auto line = scree::test::message_of<OptionError>(
      [&] { grid_of(world, R"(, "lower": [0, 0, 0], "upper": [1e9, 1e-3, 1e-3], "width": 2e-3, "spacing": 1e-3)"); });
  CHECK_THAT(line, Catch::Matchers::StartsWith("gives a grid of 1e+12 x 1 x 1"));
  world.cell = PeriodicCell(Vec3::Zero(), Vec3(1, 0.1, 1));
  refuses(R"(, "width": 0.2)", "/width",
          "has a kernel of width 0.2 m, but the periodic cell is 0.1 m long along y. Give a smaller \"width\".");
}

}  // namespace scree::fields
