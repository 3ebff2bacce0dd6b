#include "extremal/depth_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace scree::star {

double field_angle(double position) {
  constexpr double quadrant = kFieldCells / 4;
  const double axis = std::floor(position / quadrant);
  return std::asin((position - (axis + 0.5) * quadrant) / kCellsPerSine) + axis * (std::numbers::pi / 2);
}

std::vector<FieldKnot> make_field(const RadialFunction& outline) {
  std::vector<double> a(kFieldCells), w(kFieldCells);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double theta = field_angle(static_cast<double>(i) + 0.5);
    const double r = outline.radius(theta), bend = outline.slope(theta) / r;
    w[i] = 1 / std::sqrt(1 + bend * bend);
    a[i] = w[i] * r;
  }
  // (10 f - its neighbours) / 8 makes the spline reproduce parabolas.
  const auto control = [n = a.size()](const std::vector<double>& f, std::size_t i) {
    return static_cast<float>((10 * f[i % n] - f[(i + n - 1) % n] - f[(i + 1) % n]) / 8);
  };
  std::vector<FieldKnot> table;
  for (std::size_t i = 0; i < kFieldKnots; ++i) {
    const std::size_t cell = (i + a.size() - 1) % a.size();  // knot i belongs to the middle of cell i - 1
    table.push_back({control(a, cell), control(w, cell)});
  }
  return table;
}

namespace {

struct FieldFunctions {
  double a, w;       ///< [m], [-]
  double da, dw;     ///< by the quadrant angle, 4 per turn
  double per_angle;  ///< number of quadrant angles per radian
};
FieldFunctions functions_at(const std::vector<FieldKnot>& table, double position) {
  const auto cell = static_cast<std::size_t>(position);
  const double t = position - static_cast<double>(cell), s = 1 - t;
  const FieldKnot &p = table[cell], &q = table[cell + 1], &r = table[cell + 2];
  const double b0 = s * s / 2, b2 = t * t / 2, b1 = 1 - b0 - b2, per_unit = kFieldCells / 4.0;
  const double theta = field_angle(position);
  return {b0 * p.a + b1 * q.a + b2 * r.a, b0 * p.w + b1 * q.w + b2 * r.w,
          per_unit * (s * (double{q.a} - p.a) + t * (double{r.a} - q.a)),
          per_unit * (s * (double{q.w} - p.w) + t * (double{r.w} - q.w)),
          kCellsPerSine / per_unit * std::max(std::abs(std::cos(theta)), std::abs(std::sin(theta)))};
}

}  // namespace

FieldBounds field_bounds(const std::vector<FieldKnot>& table, double r_max) {
  constexpr int samples = 2 * kFieldCells, per_cell = samples / kSlopeCells;
  std::vector<double> slope2(samples), radius(samples);
  double bend = 0, turn = 0, turn_at_outline = 0, turn_per_depth = 0;
  FieldBounds bounds{{}, 0, 0, 0, 0};
  for (int i = 0; i < samples; ++i) {
    const FieldFunctions f = functions_at(table, kFieldCells * (i + 0.5) / samples);
    // |dU/dtheta| / rho = |da/dtheta / rho - dw/dtheta|: largest where it begins or far away.
    const double r = kSlopeCore * f.a / f.w;
    const double near = (f.da / r - f.dw) * f.per_angle, far = f.dw * f.per_angle;
    radius[static_cast<std::size_t>(i)] = f.a / f.w;
    slope2[static_cast<std::size_t>(i)] = f.w * f.w + std::max(near * near, far * far);
    turn = std::max(turn, std::abs(f.da) + 3 * r_max * std::abs(f.dw));
    turn_at_outline = std::max(turn_at_outline, std::abs(f.da - f.dw * f.a / f.w));
    turn_per_depth = std::max(turn_per_depth, std::abs(f.dw / f.w));
  }
  // The spline is the control polygon rounded off: they differ by an eighth of its second difference at most.
  for (int i = 0; i < kFieldCells; ++i) {
    const FieldKnot &p = table[static_cast<std::size_t>(i)], &q = table[static_cast<std::size_t>(i + 1)],
                    &r = table[static_cast<std::size_t>(i + 2)];
    const double bend_a = double{p.a} - 2 * q.a + r.a, bend_w = double{p.w} - 2 * q.w + r.w;
    bend = std::max(bend, std::abs(bend_a) + 3 * r_max * std::abs(bend_w));
    // At a depth u, rho = a/w - u/w, and a/w is a mean of the knots'.
    for (const FieldKnot& k : {p, q, r}) {
      bounds.at_outline = std::max(bounds.at_outline, std::abs(bend_a - bend_w * k.a / k.w) / 8);
      bounds.per_depth = std::max(bounds.per_depth, std::abs(bend_w / k.w) / 8);
    }
  }
  // A radian is not more than kCellsPerSine cells.
  const int reach = static_cast<int>(std::ceil(kSlopeReach * kCellsPerSine * samples / kFieldCells));
  for (int cell = 0; cell <= kSlopeCells; ++cell) {
    double most = 0, farthest = 0;
    for (int i = cell * per_cell - reach; i < (cell + 1) * per_cell + reach; ++i) {
      const auto k = static_cast<std::size_t>((i + 2 * samples) % samples);
      most = std::max(most, slope2[k]);
      farthest = std::max(farthest, 1.1 * kSlopeCore * radius[k]);  // a tenth: for motion
    }
    bounds.slopes.push_back({static_cast<float>(1.05 * std::sqrt(most)), static_cast<float>(farthest)});
    bounds.steepest = std::max(bounds.steepest, double{bounds.slopes.back().slope});
  }
  // A quadrant angle in [0, 4] is good to some six roundings, its place among the knots to two more; the rest are a
  // dozen operations on lengths up to 4 r_max, and a reciprocal square root of 2^-14 is refined.
  constexpr double unit = std::numeric_limits<float>::epsilon() / 2;
  bounds.error = bend / 8 + unit * (32 * turn + 24 * r_max);
  bounds.at_outline += unit * (32 * 1.05 * turn_at_outline + 24 * r_max);
  bounds.per_depth += unit * 32 * 1.05 * turn_per_depth;
  return bounds;
}

}  // namespace scree::star
