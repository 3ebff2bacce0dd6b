#pragma once
/// \file Access to columns of three components, and the loop over contacts.

#include <cstddef>

#include "triple.hpp"

namespace scree::compliant {

/// Columns of three components, read only.
struct In {
  const double *x = nullptr, *y = nullptr, *z = nullptr;
  In() = default;
  In(const double* first, const double* second, const double* third) : x(first), y(second), z(third) {}
  explicit In(const double* const* columns) : In(columns[0], columns[1], columns[2]) {}
  Triple<double> operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
};

struct Out {
  double *x = nullptr, *y = nullptr, *z = nullptr;
  Out() = default;
  Out(double* first, double* second, double* third) : x(first), y(second), z(third) {}
  explicit Out(double* const* columns) : Out(columns[0], columns[1], columns[2]) {}
  Triple<double> operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
  void store(std::size_t i, Triple<double> v) const {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
};

/// Calls contact(i) for all contacts, several at a time. The body must be a function: GCC 12 keeps class-type locals of
/// a simd loop's own body in memory, and then does not vectorise it. Flatten: a call that is left is not vectorised
/// either.
template <class Contact>
[[gnu::flatten]] void for_all(std::size_t size, const Contact& contact) {
#pragma omp simd
  for (std::size_t i = 0; i < size; ++i) contact(i);
}

}  // namespace scree::compliant
