#pragma once
/// \file Chart of curves as a picture.

#include <string>
#include <vector>

#include "curves.hpp"

namespace scree::plot {

struct ChartSettings {
  std::string x;       ///< title of the horizontal axis
  std::string title;   ///< above the chart
  bool log_y = false;  ///< values of 0 and below are left out
  int width = 1000;    ///< [pixels]
};

/// Returns the bytes of a PNG file. \pre there is a display
std::string draw_png(const std::vector<Curve>& curves, const ChartSettings& settings);
/// Returns the text of an SVG file. Needs no display.
std::string draw_svg(const std::vector<Curve>& curves, const ChartSettings& settings);

}  // namespace scree::plot
