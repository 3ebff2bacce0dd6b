#pragma once
/// \file What the guards look for in numbers that plugins return.

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>

#include "scree/base/types.hpp"
#include "scree/guard/method.hpp"

namespace scree::detail {

/// What a factory returned. \throws InternalError when it is nothing
template <class Pointer>
Pointer not_null(const Method& method, Pointer made) {
  if (!made) fail_contract(method, "factory", "returned a null pointer. It must make an object, or throw.");
  return made;
}

/// A guarded face as its interface, or nullptr where the law has none.
template <class Face, class Guarded>
const Face* pointer_to(const std::optional<Guarded>& face) noexcept {
  return face ? &*face : nullptr;
}

/// 0 as long as all numbers are finite, else NaN. Without branches, so that loops take many at a time.
inline double zero_if_finite(double x) { return 0 * x; }

/// Whether all of `size` numbers are finite.
inline bool all_finite(const double* x, std::size_t size) {
  double zero = 0;
#pragma omp simd reduction(+ : zero)
  for (std::size_t i = 0; i < size; ++i) zero += zero_if_finite(x[i]);
  return zero == 0;
}

/// The same of three columns at once.
inline bool all_finite(const double* const (&x)[3], std::size_t size) {
  const double *const a = x[0], *const b = x[1], *const c = x[2];  // or gcc gathers
  double zero = 0;
#pragma omp simd reduction(+ : zero)
  for (std::size_t i = 0; i < size; ++i) zero += zero_if_finite(a[i] + b[i] + c[i]);
  return zero == 0;
}

inline bool all_finite(std::span<const Vec3> v) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return v.empty() || all_finite(v[0].data(), 3 * v.size());
}

/// The first of `size` columns that is not finite there, for messages.
template <class Finite>
std::size_t first_not(std::size_t size, const Finite& finite) {
  std::size_t i = 0;
  while (i + 1 < size && finite(i)) ++i;
  return i;
}

}  // namespace scree::detail
