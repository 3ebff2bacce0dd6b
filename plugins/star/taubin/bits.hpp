#pragma once
/// \file Words of 64 bits that stand for nodes.

#include <cstdint>
#if defined(__BMI2__)
#include <immintrin.h>
#endif

namespace scree::star {

/// Bits of `bits`, lowest first, put where `mask` has ones.
inline std::uint64_t deposit(std::uint64_t bits, std::uint64_t mask) {
#if defined(__BMI2__)
  return _pdep_u64(bits, mask);
#else
  std::uint64_t result = 0;
  for (; mask != 0; mask &= mask - 1, bits >>= 1)
    if ((bits & 1) != 0) result |= mask & (~mask + 1);
  return result;
#endif
}

/// So many ones, from the lowest bit on.
inline std::uint64_t low_bits(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

}  // namespace scree::star
