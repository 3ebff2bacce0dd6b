#pragma once
/// \file Where things stand in a chart, whatever draws it.

#include <array>
#include <string>
#include <vector>

#include "chart.hpp"
#include "ticks.hpp"

namespace scree::plot {

struct ChartLayout {
  static constexpr int kTitleSize = 16, kNameSize = 14, kLabelSize = 12;  ///< of texts [pixels]
  static constexpr int kLegendRow = 17;                                   ///< [pixels]

  ChartLayout(const std::vector<Curve>& given, const ChartSettings& settings);

  int width, height;          ///< [pixels]
  std::vector<Curve> curves;  ///< with a logarithmic axis the exponents of ten of what is above 0
  std::string y_title;        ///< empty where columns differ
  Ticks x, y;                 ///< room for the legend is above the curves
};

using Colour = std::array<unsigned char, 3>;
/// Of curve k. Eight that people with colour blindness tell apart: M. Okabe, K. Ito, Color universal design, 2008.
const Colour& colour_of(std::size_t k);
/// Kinds of lines: solid, dashes, dots, both.
inline constexpr std::size_t kDashes = 4;
/// Of curve k: another one when colours come again.
std::size_t dash_of(std::size_t k);

}  // namespace scree::plot
