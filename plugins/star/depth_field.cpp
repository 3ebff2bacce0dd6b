#include "depth_field.hpp"

#include <algorithm>
#include <limits>

namespace scree::star {

std::vector<FieldKnot> make_field(const RadialFunction& outline) {
  std::vector<double> a(kFieldCells), w(kFieldCells);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double theta = polar_angle(4 * (static_cast<double>(i) + 0.5) / kFieldCells);
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

FieldBounds field_bounds(const std::vector<FieldKnot>& table, double r_max) {
  double slope2 = 0, steepest = 0;
  for (int i = 0; i < 2 * kFieldCells; ++i) {
    const double theta = polar_angle(2.0 * i / kFieldCells), c = std::cos(theta), s = std::sin(theta);
    const FieldSample<double> f = field_sample(table.data(), c, s);
    // |dU/dtheta| / rho = |da/dtheta / rho - dw/dtheta|: largest on the outline or far away.
    const double per_angle = f.inverse_l1 * f.inverse_l1, r = f.a / f.w;
    const double near = (f.da / r - f.dw) * per_angle, far = f.dw * per_angle;
    slope2 = std::max(slope2, f.w * f.w + std::max(near * near, far * far));
    steepest = std::max(steepest, (std::abs(f.da) + 3 * r_max * std::abs(f.dw)));
  }
  // A position is a sum of terms up to 4 r_max, each good to 2^-24; a pseudo-angle is good to three roundings of 4;
  // then a dozen operations. Between samples of the bounds above they change by little: twice is on the safe side.
  constexpr double unit = std::numeric_limits<float>::epsilon() / 2;
  const double slope = 1.05 * std::sqrt(slope2);
  return {slope, 2 * unit * (16 * slope * r_max + 12 * steepest + 12 * 4 * r_max)};
}

}  // namespace scree::star
