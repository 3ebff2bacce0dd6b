#include "calibrate/inverse.hpp"

#include <cmath>
#include <cstdio>

namespace scree::bonded {

namespace {

constexpr double kTolerance = 1e-4;  ///< in Poisson's ratio

/// An end of the bracket: at which ratio, by how much Poisson's ratio is too large.
struct End {
  double ratio = 0, excess = 0;
  Macroscopic found;
};

std::string short_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

}  // namespace

Micro micro_for(const Bar& bar, double young, double poisson, std::string_view solver) {
  int solutions = 0;
  const auto at = [&](double ratio) {
    ++solutions;
    const Macroscopic m = measured(bar, ratio, false, solver);
    return End{ratio, m.poisson - poisson, m};
  };
  End low = at(kSmallestRatio), high = at(kLargestRatio);
  if (low.excess < 0 || high.excess > 0)
    throw OutOfReach("Poisson's ratio " + short_number(poisson) +
                         " is out of reach of this packing: bonds with G/E from " + short_number(kSmallestRatio) +
                         " to " + short_number(kLargestRatio) + " give " + short_number(high.found.poisson) + " to " +
                         short_number(low.found.poisson),
                     high.found.poisson, low.found.poisson);
  // Regula falsi with the stagnant end's value halved (Illinois), in the logarithm of the ratio.
  double low_weight = low.excess, high_weight = high.excess;
  End best = std::abs(low.excess) < std::abs(high.excess) ? low : high;
  for (int last = 0; std::abs(best.excess) > kTolerance && solutions < 40;) {
    const double part = low_weight / (low_weight - high_weight);
    best = at(low.ratio * std::pow(high.ratio / low.ratio, part));
    if (best.excess > 0) {
      low = best, low_weight = best.excess;
      if (last == 1) high_weight /= 2;
      last = 1;
    } else {
      high = best, high_weight = best.excess;
      if (last == -1) low_weight /= 2;
      last = -1;
    }
  }
  return {young / best.found.young, best.ratio, solutions, best.found};
}

}  // namespace scree::bonded
