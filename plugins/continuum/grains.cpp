#include "grains.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>

#include "material_point.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/philox.hpp"

namespace scree::continuum {

namespace {

constexpr const char* kTable = "grains";
constexpr double kSpread = 0.25;  ///< radii are evenly spread between 1 - this and 1 + this of the mean
/// Distance in which a grain searches a nearer point, and its largest distance from the nearest, over the spacing and
/// the root of the dimension. The first is a little beyond a corner. Flow may part points by several spacings along one
/// axis, and bring them together along another.
constexpr double kReach = 0.53, kFarFrom = 4 * kReach;

constexpr RandomStream kPlaces(0, "continuum.grains.places"), kLooks(0, "continuum.grains.looks");

/// The buckets of a search for the nearest point: cubes of a width, in order of their numbers.
class Buckets {
 public:
  /// \param width  width of a cube, at least the distance of a search
  Buckets(const PointSet& points, double width) : points_(points), width_(width) {
    entries_.resize(points.size());
    for (std::uint32_t p = 0; p < entries_.size(); ++p) entries_[p] = {cube_of(points.position[p]), p};
    std::ranges::sort(entries_, {}, [&](const Entry& e) { return std::tuple(e.cube, points_.id[e.point]); });
  }

  struct Found {
    double distance2 = std::numeric_limits<double>::infinity();  ///< [m^2]
    std::uint64_t id = 0;                                        ///< the lower one of two that are as near
    std::uint32_t point = 0;
    Vec3 way = Vec3::Zero();  ///< from the point [m]
  };
  /// Looks around x, and takes what is nearer than what was found.
  void nearest(const Vec3& x, Found& found) const {
    const Cube middle = cube_of(x);
    for (int k = -1; k <= 1; ++k)
      for (int j = -1; j <= 1; ++j) {
        // Three cubes along x lie one behind the other.
        const Cube first = {middle[0] + k, middle[1] + j, middle[2] - 1}, last = {first[0], first[1], middle[2] + 1};
        for (auto e = std::ranges::lower_bound(entries_, first, {}, &Entry::cube);
             e != entries_.end() && e->cube <= last; ++e) {
          const Vec3 way = x - points_.position[e->point];
          const Found one{way.squaredNorm(), points_.id[e->point], e->point, way};
          if (std::tie(one.distance2, one.id) < std::tie(found.distance2, found.id)) found = one;
        }
      }
  }

 private:
  using Cube = std::array<std::int64_t, 3>;  ///< by z, y and x
  struct Entry {
    Cube cube;
    std::uint32_t point;
  };
  Cube cube_of(const Vec3& x) const {
    const auto at = [&](int k) { return static_cast<std::int64_t>(std::floor(x[k] / width_)); };
    return {at(2), at(1), at(0)};
  }

  const PointSet& points_;
  double width_;
  std::vector<Entry> entries_;
};

/// x, and its images that lie within `reach` of the cell.
template <class Each>
void each_image(const PeriodicCell& cell, const Vec3& x, double reach, const Each& each) {
  const auto far = [&](int k) { return cell.periodic(k) ? 1 : 0; };
  Image image;
  for (image[0] = -far(0); image[0] <= far(0); ++image[0])
    for (image[1] = -far(1); image[1] <= far(1); ++image[1])
      for (image[2] = -far(2); image[2] <= far(2); ++image[2]) {
        const Vec3 at = x + cell.shift(image);
        bool near = true;
        for (int k = 0; k < 3; ++k)
          near = near && (!cell.periodic(k) ||
                          (at[k] > cell.lower[k] - reach && at[k] < cell.lower[k] + cell.length(k) + reach));
        if (near) each(at);
      }
}

/// In spacings of a point, such that grains have this share of its space on average.
double mean_radius(double share, int dimension) {
  if (dimension == 2) return std::sqrt(share / (std::numbers::pi * (1 + kSpread * kSpread / 3)));
  return std::cbrt(0.75 * share / (std::numbers::pi * (1 + kSpread * kSpread)));
}

}  // namespace

Vec3 place_of_grain(std::uint64_t point, int grain, int dimension) {
  constexpr std::array<double, 3> plane = {0.7548776662466927, 0.5698402909980532, 0},
                                  space = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  const auto start = kPlaces.pair(point), more = kPlaces.pair(point, 0, 1);
  const std::array<double, 3> from = {start[0], start[1], more[0]};
  Vec3 place = Vec3::Zero();
  for (std::size_t k = 0; k < static_cast<std::size_t>(dimension); ++k) {
    const double at = from[k] + grain * (dimension == 2 ? plane : space)[k];
    place[static_cast<Eigen::Index>(k)] = at - std::floor(at) - 0.5;
  }
  return place;
}

void Grains::begin(World& world) {
  if (!present()) return;
  table_ = &world.table(kTable);
  position_ = table_->column<Vec3>("position", "m");
  radius_ = table_->column<double>("radius", "m");
  shade_ = table_->column<double>("shade");
  point_ = table_->column<Id>("point");
  sampled_ = world.column<std::uint32_t>("grains_sampled", "", false);
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (material_point(*world.shapes()[world.shape[i]].shape)) rows.push_back(i);
  add(world, rows);
}

/// Points without grains get them, by ascending id.
void Grains::add(World& world, std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> fresh;
  for (const std::uint32_t row : rows)
    if (sampled_[row] == 0) fresh.push_back(row);
  if (fresh.empty()) return;
  std::ranges::sort(fresh, {}, [&](std::uint32_t row) { return world.id[row]; });
  const auto n = static_cast<std::size_t>(per_point_);
  std::size_t grain = table_->size();
  table_->add(n * fresh.size());
  const auto position = position_.write();
  const auto radius = radius_.write(), shade = shade_.write();
  const auto point = point_.write();
  const auto sampled = sampled_.write();
  const int dimension = world.dimension();
  for (const std::uint32_t row : fresh) {
    const MaterialPoint& shape = *material_point(*world.shapes()[world.shape[row]].shape);
    const double spacing = shape.spacing() * world.scale[row];
    const double mean = mean_radius(shape.fraction() / per_point_, dimension) * spacing;
    for (int k = 0; k < per_point_; ++k, ++grain) {
      const auto looks = kLooks.pair(world.id[row], 0, static_cast<std::uint32_t>(k));
      position[grain] = world.cell.inside(world.position[row] + spacing * place_of_grain(world.id[row], k, dimension));
      radius[grain] = mean * (1 + kSpread * (2 * looks[0] - 1));
      shade[grain] = looks[1];
      point[grain] = world.id[row];
    }
    sampled[row] = 1;
  }
}

void Grains::remove_orphans(const World& world) {
  const auto point = point_.read();
  std::vector<Id> gone;
  for (std::size_t g = 0; g < point.size(); ++g)
    if (!world.row(point[g])) gone.push_back(table_->id[g]);
  if (!gone.empty()) table_->remove(gone);
}

void Grains::find_carriers(const World& world, std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> place(world.size(), 0);
  for (std::uint32_t p = 0; p < rows.size(); ++p) place[rows[p]] = p;
  const auto point = point_.read();
  carrier_.resize(point.size());
  parallel_for(static_cast<std::ptrdiff_t>(point.size()), [&](std::ptrdiff_t k) {
    const auto g = static_cast<std::size_t>(k);
    carrier_[g] = place[*world.row(point[g])];
  });
}

void Grains::match(World& world, std::span<const std::uint32_t> rows) {
  if (!present()) return;
  remove_orphans(world);
  add(world, rows);
  find_carriers(world, rows);
}

void Grains::follow(const World& world, std::span<const Vec3> from, const PointSet& points, std::span<const Wall> walls,
                    double fraction, double dt) {
  if (!present()) return;
  reach_.resize(points.size());
  const int dimension = world.dimension();
  parallel_for(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
    const auto p = static_cast<std::size_t>(k);
    reach_[p] = kReach * std::sqrt(dimension) * std::pow(points.volume[p] / fraction, 1.0 / dimension);
  });
  strayed_.resize(carrier_.size());
  {
    const auto position = position_.write();
    parallel_for(static_cast<std::ptrdiff_t>(carrier_.size()), [&](std::ptrdiff_t k) {
      const auto g = static_cast<std::size_t>(k);
      const std::uint32_t p = carrier_[g];
      const Vec3 arm = world.cell.shortest(position[g] - from[p]), now = arm + dt * points.affine[p] * arm;
      position[g] = points.position[p] + now;
      strayed_[g] = !(now.squaredNorm() <= reach_[p] * reach_[p]);
    });
  }
  std::vector<std::uint32_t> strays;
  for (std::uint32_t g = 0; g < strayed_.size(); ++g)
    if (strayed_[g]) strays.push_back(g);
  if (!strays.empty()) rebind(world.cell, strays, points, kFarFrom / kReach * *std::ranges::max_element(reach_));
  const auto position = position_.write();
  push_out(walls, position);
  if (world.cell.any())
    for (Vec3& x : position) x = world.cell.inside(x);
}

/// Grains far from their points go over to the nearest ones, and no farther from these than they may be.
void Grains::rebind(const PeriodicCell& cell, std::span<const std::uint32_t> strays, const PointSet& points,
                    double width) {
  const Buckets buckets(points, width);
  const auto position = position_.write();
  const auto point = point_.write();
  parallel_for(
      static_cast<std::ptrdiff_t>(strays.size()),
      [&](std::ptrdiff_t k) {
        const std::uint32_t g = strays[static_cast<std::size_t>(k)];
        Buckets::Found found;
        each_image(cell, position[g], width, [&](const Vec3& at) { buckets.nearest(at, found); });
        if (std::isinf(found.distance2)) {  // nobody is near: it stays with its own
          found.point = carrier_[g];
          found.way = position[g] - points.position[found.point];
          found.distance2 = found.way.squaredNorm();
        }
        const double farthest = kFarFrom / kReach * reach_[found.point], far = std::sqrt(found.distance2);
        carrier_[g] = found.point;
        point[g] = points.id[found.point];
        position[g] = points.position[found.point] + (far > farthest ? farthest / far : 1) * found.way;
      },
      100);
}

}  // namespace scree::continuum
