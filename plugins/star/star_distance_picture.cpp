/// \file Draws figure 3 of the StarDEM paper: how far the radial distance (left) and the first-order one (right) are
/// from the true distance to a star's outline.
///
///     star_distance_picture [cross|butterfly|bat] > picture.ppm
///
/// The relative error |d - d_true|/d_true goes from white (0) to red (0.5) to black (1 and more). The outline is black.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "scree/shape/facets.hpp"
#include "shape/test_shapes.hpp"

namespace {

using namespace scree;
using namespace scree::star;

constexpr int kSides = 4000, kPixels = 480;
constexpr double kReach = 1.25;  // half the width of a panel, of the largest radius

struct Rgb {
  unsigned char r, g, b;
};

Rgb colour_of(double error) {
  const double e = std::min(error, 1.0);
  const auto byte = [](double x) { return static_cast<unsigned char>(std::lround(255 * std::clamp(x, 0.0, 1.0))); };
  return e < 0.5 ? Rgb{byte(1 - 0.3 * e), byte(1 - 1.7 * e), byte(1 - 1.8 * e)}
                 : Rgb{byte(0.85 - 1.5 * (e - 0.5)), byte(0.15 - 0.3 * (e - 0.5)), byte(0.1 - 0.2 * (e - 0.5))};
}

/// To the sides of a polygon in the outline: error 1e-6 of the largest radius.
double true_distance(const std::vector<Vec2>& corners, const Vec2& p) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec2 &a = corners[i], side = corners[(i + 1) % corners.size()] - a;
    const double along = std::clamp((p - a).dot(side) / side.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (p - a - along * side).squaredNorm());
  }
  return std::sqrt(least);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "cross";
  const auto shape = name == "bat" ? bat(1) : name == "butterfly" ? butterfly(1) : cross(1);
  const auto* const outline = facet<RadialFunction>(*shape);
  const auto* const field = facet<SignedDistance>(*shape);
  const Vec2 centre = outline->centre();
  std::vector<Vec2> corners;
  for (int i = 0; i < kSides; ++i) {
    const double t = 2 * std::numbers::pi * i / kSides;
    corners.push_back(centre + outline->radius(t) * Vec2(std::cos(t), std::sin(t)));
  }
  std::vector<Rgb> picture(2 * kPixels * kPixels);
  double worst[2] = {0, 0};
  for (int j = 0; j < kPixels; ++j)
    for (int i = 0; i < kPixels; ++i) {
      const Vec2 q = 2 * kReach / kPixels * Vec2(i + 0.5 - 0.5 * kPixels, 0.5 * kPixels - j - 0.5), p = centre + q;
      const Vec3 point(p.x(), p.y(), 0);
      double taubin = 0;
      Vec3 normal;
      field->distance({&point, 1}, {&taubin, 1}, {&normal, 1});
      const double radial = q.norm() - outline->radius(std::atan2(q.y(), q.x()));
      const double truth = true_distance(corners, p);
      const double distance[2] = {radial, taubin};
      for (int k = 0; k < 2; ++k) {
        const double error = std::abs(std::abs(distance[k]) - truth) / truth;
        const bool on_it = truth < 1.2 * kReach / kPixels;
        if (truth < 0.01 && !on_it) worst[k] = std::max(worst[k], error);
        picture[static_cast<std::size_t>(j * 2 * kPixels + k * kPixels + i)] = on_it ? Rgb{0, 0, 0} : colour_of(error);
      }
    }
  fmt::print("P6\n{} {}\n255\n", 2 * kPixels, kPixels);
  std::fwrite(picture.data(), sizeof(Rgb), picture.size(), stdout);
  fmt::print(stderr, "{}: largest relative error within 0.01 of the outline: radial {:.3g}, first order {:.3g}\n", name,
             worst[0], worst[1]);
}
