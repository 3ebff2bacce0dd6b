#include "heap_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "scree/base/error.hpp"
#include "scree/base/exact_vector.hpp"

namespace scree::meters {

namespace {

constexpr double kNoAngle = std::numeric_limits<double>::quiet_NaN();

double mean_diameter(const std::vector<Grain>& grains) {
  ExactSum sum;
  for (const Grain& g : grains) sum.add(2 * g.radius);
  return sum.value() / static_cast<double>(grains.size());
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

/// The lowest layer: bodies with their centre less than a diameter above the floor. Half of a disc lies within
/// radius/sqrt(2), half of a strip within a half of it. \return its radius and mean height [m]
std::optional<std::pair<double, double>> foot_of(const std::vector<Grain>& grains, double diameter, bool ridge) {
  std::vector<double> distances;
  ExactSum heights;
  for (const Grain& g : grains)
    if (g.height < diameter) distances.push_back(g.distance), heights.add(g.height);
  if (distances.size() < 3) return std::nullopt;
  return std::pair{(ridge ? 2 : std::numbers::sqrt2) * median(distances),
                   heights.value() / static_cast<double>(distances.size())};
}

/// Slope of the line of least squares through points (x, y).
double slope_of(const std::vector<Vec2>& points) {
  Vec2 mean = Vec2::Zero();
  for (const Vec2& p : points) mean += p / static_cast<double>(points.size());
  double xx = 0, xy = 0;
  for (const Vec2& p : points) xx += (p[0] - mean[0]) * (p[0] - mean[0]), xy += (p[0] - mean[0]) * (p[1] - mean[1]);
  return xx > 0 ? xy / xx : kNoAngle;
}

/// Number of the cell that a body lies in: side or sector, ring, and place across both. Cells are a diameter wide and
/// some two long. Were those near the axis smaller, they would miss the highest bodies more often, and the slope would
/// be too small.
std::array<int, 3> cell_of(const Grain& g, int sectors, double diameter, bool ridge) {
  const int sector = static_cast<int>(g.turn * sectors), ring = static_cast<int>(g.distance / diameter);
  if (ridge) return {sector, ring, static_cast<int>(std::floor(g.along / (2 * diameter)))};
  const double arc = 2 * std::numbers::pi * (ring + 0.5) / sectors;  // [diameters]
  return {sector, ring, static_cast<int>((g.turn * sectors - sector) * std::max(1., std::round(arc / 2)))};
}

/// The outermost body of each cell, as seen along the normal of a surface of this slope, and where it touches such a
/// plane. In each sector a line is fitted to these. \return mean angle of the sectors and its standard error
std::pair<double, double> lines_through_tops(const std::vector<Grain>& grains, double slope, int sectors,
                                             double diameter, bool ridge) {
  const auto height = [&](const Grain& g) { return g.height + std::hypot(1, slope) * g.radius; };
  const auto rank = [&](const Grain& g) {
    return std::pair{height(g) + slope * g.distance, -static_cast<double>(g.id)};
  };
  std::map<std::array<int, 3>, const Grain*> tops;
  for (const Grain& g : grains) {
    const Grain*& top = tops[cell_of(g, sectors, diameter, ridge)];
    if (!top || rank(g) > rank(*top)) top = &g;
  }
  std::map<int, std::vector<Vec2>> lines;
  for (const auto& [place, top] : tops) lines[place[0]].emplace_back(top->distance, height(*top));
  std::vector<double> angles;
  for (const auto& [sector, points] : lines)
    if (const double fitted = points.size() < 3 ? kNoAngle : slope_of(points); std::isfinite(fitted))
      angles.push_back(std::atan(-fitted));
  const auto n = static_cast<double>(angles.size());
  double mean = 0, scatter = 0;
  for (const double angle : angles) mean += angle / n;
  for (const double angle : angles) scatter += (angle - mean) * (angle - mean);
  return {n > 0 ? mean : kNoAngle, n > 1 ? std::sqrt(scatter / (n * (n - 1))) : kNoAngle};
}

/// The slope by which bodies are chosen is that of the fit before.
std::pair<double, double> fitted(const std::vector<Grain>& grains, const HeapFit& fit, const Heap& heap,
                                 double diameter, bool ridge) {
  const double most =
      std::numbers::pi * fit.from * heap.radius / diameter;  // with cells of full size where lines begin
  const int sectors = ridge ? 2 : std::clamp(static_cast<int>(most), std::min(4, fit.sectors), fit.sectors);
  // Whole rings: the sliver of one may hold deep bodies alone.
  const double first = std::ceil(fit.from * heap.radius / diameter), last = std::floor(fit.to * heap.radius / diameter);
  std::vector<Grain> between;
  for (const Grain& g : grains)
    if (g.distance >= first * diameter && g.distance < last * diameter) between.push_back(g);
  std::pair<double, double> angle{heap.slope, kNoAngle};
  for (int round = 0; round < 4 && std::isfinite(angle.first); ++round)
    angle = lines_through_tops(between, std::tan(angle.first), sectors, diameter, ridge);
  return angle;
}

/// A cone has its centre of mass at a quarter of its height and r^2 = 3/10 of its radius' on average; a wedge a third
/// and 1/6.
double angle_by_moments(const std::vector<Grain>& grains, bool ridge) {
  ExactSum mass, height, square;
  for (const Grain& g : grains)
    mass.add(g.mass), height.add(g.mass * g.height), square.add(g.mass * g.distance * g.distance);
  const double radius = std::sqrt((ridge ? 6 : 10. / 3) * square.value() / mass.value());
  return std::atan2((ridge ? 3 : 4) * height.value() / mass.value(), radius);
}

}  // namespace

Heap heap_of(const std::vector<Grain>& grains, const HeapFit& fit, bool ridge) {
  Heap heap{kNoAngle, kNoAngle, kNoAngle, kNoAngle, kNoAngle};
  if (grains.empty()) return heap;
  for (const Grain& g : grains) heap.height = std::max(heap.height, g.height + g.radius);
  const double d = mean_diameter(grains);
  heap.moments = angle_by_moments(grains, ridge);
  const auto foot = foot_of(grains, d, ridge);
  if (!foot) return heap;
  const auto [radius, level] = *foot;
  const double rise = heap.height - level;
  if (!(rise > 0 && radius > 0)) return heap;
  heap.radius = radius * heap.height / rise;
  heap.slope = std::atan2(rise, radius);
  heap.slope_error = 0.5 * d * std::hypot(rise, radius) / (rise * rise + radius * radius);
  std::tie(heap.fit, heap.fit_error) = fitted(grains, fit, heap, d, ridge);
  return heap;
}

HeapMeter::HeapMeter(const Options& options)
    : options_(options),
      series_(options.text("name")),
      chosen_(options),
      average_(options),
      fit_{options.number("from"), options.number("to"), static_cast<int>(options.integer("sectors"))} {
  if (!(fit_.to > fit_.from))
    throw OptionError("/to",
                      fmt::format("is {:.6g}, not above \"from\", {:.6g}. Exchange the two.", fit_.to, fit_.from));
}

void HeapMeter::begin(const World& world) {
  if (options_.has("region")) region_ = read_region(options_, "region", world.dimension());
  if (world.dimension() == 2) up_ = Vec3::UnitY(), ridge_ = Vec3::UnitZ();
  if (options_.has("up")) up_ = options_.vector("up");
  if (up_.isZero(0)) throw OptionError("/up", "has no direction. Give a vector that is not zero.");
  up_.normalize();
  if (options_.has("ridge")) {
    if (world.dimension() == 2) throw OptionError("/ridge", "is for 3D: in 2D each heap is one. Remove it.");
    const Vec3 along = options_.vector("ridge"), flat = along - along.dot(up_) * up_;
    if (flat.norm() <= 1e-9 * along.norm())
      throw OptionError("/ridge", "is not across \"up\". Give the horizontal direction that the ridge is long in.");
    ridge_ = flat.normalized();
  }
  chosen_.begin(world);
}

std::vector<Grain> HeapMeter::grains(const World& world) const {
  std::vector<std::pair<Vec3, Grain>> all;
  ExactSum mass;
  ExactVector moment;
  chosen_.for_each(world, [&](const BodyState& state) {
    const Vec3 x = world.cell.inside(state.rigid.frame.position);
    if (region_ && !region_->contains(x)) return;
    const double radius = state.scale * world.shapes()[state.shape].shape->bounding_radius();
    all.push_back({x, {state.id, state.rigid.mass, radius, 0, 0, 0, 0}});
    mass.add(state.rigid.mass), moment.add(state.rigid.mass * x);
  });
  const Vec3 centre = options_.has("centre") ? options_.vector("centre") : Vec3(moment.value() / mass.value());
  const Vec3 aside = ridge_ ? ridge_->cross(up_) : up_.unitOrthogonal(), third = up_.cross(aside);
  std::vector<Grain> grains;
  for (auto& [x, grain] : all) {
    const Vec3 from = x - centre;
    const double a = from.dot(aside), b = ridge_ ? 0 : from.dot(third);
    grain.height = x.dot(up_) - options_.number("floor");
    grain.distance = std::hypot(a, b);
    grain.along = ridge_ ? from.dot(*ridge_) : 0;
    const double turn = std::atan2(b, a) / (2 * std::numbers::pi) + 0.5;
    grain.turn = ridge_ ? (a < 0 ? 0 : 0.5) : std::min(turn, std::nextafter(1., 0.));
    if (grain.height > 0) grains.push_back(grain);
  }
  return grains;
}

void HeapMeter::observe(const World& world, const ContactView*, const Frame& frame) {
  const std::vector<Grain> all = grains(world);
  const Heap heap = heap_of(all, fit_, ridge_.has_value());
  constexpr double degrees = 180 / std::numbers::pi;
  std::vector<std::string> columns = {"count",
                                      "angle_fit_deg",
                                      "angle_fit_error_deg",
                                      "angle_height_deg",
                                      "angle_height_error_deg",
                                      "angle_moments_deg",
                                      "height_m",
                                      "radius_m"};
  std::vector<double> row = {static_cast<double>(all.size()),
                             degrees * heap.fit,
                             degrees * heap.fit_error,
                             degrees * heap.slope,
                             degrees * heap.slope_error,
                             degrees * heap.moments,
                             heap.height,
                             heap.radius};
  average_.extend(frame.time, columns, row);
  series_.add(frame, columns, row);
}

}  // namespace scree::meters
