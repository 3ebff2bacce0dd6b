#include "bins.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree::meters {

namespace {

/// Points of a region, each of the same volume: the additive recurrence of M. Roberts (2018), whose steps are powers of
/// the root of x^4 = x + 1.
template <class Visit>
void each_point(const Region& region, const Visit& visit) {
  constexpr double root = 1.2207440846057596;
  const Vec3 step(1 / root, 1 / (root * root), 1 / (root * root * root));
  Vec3 u = Vec3::Constant(0.5);
  for (int k = 0; k < 1 << 18; ++k) {
    u += step;
    u -= Vec3(u.array().floor());
    if (const auto x = region.at(u)) visit(*x);
  }
}

double overlap(double a, double b, double c, double d) { return std::max(0., std::min(b, d) - std::max(a, c)); }

int coordinate_of(const Vec3& direction) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(direction[k]) == 1) return k;
  return -1;
}

}  // namespace

Bins::Bins(const Options& options, int dimension)
    : dimension_(dimension), radial_(options.has("about")), point_(options.vector("point")) {
  if (radial_ == options.has("along"))
    throw OptionError("/bins", radial_ ? "has both \"along\" and \"about\". Remove one."
                                       : "has no direction. Give \"along\" for slabs, or \"about\" for shells.");
  const std::string key = radial_ ? "about" : "along";
  direction_ = options.vector(key);
  if (dimension == 2 && !radial_) direction_[2] = 0;
  if (direction_.isZero(0)) throw OptionError("/bins/" + key, "has no direction. Give a vector that is not zero.");
  direction_.normalize();
  axis_ = coordinate_of(direction_);
  if (dimension == 2 && radial_ && axis_ != 2)
    throw OptionError("/bins/about", "lies in the plane. In 2D shells are about a point: give [0, 0, 1].");
  const double from = options.number("from"), to = options.number("to");
  if (!(to > from))
    throw OptionError("/bins/to",
                      fmt::format("is {:.6g} m, not above \"from\", {:.6g} m. Exchange the two.", to, from));
  if (radial_ && from < 0)
    throw OptionError("/bins/from", fmt::format("is {:.6g} m, but a radius is 0 or more.", from));
  const auto number = static_cast<double>(options.integer("number"));
  for (double k = 0; k <= number; ++k) edges_.push_back(k < number ? from + k / number * (to - from) : to);
}

std::optional<std::size_t> Bins::bin_of(double place) const {
  if (!(place >= edges_.front() && place < edges_.back())) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::upper_bound(edges_, place) - edges_.begin() - 1);
}

/// Shells take the nearest image to their axis, slabs the image in the cell.
Vec3 Bins::nearest(const PeriodicCell& cell, const Vec3& x) const {
  return radial_ ? Vec3(point_ + cell.shortest(x - point_)) : cell.inside(x);
}

/// Returns how far away images of a place lie that may be in bins too [m].
std::vector<double> Bins::images(const PeriodicCell& cell) const {
  if (radial_ || axis_ < 0 || !cell.periodic(axis_)) return {0};
  return {-cell.length(axis_), 0, cell.length(axis_)};
}

void Bins::share_point(const PeriodicCell& cell, const Vec3& x, const Visit& visit) const {
  if (const auto bin = bin_of(place(nearest(cell, x)))) visit(*bin, 1);
}

double Bins::share_before(double edge, double place, double radius) const {
  if (!radial_) {
    const double h = std::clamp((edge - place) / radius, -1., 1.);
    return dimension_ == 2 ? disc_share_below(h) : share_below(h);
  }
  if (edge >= place + radius) return 1;
  if (dimension_ == 2) return lens_area(radius, edge, place) / (std::numbers::pi * radius * radius);
  return share_within_cylinder(radius, place, edge);
}

void Bins::share_ball(const PeriodicCell& cell, const Vec3& x, double radius, const Visit& visit) const {
  const double centre = place(nearest(cell, x));
  for (const double shift : images(cell)) {
    const double at = centre + shift;
    const auto next = std::ranges::upper_bound(edges_, at - radius);
    auto bin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, next - edges_.begin() - 1));
    double before = share_before(edges_[bin], at, radius);
    for (; bin < size() && edges_[bin] < at + radius; ++bin) {
      const double after = share_before(edges_[bin + 1], at, radius);
      if (after > before) visit(bin, after - before);
      before = after;
    }
  }
}

void Bins::share_line(const PeriodicCell& cell, const Vec3& from, const Vec3& way, const Visit& visit) const {
  const Vec3 start = nearest(cell, from);
  for (const double shift : images(cell)) {
    const Vec3 begin = start + shift * direction_;
    std::vector<double> cuts = {0, 1};
    const auto cut = [&](double t) {
      if (t > 0 && t < 1) cuts.push_back(t);
    };
    if (radial_) {
      const Vec3 x = beside(begin), v = way - way.dot(direction_) * direction_;
      const double a = v.squaredNorm(), b = x.dot(v);
      for (const double edge : edges_)
        if (const double root = b * b - a * (x.squaredNorm() - edge * edge); a > 0 && root >= 0)
          cut((-b - std::sqrt(root)) / a), cut((-b + std::sqrt(root)) / a);
    } else if (const double rise = way.dot(direction_); rise != 0) {
      const double at = height(begin), low = std::min(at, at + rise), high = std::max(at, at + rise);
      for (auto edge = std::ranges::upper_bound(edges_, low); edge != edges_.end() && *edge < high; ++edge)
        cut((*edge - at) / rise);
    }
    std::ranges::sort(cuts);
    for (std::size_t k = 1; k < cuts.size(); ++k)
      if (const auto bin = bin_of(place(begin + 0.5 * (cuts[k - 1] + cuts[k]) * way)); bin && cuts[k] > cuts[k - 1])
        visit(*bin, cuts[k] - cuts[k - 1]);
  }
}

/// Returns the section of bins that is the same all along, if it is known: of slabs the area [m^2], in 2D the width
/// [m]; of shells the length along the axis, in 2D 1.
std::optional<double> Bins::section_of(const Region* region, const Options& options, const PeriodicCell& cell) const {
  if (radial_ && dimension_ == 2) return region ? std::nullopt : std::optional<double>(1);
  if (region || axis_ < 0) {
    if (!radial_ || !region || options.text("type") != "cylinder" || options.boolean("outside")) return std::nullopt;
    const Vec3 axis = options.vector("axis").normalized();
    const bool same = std::abs(axis.dot(direction_)) > 1 - 1e-12 &&
                      beside(options.vector("centre")).norm() <= 1e-12 * options.number("radius");
    return same && edges_.back() <= options.number("radius") * (1 + 1e-12) ? std::optional(options.number("length"))
                                                                           : std::nullopt;
  }
  if (radial_) return cell.periodic(axis_) ? std::optional(cell.length(axis_)) : std::nullopt;
  double product = 1;
  for (int k = 0; k < dimension_; ++k)
    if (k != axis_) product *= cell.length(k);
  return product > 0 ? std::optional(product) : std::nullopt;
}

std::vector<double> Bins::sampled(const Region& region) const {
  std::vector<double> counts(size(), 0);
  double all = 0;
  each_point(region, [&](const Vec3& x) {
    ++all;
    if (const auto bin = bin_of(place(x))) ++counts[*bin];
  });
  for (double& count : counts) count *= region.measure() / all;
  return counts;
}

std::optional<std::vector<double>> Bins::volumes(const std::optional<double>& given, const Region* region,
                                                 const Options& options, const PeriodicCell& cell) const {
  const std::optional<double> section = given ? given : section_of(region, options, cell);
  std::vector<double> all(size());
  if (section) {
    for (std::size_t k = 0; k < size(); ++k) {
      const double a = edges_[k], b = edges_[k + 1];
      all[k] = *section * (b - a) * (radial_ ? std::numbers::pi * (a + b) : 1);
    }
    return all;
  }
  if (!region || !region->bounded() || !(region->measure() > 0)) return std::nullopt;
  if (radial_ || axis_ < 0 || axis_ >= dimension_ || options.text("type") != "box") return sampled(*region);
  const double sign = direction_[axis_];
  const double a = sign * (options.vector("lower")[axis_] - point_[axis_]),
               b = sign * (options.vector("upper")[axis_] - point_[axis_]);
  const double area = region->measure() / std::abs(b - a);
  for (std::size_t k = 0; k < size(); ++k)
    all[k] = area * overlap(edges_[k], edges_[k + 1], std::min(a, b), std::max(a, b));
  return all;
}

}  // namespace scree::meters
