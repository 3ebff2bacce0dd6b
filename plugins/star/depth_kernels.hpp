#pragma once
/// \file The inner loops of the extremal sweep: depths of many nodes in single precision, which of them may carry an
/// extremum, and depths with gradients in double precision. With AVX-512 by intrinsics, because compilers do not turn
/// rows of knots into columns; else as plain loops over the same formulas. Those in double precision give the same bits
/// either way.

#include "depth_extrema.hpp"
#include "depth_field.hpp"
#include "sweep_kernels.hpp"

namespace scree::star {

/// Nodes that node_depths() takes at once.
inline constexpr std::uint32_t kMostNodes = 128;

/// Nodes in double precision, columns: in, about their own outline's centre; out, in the field's frame, and the depth.
struct NodeColumns {
  double *x, *y, *u, *gx, *gy;
  double* rho;                                      ///< out: distance from the field's centre [m]
  const double *pose_x, *pose_y, *pose_c, *pose_s;  ///< of the nodes' outline in the field's frame
  const std::int32_t* table;                        ///< where the field's table begins
};

/// Covers the rounding of the place of a maximum, reciprocals of 14 bits included.
inline constexpr float kRounded = 1.0002f;

/// What slacks() reads, and writes.
struct SlackColumns {
  const float *x, *y, *u;  ///< in the field's frame, depth [m]
  float* slack;            ///< [m]
};

namespace portable {

/// depth_of() of items 0 .. n - 1, to the bound of the errors that FieldBounds gives.
inline void float_depths(std::uint32_t n, const FieldKnot* knots, const float* x, const float* y,
                         const std::int32_t* table, float* u) {
  for (std::uint32_t i = 0; i < n; ++i) u[i] = coarse_depth(knots, x[i], y[i], table[i]);
}

/// Moves nodes 0 .. n - 1 into another frame; columns are written up to the next multiple of sixteen.
inline void move_nodes(std::uint32_t n, const float* fx, const float* fy, const FloatPose& pose, float* x, float* y) {
  for (std::uint32_t i = 0; i < n; ++i) {
    x[i] = pose.x + (pose.c * fx[i] - pose.s * fy[i]);
    y[i] = pose.y + (pose.s * fx[i] + pose.c * fy[i]);
  }
}

/// Bit k: the segment of node k may have an extremum with value > 0, whatever the errors of the depths, k < 16. A value
/// is a mean of control values, so the largest of the three bounds it.
/// \param u      depth of the first node; two before it and two behind the last are read
/// \param slack  bounds of the errors, likewise
inline std::uint32_t possible(const float* u, const float* slack) {
  std::uint32_t result = 0;
  for (int i = 0; i < kLanes; ++i) {
    const auto control = [&](int k) { return control_value(u[k - 1], u[k], u[k + 1]); };
    const auto error = [&](int k) { return (10 * slack[k] + slack[k - 1] + slack[k + 1]) * 0.125f; };
    const float before = control(i - 1), here = control(i), after = control(i + 1), in = here - before,
                out = after - here;
    const float e_before = error(i - 1), e_here = error(i), e_after = error(i + 1);
    const float least = std::min(in - e_before, out - e_after) - e_here;
    const float most = std::max(in + e_before, out + e_after) + e_here;
    const float start = 0.5f * (before + here), end = 0.5f * (here + after);
    const float highest = in > 0 && out < 0 ? start + 0.5f * kRounded * in * (in / (in - out)) : std::max(start, end);
    const float top = highest + std::max(std::max(e_before, e_here), e_after);
    result |= static_cast<std::uint32_t>((least <= 0) & (most >= 0) & (top > 0)) << i;
  }
  return result;
}

/// Lists the items i + 2 .. that may carry an extremum: those whose stencil lies in one segment, by possible(), and
/// those of a negative segment without a look.
inline std::uint32_t list_possible(std::uint32_t n, const float* u, const std::int32_t* segment,
                                   const DepthError& error, std::int32_t* listed) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < n; i += kLanes) {
    float slack[kLanes + kStencil - 1];
    for (int k = 0; k < kLanes + kStencil - 1; ++k) slack[k] = error.of(u[static_cast<int>(i) + k - 2]);
    const std::uint32_t maybe = possible(u + i, slack + 2);
    for (std::uint32_t k = i; k < std::min(n, i + kLanes); ++k) {
      const std::int32_t* at = segment + k;
      const bool whole = at[-2] == at[2] && (maybe >> (k - i) & 1) != 0;
      listed[count] = static_cast<std::int32_t>(k);
      count += whole || *at < 0 ? 1 : 0;
    }
  }
  return count;
}

/// How much the depths of nodes 0 .. n - 1 may change while the nodes move by `reach`, or be wrong by.
/// \return whether that is sure: of no node, if nearer to the centre than `slopes` can tell, a depth > 0 may matter
inline bool slacks(std::uint32_t n, const SlackColumns& c, const SlopeBound* slopes, float reach,
                   const DepthError& error) {
  bool sure = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto part = static_cast<std::size_t>(pseudo_angle(c.x[i], c.y[i]) * (kSlopeCells / 4.0f));
    const SlopeBound& bound = slopes[std::min<std::size_t>(part, kSlopeCells)];
    c.slack[i] = bound.slope * reach + error.of(c.u[i]);
    sure = sure && c.x[i] * c.x[i] + c.y[i] * c.y[i] > bound.core2;
  }
  return sure;
}

/// The largest control value of nodes 1 .. n - 2.
inline float largest_control(std::uint32_t n, const float* u) {
  float most = control_value(u[0], u[1], u[2]);
  for (std::uint32_t i = 2; i + 1 < n; ++i) most = std::max(most, control_value(u[i - 1], u[i], u[i + 1]));
  return most;
}

/// Bits of those of n numbers that are not 0, by eights.  \return how many
inline std::uint32_t mark(std::uint32_t n, const double* column, std::uint8_t* bits) {
  std::uint32_t count = 0;
  std::fill_n(bits, (n + 7) / 8, std::uint8_t{0});
  for (std::uint32_t i = 0; i < n; ++i) {
    const unsigned set = column[i] != 0 ? 1 : 0;
    bits[i / 8] = static_cast<std::uint8_t>(bits[i / 8] | set << (i % 8));
    count += set;
  }
  return count;
}

/// Copies those of n numbers whose bit is set.
inline void copy_marked(std::uint32_t n, const std::uint8_t* bits, const double* from, double* to) {
  for (std::uint32_t i = 0; i < n; ++i)
    if ((bits[i / 8] >> (i % 8) & 1) != 0) *to++ = from[i];
}

inline void node_depths(std::uint32_t n, const FieldKnot* knots, const NodeColumns& c) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const RelativePose pose{c.pose_x[i], c.pose_y[i], c.pose_c[i], c.pose_s[i]};
    const PlanarPoint<double> p = transform(pose, c.x[i], c.y[i]);
    const FieldSample<double> sample = field_sample(knots, p.x, p.y, c.table[i]);
    const Depth<double> depth = depth_with_gradient(sample, p.x, p.y);
    c.x[i] = p.x;
    c.y[i] = p.y;
    c.u[i] = depth.u;
    c.gx[i] = depth.gx;
    c.gy[i] = depth.gy;
    c.rho[i] = sample.rho;
  }
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

/// Three neighbouring knots each of eight items. Half as wide as other registers: shuffles take half the time, and are
/// turned into doubles last.
struct KnotTriples {
  __m256 a0, w0, a1, w1, a2, w2;
};

inline KnotTriples load_knots(const FieldKnot* knots, const std::int32_t* at) {
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
  return {_mm256_shuffle_ps(low01, low23, 0x44),   _mm256_shuffle_ps(low01, low23, 0xee),
          _mm256_shuffle_ps(high01, high23, 0x44), _mm256_shuffle_ps(high01, high23, 0xee),
          _mm256_shuffle_ps(even, odd, 0x88),      _mm256_shuffle_ps(even, odd, 0xdd)};
}

/// pseudo_angle() of sixteen points, not below 0.
inline __m512 pseudo_angles(__m512 x, __m512 y) {
  const __m512 l1 = _mm512_max_ps(_mm512_add_ps(_mm512_abs_ps(x), _mm512_abs_ps(y)), _mm512_set1_ps(1e-30f));
  __m512 inverse = _mm512_rcp14_ps(l1);
  inverse = _mm512_mul_ps(inverse, _mm512_fnmadd_ps(l1, inverse, _mm512_set1_ps(2.0f)));
  const __m512 along = _mm512_mul_ps(x, inverse);
  const __mmask16 below = _mm512_movepi32_mask(_mm512_castps_si512(y));
  const __m512 one = _mm512_set1_ps(1.0f);
  const __m512 angle = _mm512_mask_add_ps(_mm512_sub_ps(one, along), below, _mm512_set1_ps(3.0f), along);
  return _mm512_max_ps(angle, _mm512_setzero_ps());
}

/// Columns are read and written up to the next multiple of sixteen.
inline void float_depths(std::uint32_t n, const FieldKnot* knots, const float* px, const float* py,
                         const std::int32_t* table, float* u) {
  const __m512 per_unit = _mm512_set1_ps(kFieldCells / 4.0f), half = _mm512_set1_ps(0.5f);
  for (std::uint32_t i = 0; i < n; i += kLanes) {
    const __m512 x = _mm512_loadu_ps(px + i), y = _mm512_loadu_ps(py + i);
    const __m512 position = _mm512_fmadd_ps(pseudo_angles(x, y), per_unit, half);
    const __m512i cell = _mm512_cvttps_epi32(position);
    const __m512 t = _mm512_sub_ps(position, _mm512_cvtepi32_ps(cell));
    const __m512i index = _mm512_add_epi32(cell, _mm512_loadu_si512(table + i));
    const KnotLanes k = load_knots(knots, index);
    const __m512 a = _mm512_fmadd_ps(t, _mm512_sub_ps(k.a1, k.a0), k.a0);
    const __m512 w = _mm512_fmadd_ps(t, _mm512_sub_ps(k.w1, k.w0), k.w0);
    const __m512 rho = _mm512_sqrt_ps(_mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y)));
    _mm512_storeu_ps(u + i, _mm512_fnmadd_ps(w, rho, a));
  }
}

inline void move_nodes(std::uint32_t n, const float* fx, const float* fy, const FloatPose& pose, float* x, float* y) {
  for (std::uint32_t i = 0; i < n; i += kLanes) {
    const Points p = moved(fx + i, fy + i, pose);
    _mm512_storeu_ps(x + i, p.x);
    _mm512_storeu_ps(y + i, p.y);
  }
}

inline __m512 control_values(const float* u) {
  const __m512 beside = _mm512_add_ps(_mm512_loadu_ps(u - 1), _mm512_loadu_ps(u + 1));
  return _mm512_mul_ps(_mm512_fmsub_ps(_mm512_set1_ps(10), _mm512_loadu_ps(u), beside), _mm512_set1_ps(0.125f));
}

inline __m512 control_errors(const float* slack) {
  const __m512 beside = _mm512_add_ps(_mm512_loadu_ps(slack - 1), _mm512_loadu_ps(slack + 1));
  return _mm512_mul_ps(_mm512_fmadd_ps(_mm512_set1_ps(10), _mm512_loadu_ps(slack), beside), _mm512_set1_ps(0.125f));
}

struct ControlErrors {
  __m512 before, here, after;
};

inline std::uint32_t possible(const float* u, const ControlErrors& e) {
  const __m512 before = control_values(u - 1), here = control_values(u), after = control_values(u + 1);
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
  return crosses & _mm512_cmp_ps_mask(top, zero, _CMP_GT_OQ);
}

inline std::uint32_t possible(const float* u, const float* slack) {
  return possible(u, ControlErrors{control_errors(slack - 1), control_errors(slack), control_errors(slack + 1)});
}

inline std::uint32_t list_possible(std::uint32_t n, const float* u, const std::int32_t* segment,
                                   const DepthError& error, std::int32_t* listed) {
  const __m512 at_outline = _mm512_set1_ps(1.5f * error.at_outline), per_depth = _mm512_set1_ps(1.5f * error.per_depth);
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < n; i += kLanes) {
    const __mmask16 present = static_cast<__mmask16>(n - i < kLanes ? (1u << (n - i)) - 1 : 0xffff);
    const __mmask16 whole =
        _mm512_cmpeq_epi32_mask(_mm512_loadu_si512(segment + i - 2), _mm512_loadu_si512(segment + i + 2));
    const __mmask16 direct = _mm512_movepi32_mask(_mm512_loadu_si512(segment + i));
    __m512 largest = _mm512_abs_ps(_mm512_loadu_ps(u + i));
    for (int k : {-2, -1, 1, 2})
      largest = _mm512_max_ps(largest, _mm512_abs_ps(_mm512_loadu_ps(u + static_cast<int>(i) + k)));
    const __m512 e = _mm512_fmadd_ps(per_depth, largest, at_outline);  // of a control value
    const __mmask16 maybe = static_cast<__mmask16>(possible(u + i, ControlErrors{e, e, e}));
    const __mmask16 found = ((maybe & whole) | direct) & present;
    const __m512i item = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int>(i)));
    _mm512_storeu_si512(listed + count, _mm512_maskz_compress_epi32(found, item));
    count += static_cast<std::uint32_t>(std::popcount(static_cast<std::uint32_t>(found)));
  }
  return count;
}

/// Columns are read and written up to the next multiple of sixteen.
inline bool slacks(std::uint32_t n, const SlackColumns& c, const SlopeBound* slopes, float reach,
                   const DepthError& error) {
  const __m512 at_outline = _mm512_set1_ps(error.at_outline), per_depth = _mm512_set1_ps(error.per_depth);
  const __m512i last = _mm512_set1_epi32(kSlopeCells);
  bool sure = true;
  for (std::uint32_t i = 0; i < n; i += kLanes) {
    const __m512 x = _mm512_loadu_ps(c.x + i), y = _mm512_loadu_ps(c.y + i), u = _mm512_loadu_ps(c.u + i);
    const __m512 position = _mm512_mul_ps(pseudo_angles(x, y), _mm512_set1_ps(kSlopeCells / 4.0f));
    const CellLanes bound = load_cells(slopes, _mm512_min_epi32(_mm512_cvttps_epi32(position), last));
    const __m512 wrong = _mm512_fmadd_ps(per_depth, _mm512_abs_ps(u), at_outline);
    _mm512_storeu_ps(c.slack + i, _mm512_fmadd_ps(bound.value, _mm512_set1_ps(reach), wrong));
    const __m512 rho2 = _mm512_fmadd_ps(x, x, _mm512_mul_ps(y, y));
    const auto present = static_cast<__mmask16>(n - i < kLanes ? (1u << (n - i)) - 1 : 0xffff);
    sure = sure && _mm512_mask_cmp_ps_mask(present, rho2, bound.slope, _CMP_LE_OQ) == 0;
  }
  return sure;
}

inline float largest_control(std::uint32_t n, const float* u) {
  __m512 most = _mm512_set1_ps(-1e30f);
  for (std::uint32_t i = 1; i + 1 < n; i += kLanes) {
    const std::uint32_t count = n - 1 - i;
    const auto lanes = static_cast<__mmask16>(count < kLanes ? (1u << count) - 1 : 0xffff);
    most = _mm512_mask_max_ps(most, lanes, most, control_values(u + i));
  }
  return _mm512_reduce_max_ps(most);
}

inline std::uint32_t mark(std::uint32_t n, const double* column, std::uint8_t* bits) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < n; i += 8) {
    const __mmask8 present = static_cast<__mmask8>(n - i < 8 ? (1u << (n - i)) - 1 : 0xff);
    const __mmask8 set =
        _mm512_mask_cmp_pd_mask(present, _mm512_loadu_pd(column + i), _mm512_setzero_pd(), _CMP_NEQ_OQ);
    bits[i / 8] = set;
    count += static_cast<std::uint32_t>(std::popcount(static_cast<std::uint32_t>(set)));
  }
  return count;
}

inline void copy_marked(std::uint32_t n, const std::uint8_t* bits, const double* from, double* to) {
  for (std::uint32_t i = 0; i < n; i += 8) {
    const std::uint32_t set = bits[i / 8];
    const int count = std::popcount(set);
    _mm512_mask_storeu_pd(to, static_cast<__mmask8>((1u << count) - 1),
                          _mm512_maskz_compress_pd(static_cast<__mmask8>(set), _mm512_loadu_pd(from + i)));
    to += count;
  }
}

/// Columns are read and written up to the next multiple of eight. Operation by operation as in the formulas: no fused
/// ones. Two loops, since a processor looks ahead over some groups of one of them, but over hardly two of both: first
/// where in the table the nodes are, then what it says. Between them u, gx and gy hold the inverses of l1 and rho, and
/// the place in the cell.
inline void node_depths(std::uint32_t n, const FieldKnot* knots, const NodeColumns& columns) {
  const auto mul = [](__m512d a, __m512d b) { return _mm512_mul_pd(a, b); };
  const auto add = [](__m512d a, __m512d b) { return _mm512_add_pd(a, b); };
  const auto sub = [](__m512d a, __m512d b) { return _mm512_sub_pd(a, b); };
  const auto all = [](double v) { return _mm512_set1_pd(v); };
  const __m512d one = all(1), half = all(0.5), per_unit = all(kFieldCells / 4.0), tiny = all(1e-30);
  alignas(64) std::int32_t knot[kMostNodes];
  for (std::uint32_t i = 0; i < n; i += 8) {
    const auto load = [i](const double* column) { return _mm512_loadu_pd(column + i); };
    const auto store = [i](double* column, __m512d v) { _mm512_storeu_pd(column + i, v); };
    const __m512d c = load(columns.pose_c), s = load(columns.pose_s), nx = load(columns.x), ny = load(columns.y);
    const __m512d x = add(load(columns.pose_x), sub(mul(c, nx), mul(s, ny)));
    const __m512d y = add(load(columns.pose_y), add(mul(s, nx), mul(c, ny)));
    const __m512d l1 = add(_mm512_abs_pd(x), _mm512_abs_pd(y)), rho = _mm512_sqrt_pd(add(mul(x, x), mul(y, y)));
    const __m512d reciprocal = _mm512_div_pd(one, _mm512_max_pd(mul(l1, rho), tiny));
    const __m512d inverse = mul(reciprocal, rho), along = mul(x, inverse);
    const __mmask8 below = _mm512_cmp_pd_mask(y, _mm512_setzero_pd(), _CMP_LT_OQ);
    const __m512d position = mul(_mm512_mask_add_pd(sub(one, along), below, all(3), along), per_unit);
    const __m256i cell = _mm512_cvttpd_epi32(position);
    store(columns.x, x);
    store(columns.y, y);
    store(columns.rho, rho);
    store(columns.u, inverse);
    store(columns.gx, mul(reciprocal, l1));
    store(columns.gy, sub(position, _mm512_cvtepi32_pd(cell)));
    const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(columns.table + i));
    _mm256_store_si256(reinterpret_cast<__m256i*>(knot + i), _mm256_add_epi32(first, cell));
  }
  for (std::uint32_t i = 0; i < n; i += 8) {
    const auto load = [i](const double* column) { return _mm512_loadu_pd(column + i); };
    const auto store = [i](double* column, __m512d v) { _mm512_storeu_pd(column + i, v); };
    const __m512d x = load(columns.x), y = load(columns.y), rho = load(columns.rho), inverse = load(columns.u);
    const __m512d t = load(columns.gy), r = sub(one, t);
    const __m512d b0 = mul(mul(half, r), r), b1 = add(half, mul(t, r)), b2 = mul(mul(half, t), t);
    const KnotTriples k = load_knots(knots, knot + i);
    const __m512d a0 = _mm512_cvtps_pd(k.a0), a1 = _mm512_cvtps_pd(k.a1), a2 = _mm512_cvtps_pd(k.a2);
    const __m512d w0 = _mm512_cvtps_pd(k.w0), w1 = _mm512_cvtps_pd(k.w1), w2 = _mm512_cvtps_pd(k.w2);
    const __m512d a = add(add(mul(b0, a0), mul(b1, a1)), mul(b2, a2));
    const __m512d w = add(add(mul(b0, w0), mul(b1, w1)), mul(b2, w2));
    const __m512d da = mul(per_unit, add(mul(r, sub(a1, a0)), mul(t, sub(a2, a1))));
    const __m512d dw = mul(per_unit, add(mul(r, sub(w1, w0)), mul(t, sub(w2, w1))));
    const __m512d turn = mul(mul(sub(da, mul(dw, rho)), inverse), inverse), fall = mul(w, load(columns.gx));
    store(columns.u, sub(a, mul(w, rho)));
    store(columns.gx, sub(mul(_mm512_xor_pd(turn, all(-0.0)), y), mul(fall, x)));
    store(columns.gy, sub(mul(turn, x), mul(fall, y)));
  }
}

}  // namespace wide
#endif

}  // namespace scree::star
