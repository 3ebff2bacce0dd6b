#pragma once
/// \file Layout of a chart, for any kind of drawing.

#include <array>
#include <string>
#include <vector>

#include "chart.hpp"
#include "ticks.hpp"

namespace scree::plot {

struct ChartLayout {
  static constexpr int kTitleSize = 16, kNameSize = 14, kLabelSize = 12;  ///< sizes of texts [pixels]
  static constexpr int kLegendRow = 17;                                   ///< [pixels]

  ChartLayout(const std::vector<Curve>& given, const ChartSettings& settings);

  int width, height;          ///< [pixels]
  std::vector<Curve> curves;  ///< with a logarithmic axis, exponents of ten of values above 0
  std::string y_title;        ///< empty if columns differ
  Ticks x, y;                 ///< room for the legend is above the curves
};

using Colour = std::array<unsigned char, 3>;
/// Returns the colour of curve k. The eight colours can be distinguished with colour blindness: M. Okabe, K. Ito, Color
/// universal design, 2008.
const Colour& colour_of(std::size_t k);
/// Number of kinds of lines: solid, dashes, dots, both.
inline constexpr std::size_t kDashes = 4;
/// Returns the kind of line of curve k: another one when colours repeat.
std::size_t dash_of(std::size_t k);

}  // namespace scree::plot
