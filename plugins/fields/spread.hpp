#pragma once
/// \file Spreads what sits at points over the cells of a grid, so that nothing is lost.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grid.hpp"

namespace scree::fields {

/// Most numbers at a point.
inline constexpr std::size_t kMostValues = 13;

/// Numbers at a place, which go to neighbouring sums of cells: first, first + 1, ...
struct PointValues {
  Vec3 place;  ///< [m]
  std::uint32_t first = 0, count = 0;
  std::array<double, kMostValues> value{};
};

/// Points with their images, in an order that is that of the sums.
class Points {
 public:
  /// Begins a point: one kernel, shared by the images that follow.
  void begin() { first_.push_back(images_.size()); }
  /// Adds an image of the point that may reach into the grid.
  void add(const PointValues& image) { images_.push_back(image); }
  std::size_t size() const { return first_.size(); }
  std::size_t images() const { return images_.size(); }
  std::span<const PointValues> of(std::size_t point) const {
    const std::size_t end = point + 1 < first_.size() ? first_[point + 1] : images_.size();
    return std::span(images_).subspan(first_[point], end - first_[point]);
  }
  void clear() { first_.clear(), images_.clear(); }

 private:
  std::vector<std::size_t> first_;
  std::vector<PointValues> images_;
};

/// Calls each(shift, velocity) for the images of a place that reach into the grid, along periodic axes. \param shift
/// from the body to its image [m]  \param velocity  of the image relative to the body [m/s]
template <class Each>
void for_each_image_near(const Grid& grid, const PeriodicCell& cell, const Vec3& place, const Each& each) {
  Vec3 low = grid.lower - place, high = low;
  for (int k = 0; k < grid.dimension; ++k) low[k] -= grid.radius, high[k] = grid.upper(k) - place[k] + grid.radius;
  for_each_image(cell, low, high,
                 [&](const Image& image) { each(Vec3(cell.shift(image)), Vec3(cell.velocity(image))); });
}

/// Adds points to the sums of cells. A cell g gets the share W_g of a point, with W_g V = phi(x_g - x) over the sum of
/// phi over all cells, those beyond ends of the grid too: so shares of a point in the grid and outside add up to 1, for
/// any spacing (Goldhirsch, Granular Matter 12 (2010) 239; phi: lucy()).
/// \param sums  (cells, width): densities, per m^3
/// \param outside  (points): share of each point that lies beyond ends of the grid
/// The order of additions to a cell is that of points, for any number of threads.
void spread(const Grid& grid, const Points& points, std::size_t width, std::span<double> sums,
            std::vector<double>& outside);

}  // namespace scree::fields
