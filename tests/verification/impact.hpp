#pragma once
/// \file Single impacts as scenes: materials, closed forms, and what a run's rows tell of an impact.

#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "series.hpp"

namespace scree::test {

using Overrides = std::map<std::string, std::string>;

/// Hertz's impact without loss, in SI units, of reduced mass and radius.
/// \source H. Hertz 1882; the duration's factor is 2 integral_0^1 (1 - x^2.5)^(-1/2) dx
struct Elastic {
  double modulus, reduced_mass, reduced_radius, speed;
  double stiffness() const { return 4.0 / 3 * modulus * std::sqrt(reduced_radius); }
  double depth() const { return std::pow(5 * reduced_mass * speed * speed / (4 * stiffness()), 0.4); }
  double force() const { return stiffness() * std::pow(depth(), 1.5); }
  double duration() const { return 2.9432751843 * depth() / speed; }
};

struct Material {
  const char* name;
  double young, poisson, density;
  double plane_modulus() const { return young / (1 - poisson * poisson); }
  double mass(double r) const { return density * 4 / 3 * std::numbers::pi * r * r * r; }
  Overrides overrides() const {
    return {{"/materials/m/youngs_modulus", fmt::format("{}", young)},
            {"/materials/m/poisson_ratio", fmt::format("{}", poisson)},
            {"/materials/m/density", fmt::format("{}", density)}};
  }
};

inline constexpr Material kGlass{"glass", 48e9, 0.2, 2800}, kLimestone{"limestone", 20e9, 0.25, 2500},
    kAlAlloy2{"Al alloy", 70e9, 0.3, 2699}, kMgAlloy{"Mg alloy", 40e9, 0.35, 1800},
    kAlOxide{"Al oxide", 380e9, 0.23, 4000}, kCastIron{"cast iron", 100e9, 0.25, 7000},
    kAlAlloy{"Al alloy", 70e9, 0.33, 2700}, kNylon{"nylon", 2.5e9, 0.4, 1000}, kCopper{"copper", 120e9, 0.35, 8900},
    kSteel{"steel", 208e9, 0.3, 7850}, kPolyethylene{"polyethylene", 1e9, 0.4, 1400};

/// A step of a 2000th of the contact and a run of `contacts` of them, a row per step.
inline Overrides timed(Overrides overrides, double duration, double contacts) {
  overrides["/integrator/dt"] = overrides["/output/metrics_interval"] = fmt::format("{}", duration / 2000);
  overrides["/run/duration"] = fmt::format("{}", contacts * duration);
  return overrides;
}

/// Time the bodies touch [s]: they begin at touch, and part between two rows, at the speed of the last.
inline double contact_time(const Series& s, double speed) {
  const auto &overlap = s["max_overlap_m"], &time = s["time_s"];
  std::size_t last = 0;
  for (std::size_t i = 0; i < s.rows(); ++i)
    if (overlap[i] > 0) last = i;
  return time[last] + overlap[last] / speed;
}

/// Largest magnitude.
inline double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

}  // namespace scree::test
