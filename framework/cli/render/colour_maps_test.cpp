#include "colour_maps.hpp"

#include <cmath>
#include <string>

#include "catch.hpp"

namespace scree::render {

namespace {

/// Returns the lightness L* of CIE 1976, from 0 to 100.
double lightness(const Colour& colour) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  const double y = 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  return y > 216.0 / 24389 ? 116 * std::cbrt(y) - 16 : y * 24389 / 27;
}

}  // namespace

TEST_CASE("lightness changes one way along each colour map, and none begins dark") {
  constexpr int steps = 50;
  for (const std::string& map : map_names()) {
    INFO(map);
    int rising = 0, falling = 0;
    for (int k = 0; k < steps; ++k) {
      const double part = map == "balance" ? 0.5 * k / steps : static_cast<double>(k) / steps,
                   step = map == "balance" ? 0.5 / steps : 1.0 / steps;
      (lightness(colour_in_map(map, part + step)) > lightness(colour_in_map(map, part)) ? rising : falling) += 1;
    }
    CHECK((rising == steps || falling == steps));
    // viridis is as others know it, and the cold end of balance is no beginning.
    if (map != "viridis" && map != "balance") CHECK(lightness(colour_in_map(map, 0)) > 50);
  }
  CHECK(lightness(colour_in_map("dusk", 0)) > 80);
}

TEST_CASE("colours of the ends go on beyond them") {
  for (const std::string& map : map_names()) {
    CHECK(colour_in_map(map, -3) == colour_in_map(map, 0));
    CHECK(colour_in_map(map, 3) == colour_in_map(map, 1));
  }
}

}  // namespace scree::render
