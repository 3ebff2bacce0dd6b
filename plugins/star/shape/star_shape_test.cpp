#include "shape/star_shape.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "shape/test_shapes.hpp"
#include "verify.hpp"

namespace scree::star {
namespace {

constexpr double kDensity = 1180;     // kg/m^3, i.e. 1.18e-3 g/mm^3
constexpr double kThickness = 0.003;  // m
constexpr double kGram = 1e-3, kGramMm2 = 1e-9, kMm = 1e-3;

/// The reference divides by a rounded maximum of the series, not by the maximum.
std::shared_ptr<const StarShape> divided(double a0, std::vector<Harmonic> harmonics, double maximum, double radius) {
  return std::make_shared<StarShape>(a0, std::move(harmonics),
                                     RadialSettings{.thickness = kThickness, .scale = radius / maximum});
}

struct Listed {
  const char* name;
  std::shared_ptr<const StarShape> shape;
  double mass_g, inertia_g_mm2;
};

TEST_CASE("mass and inertia of the reference particles") {
  // Reference values of exact quadrature, printed to 6 digits behind the point: half a digit is 5e-7.
  const Listed listed[] = {
      {"circle", circle(3.09e-3), 0.106187, 0.506941},
      {"cross", cross(4.37e-3), 0.106191, 0.710395},
      {"butterfly", divided(3, {{2, 0, 1}, {7, 0, 1}}, 4.97681, 4.86e-3), 0.106053, 0.694027},
      {"bat", divided(3, {{5, 0, 1}, {8, 0, 1}}, 4.98616, 4.87e-3), 0.106091, 0.694523},
      {"flower, bridge", star(2, {{6, 1, 0}}, 5e-3), 0.139015, 1.217458},
      {"blob", star(2.2, {{2, .3, .4}, {5, .5, 0}}, 5e-3), 0.140230, 1.051911},
      {"moth", star(4, {{2, 0, .5}, {3, 0, .2}, {6, 1, 0}, {10, 0, .8}}, 5e-3), 0.145798, 1.161469},
      {"peanut", star(2, {{2, 0, 1}}, 5e-3), 0.139015, 1.217458},
      {"rock, drum", star(2.2, {{1, .4, 0}, {3, .5, 0}, {6, 0, .3}}, 5e-3), 0.130984, 0.869886},
      {"pear", star(5.1, {{1, 2, -1}, {2, 2, 0}}, 5e-3), 0.101320, 0.537403},
      {"bat, column", divided(3, {{5, 0, 1}, {8, 0, 1}}, 4.98616, 5e-3), 0.111831, 0.771704},
  };
  for (const Listed& l : listed) {
    INFO(l.name);
    const MassProperties m = l.shape->mass(kDensity);
    scree::test::verify(std::string(l.name) + ": mass [g]", l.mass_g, m.mass / kGram, 1e-6 / l.mass_g);
    scree::test::verify(std::string(l.name) + ": moment of inertia [g mm²]", l.inertia_g_mm2, m.inertia.z() / kGramMm2,
                        1e-6 / l.inertia_g_mm2);
  }
}

TEST_CASE("centre of mass of unsymmetric particles lies beside their centre") {
  const auto rock = star(2.2, {{1, .4, 0}, {3, .5, 0}, {6, 0, .3}}, 5e-3);
  // The offset is listed to four digits.
  CHECK(std::abs(rock->reference_point().norm() / kMm - 0.6097) < 5e-5);
  const auto pear = star(5.1, {{1, 2, -1}, {2, 2, 0}}, 5e-3);
  // Listed to three digits, cut off rather than rounded.
  CHECK(std::abs(-pear->reference_point().x() / kMm - 1.414) < 1e-3);
  CHECK(std::abs(-pear->reference_point().y() / kMm + 0.342) < 1e-3);
}

TEST_CASE("the slope is the derivative of the radius") {
  const auto moth = star(4, {{2, 0, .5}, {3, 0, .2}, {6, 1, 0}, {10, 0, .8}}, 5e-3);
  for (double theta = 0; theta < 6.3; theta += 0.07)  // central differences of the base class are good to 1e-10
    CHECK(std::abs(moth->slope(theta) - moth->RadialShape2D::slope(theta)) < 1e-8);
}

TEST_CASE("a star whose radius is not positive is refused: where, what, got, needed, fix") {
  std::string pointer, message;
  try {
    star(1, {{4, 0, 1.25}}, 5e-3);
  } catch (const OptionError& e) {
    pointer = e.pointer();
    message = e.what();
  }
  CHECK(pointer == "/coefficients");
  // sin(4 theta) = -1 first at 3 pi/8; equal minima: whichever comes first in the samples.
  CHECK(message.find("radius is -0.25 at theta = ") == 0);
  CHECK(message.find("; r > 0 is needed everywhere. Raise a0 or lower the harmonics.") != std::string::npos);
}

TEST_CASE("a star from the options of a scene") {
  const auto made =
      make_star(Options::parse(R"({"coefficients": {"a0": 2, "cos": {"2": 0.5}, "sin": {"4": 1, "2": 0.25}},
    "radius": 0.005, "nodes": 90, "table_size": 0, "thickness": 0.002})"));
  const auto same = star(2, {{2, .5, .25}, {4, 0, 1}}, 5e-3);
  CHECK(made->radius(0.7) == same->radius(0.7));
  CHECK(facet<RadialFunction>(*made)->max_radius() == Approx(0.005));
  CHECK(facet<RadialFunction>(*made)->node_count() == 90);
  CHECK(facet<RadialFunction>(*made)->table_size() == 0);
  const auto by_area = make_star(
      Options::parse(R"({"coefficients": {"a0": 1}, "area": 4e-6, "nodes": 90, "table_size": 0, "thickness": 0.002})"));
  CHECK(by_area->mass(1000).mass == Approx(1000 * 0.002 * 4e-6).epsilon(1e-12));
}

TEST_CASE("a star needs exactly one size") {
  const auto message = [](const char* json) -> std::string {
    try {
      make_star(Options::parse(json));
    } catch (const OptionError& e) {
      return e.what();
    }
    return "";
  };
  CHECK(message(R"({"coefficients": {"a0": 1}, "nodes": 90, "table_size": 0, "thickness": 1})") ==
        "the star has no size; give \"radius\" [m] or \"area\" [m^2]");
  CHECK(
      message(R"({"coefficients": {"a0": 1}, "radius": 1, "area": 1, "nodes": 90, "table_size": 0, "thickness": 1})") ==
      "both \"radius\" and \"area\" give the size of the star; keep one of them");
}

}  // namespace
}  // namespace scree::star
