#include "scree/shape/radial_moments.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scree {

namespace {

/// Place and weight of one ordinate of a rule over [-1, 1].
struct Ordinate {
  double x, weight;
};

/// The Legendre polynomial of a degree, and its derivative.
std::pair<double, double> legendre(int degree, double x) {
  double before = 1, now = x;
  for (int k = 2; k <= degree; ++k) before = std::exchange(now, ((2 * k - 1) * x * now - (k - 1) * before) / k);
  return {now, degree * (x * now - before) / (x * x - 1)};
}

/// Gauss's rule: roots of the Legendre polynomial by Newton's method.
std::vector<Ordinate> gauss_rule(int count) {
  std::vector<Ordinate> rule;
  for (int i = 0; i < count; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (count + 0.5));
    for (int k = 0; k < 6; ++k) {
      const auto [value, slope] = legendre(count, x);
      x -= value / slope;
    }
    const double slope = legendre(count, x).second;
    rule.push_back({x, 2 / ((1 - x * x) * slope * slope)});
  }
  return rule;
}

struct RadialSums {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  RadialSums& operator+=(const RadialSums& s) {
    volume += s.volume;
    first += s.first;
    second += s.second;
    return *this;
  }
};

RadialSums sums(const std::function<double(const Vec3&)>& radius, int rings) {
  const int around = 2 * rings;
  RadialSums all;
  for (const Ordinate& ring : gauss_rule(rings)) {
    const double rho = std::sqrt(1 - ring.x * ring.x), weight = ring.weight * std::numbers::pi / rings;
    RadialSums of_ring;
    for (int k = 0; k < around; ++k) {
      const double angle = (k + 0.5) * std::numbers::pi / rings;
      const Vec3 w(rho * std::cos(angle), rho * std::sin(angle), ring.x);
      const double r = radius(w), r3 = r * r * r;
      of_ring += {weight * r3 / 3, weight * r3 * r / 4 * w, weight * r3 * r * r / 5 * w * w.transpose()};
    }
    all += of_ring;
  }
  return all;
}

RadialMoments moments_from(const RadialSums& s) {
  RadialMoments m;
  m.volume = s.volume;
  m.centre = s.first / s.volume;
  const Mat3 second = s.second - s.volume * m.centre * m.centre.transpose();
  m.inertia = second.trace() * Mat3::Identity() - second;
  return m;
}

bool same_moments(const RadialMoments& a, const RadialMoments& b) {
  constexpr double kTolerance = 1e-12;
  return std::abs(a.volume - b.volume) <= kTolerance * b.volume &&
         (a.centre - b.centre).norm() <= kTolerance * std::cbrt(b.volume) &&
         (a.inertia - b.inertia).norm() <= kTolerance * b.inertia.norm();
}

}  // namespace

RadialMoments radial_moments(const std::function<double(const Vec3&)>& radius) {
  constexpr int kFirst = 16, kLast = 512;
  RadialMoments before = moments_from(sums(radius, kFirst));
  for (int rings = 2 * kFirst; rings <= kLast; rings *= 2) {
    const RadialMoments now = moments_from(sums(radius, rings));
    if (same_moments(before, now)) return now;
    before = now;
  }
  return before;
}

}  // namespace scree
