#include "scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace scree::render {

namespace {

double power_below(double value) { return std::pow(10, std::floor(std::log10(value) + 1e-9)); }

}  // namespace

double round_up(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = power_below(value);
  for (const double step : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
    if (step * power >= value * (1 - 1e-6)) return step * power;
  return 10 * power;
}

double round_down(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 1;
  const double power = power_below(value);
  for (const double step : {5.0, 2.0})
    if (step * power <= value * (1 + 1e-6)) return step * power;
  return power;
}

Unit suitable_unit(const std::string& unit, double value) {
  static constexpr std::array<std::pair<std::string_view, double>, 7> prefixes = {
      {{"G", 1e-9}, {"M", 1e-6}, {"k", 1e-3}, {"", 1}, {"m", 1e3}, {"µ", 1e6}, {"n", 1e9}}};
  const std::string first = unit.substr(0, unit.find_first_of(" /^*"));
  static constexpr std::array<std::string_view, 5> prefixed = {"m", "N", "Pa", "J", "W"};
  const bool takes_prefix = std::ranges::find(prefixed, first) != prefixed.end();
  if (!takes_prefix || !(std::abs(value) > 0) || unit.starts_with("m^") || unit.find(' ') != std::string::npos)
    return {unit, 1};
  for (const auto& [prefix, factor] : prefixes) {
    if (first == "m" && factor < 1) continue;  // a kilometre of grains is a thousand metres
    if (std::abs(value) * factor >= 0.1) return {std::string(prefix) + unit, factor};
  }
  return {unit, 1};
}

std::vector<Tick> round_ticks(double lowest, double highest, double factor) {
  constexpr double most = 6;  // steps
  const double span = (highest - lowest) * factor;
  if (!(span > 0) || !std::isfinite(span)) return {};
  const double power = power_below(span / most);
  double step = 10 * power;
  for (const double times : {5.0, 2.0, 1.0})
    if (span / (times * power) <= most + 1e-6) step = times * power;
  const double largest = std::max(std::abs(lowest), std::abs(highest)) * factor;
  const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
  std::vector<Tick> ticks;
  for (double k = std::ceil(lowest * factor / step - 1e-6); k * step <= highest * factor + 1e-6 * step; ++k) {
    const double value = k == 0 ? 0 : k * step;
    const bool plain = digits <= 4 && largest < 1e5;
    ticks.push_back({value / factor, plain ? fmt::format("{:.{}f}", value, digits) : fmt::format("{:.4g}", value)});
  }
  return ticks;
}

}  // namespace scree::render
