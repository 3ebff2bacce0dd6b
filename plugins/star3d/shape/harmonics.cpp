#include "shape/harmonics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace scree::star3d {

namespace {

/// P_l^m(z)/(1 - z^2)^(m/2), polynomials of z, for m <= l <= `degrees`; 0 for m > l. Their derivative is that of m + 1.
struct LegendreTable {
  double of[kMostDegrees + 1][kMostDegrees + 2] = {};

  /// \source (l - m) P_l^m = (2 l - 1) z P_(l-1)^m - (l + m - 1) P_(l-2)^m, Press et al., Numerical Recipes, eq.
  /// (6.8.7)
  LegendreTable(double z, int degrees) {
    double first = 1;  // (2 m - 1)!!
    for (int m = 0; m <= degrees; first *= 2 * m + 1, ++m) {
      of[m][m] = first;
      for (int l = m + 1; l <= degrees; ++l)
        of[l][m] = ((2 * l - 1) * z * of[l - 1][m] - (l + m - 1) * (l >= 2 ? of[l - 2][m] : 0)) / (l - m);
    }
  }
};

/// Real and imaginary parts of (x + i y)^m.
struct PowerTable {
  double re[kMostDegrees + 1] = {1}, im[kMostDegrees + 1] = {0};

  PowerTable(double x, double y, int degrees) {
    for (int m = 1; m <= degrees; ++m) {
      re[m] = x * re[m - 1] - y * im[m - 1];
      im[m] = x * im[m - 1] + y * re[m - 1];
    }
  }
};

double norm_of(int l, int m) {
  double square = (m == 0 ? 1 : 2) * (2.0 * l + 1);
  for (int k = l - m + 1; k <= l + m; ++k) square /= k;
  return std::sqrt(square);
}

}  // namespace

HarmonicSeries::HarmonicSeries(std::vector<Harmonic> terms) : terms_(std::move(terms)) {
  for (Harmonic& term : terms_) {
    term.c *= norm_of(term.l, std::abs(term.m));
    degrees_ = std::max(degrees_, term.l);
  }
}

double HarmonicSeries::value(const Vec3& unit) const {
  const LegendreTable along(unit.z(), degrees_);
  const PowerTable around(unit.x(), unit.y(), degrees_);
  double sum = 0;
  for (const auto& [l, m, c] : terms_) sum += c * along.of[l][std::abs(m)] * (m >= 0 ? around.re[m] : around.im[-m]);
  return sum;
}

Vec3 HarmonicSeries::slope(const Vec3& unit) const {
  const LegendreTable along(unit.z(), degrees_);
  const PowerTable around(unit.x(), unit.y(), degrees_);
  Vec3 sum = Vec3::Zero();
  for (const auto& [l, m, c] : terms_) {
    const int k = std::abs(m), below = std::max(k - 1, 0);
    const double p = along.of[l][k], re = around.re[below], im = around.im[below];
    sum += c * (m >= 0 ? Vec3(k * p * re, -k * p * im, along.of[l][k + 1] * around.re[k])
                       : Vec3(k * p * im, k * p * re, along.of[l][k + 1] * around.im[k]));
  }
  return sum - sum.dot(unit) * unit;
}

}  // namespace scree::star3d
