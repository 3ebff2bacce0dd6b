#pragma once
/// \file Ticks of an axis.

#include <string>
#include <vector>

namespace scree::plot {

struct Ticks {
  double lower, upper;  ///< ends of the axis
  std::vector<double> places;
  std::vector<std::string> labels;
};

/// Returns some six round numbers (1, 2 or 5 times a power of ten) within an axis that holds all values.
/// \param room  part of the axis that stays free above the values
Ticks linear_ticks(double least, double most, double room);
/// Returns ticks for exponents of ten: labels are powers, "1e-5".
Ticks decade_ticks(double least, double most, double room);

}  // namespace scree::plot
