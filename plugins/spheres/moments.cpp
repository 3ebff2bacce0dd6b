#include "moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scree::spheres {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// Angles from first to last, first in [0, 2 pi).
struct Arc {
  double first, last;
};

/// The contribution of one arc of a boundary that runs counter-clockwise:
///   area = int x dy,  int x = int x^2/2 dy,  int y = -int y^2/2 dx,  int x^2 = int x^3/3 dy,  int y^2 = -int y^3/3 dx,
///   int x y = int x^2 y/2 dy,  with (x, y) = centre + r (cos t, sin t).
PlaneMoments along(const Disc& disc, const Arc& arc) {
  const double r = disc.radius, cx = disc.centre[0], cy = disc.centre[1];
  const double c0 = std::cos(arc.first), c1 = std::cos(arc.last), s0 = std::sin(arc.first), s1 = std::sin(arc.last);
  const double turn = arc.last - arc.first;
  const auto power = [](double v, int n) {
    double p = 1;
    for (int k = 0; k < n; ++k) p *= v;
    return p;
  };
  // Integrals of cos^m sin^n over the arc, named c<m>s<n>.
  const double sc = s1 * c1 - s0 * c0, s2t = 2 * sc;
  const double s4t = 2 * (s1 * c1 * (2 * c1 * c1 - 1) - s0 * c0 * (2 * c0 * c0 - 1)) * 2;
  const double c1s0 = s1 - s0, c0s1 = c0 - c1;
  const double c2s0 = (turn + sc) / 2, c0s2 = (turn - sc) / 2, c1s1 = (s1 * s1 - s0 * s0) / 2;
  const double c3s0 = c1s0 - (power(s1, 3) - power(s0, 3)) / 3, c0s3 = c0s1 + (power(c1, 3) - power(c0, 3)) / 3;
  const double c2s1 = (power(c0, 3) - power(c1, 3)) / 3, c3s1 = (power(c0, 4) - power(c1, 4)) / 4;
  const double c4s0 = 3 * turn / 8 + s2t / 4 + s4t / 32, c0s4 = 3 * turn / 8 - s2t / 4 + s4t / 32;
  PlaneMoments m;
  m.area = r * (cx * c1s0 + r * c2s0);
  m.x = r / 2 * (cx * cx * c1s0 + 2 * cx * r * c2s0 + r * r * c3s0);
  m.y = r / 2 * (cy * cy * c0s1 + 2 * cy * r * c0s2 + r * r * c0s3);
  m.xx = r / 3 * (power(cx, 3) * c1s0 + 3 * cx * cx * r * c2s0 + 3 * cx * r * r * c3s0 + power(r, 3) * c4s0);
  m.yy = r / 3 * (power(cy, 3) * c0s1 + 3 * cy * cy * r * c0s2 + 3 * cy * r * r * c0s3 + power(r, 3) * c0s4);
  m.xy =
      r / 2 * (cx * cx * (cy * c1s0 + r * c1s1) + 2 * cx * r * (cy * c2s0 + r * c2s1) + r * r * (cy * c3s0 + r * c3s1));
  return m;
}

enum class Cover { none, part, all };

/// Returns the part of the rim of `disc` that lies in `other`. Of two equal discs the first one covers the second.
Cover cover(const Disc& disc, const Disc& other, bool other_first, Arc& arc) {
  const Vec2 to = other.centre - disc.centre;
  const double d = to.norm(), r = disc.radius, s = other.radius;
  if (d >= r + s) return Cover::none;
  if (d + r <= s) return d == 0 && r == s && !other_first ? Cover::none : Cover::all;
  if (d + s <= r) return Cover::none;
  const double half = std::acos(std::clamp((d * d + r * r - s * s) / (2 * d * r), -1.0, 1.0));
  double first = std::atan2(to[1], to[0]) - half;
  if (first < 0) first += kTurn;
  arc = {first, first + 2 * half};
  return Cover::part;
}

/// Adds what the rim of disc k contributes where no other disc covers it.
void add_rim(std::span<const Disc> discs, std::size_t k, std::vector<Arc>& covered, PlaneMoments& sum) {
  covered.clear();
  for (std::size_t j = 0; j < discs.size(); ++j) {
    if (j == k) continue;
    Arc arc{};
    const Cover c = cover(discs[k], discs[j], j < k, arc);
    if (c == Cover::all) return;
    if (c == Cover::none) continue;
    if (arc.last > kTurn) covered.push_back({0, arc.last - kTurn}), arc.last = kTurn;
    covered.push_back(arc);
  }
  std::sort(covered.begin(), covered.end(), [](const Arc& a, const Arc& b) { return a.first < b.first; });
  double free_from = 0;
  for (const Arc& arc : covered) {
    if (arc.first > free_from) sum += along(discs[k], {free_from, arc.first});
    free_from = std::max(free_from, arc.last);
  }
  if (free_from < kTurn) sum += along(discs[k], {free_from, kTurn});
}

// -------------------------------------------------------------------------------------------------- three dimensions

/// Abscissas and weights of Gauss and Legendre's rule on (-1, 1).
template <int N>
std::array<std::pair<double, double>, N> gauss_legendre() {
  std::array<std::pair<double, double>, N> rule;
  for (int i = 0; i < N; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (N + 0.5)), slope = 1;
    for (int iteration = 0; iteration < 100; ++iteration) {
      double p = 1, before = 0;
      for (int n = 1; n <= N; ++n) before = std::exchange(p, ((2 * n - 1) * x * p - (n - 1) * before) / n);
      slope = N * (x * p - before) / (x * x - 1);
      const double step = p / slope;
      x -= step;
      if (std::abs(step) < 1e-15) break;
    }
    rule[i] = {x, 2 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

/// Heights at which the circle in which two spheres cut each other begins and ends.
void add_rim_heights(const Ball& a, const Ball& b, std::vector<double>& heights) {
  const Vec3 to = b.centre - a.centre;
  const double d = to.norm();
  if (d >= a.radius + b.radius || d <= std::abs(a.radius - b.radius)) return;
  const double along = (d * d + a.radius * a.radius - b.radius * b.radius) / (2 * d);
  const double rim = std::sqrt(std::max(0.0, a.radius * a.radius - along * along));
  const double middle = a.centre[2] + along * to[2] / d, reach = rim * std::hypot(to[0], to[1]) / d;
  heights.push_back(middle - reach);
  heights.push_back(middle + reach);
}

/// Heights of the two points that three spheres have in common.
void add_corner_heights(const Ball& a, const Ball& b, const Ball& c, std::vector<double>& heights) {
  const Vec3 u = b.centre - a.centre, v = c.centre - a.centre, w = u.cross(v);
  const double w2 = w.squaredNorm();
  if (!(w2 > 1e-20 * u.squaredNorm() * v.squaredNorm())) return;
  const double p = (u.squaredNorm() + a.radius * a.radius - b.radius * b.radius) / 2;
  const double q = (v.squaredNorm() + a.radius * a.radius - c.radius * c.radius) / 2;
  const Vec3 foot = (p * v.cross(w) + q * w.cross(u)) / w2;
  const double rest = a.radius * a.radius - foot.squaredNorm();
  if (rest < 0) return;
  const double up = std::sqrt(rest / w2) * w[2];
  heights.push_back(a.centre[2] + foot[2] - up);
  heights.push_back(a.centre[2] + foot[2] + up);
}

/// All heights between which the moments of a slice are smooth, ascending.
std::vector<double> event_heights(std::span<const Ball> balls) {
  std::vector<double> heights;
  const bool corners = balls.size() <= kMostCorners;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    heights.push_back(balls[i].centre[2] - balls[i].radius);
    heights.push_back(balls[i].centre[2] + balls[i].radius);
    for (std::size_t j = 0; j < i; ++j) {
      add_rim_heights(balls[i], balls[j], heights);
      for (std::size_t k = 0; k < j && corners; ++k) add_corner_heights(balls[i], balls[j], balls[k], heights);
    }
  }
  std::sort(heights.begin(), heights.end());
  return heights;
}

/// Integrals over the volume, about the origin.
struct RawMoments {
  PlaneMoments plane;  ///< 1, x, y, x^2, y^2, x y
  double z = 0, zz = 0, xz = 0, yz = 0;
};

void add_slice(std::span<const Ball> balls, double z, double weight, std::vector<Disc>& discs, RawMoments& sum) {
  discs.clear();
  for (const Ball& ball : balls) {
    const double h = z - ball.centre[2], r2 = ball.radius * ball.radius - h * h;
    if (r2 > 0) discs.push_back({ball.centre.head<2>(), std::sqrt(r2)});
  }
  const PlaneMoments m = disc_union(discs);
  sum.plane.area += weight * m.area;
  sum.plane.x += weight * m.x;
  sum.plane.y += weight * m.y;
  sum.plane.xx += weight * m.xx;
  sum.plane.yy += weight * m.yy;
  sum.plane.xy += weight * m.xy;
  sum.z += weight * z * m.area;
  sum.zz += weight * z * z * m.area;
  sum.xz += weight * z * m.x;
  sum.yz += weight * z * m.y;
}

VolumeMoments about_centre(const RawMoments& m) {
  VolumeMoments result;
  const double v = m.plane.area;
  result.volume = v;
  result.centre = Vec3(m.plane.x, m.plane.y, m.z) / v;
  const auto& c = result.centre;
  const double xx = m.plane.xx - v * c[0] * c[0], yy = m.plane.yy - v * c[1] * c[1], zz = m.zz - v * c[2] * c[2];
  const double xy = m.plane.xy - v * c[0] * c[1], xz = m.xz - v * c[0] * c[2], yz = m.yz - v * c[1] * c[2];
  result.inertia << yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy;
  return result;
}

}  // namespace

PlaneMoments& PlaneMoments::operator+=(const PlaneMoments& other) {
  area += other.area;
  x += other.x;
  y += other.y;
  xx += other.xx;
  yy += other.yy;
  xy += other.xy;
  return *this;
}

PlaneMoments disc_union(std::span<const Disc> discs) {
  PlaneMoments sum;
  std::vector<Arc> covered;
  for (std::size_t k = 0; k < discs.size(); ++k) add_rim(discs, k, covered, sum);
  return sum;
}

/// Between two events the moments are smooth but for square roots at the ends, which z = (3 u - u^3)/2 takes away.
VolumeMoments ball_union(std::span<const Ball> balls) {
  static const auto rule = gauss_legendre<20>();
  const std::vector<double> heights = event_heights(balls);
  const double shortest = 1e-9 * (heights.back() - heights.front());
  std::vector<Disc> discs;
  RawMoments sum;
  double low = heights.front();
  for (const double high : heights) {
    if (high - low < shortest) continue;
    const double half = (high - low) / 2, middle = (high + low) / 2;
    for (const auto& [u, weight] : rule)
      add_slice(balls, middle + half * u * (3 - u * u) / 2, weight * half * 1.5 * (1 - u * u), discs, sum);
    low = high;
  }
  return about_centre(sum);
}

VolumeMoments slab(std::span<const Disc> discs, double thickness) {
  RawMoments m;
  m.plane = disc_union(discs);
  m.zz = m.plane.area * thickness * thickness * thickness / 12;
  for (double* moment : {&m.plane.area, &m.plane.x, &m.plane.y, &m.plane.xx, &m.plane.yy, &m.plane.xy})
    *moment *= thickness;
  return about_centre(m);
}

}  // namespace scree::spheres
