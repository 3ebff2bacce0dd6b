#include "windows.hpp"

#include <algorithm>
#include <cmath>

namespace scree::fields {

namespace {

/// Times that differ by this part of a window are the same: rounding.
constexpr double kRounding = 1e-6;

/// Moments are those of whole steps, up to half a step from a multiple of the interval. What is nearer than this part
/// of the interval to the end of a window is taken for it.
constexpr double kStepOverInterval = 0.25;

}  // namespace

Windows::Windows(const Options& options) : wanted_(options.has("average")) {
  if (!wanted_) return;
  const Options average = options.object("average");
  start_ = average.number("start");
  window_ = average.number_or("window", 0);
  const double near = kStepOverInterval * options.number_or("interval", 0);
  tolerance_ = std::max(kRounding * window_, std::min(near, kStepOverInterval * window_));
}

std::optional<std::uint64_t> Windows::at(double time) const {
  if (endless()) return time >= start_ * (1 - kRounding) ? std::optional<std::uint64_t>(0) : std::nullopt;
  const double number = std::ceil((time - start_ - tolerance_) / window_) - 1;
  return number >= 0 ? std::optional(static_cast<std::uint64_t>(number)) : std::nullopt;
}

bool Windows::ends_at(std::uint64_t window, double time) const {
  return !endless() && time >= end(window) - tolerance_;
}

}  // namespace scree::fields
