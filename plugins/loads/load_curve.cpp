#include "load_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/base/error.hpp"

namespace scree::loads {

namespace {

Vec3 interpolated(const std::vector<MotionRow>& table, double t) {
  const auto next = std::ranges::upper_bound(table, t, {}, &MotionRow::time);
  if (next == table.begin()) return next->value;
  if (next == table.end()) return table.back().value;
  const auto before = next - 1;
  return before->value + (t - before->time) / (next->time - before->time) * (next->value - before->value);
}

}  // namespace

Vec3 LoadCurve::at(double t) const {
  Vec3 value = constant + std::sin(2 * std::numbers::pi * frequency * t) * amplitude;
  if (!table.empty()) value += interpolated(table, t);
  return value;
}

LoadCurve read_curve(const Options& options, const std::string& name) {
  LoadCurve curve;
  const std::string amplitude = name + "_amplitude", rows = name + "s";
  if (options.has(name)) curve.constant = options.vector(name);
  if (options.has(amplitude)) curve.amplitude = options.vector(amplitude);
  curve.frequency = options.number("frequency");
  if (options.has(rows))
    for (const Options& row : options.objects(rows)) curve.table.push_back({row.number("time"), row.vector(name)});
  for (std::size_t k = 1; k < curve.table.size(); ++k)
    if (!(curve.table[k].time > curve.table[k - 1].time))
      throw OptionError(fmt::format("/{}/{}/time", rows, k),
                        fmt::format("external-load: {:.6g} s is not after the {:.6g} s of the row before. Give the "
                                    "rows in order of time, each time once.",
                                    curve.table[k].time, curve.table[k - 1].time));
  if (!curve.amplitude.isZero(0) && curve.frequency == 0)
    throw OptionError("/" + amplitude,
                      "external-load: has no \"frequency\", so that it would be 0 at all times. Give "
                      "one [Hz].");
  return curve;
}

}  // namespace scree::loads
