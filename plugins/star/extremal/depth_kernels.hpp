#pragma once
/// \file The inner loops of the extremal sweep: which nodes may carry an extremum, in single precision, and knots of
/// the field for depths in double precision. With AVX-512 by intrinsics, because compilers do not turn rows of knots
/// into columns; else as plain loops over the same formulas.

#include "extremal/depth_extrema.hpp"
#include "extremal/depth_field.hpp"
#include "outline/sweep_kernels.hpp"

namespace scree::star {

/// Nodes that look() decides about at once; their stencils are as many as lanes.
inline constexpr std::uint32_t kLooked = kLanes - (kStencil - 1);

/// Covers the rounding of the place of a maximum, reciprocals of 14 bits included.
inline constexpr float kRounded = 1.0002f;

/// Sixteen nodes of one outline in another one's field, in single precision; the first and the last two are the ends of
/// the others' stencils.
struct alignas(64) CoarseNodes {
  float position[kLanes];  ///< see FieldPlace
  float rho[kLanes];       ///< from the field's centre [m]
  float u[kLanes];         ///< depth [m]
};

/// Pose of one outline in the frame of another, single precision but for the difference of positions.
inline FloatPose float_pose(const PlanarPose& own, const PlanarPose& other) {
  return portable::mutual_pose(own, other).a_in_b;
}

/// Nodes of a window that may get an extremum with value > 0 while nodes move by a reach.
struct LookedAhead {
  std::uint32_t soon;  ///< bits of nodes
  /// false: a node is nearer to the field's centre than the bounds of the slopes can tell
  bool sure;
};

/// Three neighbouring knots each of eight points.
struct KnotOctets {
  Octet a[3], w[3];
};

namespace portable {

inline float control_of(const float* u, int i) { return (10 * u[i] - u[i - 1] - u[i + 1]) * 0.125f; }

/// Bit k: the segment of node k may have an extremum with value > 0, whatever the errors of the depths. A value is a
/// mean of control values, so the largest of the three bounds it.
inline std::uint32_t possible(const float* u, const float* slack, std::uint32_t count) {
  std::uint32_t result = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const int i = static_cast<int>(k) + 2;
    const auto error = [&](int j) { return (10 * slack[j] + slack[j - 1] + slack[j + 1]) * 0.125f; };
    const float before = control_of(u, i - 1), here = control_of(u, i), after = control_of(u, i + 1);
    const float in = here - before, out = after - here;
    const float e_before = error(i - 1), e_here = error(i), e_after = error(i + 1);
    const float least = std::min(in - e_before, out - e_after) - e_here;
    const float most = std::max(in + e_before, out + e_after) + e_here;
    const float start = 0.5f * (before + here), end = 0.5f * (here + after);
    const float highest = in > 0 && out < 0 ? start + 0.5f * kRounded * in * (in / (in - out)) : std::max(start, end);
    const float top = highest + std::max(std::max(e_before, e_here), e_after);
    result |= static_cast<std::uint32_t>((least <= 0) & (most >= 0) & (top > 0)) << k;
  }
  return result;
}

/// \param fx, fy  the nodes about their own outline's centre [m]
inline void coarse_places(const float* fx, const float* fy, const FloatPose& pose, CoarseNodes& nodes) {
  for (int i = 0; i < kLanes; ++i) {
    const float x = pose.x + (pose.c * fx[i] - pose.s * fy[i]), y = pose.y + (pose.s * fx[i] + pose.c * fy[i]);
    nodes.position[i] = coarse_position(x, y);
    nodes.rho[i] = std::sqrt(x * x + y * y);
  }
}

inline void coarse_depths(const FieldKnot* field, CoarseNodes& nodes) {
  for (int i = 0; i < kLanes; ++i) nodes.u[i] = coarse_depth(field, nodes.position[i], nodes.rho[i]);
}

/// See possible(). \param count  of nodes, from the third on
inline std::uint32_t possible_now(const CoarseNodes& nodes, std::uint32_t count, const DepthError& error) {
  float wrong[kLanes];
  for (int i = 0; i < kLanes; ++i) wrong[i] = error.of(nodes.u[i]);
  return possible(nodes.u, wrong, count);
}

/// The largest control value of the nodes and of those beside them [m].
inline float largest_control(const CoarseNodes& nodes, std::uint32_t count) {
  float most = -1e30f;
  for (int i = 1; i < static_cast<int>(count) + 3; ++i) most = std::max(most, control_of(nodes.u, i));
  return most;
}

inline LookedAhead look_ahead(const CoarseNodes& nodes, std::uint32_t count, const DepthError& error,
                              const SlopeBound* slopes, float reach) {
  float slack[kLanes] = {};
  bool sure = true;
  for (int i = 0; i < static_cast<int>(count) + kStencil - 1; ++i) {
    const auto part = static_cast<std::int32_t>(nodes.position[i] * (1.0f * kSlopeCells / kFieldCells));
    const SlopeBound& bound = slopes[std::clamp(part, 0, kSlopeCells)];
    slack[i] = bound.slope * reach + error.of(nodes.u[i]);
    sure = sure && nodes.rho[i] > bound.core;
  }
  return {possible(nodes.u, slack, count), sure};
}

/// Bit k: some of circle k, k < 16, is within `reach` of the origin.
inline std::uint32_t near_circles(const float* x, const float* y, const float* radius, const FloatPose& pose,
                                  float reach) {
  std::uint32_t result = 0;
  for (int k = 0; k < kLanes; ++k) {
    const float px = pose.x + (pose.c * x[k] - pose.s * y[k]), py = pose.y + (pose.s * x[k] + pose.c * y[k]);
    const float far = radius[k] + reach;
    result |= static_cast<std::uint32_t>(px * px + py * py <= far * far) << k;
  }
  return result;
}

/// Knots at[i], at[i] + 1, at[i] + 2.
inline KnotOctets load_knots(const FieldKnot* knots, const std::int32_t* at) {
  KnotOctets result;
  for (int i = 0; i < 8; ++i)
    for (int k = 0; k < 3; ++k) {
      result.a[k][i] = knots[at[i] + k].a;
      result.w[k][i] = knots[at[i] + k].w;
    }
  return result;
}

/// Writes those of eight numbers whose bit is set one after the other.
inline void store_marked(std::uint32_t bits, const Octet& v, double* to) {
  for (int i = 0; i < 8; ++i)
    if ((bits >> i & 1) != 0) *to++ = v[i];
}

}  // namespace portable

#if defined(SCREE_STAR_AVX512)
namespace wide {

/// Two neighbouring knots each of sixteen items: sixteen loads and a transpose, which cost a fraction of four gathers.
struct KnotLanes {
  __m512 a0, w0, a1, w1;
};

inline KnotLanes load_knots(const FieldKnot* knots, __m512i index) {
  alignas(64) std::int32_t at[kLanes];
  _mm512_store_si512(at, index);
  asm("" : "+m"(at));  // or GCC takes them out of the register one by one, which takes longer
  const auto knot = [&](int i) { return _mm_loadu_ps(&knots[at[i]].a); };
  const auto every_fourth = [&](int i) {  // items i, i + 4, i + 8, i + 12
    const __m512 low = _mm512_insertf32x4(_mm512_castps128_ps512(knot(i)), knot(i + 4), 1);
    return _mm512_insertf32x4(_mm512_insertf32x4(low, knot(i + 8), 2), knot(i + 12), 3);
  };
  const __m512 z0 = every_fourth(0), z1 = every_fourth(1), z2 = every_fourth(2), z3 = every_fourth(3);
  const __m512 low01 = _mm512_unpacklo_ps(z0, z1), low23 = _mm512_unpacklo_ps(z2, z3);
  const __m512 high01 = _mm512_unpackhi_ps(z0, z1), high23 = _mm512_unpackhi_ps(z2, z3);
  return {_mm512_shuffle_ps(low01, low23, 0x44), _mm512_shuffle_ps(low01, low23, 0xee),
          _mm512_shuffle_ps(high01, high23, 0x44), _mm512_shuffle_ps(high01, high23, 0xee)};
}

/// Half as wide as other registers: shuffles take half the time, and are turned into doubles last.
inline KnotOctets load_knots(const FieldKnot* knots, const std::int32_t* at) {
  const auto first_two = [&](int i) {  // of items i and i + 4
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(&knots[at[i]].a)),
                                _mm_loadu_ps(&knots[at[i + 4]].a), 1);
  };
  const auto third = [&](int i) {  // of items i and i + 1
    const auto knot = [&](int k) { return reinterpret_cast<const double*>(&knots[at[k] + 2]); };
    return _mm_castpd_ps(_mm_loadh_pd(_mm_load_sd(knot(i)), knot(i + 1)));
  };
  const __m256 z0 = first_two(0), z1 = first_two(1), z2 = first_two(2), z3 = first_two(3);
  const __m256 low01 = _mm256_unpacklo_ps(z0, z1), low23 = _mm256_unpacklo_ps(z2, z3);
  const __m256 high01 = _mm256_unpackhi_ps(z0, z1), high23 = _mm256_unpackhi_ps(z2, z3);
  const __m256 even = _mm256_insertf128_ps(_mm256_castps128_ps256(third(0)), third(4), 1);
  const __m256 odd = _mm256_insertf128_ps(_mm256_castps128_ps256(third(2)), third(6), 1);
  const auto even_of = [](__m256 p, __m256 q) { return _mm512_cvtps_pd(_mm256_shuffle_ps(p, q, 0x44)); };
  const auto odd_of = [](__m256 p, __m256 q) { return _mm512_cvtps_pd(_mm256_shuffle_ps(p, q, 0xee)); };
  return {{even_of(low01, low23), even_of(high01, high23), _mm512_cvtps_pd(_mm256_shuffle_ps(even, odd, 0x88))},
          {odd_of(low01, low23), odd_of(high01, high23), _mm512_cvtps_pd(_mm256_shuffle_ps(even, odd, 0xdd))}};
}

inline void store_marked(std::uint32_t bits, const Octet& v, double* to) {
  _mm512_storeu_pd(to, _mm512_maskz_compress_pd(static_cast<__mmask8>(bits), v));
}

/// Returns the values of the lanes that are `ahead` lanes on, cyclically.
template <int ahead>
inline __m512 from_lane(__m512 v) {
  const __m512i bits = _mm512_castps_si512(v);
  return _mm512_castsi512_ps(_mm512_alignr_epi32(bits, bits, (ahead + 16) % 16));
}

inline void coarse_places(const float* fx, const float* fy, const FloatPose& pose, CoarseNodes& nodes) {
  const auto [x, y] = moved(fx, fy, pose);
  const __m512 rho2 = _mm512_max_ps(_mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y)), _mm512_set1_ps(1e-30f));
  __m512 inverse = _mm512_rsqrt14_ps(rho2);
  const __m512 half = _mm512_mul_ps(_mm512_mul_ps(rho2, inverse), _mm512_set1_ps(0.5f));
  inverse = _mm512_mul_ps(inverse, _mm512_fnmadd_ps(half, inverse, _mm512_set1_ps(1.5f)));
  const __mmask16 upright = _mm512_cmp_ps_mask(_mm512_abs_ps(y), _mm512_abs_ps(x), _CMP_GT_OQ);
  const __m512 sign = _mm512_set1_ps(-0.0f), along = _mm512_mask_blend_ps(upright, x, y);
  const __m512 across = _mm512_mask_blend_ps(upright, y, _mm512_xor_ps(x, sign));
  const __mmask16 back = _mm512_movepi32_mask(_mm512_castps_si512(along));
  constexpr float quadrant = kFieldCells / 4;
  const __m512 begin = _mm512_mask_blend_ps(upright, _mm512_set1_ps(0.5f * quadrant), _mm512_set1_ps(1.5f * quadrant));
  const __m512 turned = _mm512_mask_add_ps(begin, back, begin, _mm512_set1_ps(2 * quadrant));
  const __m512 signed_inverse = _mm512_xor_ps(inverse, _mm512_and_ps(along, sign));
  const __m512 sine = _mm512_mul_ps(across, signed_inverse);
  const __m512 position = _mm512_fmadd_ps(sine, _mm512_set1_ps(static_cast<float>(kCellsPerSine)), turned);
  _mm512_store_ps(nodes.position, position);
  _mm512_store_ps(nodes.rho, _mm512_mul_ps(rho2, inverse));
}

inline void coarse_depths(const FieldKnot* field, CoarseNodes& nodes) {
  const __m512 position = _mm512_add_ps(_mm512_load_ps(nodes.position), _mm512_set1_ps(0.5f));
  const __m512i cell = _mm512_cvttps_epi32(position);
  const __m512 t = _mm512_sub_ps(position, _mm512_cvtepi32_ps(cell));
  const KnotLanes k = load_knots(field, cell);
  const __m512 a = _mm512_fmadd_ps(t, _mm512_sub_ps(k.a1, k.a0), k.a0);
  const __m512 w = _mm512_fmadd_ps(t, _mm512_sub_ps(k.w1, k.w0), k.w0);
  _mm512_store_ps(nodes.u, _mm512_fnmadd_ps(w, _mm512_load_ps(nodes.rho), a));
}

inline __m512 control_values(__m512 u) {
  const __m512 beside = _mm512_add_ps(from_lane<-1>(u), from_lane<1>(u));
  return _mm512_mul_ps(_mm512_fmsub_ps(_mm512_set1_ps(10), u, beside), _mm512_set1_ps(0.125f));
}

/// Bounds of the errors of control values.
struct ControlErrors {
  __m512 before, here, after;
};

inline std::uint32_t possible(__m512 u, const ControlErrors& e, std::uint32_t count) {
  const __m512 here = control_values(u), before = from_lane<-1>(here), after = from_lane<1>(here);
  const __m512 in = _mm512_sub_ps(here, before), out = _mm512_sub_ps(after, here), zero = _mm512_setzero_ps();
  const __m512 least = _mm512_min_ps(_mm512_sub_ps(in, e.before), _mm512_sub_ps(out, e.after));
  const __m512 most = _mm512_max_ps(_mm512_add_ps(in, e.before), _mm512_add_ps(out, e.after));
  const __m512 twice_start = _mm512_add_ps(before, here), twice_end = _mm512_add_ps(here, after);
  const __m512 place = _mm512_mul_ps(in, _mm512_rcp14_ps(_mm512_sub_ps(in, out)));
  const __mmask16 peak = _mm512_cmp_ps_mask(in, zero, _CMP_GT_OQ) & _mm512_cmp_ps_mask(out, zero, _CMP_LT_OQ);
  const __m512 rise = _mm512_mul_ps(_mm512_mul_ps(in, _mm512_set1_ps(kRounded)), place);
  const __m512 twice_top = _mm512_mask_add_ps(_mm512_max_ps(twice_start, twice_end), peak, twice_start, rise);
  const __m512 slack = _mm512_max_ps(_mm512_max_ps(e.before, e.here), e.after);
  const __m512 top = _mm512_fmadd_ps(_mm512_set1_ps(0.5f), twice_top, slack);
  const __mmask16 crosses =
      _mm512_cmp_ps_mask(least, e.here, _CMP_LE_OQ) & _mm512_cmp_ps_mask(_mm512_add_ps(most, e.here), zero, _CMP_GE_OQ);
  const std::uint32_t found = crosses & _mm512_cmp_ps_mask(top, zero, _CMP_GT_OQ);
  return found >> 2 & ((1u << count) - 1);
}

inline std::uint32_t possible_now(const CoarseNodes& nodes, std::uint32_t count, const DepthError& error) {
  const __m512 u = _mm512_load_ps(nodes.u), size = _mm512_abs_ps(u);
  const __m512 three = _mm512_max_ps(_mm512_max_ps(from_lane<-1>(size), size), from_lane<1>(size));
  const __m512 five = _mm512_max_ps(from_lane<-1>(three), from_lane<1>(three));
  const __m512 e =
      _mm512_fmadd_ps(_mm512_set1_ps(1.5f * error.per_depth), five, _mm512_set1_ps(1.5f * error.at_outline));
  return possible(u, {e, e, e}, count);
}

inline float largest_control(const CoarseNodes& nodes, std::uint32_t count) {
  const auto lanes = static_cast<__mmask16>(((1u << (count + 2)) - 1) << 1);
  return _mm512_mask_reduce_max_ps(lanes, control_values(_mm512_load_ps(nodes.u)));
}

inline LookedAhead look_ahead(const CoarseNodes& nodes, std::uint32_t count, const DepthError& error,
                              const SlopeBound* slopes, float reach) {
  const __m512 u = _mm512_load_ps(nodes.u), scale = _mm512_set1_ps(1.0f * kSlopeCells / kFieldCells);
  const __m512i part = _mm512_cvttps_epi32(_mm512_mul_ps(_mm512_load_ps(nodes.position), scale));
  const __m512i none = _mm512_setzero_si512(), last = _mm512_set1_epi32(kSlopeCells);
  const CellLanes bound = load_cells(slopes, _mm512_min_epi32(_mm512_max_epi32(part, none), last));
  const __m512 wrong =
      _mm512_fmadd_ps(_mm512_set1_ps(error.per_depth), _mm512_abs_ps(u), _mm512_set1_ps(error.at_outline));
  const __m512 slack = _mm512_fmadd_ps(bound.value, _mm512_set1_ps(reach), wrong);
  const __m512 beside = _mm512_add_ps(from_lane<-1>(slack), from_lane<1>(slack));
  const __m512 e = _mm512_mul_ps(_mm512_fmadd_ps(_mm512_set1_ps(10), slack, beside), _mm512_set1_ps(0.125f));
  const auto present = static_cast<__mmask16>((1u << (count + kStencil - 1)) - 1);
  const __mmask16 core = _mm512_mask_cmp_ps_mask(present, _mm512_load_ps(nodes.rho), bound.slope, _CMP_LE_OQ);
  return {possible(u, {from_lane<-1>(e), e, from_lane<1>(e)}, count), core == 0};
}

inline std::uint32_t near_circles(const float* x, const float* y, const float* radius, const FloatPose& pose,
                                  float reach) {
  const Points p = moved(x, y, pose);
  const __m512 far = _mm512_add_ps(_mm512_loadu_ps(radius), _mm512_set1_ps(reach));
  const __m512 distance2 = _mm512_fmadd_ps(p.x, p.x, _mm512_mul_ps(p.y, p.y));
  return _mm512_cmp_ps_mask(distance2, _mm512_mul_ps(far, far), _CMP_LE_OQ);
}

}  // namespace wide
#endif

}  // namespace scree::star
