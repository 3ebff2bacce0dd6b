#include "scree/contacts/lists/list_reach.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace scree {

namespace {

constexpr int kOctaves = 6;  ///< number of octaves of h over s/2, and of T over dt
constexpr double kFarthest = static_cast<double>(1 << kOctaves);
constexpr double kFurtherCandidates = 1500;

/// Histogram of speeds of bodies: key k for v^2 in [2^k, 2^(k+1)) m^2/s^2, the fastest first.
using Speeds = std::map<int, std::size_t, std::greater<>>;

/// Counts speeds. \param slowest  slower bodies are not counted [m/s]
Speeds speeds_of(const World& world, std::span<const std::uint32_t> rows, double slowest) {
  Speeds speeds;
  const auto v = world.velocity.read();
  for (const std::uint32_t row : rows)
    if (const double v2 = v[row].squaredNorm(); v2 > slowest * slowest && std::isfinite(v2)) ++speeds[std::ilogb(v2)];
  return speeds;
}

/// Returns the largest T [s] for which candidates stay few; 0 if none pays.
double life_of_lists(const Speeds& speeds, double half, int dimension) {
  if (speeds.empty()) return 0;
  const double diameter = 8 * half;  // diameter of the smallest body, by the default of the skin
  // Roots and products only: powers of the C library differ between processors.
  const auto volume = [&](double reach) {
    const double side = 1 + reach / diameter;
    return dimension == 2 ? side * side : side * side * side;
  };
  const auto speed_above = [](int key) { return std::sqrt(std::ldexp(1.0, key + 1)); };
  const int fastest = speeds.begin()->first;
  double best = 0;
  for (int below = fastest - 2; below >= fastest - 2 * kOctaves; --below) {
    const double time = half / speed_above(below);
    double further = 0;
    for (const auto& [key, count] : speeds) {
      if (key <= below) break;
      const double reach = std::min(speed_above(key) * time, kFarthest * half);
      further += static_cast<double>(count) * (volume(half + reach) - volume(2 * half));
    }
    if (further > kFurtherCandidates) break;
    best = time;
  }
  return best;
}

}  // namespace

void ListReach::choose(World& world, const Choice& choice) {
  note({}, choice.skin);
  const double half = choice.skin / 2;
  const double longest = std::min(kFarthest * half, choice.largest);
  double time = 0;
  if (choice.dt > 0 && longest > 2 * half) {
    const double most = kFarthest * choice.dt;
    time = std::min(most, life_of_lists(speeds_of(world, choice.rows, half / most), half, world.dimension()));
  }
  if (time == 0 && !world.find_column(kListReach)) return;
  const auto beyond = world.column<double>(kListReach, "m", false).write();
  std::ranges::fill(beyond, 0.0);
  if (time == 0) return;
  const auto v = world.velocity.read();
  for (const std::uint32_t row : choice.rows) beyond[row] = std::clamp(v[row].norm() * time, half, longest) - half;
  note(beyond, choice.skin);
}

void ListReach::restore(World& world, double skin) {
  note({}, skin);
  if (world.find_column(kListReach)) note(world.column<double>(kListReach, "m", false).read(), skin);
}

void ListReach::note(std::span<const double> beyond, double skin) {
  beyond_.clear();
  weight_.clear();
  largest_ = beyond.empty() ? 0 : *std::ranges::max_element(beyond);
  if (largest_ == 0) return;
  beyond_.assign(beyond.begin(), beyond.end());
  for (const double b : beyond) {
    const double share = skin / 2 / (skin / 2 + b);
    weight_.push_back(share * share);
  }
}

}  // namespace scree
