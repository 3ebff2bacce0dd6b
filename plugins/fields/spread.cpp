#include "spread.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "lucy.hpp"
#include "scree/base/parallel.hpp"

namespace scree::fields {

namespace {

/// Range of cells along an axis.
struct Range {
  int first = 0, end = 1;
  bool has(int cell) const { return cell >= first && cell < end; }
  bool operator==(const Range&) const = default;
};

/// Cells whose centres may lie within the kernel of a place, those beyond the grid too; none where no cell of the grid
/// does.
struct Reach {
  std::array<Range, 3> all, inside;
  bool any = true;
};

Reach reach_of(const Grid& grid, const Vec3& place) {
  Reach reach;
  for (int k = 0; k < grid.dimension; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    const double at = (place[k] - grid.lower[k]) / grid.spacing[k] - 0.5, half = grid.radius / grid.spacing[k];
    const int count = grid.counts[axis];
    if (!(at + half >= 0 && at - half <= count - 1)) return {{}, {}, false};
    const Range all{static_cast<int>(std::ceil(at - half)), static_cast<int>(std::floor(at + half)) + 1};
    const Range inside{std::max(all.first, 0), std::min(all.end, count)};
    reach.inside[axis] = inside;
    reach.all[axis] = grid.periodic[axis] ? inside : all;
  }
  return reach;
}

/// Calls each(cell, phi) for the cells of some ranges within the kernel. \param cell  its number, where it is in the
/// grid
template <class Each>
void for_each_cell(const Grid& grid, const Vec3& place, const std::array<Range, 3>& ranges, const Each& each) {
  const double inverse = 1 / grid.radius;
  const auto distance = [&](int axis, int cell) {
    return axis < grid.dimension ? inverse * (grid.lower[axis] + (cell + 0.5) * grid.spacing[axis] - place[axis]) : 0.0;
  };
  for (int z = ranges[2].first; z < ranges[2].end; ++z) {
    const double dz = distance(2, z);
    for (int y = ranges[1].first; y < ranges[1].end; ++y) {
      const double dy = distance(1, y), beside = dz * dz + dy * dy;
      if (beside >= 1) continue;
      for (int x = ranges[0].first; x < ranges[0].end; ++x) {
        const double dx = distance(0, x), square = beside + dx * dx;
        if (square < 1) each(x, y, z, lucy(std::sqrt(square)));
      }
    }
  }
}

/// A kernel's scale, and its share beyond the grid.
struct Norm {
  double scale = 0, outside = 1;
};

Norm norm_of(const Grid& grid, std::span<const PointValues> images) {
  double inside = 0, beyond = 0;
  for (const PointValues& image : images) {
    const Reach reach = reach_of(grid, image.place);
    if (!reach.any) continue;
    const auto add_to = [&](double& sum) { return [&sum](int, int, int, double phi) { sum += phi; }; };
    for_each_cell(grid, image.place, reach.inside, add_to(inside));
    if (reach.all == reach.inside) continue;
    for_each_cell(grid, image.place, reach.all, [&](int x, int y, int z, double phi) {
      if (!reach.inside[0].has(x) || !reach.inside[1].has(y) || !reach.inside[2].has(z)) beyond += phi;
    });
  }
  const double all = inside + beyond;
  if (!(all > 0)) return {};
  return {1 / (all * grid.cell_volume()), beyond / all};
}

/// Adds an image to the cells of a slab: a range along the last axis.
void add_image(const Grid& grid, const PointValues& image, double scale, const Range& slab, std::size_t width,
               std::span<double> sums) {
  Reach reach = reach_of(grid, image.place);
  if (!reach.any) return;
  Range& along = reach.inside[static_cast<std::size_t>(grid.dimension - 1)];
  along = {std::max(along.first, slab.first), std::min(along.end, slab.end)};
  const auto nx = static_cast<std::size_t>(grid.counts[0]), ny = static_cast<std::size_t>(grid.counts[1]);
  for_each_cell(grid, image.place, reach.inside, [&](int x, int y, int z, double phi) {
    const std::size_t cell =
        static_cast<std::size_t>(x) + nx * (static_cast<std::size_t>(y) + ny * static_cast<std::size_t>(z));
    double* const to = &sums[cell * width + image.first];
    const double share = scale * phi;
    for (std::uint32_t k = 0; k < image.count; ++k) to[k] += share * image.value[k];
  });
}

}  // namespace

void spread(const Grid& grid, const Points& points, std::size_t width, std::span<double> sums,
            std::vector<double>& outside) {
  const auto count = static_cast<std::ptrdiff_t>(points.size());
  std::vector<Norm> norms(points.size());
  outside.resize(points.size());
  constexpr std::ptrdiff_t kFrom = 8;  // points from which threads pay: each takes microseconds
  parallel_for(
      count,
      [&](std::ptrdiff_t i) {
        const auto p = static_cast<std::size_t>(i);
        norms[p] = norm_of(grid, points.of(p));
        outside[p] = norms[p].outside;
      },
      kFrom);
  const int layers = grid.counts[static_cast<std::size_t>(grid.dimension - 1)];
  const int slabs = std::min(layers, 4 * omp_get_max_threads());  // their number changes no bit: each cell is in one
#pragma omp parallel for schedule(dynamic) if (count >= kFrom)
  for (int s = 0; s < slabs; ++s) {
    const Range slab{static_cast<int>(std::int64_t{layers} * s / slabs),
                     static_cast<int>(std::int64_t{layers} * (s + 1) / slabs)};
    for (std::size_t p = 0; p < points.size(); ++p)
      for (const PointValues& image : points.of(p)) add_image(grid, image, norms[p].scale, slab, width, sums);
  }
}

}  // namespace scree::fields
