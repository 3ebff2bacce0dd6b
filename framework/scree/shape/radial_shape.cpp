#include "scree/shape/radial_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/shape/radial_distance.hpp"

namespace scree {

/// Polar moments of an outline about its centre; lengths in the outline's own unit.
struct OutlineMoments {
  double area = 0;
  Vec2 centroid = Vec2::Zero();
  double inertia = 0;  ///< second moment of area about the centroid
};

namespace {

constexpr double kTurn = 2 * std::numbers::pi;
/// Samples in which the extrema of an outline are bracketed: 400 per wave of the 20th harmonic.
constexpr int kSamples = 8192;

/// Sums of the periodic trapezoid rule for area, first and second moments.
struct MomentSums {
  double second = 0, third_x = 0, third_y = 0, fourth = 0;

  void add(double theta, double r) {
    const double r2 = r * r;
    second += r2;
    third_x += r2 * r * std::cos(theta);
    third_y += r2 * r * std::sin(theta);
    fourth += r2 * r2;
  }
  OutlineMoments result(int samples) const {
    const double h = kTurn / samples;
    OutlineMoments m;
    m.area = second * h / 2;
    m.centroid = Vec2(third_x, third_y) * (h / 3 / m.area);
    m.inertia = fourth * h / 4 - m.area * m.centroid.squaredNorm();
    return m;
  }
};

bool converged(const OutlineMoments& a, const OutlineMoments& b) {
  constexpr double tolerance = 1e-12;  // of the difference between n and n/2 samples: the promise is 1e-10
  const double length = std::sqrt(b.area);
  return std::abs(a.area - b.area) <= tolerance * b.area && std::abs(a.inertia - b.inertia) <= tolerance * b.inertia &&
         (a.centroid - b.centroid).norm() <= tolerance * length;
}

/// Area, centroid and inertia by the periodic trapezoid rule, which converges faster than any power for smooth
/// outlines; the number of samples doubles until nothing changes.
OutlineMoments moments(const std::function<double(double)>& radius) {
  constexpr int first = 512, last = 1 << 20;
  MomentSums sums;
  for (int i = 0; i < first; ++i) sums.add(kTurn * i / first, radius(kTurn * i / first));
  OutlineMoments before = sums.result(first);
  for (int n = 2 * first; n <= last; n *= 2) {
    for (int i = 1; i < n; i += 2) sums.add(kTurn * i / n, radius(kTurn * i / n));
    const OutlineMoments now = sums.result(n);
    if (converged(before, now)) return now;
    before = now;
  }
  return before;
}

struct Extremum {
  double theta = 0, value = 0;
};

/// Largest value of f in [low, high] by golden sections, down to rounding.
Extremum golden_maximum(const std::function<double(double)>& f, double low, double high) {
  constexpr double ratio = std::numbers::phi - 1;
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double fa = f(a), fb = f(b);
  for (int i = 0; i < 45; ++i) {
    if (fa < fb) {
      low = std::exchange(a, b);
      fa = fb;
      b = low + ratio * (high - low);
      fb = f(b);
    } else {
      high = std::exchange(b, a);
      fb = fa;
      a = high - ratio * (high - low);
      fa = f(a);
    }
  }
  return fa > fb ? Extremum{a, fa} : Extremum{b, fb};
}

/// Largest value of a function with period 2 pi.
Extremum maximum(const std::function<double(double)>& f) {
  constexpr double h = kTurn / kSamples;
  std::vector<double> sample(kSamples);
  for (int i = 0; i < kSamples; ++i) sample[i] = f(i * h);
  const auto [low, high] = std::minmax_element(sample.begin(), sample.end());
  Extremum best{(high - sample.begin()) * h, *high};
  // A peak between samples is higher than its sample by little: only those near the top can win.
  const double worth_trying = *high - 1e-3 * (*high - *low);
  for (int i = 0; i < kSamples; ++i) {
    const double left = sample[(i + kSamples - 1) % kSamples], right = sample[(i + 1) % kSamples];
    if (sample[i] < worth_trying || sample[i] < left || sample[i] <= right) continue;
    const Extremum peak = golden_maximum(f, (i - 1) * h, (i + 1) * h);
    if (peak.value > best.value) best = peak;
  }
  return best;
}

void require_positive(const std::function<double(double)>& radius) {
  for (int i = 0; i < kSamples; ++i) {
    const double theta = kTurn * i / kSamples, r = radius(theta);
    if (std::isfinite(r)) continue;
    throw OptionError("", fmt::format("radius is {} at theta = {:.4g}; it must be a number everywhere", r, theta));
  }
  const Extremum lowest = maximum([&](double theta) { return -radius(theta); });
  if (-lowest.value > 0) return;
  const double theta = std::fmod(lowest.theta + kTurn, kTurn);
  throw OptionError(
      "", fmt::format("radius is {:.4g} at theta = {:.4g}; r > 0 is needed everywhere", -lowest.value, theta));
}

void require(bool good, const char* pointer, const std::string& message) {
  if (!good) throw OptionError(pointer, message);
}

void check(const RadialSettings& s) {
  const bool sized = s.max_radius > 0 || s.area > 0;
  require(!(s.max_radius > 0 && s.area > 0), "/area",
          "both \"radius\" and \"area\" give the size of the shape; keep one of them");
  require(sized || s.scale > 0, "", fmt::format("scale is {}; it must be > 0", s.scale));
  require(s.nodes >= 3 && s.nodes <= 65535, "/nodes", fmt::format("nodes is {}; 3 to 65535 are possible", s.nodes));
  require(s.table_size == 0 || s.table_size >= 16, "/table_size",
          fmt::format("table_size is {}; it must be 0 (no table) or at least 16", s.table_size));
  require(s.thickness > 0, "/thickness", fmt::format("thickness is {} m; it must be > 0", s.thickness));
}

}  // namespace

/// Values that follow from the outline, and the facets that show it.
struct RadialShape2D::Derived final : RadialFunction, BoundaryNodes, SignedDistance {
  const RadialShape2D* outline = nullptr;
  RadialSettings settings;
  double scale = 1;     ///< [m] per unit of the outline
  OutlineMoments body;  ///< [m^2, m, m^4]
  double r_max = 0, r_min = 0, bound = 0;
  std::vector<Vec3> node;

  double radius(double theta) const override { return scale * outline->radius(theta); }
  double slope(double theta) const override { return scale * outline->slope(theta); }
  Vec2 centre() const override { return -body.centroid; }
  double max_radius() const override { return r_max; }
  double min_radius() const override { return r_min; }
  int node_count() const override { return settings.nodes; }
  int table_size() const override { return settings.table_size; }
  std::span<const Vec3> nodes() const override { return node; }
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;

  /// A point of the outline in the body frame [m].
  Vec3 point(double theta) const {
    const Vec2 p = centre() + radius(theta) * Vec2(std::cos(theta), std::sin(theta));
    return {p.x(), p.y(), 0};
  }
};

void RadialShape2D::Derived::distance(std::span<const Vec3> points, std::span<double> distance,
                                      std::span<Vec3> gradient) const {
  const Vec2 c = centre();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 p = points[i].head<2>() - c;
    const double rho = p.norm(), theta = std::atan2(p.y(), p.x());
    const RadialDistance<double> d = taubin_distance(rho, radius(theta), slope(theta));
    const Vec2 e_r = rho > 0 ? Vec2(p / rho) : Vec2(1, 0);
    distance[i] = d.distance;
    gradient[i] = {d.along_e_r * e_r.x() - d.along_e_th * e_r.y(), d.along_e_r * e_r.y() + d.along_e_th * e_r.x(), 0};
  }
}

RadialShape2D::RadialShape2D() = default;
RadialShape2D::~RadialShape2D() = default;

double RadialShape2D::slope(double theta) const {
  constexpr double h = 1e-4;  // fourth order: truncation and rounding are both about 1e-12 of r for low harmonics
  const auto difference = [&](double step) { return (radius(theta + step) - radius(theta - step)) / (2 * step); };
  return (4 * difference(h) - difference(2 * h)) / 3;
}

void RadialShape2D::derive(const RadialSettings& settings) {
  check(settings);
  const auto outline = [this](double theta) { return radius(theta); };
  require_positive(outline);
  auto d = std::make_unique<Derived>();
  d->outline = this;
  d->settings = settings;
  const OutlineMoments unit = moments(outline);
  const double r_max = maximum(outline).value;
  d->scale = settings.max_radius > 0 ? settings.max_radius / r_max
             : settings.area > 0     ? std::sqrt(settings.area / unit.area)
                                     : settings.scale;
  const double s = d->scale, s2 = s * s;
  d->body = {unit.area * s2, unit.centroid * s, unit.inertia * s2 * s2};
  d->r_max = r_max * s;
  d->r_min = -maximum([&](double theta) { return -radius(theta); }).value * s;
  const Vec2 centroid = d->body.centroid;
  d->bound = centroid.isZero(1e-12 * d->r_max) ? d->r_max + centroid.norm()
                                               : maximum([&](double theta) { return d->point(theta).norm(); }).value;
  d->node.reserve(settings.nodes);
  for (int i = 0; i < settings.nodes; ++i) d->node.push_back(d->point(kTurn * i / settings.nodes));
  derived_ = std::move(d);
}

const RadialShape2D::Derived& RadialShape2D::derived() const {
  if (!derived_) throw std::logic_error("a RadialShape2D must call derive() at the end of its constructor");
  return *derived_;
}

double RadialShape2D::area() const { return derived().body.area; }

MassProperties RadialShape2D::mass(double density) const {
  const Derived& d = derived();
  const double per_area = density * d.settings.thickness;
  return {per_area * d.body.area, Vec3(0, 0, per_area * d.body.inertia)};
}

double RadialShape2D::bounding_radius() const noexcept { return derived().bound; }

double RadialShape2D::rotation_reach() const noexcept {
  const Derived& d = derived();
  const bool disc = d.r_max - d.r_min <= 1e-12 * d.r_max && d.body.centroid.isZero(1e-12 * d.r_max);
  return disc ? 0 : d.bound;
}

Vec3 RadialShape2D::reference_point() const noexcept {
  const Vec2 c = derived().centre();
  return {c.x(), c.y(), 0};
}

Surface RadialShape2D::surface() const {
  constexpr int smooth = 64;  // points that make a circle look round
  const Derived& d = derived();
  const int n = d.settings.nodes * ((smooth + d.settings.nodes - 1) / d.settings.nodes);
  Surface s;
  s.cells.emplace_back();
  for (int i = 0; i < n; ++i) {
    s.points.push_back(d.point(kTurn * i / n));
    s.cells[0].push_back(static_cast<std::uint32_t>(i));
  }
  return s;
}

const void* RadialShape2D::facet(std::string_view name) const noexcept {
  if (!derived_) return nullptr;
  if (name == RadialFunction::kName) return static_cast<const RadialFunction*>(derived_.get());
  if (name == BoundaryNodes::kName) return static_cast<const BoundaryNodes*>(derived_.get());
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(derived_.get());
  return nullptr;
}

}  // namespace scree
