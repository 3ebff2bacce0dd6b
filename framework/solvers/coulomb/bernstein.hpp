#pragma once
/// \file Every real root in [0, 1] of a polynomial in Bernstein form: between the roots of its derivative it is
/// monotone, so that bisection cannot miss one.

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::coulomb {

template <int N>
struct UnitRoots {
  std::array<double, 2 * N> at{};  ///< ascending; a double root may be listed beside its neighbours
  int count = 0;

  void push(double t) {
    if (count < 2 * N) at[count++] = t;
  }
};

/// sum_k c_k B_k(t), by de Casteljau's convex combinations: no cancellation beyond that of the values themselves.
template <int N>
inline double bernstein_value(std::array<double, N + 1> c, double t) {
  for (int level = N; level > 0; --level) {
    for (int k = 0; k < level; ++k) c[k] = (1 - t) * c[k] + t * c[k + 1];
  }
  return c[0];
}

/// \pre f(left) and f(right) have opposite signs \return where f vanishes, to the last bits (Illinois' regula falsi)
template <class F>
inline double bracketed_root(const F& f, double left, double f_left, double right, double f_right) {
  for (int iteration = 0; iteration < 200; ++iteration) {
    const double secant = (left * f_right - right * f_left) / (f_right - f_left);
    const double t = secant > left && secant < right && iteration % 4 != 3 ? secant : 0.5 * (left + right);
    if (!(t > left && t < right)) break;
    const double value = f(t);
    if (value == 0) return t;
    if ((value > 0) == (f_left > 0)) {
      left = t, f_left = value, f_right *= 0.5;
    } else {
      right = t, f_right = value, f_left *= 0.5;
    }
  }
  return 0.5 * (left + right);
}

template <int N>
inline UnitRoots<N> unit_roots(const std::array<double, N + 1>& c) {
  UnitRoots<N> roots;
  if (std::all_of(c.begin(), c.end(), [](double k) { return k > 0; })) return roots;  // the curve lies in their hull
  if (std::all_of(c.begin(), c.end(), [](double k) { return k < 0; })) return roots;
  if constexpr (N == 1) {
    roots.push(c[0] == c[1] ? 0.0 : std::clamp(c[0] / (c[0] - c[1]), 0.0, 1.0));
  } else {
    std::array<double, N> slope;
    double size = 0;
    for (int k = 0; k < N; ++k) slope[k] = c[k + 1] - c[k];
    for (const double k : c) size = std::fmax(size, std::fabs(k));
    const auto f = [&c](double t) { return bernstein_value<N>(c, t); };
    const UnitRoots<N - 1> turns = unit_roots<N - 1>(slope);
    double left = 0, f_left = c[0];
    if (f_left == 0) roots.push(0);
    for (int k = 0; k <= turns.count; ++k) {
      const double right = k < turns.count ? turns.at[k] : 1, f_right = k < turns.count ? f(right) : c[N];
      if (f_left != 0 && f_right != 0 && (f_left > 0) != (f_right > 0)) {
        roots.push(bracketed_root(f, left, f_left, right, f_right));
      } else if (std::fabs(f_right) <= 1e-12 * size) {
        roots.push(right);  // touches, as far as rounding lets one tell
      }
      left = right, f_left = f_right;
    }
  }
  return roots;
}

}  // namespace scree::coulomb
