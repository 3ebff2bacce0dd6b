#include "scree/grid/neighbour_query.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/grid/detail/cells.hpp"

namespace scree {

namespace {

constexpr int kLevels = 31;

/// Returns a width of cells such that a body reaches into neighbouring cells at most.
double width_of(double largest) { return std::max(2 * largest, 1e-300); }

}  // namespace

NeighbourQuery::NeighbourQuery(const World& world) : cell_(world.cell), levels_(kLevels) {
  const auto x = world.position.read();
  const auto radius = world.radius.read();
  const auto id = world.id.read();
  double largest = 0;
  for (const double r : radius)
    if (std::isfinite(r)) largest = std::max(largest, r);
  for (int k = 0; k < kLevels; ++k) levels_[static_cast<std::size_t>(k)].largest = std::ldexp(largest, -k);
  origin_ = Vec3::Constant(std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (std::isfinite(radius[i]))
      add(id[i], x[i] - cell_.shift(cell_.image_of(x[i])), radius[i]);
    else
      unbounded_.push_back(id[i]);
  }
  sort();
}

void NeighbourQuery::add(Id id, const Vec3& position, double radius) {
  if (radius <= 0) return;
  const double halvings = std::floor(std::log2(levels_[0].largest / radius));
  levels_[static_cast<std::size_t>(std::clamp(halvings, 0.0, kLevels - 1.0))].entries.push_back(
      {0, id, position, radius});
  origin_ = origin_.cwiseMin(position);
}

void NeighbourQuery::sort() {
  std::erase_if(levels_, [](const Level& level) { return level.entries.empty(); });
  for (Level& level : levels_) {
    for (const Entry& e : level.entries) level.largest = std::max(level.largest, e.radius);  // differ by rounding
    for (Entry& e : level.entries) e.cell = detail::pack(detail::cell_of(e.position, origin_, width_of(level.largest)));
    std::sort(level.entries.begin(), level.entries.end());
  }
}

template <class IsNear>
void NeighbourQuery::find_in(const Level& level, const Vec3& lower, const Vec3& upper, const Vec3& shift,
                             const IsNear& is_near, std::vector<Id>& found) const {
  const auto first = level.entries.begin(), last = level.entries.end();
  const auto look = [&](auto from, auto to) {
    for (; from != to; ++from)
      if (is_near(from->position + shift, from->radius)) found.push_back(from->id);
  };
  const Vec3 reach = Vec3::Constant(level.largest);
  const detail::Cell low = detail::cell_of(lower - shift - reach, origin_, width_of(level.largest));
  const detail::Cell high = detail::cell_of(upper - shift + reach, origin_, width_of(level.largest));
  const double rows = double(high[1] - low[1] + 1) * double(high[2] - low[2] + 1);
  if (rows > double(level.entries.size())) return look(first, last);
  for (std::int64_t z = low[2]; z <= high[2]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y) {
      const detail::KeyRange range = detail::row_of_cells(low[0], high[0], y, z);
      const auto from =
          std::lower_bound(first, last, range.first, [](const Entry& e, std::uint64_t k) { return e.cell < k; });
      look(from, std::upper_bound(from, last, range.last, [](std::uint64_t k, const Entry& e) { return k < e.cell; }));
    }
}

template <class IsNear>
std::vector<Id> NeighbourQuery::find(const Vec3& lower, const Vec3& upper, const IsNear& is_near) const {
  std::vector<Id> found = unbounded_;
  for (const Level& level : levels_) {
    Image from = Image::Zero(), to = Image::Zero();  // images of bodies that may reach the box
    for (int k = 0; k < 3; ++k) {
      if (!cell_.periodic(k)) continue;
      const double before = (lower[k] - level.largest - cell_.lower[k]) / cell_.length(k);
      const double behind = (upper[k] + level.largest - cell_.lower[k]) / cell_.length(k);
      from[k] = static_cast<int>(std::floor(before));
      to[k] = static_cast<int>(std::floor(behind));
    }
    Image image;
    for (image[2] = from[2]; image[2] <= to[2]; ++image[2])
      for (image[1] = from[1]; image[1] <= to[1]; ++image[1])
        for (image[0] = from[0]; image[0] <= to[0]; ++image[0])
          find_in(level, lower, upper, cell_.shift(image), is_near, found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Id> NeighbourQuery::near_sphere(const Vec3& centre, double radius) const {
  const Vec3 half = Vec3::Constant(radius);
  return find(centre - half, centre + half,
              [&](const Vec3& x, double r) { return (x - centre).squaredNorm() < (r + radius) * (r + radius); });
}

std::vector<Id> NeighbourQuery::near_box(const Vec3& lower, const Vec3& upper) const {
  return find(lower, upper,
              [&](const Vec3& x, double r) { return (x - x.cwiseMax(lower).cwiseMin(upper)).squaredNorm() < r * r; });
}

}  // namespace scree
