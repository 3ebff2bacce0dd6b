#include "scree/plugin/size_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

namespace {

/// Returns the share of the standard normal distribution below z.
double normal_below(double z) { return std::erfc(-z / std::numbers::sqrt2) / 2; }

/// Returns the z of [low, high] below which the share u of the normal distribution in that range lies, by bisection to
/// the last digit.
double normal_between(double low, double high, double u) {
  if (low > 0)
    return -normal_between(-high, -low, 1 - u);  // above 0, shares differ from 1 by too little to be resolved
  const double wanted = normal_below(low) + u * (normal_below(high) - normal_below(low));
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = low + (high - low) / 2;
    (normal_below(middle) < wanted ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

/// Returns the mean of x^-p over a <= x <= b. \pre p != 1
double mean_power(double a, double b, double p) {
  return (std::pow(b, 1 - p) - std::pow(a, 1 - p)) / ((1 - p) * (b - a));
}

}  // namespace

SizeDistribution::SizeDistribution(const ScaleDef& def, int dimension)
    : def_(def), mass_power_(def.by_mass ? dimension : 0) {
  if (def_.lognormal) {
    largest_ = def_.lognormal->median * std::exp(def_.lognormal->cutoff * def_.lognormal->sigma);
    return;
  }
  largest_ = def_.sizes.back();
  double sum = 0;
  for (std::size_t k = 0; k < def_.fractions.size(); ++k) {
    const double a = def_.sizes[k];
    sum +=
        def_.fractions[k] * (def_.spread() ? mean_power(a, def_.sizes[k + 1], mass_power_) : std::pow(a, -mass_power_));
    by_number_.push_back(sum);
  }
}

double SizeDistribution::at(double u) const {
  if (def_.lognormal) return std::min(lognormal(u), largest_);
  const double wanted = u * by_number_.back();
  std::size_t k = 0;
  while (k + 1 < by_number_.size() && by_number_[k] <= wanted) ++k;
  const double below = k > 0 ? by_number_[k - 1] : 0, share = by_number_[k] - below;
  return within_class(k, share > 0 ? std::clamp((wanted - below) / share, 0.0, 1.0) : 0);
}

/// Returns a size within a class. If mass is spread evenly over size, the number goes as x^-p, and its integral as
/// x^(1-p).
double SizeDistribution::within_class(std::size_t k, double v) const {
  if (!def_.spread()) return def_.sizes[k];
  const double a = def_.sizes[k], b = def_.sizes[k + 1], power = 1 - mass_power_;
  const double low = std::pow(a, power), high = std::pow(b, power);
  return std::clamp(std::pow(low + v * (high - low), 1 / power), a, b);
}

/// Returns a lognormal size. A lognormal distribution by mass is one by number with the same sigma, whose median is
/// lower by exp(-p sigma^2).
/// \source T. Hatch, S. P. Choate, J. Franklin Institute 207 (1929) 369
double SizeDistribution::lognormal(double u) const {
  const auto& [median, sigma, cutoff] = *def_.lognormal;
  const double shift = mass_power_ * sigma;
  return median * std::exp(sigma * (normal_between(shift - cutoff, shift + cutoff, u) - shift));
}

}  // namespace scree
