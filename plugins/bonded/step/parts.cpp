#include "step/parts.hpp"

#include <algorithm>
#include <cmath>

namespace scree::bonded {

namespace {

/// Columns of metrics.csv: the length of the next part; how many parts there were, and how many were made again for
/// either reason; parts since one was made again or broke a bond.
constexpr const char *kLength = "part_s", *kParts = "parts_total", *kRejected = "rejected_parts_total",
                     *kQuiet = "quiet_parts";

/// So many quiet parts are followed by longer ones.
constexpr double kQuietEnough = 5;

}  // namespace

void Parts::figures(World& world) const {
  if (!divides()) return;
  for (const char* name : {kLength, kParts, kRejected, kQuiet}) world.metric(name);
}

double Parts::next(World& world, double left) const {
  if (!divides()) return left;
  const double& length = world.metric(kLength);
  if (!(length > 0)) return left;
  return left / std::max(1.0, std::ceil(left / (kRounding * length)));
}

void Parts::reject(World& world, double next) const {
  world.metric(kLength) = std::max(shortest_, next);
  world.metric(kQuiet) = 0;
  ++world.metric(kRejected);
}

void Parts::overloaded(World& world) const { reject(world, shortest_); }

void Parts::lossy(World& world, double h) const { reject(world, h / 2); }

void Parts::done(World& world, double dt, bool broke) const {
  if (!divides()) return;
  double &quiet = world.metric(kQuiet), &length = world.metric(kLength);
  ++world.metric(kParts);
  quiet = broke ? 0 : quiet + 1;
  if (length > 0 && quiet >= kQuietEnough && length < dt) length = std::min(dt, 2 * length), quiet = 0;
}

}  // namespace scree::bonded
