#include "ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace scree::plot {

namespace {

constexpr double kIntervals = 6;
constexpr double kMargin = 0.02;  ///< fraction of the axis, on both sides of the values

/// Returns the axis, without numbers. Values that are all equal are in its middle.
Ticks around(double least, double most, double room, double least_span) {
  const double span = std::max({most - least, least_span, 1e-12 * std::max(std::abs(least), std::abs(most))});
  const double middle = (least + most) / 2, length = span / (1 - 2 * kMargin - room);
  return {middle - span / 2 - kMargin * length, middle + span / 2 + (kMargin + room) * length, {}, {}};
}

/// Returns a step of at least a sixth of the axis: 1, 2 or 5 times a power of ten.
double round_step(double length) {
  const double least = length / kIntervals, power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1., 2., 5.})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

}  // namespace

Ticks linear_ticks(double least, double most, double room) {
  Ticks ticks = around(least, most, room, most == least ? std::max(std::abs(most), 1.) / 2 : 0);
  const double step = round_step(ticks.upper - ticks.lower);
  for (double k = std::ceil(ticks.lower / step); k * step <= ticks.upper; ++k) {
    ticks.places.push_back(k * step);
    ticks.labels.push_back(fmt::format("{:.10g}", k == 0 ? 0. : k * step));
  }
  return ticks;
}

Ticks decade_ticks(double least, double most, double room) {
  Ticks ticks = around(least, most, room, 1);
  const double step = std::max(1., round_step(ticks.upper - ticks.lower));
  for (double k = std::ceil(ticks.lower / step); k * step <= ticks.upper; ++k) {
    ticks.places.push_back(k * step);
    ticks.labels.push_back(fmt::format("1e{:.0f}", k * step == 0 ? 0. : k * step));
  }
  return ticks;
}

}  // namespace scree::plot
