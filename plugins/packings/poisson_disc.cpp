#include "poisson_disc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/base/error.hpp"
#include "scree/base/philox.hpp"

namespace scree::packings {

namespace {

/// Cells so small that each holds one place at most.
class OccupancyGrid {
 public:
  OccupancyGrid(const BoxRegion& region, double min_distance, int dimension)
      : lower_(region.lower), cell_(min_distance / std::sqrt(dimension)), limit_(min_distance * min_distance) {
    std::size_t total = 1;
    for (int k = 0; k < dimension; ++k) {
      counts_[k] = static_cast<std::int64_t>((region.upper[k] - region.lower[k]) / cell_) + 1;
      total *= static_cast<std::size_t>(counts_[k]);
    }
    index_.assign(total, -1);
  }

  void insert(const Vec3& p, std::size_t number) { index_[slot(cell(p))] = static_cast<std::int64_t>(number); }

  /// Checks that no place is nearer than the distance. Cells more than 2 away (in 2D and 3D) are farther than that.
  bool is_free(const Vec3& p, const std::vector<Placement>& places) const {
    const Cell at = cell(p);
    Cell low, high;
    for (int k = 0; k < 3; ++k) {
      low[k] = std::max<std::int64_t>(0, at[k] - 2);
      high[k] = std::min(counts_[k] - 1, at[k] + 2);
    }
    for (std::int64_t z = low[2]; z <= high[2]; ++z)
      for (std::int64_t y = low[1]; y <= high[1]; ++y)
        for (std::int64_t x = low[0]; x <= high[0]; ++x) {
          const std::int64_t other = index_[slot({x, y, z})];
          if (other >= 0 && (places[static_cast<std::size_t>(other)].position - p).squaredNorm() < limit_) return false;
        }
    return true;
  }

 private:
  using Cell = Eigen::Matrix<std::int64_t, 3, 1>;
  Cell cell(const Vec3& p) const { return ((p - lower_) / cell_).array().floor().cast<std::int64_t>(); }
  std::size_t slot(const Cell& c) const {
    return static_cast<std::size_t>((c[2] * counts_[1] + c[1]) * counts_[0] + c[0]);
  }

  Vec3 lower_;
  double cell_, limit_;
  Cell counts_{1, 1, 1};
  std::vector<std::int64_t> index_;
};

bool contains(const BoxRegion& region, const Vec3& p) {
  return (p.array() >= region.lower.array()).all() && (p.array() <= region.upper.array()).all();
}

/// Uniform between distance and twice the distance about the origin, from three numbers in (0, 1).
Vec3 in_annulus(double distance, const Vec3& u, int dimension) {
  const double turn = 2 * std::numbers::pi * u[1];
  if (dimension == 2) return distance * std::sqrt(1 + 3 * u[0]) * Vec3(std::cos(turn), std::sin(turn), 0);
  const double z = 2 * u[2] - 1, across = std::sqrt(1 - z * z);
  return distance * std::cbrt(1 + 7 * u[0]) * Vec3(across * std::cos(turn), across * std::sin(turn), z);
}

/// Shifts to the images of a periodic cell that may be near: none, and the neighbours.
std::vector<Vec3> near_images(const PeriodicCell& cell) {
  std::vector<Vec3> shifts;
  const auto side = [&](int axis) { return cell.periodic(axis) ? 1 : 0; };
  for (int z = -side(2); z <= side(2); ++z)
    for (int y = -side(1); y <= side(1); ++y)
      for (int x = -side(0); x <= side(0); ++x) shifts.push_back(cell.shift({x, y, z}));
  return shifts;
}

}  // namespace

PoissonDisc read_poisson_disc(const Options& options, const PackingContext& context) {
  PoissonDisc disc;
  disc.region = read_region(options, context.dimension);
  disc.min_distance = options.number_or("min_distance", 2 * context.bounding_radius);
  disc.attempts = static_cast<int>(options.integer("attempts"));
  double cells = 1;
  for (int k = 0; k < context.dimension; ++k)
    cells *= 1 + (disc.region.upper[k] - disc.region.lower[k]) / disc.min_distance;
  check_places("/min_distance", fmt::format("a distance of {:.6g} m makes up to", disc.min_distance), cells,
               "Widen the distance or shrink the box.");
  return disc;
}

std::vector<Placement> place(const PoissonDisc& disc, const PackingContext& context) {
  const RandomStream random(context.seed, "poisson-disc");
  OccupancyGrid grid(disc.region, disc.min_distance, context.dimension);
  const PeriodicCell cell = context.world ? context.world->cell : PeriodicCell();
  const std::vector<Vec3> images = near_images(cell);
  std::vector<Placement> places;
  std::vector<std::size_t> active;
  const auto accept = [&](const Vec3& p) {
    grid.insert(p, places.size());
    active.push_back(places.size());
    places.emplace_back().position = p;
  };

  accept(disc.region.lower + (disc.region.upper - disc.region.lower).cwiseProduct(random.triple(0)));
  for (std::uint64_t look = 1; !active.empty(); ++look) {
    const auto chosen = static_cast<std::size_t>(random.pair(look, 0, 2)[0] * static_cast<double>(active.size()));
    const Vec3 centre = places[active[chosen]].position;
    bool found = false;
    for (int k = 0; k < disc.attempts && !found; ++k) {
      const Vec3 u = random.triple(look, static_cast<std::uint32_t>(k));
      Vec3 p = centre + in_annulus(disc.min_distance, u, context.dimension);
      if (!contains(disc.region, p)) p = cell.inside(p);
      found = contains(disc.region, p) &&
              std::ranges::all_of(images, [&](const Vec3& shift) { return grid.is_free(p + shift, places); });
      if (found) accept(p);
    }
    if (found) continue;
    active[chosen] = active.back();
    active.pop_back();
  }
  return places;
}

}  // namespace scree::packings
