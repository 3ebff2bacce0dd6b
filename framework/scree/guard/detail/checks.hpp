#pragma once
/// \file Checks of numbers that plugins return.

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "scree/base/types.hpp"
#include "scree/guard/method.hpp"

namespace scree::detail {

/// Returns the product of a factory. \throws InternalError if it is null
template <class Pointer>
Pointer not_null(const Method& method, Pointer made) {
  if (!made) fail_contract(method, "factory", "returned a null pointer. It must make an object, or throw.");
  return made;
}

/// Returns a guarded face as its interface, or nullptr if the law has none.
template <class Face, class Guarded>
const Face* pointer_to(const std::optional<Guarded>& face) noexcept {
  return face ? &*face : nullptr;
}

/// Returns 0 if a number is finite, else NaN. Without branches, so that loops take many at a time.
inline double zero_if_finite(double x) { return 0 * x; }

/// Checks whether all of `size` numbers are finite.
inline bool all_finite(const double* x, std::size_t size) {
  double zero = 0;
#pragma omp simd reduction(+ : zero)
  for (std::size_t i = 0; i < size; ++i) zero += zero_if_finite(x[i]);
  return zero == 0;
}

/// Checks whether three columns are finite, all at once.
inline bool all_finite(const double* const (&x)[3], std::size_t size) {
  const double *const a = x[0], *const b = x[1], *const c = x[2];  // otherwise gcc gathers
  double zero = 0;
#pragma omp simd reduction(+ : zero)
  for (std::size_t i = 0; i < size; ++i) zero += zero_if_finite(a[i] + b[i] + c[i]);
  return zero == 0;
}

inline bool all_finite(std::span<const Vec3> v) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return v.empty() || all_finite(v[0].data(), 3 * v.size());
}

/// Returns the first of `size` indices for which finite(i) is false, for messages.
template <class Finite>
std::size_t first_not(std::size_t size, const Finite& finite) {
  std::size_t i = 0;
  while (i + 1 < size && finite(i)) ++i;
  return i;
}

}  // namespace scree::detail
