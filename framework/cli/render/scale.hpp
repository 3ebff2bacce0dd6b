#pragma once
/// \file Round numbers of scales, and units that suit them.

#include <string>
#include <vector>

namespace scree::render {

/// Returns the next value above with few digits: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 times a power of ten.
double round_up(double value);

/// Returns the next value below of 1, 2 or 5 times a power of ten.
double round_down(double value);

/// A unit whose numbers lie between 0.1 and 1000, where its prefixes can do that.
struct Unit {
  std::string name;   ///< "mm/s"
  double factor = 1;  ///< factor of a value in the unit given, such as 1000
};
/// \param unit   an SI unit; one of several parts keeps its form unless its first part is known, as in "m/s"
/// \param value  [unit]
Unit suitable_unit(const std::string& unit, double value);

struct Tick {
  double value;
  std::string label;  ///< in the suitable unit
};
/// Returns three to seven round values from `lowest` to `highest`, all with the same number of digits.
std::vector<Tick> round_ticks(double lowest, double highest, double factor);

}  // namespace scree::render
