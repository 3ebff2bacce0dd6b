#pragma once
/// \file The three inner loops of the fast path, sixteen nodes at a time in single precision: reject by the map, move
/// candidates into the other's frame, test them. With AVX-512 by intrinsics, else as plain loops over the same
/// formulas. What they leave undecided is decided in double precision, so results do not depend on which version ran.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && defined(__AVX512BW__)
#include <immintrin.h>
#define SCREE_STAR_AVX512 1
#endif

#include "outline/outline.hpp"

namespace scree::star {

/// Pose of one outline in the frame of the other, single precision: p = (x, y) + (c, s) * node.
struct FloatPose {
  float x, y, c, s;
};

/// Returns the pose for a node whose shape is `ratio` times as large as that of the frame.
inline FloatPose sized(const FloatPose& pose, float ratio) { return {pose.x, pose.y, ratio * pose.c, ratio * pose.s}; }

/// Both outlines of a pair in each other's frame.
struct MutualPose {
  FloatPose a_in_b, b_in_a;
};

/// Candidates of many sides, one after the other.
struct Items {
  float* x;  ///< in the other's frame [m]
  float* y;
  std::int32_t* table;  ///< begin of the other outline's cells in the common table
};

/// Nodes of one outline that are to be seen from the other's frame.
struct SideNodes {
  std::uint32_t count;
  const float *x, *y;  ///< from the first of them on; 2 kLanes may be read
  FloatPose pose;
  std::int32_t table;  ///< table of the other outline
};

/// Verdict on sixteen items.
struct Verdict {
  std::uint32_t inside, doubtful;
};

namespace portable {

/// relative_pose() both ways, in single precision but for the difference of positions.
inline MutualPose mutual_pose(const PlanarPose& a, const PlanarPose& b) {
  const auto dx = static_cast<float>(a.x - b.x), dy = static_cast<float>(a.y - b.y);
  const auto ac = static_cast<float>(a.c), as = static_cast<float>(a.s);
  const auto bc = static_cast<float>(b.c), bs = static_cast<float>(b.s);
  const float c = ac * bc + as * bs, s = as * bc - ac * bs;
  return {{bc * dx + bs * dy, bc * dy - bs * dx, c, s}, {-(ac * dx + as * dy), -(ac * dy - as * dx), c, -s}};
}

/// (u + v)^2 of u^2 and v^2.
inline float sum_squared(float u2, float v2) { return u2 + v2 + 2 * std::sqrt(u2 * v2); }

/// (|shift| + lever |change of (c, s)|)^2.
inline float moved2(const FloatPose& now, const FloatPose& then, float lever2) {
  const float dx = now.x - then.x, dy = now.y - then.y, dc = now.c - then.c, ds = now.s - then.s;
  return sum_squared(dx * dx + dy * dy, lever2 * (dc * dc + ds * ds));
}

/// Computes poses of a pair in each other's frame, into `mutual`.
/// \return true if the pair has moved from `reference` by less than the root of `reach2`
inline bool holds(const FloatPose& reference, float lever2, float reach2, const PlanarPose& a, const PlanarPose& b,
                  MutualPose& mutual) {
  mutual = mutual_pose(a, b);
  return moved2(mutual.a_in_b, reference, lever2) < reach2;
}

/// Bit k: node fx[k], fy[k] falls on a set cell of the map, k < 16.
inline std::uint32_t mapped(const float* fx, const float* fy, const FloatPose& pose, const InsideMap& map) {
  std::uint32_t result = 0;
  for (int k = 0; k < kLanes; ++k) {
    const float x = pose.x + (pose.c * fx[k] - pose.s * fy[k]), y = pose.y + (pose.s * fx[k] + pose.c * fy[k]);
    const float top = static_cast<float>(InsideMap::kCells - 1);
    const float column = (x - map.origin) * map.cells_per_metre, row = (y - map.origin) * map.cells_per_metre;
    // Outside the square nothing is inside; its border cells are clear.
    const auto i = static_cast<std::uint32_t>(std::clamp(column, 0.0f, top));
    const auto j = static_cast<std::uint32_t>(std::clamp(row, 0.0f, top));
    result |= (map.bits[j * (InsideMap::kCells / 32) + i / 32] >> (i % 32) & 1u) << k;
  }
  return result;
}

/// Moves the nodes whose bit is set into the other's frame and appends them to the items.
/// \return number appended; up to 16 rows behind the first are overwritten
inline int append(std::uint32_t mask, const float* fx, const float* fy, const FloatPose& pose, std::int32_t table,
                  Items items, std::size_t at) {
  int count = 0;
  for (; mask != 0; mask &= mask - 1, ++count) {
    const int k = std::countr_zero(mask);
    const std::size_t i = at + static_cast<std::size_t>(count);
    items.x[i] = pose.x + (pose.c * fx[k] - pose.s * fy[k]);
    items.y[i] = pose.y + (pose.s * fx[k] + pose.c * fy[k]);
    items.table[i] = table;
  }
  return count;
}

/// Moves up to sixteen nodes of two outlines into each other's frames and appends them to the items. Up to 16 rows are
/// overwritten, however many nodes there are.
/// \param offset  sixteen: nodes from a's first on, as many as a has, then from b's first on; all below 2 kLanes
/// \param tables  true to write Items::table
inline void append_pair(const std::uint8_t* offset, const SideNodes& a, const SideNodes& b, bool tables, Items items,
                        std::size_t at) {
  for (const SideNodes* own : {&a, &b}) {
    for (std::uint32_t k = 0; k < own->count; ++k, ++offset, ++at) {
      const float x = own->x[*offset], y = own->y[*offset];
      items.x[at] = own->pose.x + (own->pose.c * x - own->pose.s * y);
      items.y[at] = own->pose.y + (own->pose.s * x + own->pose.c * y);
      if (tables) items.table[at] = own->table;
    }
  }
}

/// Tests items at..at+15: depth in single precision, and which are inside or undecided: |r - rho| <= error, or so deep
/// that Taubin's guard acts, which this leaves out.
inline Verdict test(const Items& items, std::size_t at, const FloatCell* cells, float error, float* depth) {
  Verdict verdict{0, 0};
  for (int k = 0; k < kLanes; ++k) {
    const CoarseHit hit = coarse_hit(cells + items.table[at + k], items.x[at + k], items.y[at + k]);
    const float f = hit.r - hit.rho;
    depth[at + k] = hit.depth;
    verdict.inside |= static_cast<std::uint32_t>(f > error) << k;
    verdict.doubtful |= static_cast<std::uint32_t>(std::abs(f) <= error || hit.rho < 0.51f * hit.r) << k;
  }
  return verdict;
}

/// Largest of `count` > 0 values.
inline float largest(const float* values, std::uint32_t count) { return *std::max_element(values, values + count); }

/// Bit k: values[k] >= bound, k < count <= 16.
inline std::uint32_t at_least(const float* values, std::uint32_t count, float bound) {
  std::uint32_t result = 0;
  for (std::uint32_t k = 0; k < count; ++k) result |= static_cast<std::uint32_t>(values[k] >= bound) << k;
  return result;
}

/// Returns the nodes of two runs, one of either side (counts 0 to 16), that are within (1 - relative) and `absolute` of
/// the deepest of both: bits of a's, and from bit 16 of b's.
inline std::uint32_t pick(const float* a, std::uint32_t count_a, const float* b, std::uint32_t count_b, float relative,
                          float absolute) {
  float deepest = 0;
  if (count_a > 0) deepest = largest(a, count_a);
  if (count_b > 0) deepest = std::max(deepest, largest(b, count_b));
  const float enough = deepest * (1 - relative) - absolute;
  return at_least(a, count_a, enough) | at_least(b, count_b, enough) << 16;
}

}  // namespace portable

#if defined(SCREE_STAR_AVX512)
namespace wide {

inline bool holds(const FloatPose& reference, float lever2, float reach2, const PlanarPose& a, const PlanarPose& b,
                  MutualPose& mutual) {
  const __m256d pose_a = _mm256_loadu_pd(&a.x), pose_b = _mm256_loadu_pd(&b.x);
  const __m128 shift = _mm256_cvtpd_ps(_mm256_sub_pd(pose_a, pose_b));
  const __m128 turn_a = _mm256_cvtpd_ps(pose_a), turn_b = _mm256_cvtpd_ps(pose_b);  // c, s in lanes 2, 3
  // Rotation by minus the angle of the frame: c (u, v) + s (v, -u), for the shift and the other's (c, s) at once.
  const auto seen_from = [](__m128 frame, __m128 v) {
    const __m128 c = _mm_permute_ps(frame, 0xaa), s = _mm_permute_ps(frame, 0xff);
    return _mm_fmsubadd_ps(c, v, _mm_mul_ps(s, _mm_permute_ps(v, 0xb1)));
  };
  const __m128 back = _mm_xor_ps(shift, _mm_set1_ps(-0.0f));
  const __m128 a_in_b = seen_from(turn_b, _mm_shuffle_ps(shift, turn_a, 0xe4));
  _mm_storeu_ps(&mutual.a_in_b.x, a_in_b);
  _mm_storeu_ps(&mutual.b_in_a.x, seen_from(turn_a, _mm_shuffle_ps(back, turn_b, 0xe4)));
  const __m128 change = _mm_sub_ps(a_in_b, _mm_loadu_ps(&reference.x)), change2 = _mm_mul_ps(change, change);
  const __m128 sum = _mm_add_ps(change2, _mm_movehdup_ps(change2));  // of lanes 0 and 1; of lanes 2 and 3
  return portable::sum_squared(_mm_cvtss_f32(sum), lever2 * _mm_cvtss_f32(_mm_movehl_ps(sum, sum))) < reach2;
}

struct Points {
  __m512 x, y;
};

inline Points moved(const float* fx, const float* fy, const FloatPose& pose) {
  const __m512 nx = _mm512_loadu_ps(fx), ny = _mm512_loadu_ps(fy);
  const __m512 c = _mm512_set1_ps(pose.c), s = _mm512_set1_ps(pose.s);
  return {_mm512_add_ps(_mm512_set1_ps(pose.x), _mm512_fmsub_ps(c, nx, _mm512_mul_ps(s, ny))),
          _mm512_add_ps(_mm512_set1_ps(pose.y), _mm512_fmadd_ps(s, nx, _mm512_mul_ps(c, ny)))};
}

inline std::uint32_t mapped(const float* fx, const float* fy, const FloatPose& pose, const InsideMap& map) {
  const Points p = moved(fx, fy, pose);
  const __m512 origin = _mm512_set1_ps(map.origin), scale = _mm512_set1_ps(map.cells_per_metre);
  const __m512 zero = _mm512_setzero_ps(), top = _mm512_set1_ps(static_cast<float>(InsideMap::kCells - 1));
  const auto cell = [&](__m512 v) {
    const __m512 position = _mm512_mul_ps(_mm512_sub_ps(v, origin), scale);
    return _mm512_cvttps_epi32(_mm512_min_ps(_mm512_max_ps(position, zero), top));
  };
  const __m512i i = cell(p.x), j = cell(p.y);
  const __m512i word = _mm512_add_epi32(_mm512_slli_epi32(j, 3), _mm512_srli_epi32(i, 5));
  static_assert(InsideMap::kCells / 32 == 8);
  const __m512i bits = _mm512_i32gather_epi32(word, map.bits.data(), 4);
  const __m512i bit = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_and_si512(i, _mm512_set1_epi32(31)));
  return _mm512_test_epi32_mask(bits, bit);
}

inline int append(std::uint32_t mask, const float* fx, const float* fy, const FloatPose& pose, std::int32_t table,
                  Items items, std::size_t at) {
  const Points p = moved(fx, fy, pose);
  const auto lanes = static_cast<__mmask16>(mask);
  _mm512_storeu_ps(items.x + at, _mm512_maskz_compress_ps(lanes, p.x));
  _mm512_storeu_ps(items.y + at, _mm512_maskz_compress_ps(lanes, p.y));
  _mm512_storeu_si512(items.table + at, _mm512_set1_epi32(table));
  return std::popcount(mask);
}

/// Cells of sixteen items as columns.
struct CellLanes {
  __m512 value, slope;
};

/// Sixteen plain loads, which cost a fraction of two gathers.
template <class Cell>
inline CellLanes load_cells(const Cell* cells, __m512i index) {
  static_assert(sizeof(Cell) == 2 * sizeof(float));
  alignas(64) std::int32_t at[kLanes];
  _mm512_store_si512(at, index);
  const auto cell = [&](int i) { return reinterpret_cast<const double*>(cells + at[i]); };
  const auto two = [&](int i) { return _mm_loadh_pd(_mm_load_sd(cell(i)), cell(i + 1)); };
  const auto four = [&](int i) { return _mm256_insertf128_pd(_mm256_castpd128_pd256(two(i)), two(i + 4), 1); };
  const auto eight = [&](int i) {  // items i, i + 1, i + 4, i + 5, ...
    return _mm512_castpd_ps(_mm512_insertf64x4(_mm512_castpd256_pd512(four(i)), four(i + 8), 1));
  };
  const __m512 first = eight(0), second = eight(2);
  return {_mm512_shuffle_ps(first, second, 0x88), _mm512_shuffle_ps(first, second, 0xdd)};
}

inline void append_pair(const std::uint8_t* offset, const SideNodes& a, const SideNodes& b, bool tables, Items items,
                        std::size_t at) {
  const auto of_b = static_cast<__mmask16>(~0u << a.count);
  const __m512i index = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(offset)));
  const auto chosen = [&](const float* from_a, const float* from_b) {
    const __m512 all = _mm512_permutex2var_ps(_mm512_loadu_ps(from_a), index, _mm512_loadu_ps(from_a + kLanes));
    const __m512 other = _mm512_permutex2var_ps(_mm512_loadu_ps(from_b), index, _mm512_loadu_ps(from_b + kLanes));
    return _mm512_mask_mov_ps(all, of_b, other);
  };
  const auto either = [of_b](float of_a, float other) {
    return _mm512_mask_mov_ps(_mm512_set1_ps(of_a), of_b, _mm512_set1_ps(other));
  };
  const __m512 nx = chosen(a.x, b.x), ny = chosen(a.y, b.y);
  const __m512 c = _mm512_set1_ps(a.pose.c), s = either(a.pose.s, b.pose.s);
  _mm512_storeu_ps(items.x + at,
                   _mm512_add_ps(either(a.pose.x, b.pose.x), _mm512_fmsub_ps(c, nx, _mm512_mul_ps(s, ny))));
  _mm512_storeu_ps(items.y + at,
                   _mm512_add_ps(either(a.pose.y, b.pose.y), _mm512_fmadd_ps(s, nx, _mm512_mul_ps(c, ny))));
  if (tables)
    _mm512_storeu_si512(items.table + at,
                        _mm512_mask_mov_epi32(_mm512_set1_epi32(a.table), of_b, _mm512_set1_epi32(b.table)));
}

inline Verdict test(const Items& items, std::size_t at, const FloatCell* cells, float error, float* depth) {
  const __m512 one = _mm512_set1_ps(1.0f), per_unit = _mm512_set1_ps(kFloatCells / 4.0f);
  const __m512 x = _mm512_loadu_ps(items.x + at), y = _mm512_loadu_ps(items.y + at);
  const __m512 length = _mm512_max_ps(_mm512_add_ps(_mm512_abs_ps(x), _mm512_abs_ps(y)), _mm512_set1_ps(1e-30f));
  __m512 inverse = _mm512_rcp14_ps(length);
  inverse = _mm512_mul_ps(inverse, _mm512_fnmadd_ps(length, inverse, _mm512_set1_ps(2.0f)));
  const __m512 u = _mm512_mul_ps(x, inverse);
  const __mmask16 below = _mm512_movepi32_mask(_mm512_castps_si512(y));
  const __m512 q = _mm512_mask_add_ps(_mm512_sub_ps(one, u), below, _mm512_set1_ps(3.0f), u);
  const __m512 position = _mm512_mul_ps(q, per_unit);
  const __m512i cell = _mm512_cvttps_epi32(position);
  const __m512 t = _mm512_sub_ps(position, _mm512_cvtepi32_ps(cell));
  const __m512i index = _mm512_add_epi32(cell, _mm512_loadu_si512(items.table + at));
  const auto [value, slope] = load_cells(cells, index);
  const __m512 r = _mm512_fmadd_ps(t, slope, value);
  const __m512 rho = _mm512_sqrt_ps(_mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y)));
  const __m512 f = _mm512_sub_ps(r, rho);
  const __m512 s = _mm512_mul_ps(_mm512_mul_ps(_mm512_mul_ps(slope, per_unit), rho), _mm512_mul_ps(inverse, inverse));
  _mm512_storeu_ps(depth + at, _mm512_mul_ps(f, _mm512_rsqrt14_ps(_mm512_fmadd_ps(s, s, one))));
  const __m512 bound = _mm512_set1_ps(error);
  const __mmask16 inside = _mm512_cmp_ps_mask(f, bound, _CMP_GT_OQ);
  const __mmask16 near = _mm512_cmp_ps_mask(_mm512_abs_ps(f), bound, _CMP_LE_OQ);
  const __mmask16 core = _mm512_cmp_ps_mask(rho, _mm512_mul_ps(r, _mm512_set1_ps(0.51f)), _CMP_LT_OQ);
  return {inside, static_cast<std::uint32_t>(near | core)};
}

inline std::uint32_t pick_of_many(const float* a, std::uint32_t count_a, const float* b, std::uint32_t count_b,
                                  float relative, float absolute) {
  const auto lanes_a = static_cast<__mmask16>((1u << count_a) - 1),
             lanes_b = static_cast<__mmask16>((1u << count_b) - 1);
  const __m512 of_a = _mm512_maskz_loadu_ps(lanes_a, a), of_b = _mm512_maskz_loadu_ps(lanes_b, b);
  const float deepest = _mm512_reduce_max_ps(_mm512_max_ps(of_a, of_b));
  const __m512 enough = _mm512_set1_ps(deepest * (1 - relative) - absolute);
  const std::uint32_t of_side_b = _mm512_mask_cmp_ps_mask(lanes_b, of_b, enough, _CMP_GE_OQ);
  return _mm512_mask_cmp_ps_mask(lanes_a, of_a, enough, _CMP_GE_OQ) | of_side_b << 16;
}

inline float largest(const float* values, std::uint32_t count) {
  if (count > kLanes) return portable::largest(values, count);
  const auto lanes = static_cast<__mmask16>((1u << count) - 1);
  return _mm512_reduce_max_ps(_mm512_mask_loadu_ps(_mm512_set1_ps(values[0]), lanes, values));
}

inline std::uint32_t pick(const float* a, std::uint32_t count_a, const float* b, std::uint32_t count_b, float relative,
                          float absolute) {
  if ((count_a | count_b) > 8) return pick_of_many(a, count_a, b, count_b, relative, absolute);
  const auto lanes_a = static_cast<__mmask8>((1u << count_a) - 1), lanes_b = static_cast<__mmask8>((1u << count_b) - 1);
  const __m256 of_a = _mm256_maskz_loadu_ps(lanes_a, a), of_b = _mm256_maskz_loadu_ps(lanes_b, b);
  const __m256 of_both = _mm256_max_ps(of_a, of_b);
  __m128 top = _mm_max_ps(_mm256_castps256_ps128(of_both), _mm256_extractf128_ps(of_both, 1));
  top = _mm_max_ps(top, _mm_permute_ps(top, 0x4e));
  top = _mm_max_ps(top, _mm_permute_ps(top, 0xb1));
  const __m256 enough =
      _mm256_broadcastss_ps(_mm_sub_ss(_mm_mul_ss(top, _mm_set_ss(1 - relative)), _mm_set_ss(absolute)));
  const std::uint32_t of_side_b = _mm256_mask_cmp_ps_mask(lanes_b, of_b, enough, _CMP_GE_OQ);
  return _mm256_mask_cmp_ps_mask(lanes_a, of_a, enough, _CMP_GE_OQ) | of_side_b << 16;
}

}  // namespace wide
namespace kernels = wide;
#else
namespace kernels = portable;
#endif

}  // namespace scree::star
