#pragma once
/// \file Eight numbers as one, so that a formula written once, as a template, works on one node or on eight. The
/// same bits either way: every operation is rounded by itself, lane by lane. Portable (vector extensions of GCC and
/// Clang); compilers turn them into what registers there are.

#include <cmath>
#include <cstdint>
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include <immintrin.h>
#define SCREE_STAR_OCTETS 1
#endif

#include "scree/base/api.hpp"
#include "scree/base/lanes.hpp"

namespace scree::star {

using Octet = double __attribute__((vector_size(64)));
using OctetFloat = float __attribute__((vector_size(32)));
using OctetInt = std::int32_t __attribute__((vector_size(32)));

inline Octet load_octet(const void* from) { return load_as<Octet>(from); }

template <class Real>
SCREE_HD inline Real larger(const Real& a, const Real& b) {
  return a > b ? a : b;
}
template <class Real>
SCREE_HD inline Real smaller(const Real& a, const Real& b) {
  return a < b ? a : b;
}
template <class Real>
SCREE_HD inline Real magnitude(const Real& x) {
  return x < 0 ? -x : x;
}

SCREE_HD inline double square_root(double x) {
  using std::sqrt;
  return sqrt(x);
}

/// 1/sqrt(x) of x > 1e-38 to single precision, the same bits everywhere.
SCREE_HD inline double rough_inverse_root(double x) {
  using std::sqrt;
  return 1.0f / sqrt(static_cast<float>(x));
}

/// Returns the integer below a number that is not negative.
SCREE_HD inline std::int32_t whole_part(double x) { return static_cast<std::int32_t>(x); }
SCREE_HD inline double as_real(std::int32_t i) { return i; }
inline OctetInt whole_part(const Octet& x) { return __builtin_convertvector(x, OctetInt); }

using OctetMask = std::int64_t __attribute__((vector_size(64)));  ///< result of a comparison

#if defined(SCREE_STAR_OCTETS)
/// Bits of lanes.
inline std::uint32_t lanes_set(const OctetMask& mask) { return _mm512_movepi64_mask(reinterpret_cast<__m512i>(mask)); }
inline Octet square_root(const Octet& x) { return _mm512_sqrt_pd(x); }
inline Octet larger(const Octet& a, const Octet& b) { return _mm512_max_pd(a, b); }
inline Octet smaller(const Octet& a, const Octet& b) { return _mm512_min_pd(a, b); }
inline Octet magnitude(const Octet& x) { return _mm512_abs_pd(x); }
inline Octet as_real(const OctetInt& i) { return _mm512_cvtepi32_pd(reinterpret_cast<__m256i>(i)); }
inline Octet rough_inverse_root(const Octet& x) {
  return _mm512_cvtps_pd(_mm256_div_ps(_mm256_set1_ps(1), _mm256_sqrt_ps(_mm512_cvtpd_ps(x))));
}
#else
inline Octet as_real(const OctetInt& i) { return __builtin_convertvector(i, Octet); }
inline std::uint32_t lanes_set(const OctetMask& mask) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 8; ++i) bits |= static_cast<std::uint32_t>(mask[i] & 1) << i;
  return bits;
}
inline Octet square_root(const Octet& x) {
  Octet root;
  for (int i = 0; i < 8; ++i) root[i] = std::sqrt(x[i]);
  return root;
}
inline Octet rough_inverse_root(const Octet& x) {
  Octet root;
  for (int i = 0; i < 8; ++i) root[i] = rough_inverse_root(x[i]);
  return root;
}
#endif

/// 1/sqrt(x) to a rounding or two: rough_inverse_root(x), refined by two terms of the series in its error.
template <class Real>
SCREE_HD inline Real inverse_root(const Real& x, const Real& rough) {
  const Real error = 1.0 - (x * rough) * rough;
  return rough + rough * (error * (0.5 + 0.375 * error));
}

/// Groups of four numbers of eight lanes as four columns.
struct OctetColumns {
  Octet v[4];
};
inline OctetColumns columns_of(const Lanes (&rows)[8]) {
  Octet z[4];  // lanes k and k + 4
  for (int k = 0; k < 4; ++k) z[k] = __builtin_shufflevector(rows[k], rows[k + 4], 0, 1, 2, 3, 4, 5, 6, 7);
  const Octet low01 = __builtin_shufflevector(z[0], z[1], 0, 8, 2, 10, 4, 12, 6, 14);
  const Octet high01 = __builtin_shufflevector(z[0], z[1], 1, 9, 3, 11, 5, 13, 7, 15);
  const Octet low23 = __builtin_shufflevector(z[2], z[3], 0, 8, 2, 10, 4, 12, 6, 14);
  const Octet high23 = __builtin_shufflevector(z[2], z[3], 1, 9, 3, 11, 5, 13, 7, 15);
  return {{__builtin_shufflevector(low01, low23, 0, 1, 8, 9, 4, 5, 12, 13),
           __builtin_shufflevector(high01, high23, 0, 1, 8, 9, 4, 5, 12, 13),
           __builtin_shufflevector(low01, low23, 2, 3, 10, 11, 6, 7, 14, 15),
           __builtin_shufflevector(high01, high23, 2, 3, 10, 11, 6, 7, 14, 15)}};
}

}  // namespace scree::star
