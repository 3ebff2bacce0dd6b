#pragma once
/// \file A closed outline as a finite Fourier series of its radius.

#include <cmath>
#include <span>

#include "scree/base/api.hpp"

namespace scree::star {

/// One harmonic: c cos(k theta) + s sin(k theta).
struct Harmonic {
  int k = 1;
  double c = 0, s = 0;
};

/// r(theta) = a0 + sum_k c_k cos(k theta) + s_k sin(k theta)     [unit of the coefficients]
/// \source Schreck et al. 2024, sec. 2
inline double fourier_radius(double a0, std::span<const Harmonic> harmonics, double theta) {
  double r = a0;
  for (const Harmonic& h : harmonics) r += h.c * std::cos(h.k * theta) + h.s * std::sin(h.k * theta);
  return r;
}

/// dr/dtheta = sum_k k (s_k cos(k theta) - c_k sin(k theta))     [the same per rad]
inline double fourier_slope(std::span<const Harmonic> harmonics, double theta) {
  double slope = 0;
  for (const Harmonic& h : harmonics) slope += h.k * (h.s * std::cos(h.k * theta) - h.c * std::sin(h.k * theta));
  return slope;
}

}  // namespace scree::star
