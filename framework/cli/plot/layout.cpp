#include "layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace scree::plot {

namespace {

constexpr std::array<std::array<unsigned char, 3>, 8> kColours = {{{0, 114, 178},
                                                                   {213, 94, 0},
                                                                   {0, 158, 115},
                                                                   {204, 121, 167},
                                                                   {230, 159, 0},
                                                                   {86, 180, 233},
                                                                   {0, 0, 0},
                                                                   {120, 120, 120}}};
constexpr double kHeight = 0.62;  ///< height over the width

/// Returns the values to draw: with a logarithmic axis, exponents of ten of values above 0.
Curve drawn(const Curve& curve, bool log_y) {
  if (!log_y) return curve;
  Curve exponents{curve.run, curve.column, {}, {}};
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!(curve.y[i] > 0)) continue;
    exponents.x.push_back(curve.x[i]);
    exponents.y.push_back(std::log10(curve.y[i]));
  }
  return exponents;
}

/// Returns the least and the largest value of all curves.
std::pair<double, double> extent(const std::vector<Curve>& curves, std::vector<double> Curve::*values) {
  std::pair<double, double> range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Curve& curve : curves)
    for (const double value : curve.*values) range = {std::min(range.first, value), std::max(range.second, value)};
  return range;
}

std::string common_column(const std::vector<Curve>& curves) {
  const std::string& first = curves.front().column;
  return std::ranges::all_of(curves, [&](const Curve& curve) { return curve.column == first; }) ? first : "";
}

}  // namespace

ChartLayout::ChartLayout(const std::vector<Curve>& given, const ChartSettings& settings)
    : width(settings.width),
      height(static_cast<int>(std::lround(settings.width * kHeight))),
      y_title(common_column(given)) {
  for (const Curve& curve : given) curves.push_back(drawn(curve, settings.log_y));
  const auto [left, right] = extent(curves, &Curve::x);
  const auto [low, high] = extent(curves, &Curve::y);
  const double rows = static_cast<double>(curves.size()) + 1;
  const double room = curves.size() > 1 ? std::min(0.5, rows * kLegendRow / height) : 0;
  x = linear_ticks(left, right, 0);
  y = settings.log_y ? decade_ticks(low, high, room) : linear_ticks(low, high, room);
}

const Colour& colour_of(std::size_t k) { return kColours[k % kColours.size()]; }
std::size_t dash_of(std::size_t k) { return k / kColours.size() % kDashes; }

}  // namespace scree::plot
