#include "grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lucy.hpp"
#include "scree/base/error.hpp"
#include "scree/base/memory.hpp"

namespace scree::fields {

namespace {

/// Largest spacing over width: beyond it fields depend on where grains lie in a cell. Smallest: a grain is then spread
/// over 170,000 cells.
constexpr double kLargest = 1.5, kSmallest = 0.1;

const char* option_or_object(const Options& options, const char* key, const char* pointer) {
  return options.has(key) ? pointer : "";
}

void check_width(const Options& options, const PeriodicCell& cell, double width, int dimension) {
  for (int k = 0; k < dimension; ++k)
    if (cell.periodic(k) && width > cell.length(k))
      throw OptionError(option_or_object(options, "width", "/width"),
                        fmt::format("has a kernel of width {:.4g} m, but the periodic cell is {:.4g} m long along {}. "
                                    "Give a smaller \"width\".",
                                    width, cell.length(k), "xyz"[k]));
}

void check_spacing(double spacing, double width) {
  constexpr double kRounding = 1e-9;
  if (spacing > kLargest * width * (1 + kRounding))
    throw OptionError("/spacing", fmt::format("is {:.4g} m, above {} of the kernel's width, {:.4g} m: fields would "
                                              "depend on where grains lie in a cell. Give {:.4g} m or less, or a "
                                              "larger \"width\".",
                                              spacing, kLargest, width, kLargest * width));
  if (spacing < kSmallest * width * (1 - kRounding))
    throw OptionError("/spacing", fmt::format("is {:.4g} m, below a tenth of the kernel's width, {:.4g} m: it would "
                                              "show nothing more. Give {:.4g} m or more, or a smaller \"width\".",
                                              spacing, width, kSmallest * width));
}

/// Refuses what memory cannot hold. \param counts  numbers of cells along axes, too large for integers perhaps
void check_memory(const Options& options, const Vec3& counts, double spacing, int dimension) {
  constexpr double kGiB = 1024.0 * 1024 * 1024, kMostAlong = 1e6;
  const double cells = counts.prod(), needed = kBytesPerCell * cells, usable = usable_memory();
  if (needed <= usable && counts.maxCoeff() <= kMostAlong) return;
  const double least = spacing * std::max(std::pow(needed / usable, 1.0 / dimension), counts.maxCoeff() / kMostAlong);
  throw OptionError(option_or_object(options, "spacing", "/spacing"),
                    fmt::format("gives a grid of {:.3g} x {:.3g} x {:.3g} = {:.3g} cells, which take {:.3g} GiB of "
                                "memory; {:.3g} GiB can be had. Give a spacing above {:.2g} m, or a smaller grid.",
                                counts[0], counts[1], counts[2], cells, needed / kGiB, usable / kGiB, 1.05 * least));
}

/// Corners along axes that are not periodic.
std::pair<Vec3, Vec3> corners(const Options& options, const PeriodicCell& cell, int dimension, double radius) {
  Vec3 lower = cell.lower, upper = cell.lower + Vec3(cell.edges.diagonal());
  for (int k = 0; k < dimension; ++k) {
    if (cell.periodic(k)) continue;
    if (!options.has("lower") || !options.has("upper"))
      throw OptionError("", fmt::format("has no end along {}: that direction is not periodic. Give \"lower\" and "
                                        "\"upper\", the corners of the grid, {:.3g} m beyond walls or more: so far "
                                        "do fields reach.",
                                        "xyz"[k], radius));
    lower[k] = options.vector("lower")[k], upper[k] = options.vector("upper")[k];
    if (!(upper[k] > lower[k]))
      throw OptionError("/upper", fmt::format("is {:.6g} m along {}, not above \"lower\", {:.6g} m. Exchange the two.",
                                              upper[k], "xyz"[k], lower[k]));
  }
  return {lower, upper};
}

}  // namespace

void Grid::follow(const PeriodicCell& cell) {
  for (int k = 0; k < dimension; ++k) {
    if (!periodic[static_cast<std::size_t>(k)]) continue;
    lower[k] = cell.lower[k];
    spacing[k] = cell.length(k) / counts[static_cast<std::size_t>(k)];
  }
}

Grid make_grid(const Options& options, const PeriodicCell& cell, int dimension, double diameter) {
  if (!options.has("width") && !(diameter > 0))
    throw OptionError("",
                      "has no width: it is the mean diameter of grains by default, and there are none at the start. "
                      "Give \"width\", one to three diameters of the grains to come [m].");
  Grid grid;
  grid.dimension = dimension;
  grid.width = options.number_or("width", diameter);
  grid.radius = radius_over_width(dimension) * grid.width;
  check_width(options, cell, grid.width, dimension);
  const double wanted = options.number_or("spacing", 0.5 * grid.width);
  check_spacing(wanted, grid.width);
  const auto [lower, upper] = corners(options, cell, dimension, grid.radius);
  Vec3 counts = Vec3::Ones();
  for (int k = 0; k < dimension; ++k) counts[k] = std::max(1.0, std::ceil((upper[k] - lower[k]) / wanted * (1 - 1e-9)));
  check_memory(options, counts, wanted, dimension);
  grid.lower = lower;
  for (int k = 0; k < dimension; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    grid.counts[axis] = static_cast<int>(counts[k]);
    grid.periodic[axis] = cell.periodic(k);
    grid.spacing[k] = (upper[k] - lower[k]) / counts[k];
  }
  if (dimension == 2) grid.lower[2] = 0, grid.spacing[2] = options.number("thickness");
  return grid;
}

}  // namespace scree::fields
