#pragma once
/// \file Eight pairs at a time: how their bodies lie to each other, and whether they have moved. Rows from
/// scattered places become columns in registers.

#include <cstdint>

#include "outline/octet.hpp"
#include "outline/sweep_kernels.hpp"
#include "scree/detect/pair.hpp"

namespace scree::star {

using FloatGroup = float __attribute__((vector_size(16)));
using DoublePair = double __attribute__((vector_size(16)));
inline constexpr std::uint32_t kPairLanes = 8;

inline OctetFloat joined(FloatGroup low, FloatGroup high) {
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

/// Two numbers of each of eight pairs, as columns.
struct TwoColumns {
  OctetFloat first, second;
};

/// Makes two columns. \param of_two  of_two(k): two numbers each of pairs 2 k and 2 k + 1
template <class OfTwo>
inline TwoColumns two_columns(const OfTwo& of_two) {
  const OctetFloat even = joined(of_two(0), of_two(2)), odd = joined(of_two(1), of_two(3));
  return {__builtin_shufflevector(even, odd, 0, 2, 8, 10, 4, 6, 12, 14),
          __builtin_shufflevector(even, odd, 1, 3, 9, 11, 5, 7, 13, 15)};
}

/// Two floats from each of two places.
inline FloatGroup load_two(const void* first, const void* second) {
  return reinterpret_cast<FloatGroup>(DoublePair{load_as<double>(first), load_as<double>(second)});
}

/// Poses as columns.
struct PoseLanes {
  OctetFloat x, y, c, s;
};

/// Makes columns of poses. \param row  row(k): the pose of pair k
template <class Row>
inline PoseLanes pose_lanes(const Row& row) {
  OctetFloat rows[4];
  for (std::uint32_t k = 0; k < 4; ++k) rows[k] = joined(load_as<FloatGroup>(row(k)), load_as<FloatGroup>(row(k + 4)));
  const OctetFloat xy01 = __builtin_shufflevector(rows[0], rows[1], 0, 8, 1, 9, 4, 12, 5, 13);
  const OctetFloat cs01 = __builtin_shufflevector(rows[0], rows[1], 2, 10, 3, 11, 6, 14, 7, 15);
  const OctetFloat xy23 = __builtin_shufflevector(rows[2], rows[3], 0, 8, 1, 9, 4, 12, 5, 13);
  const OctetFloat cs23 = __builtin_shufflevector(rows[2], rows[3], 2, 10, 3, 11, 6, 14, 7, 15);
  return {__builtin_shufflevector(xy01, xy23, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(xy01, xy23, 2, 3, 10, 11, 6, 7, 14, 15),
          __builtin_shufflevector(cs01, cs23, 0, 1, 8, 9, 4, 5, 12, 13),
          __builtin_shufflevector(cs01, cs23, 2, 3, 10, 11, 6, 7, 14, 15)};
}

/// Cosine and sine of a body's outline.
struct Turn {
  float c, s;
};

/// Both outlines of pairs in each other's frame; the frames turn by the same angle, opposite ways: b's by -s.
struct MutualLanes {
  OctetFloat a_x, a_y, b_x, b_y, c, s;
};

/// Columns of mutual poses of `most` pairs.
template <std::uint32_t most>
struct alignas(32) MutualColumns {
  float a_x[most], a_y[most], b_x[most], b_y[most], c[most], s[most];

  void set(std::uint32_t at, const MutualLanes& m) {
    store_lanes(a_x + at, m.a_x);
    store_lanes(a_y + at, m.a_y);
    store_lanes(b_x + at, m.b_x);
    store_lanes(b_y + at, m.b_y);
    store_lanes(c + at, m.c);
    store_lanes(s + at, m.s);
  }
  FloatPose a_in_b(std::uint32_t i) const { return {a_x[i], a_y[i], c[i], s[i]}; }
  FloatPose b_in_a(std::uint32_t i) const { return {b_x[i], b_y[i], c[i], -s[i]}; }
};

/// relative_pose() both ways of eight pairs, in single precision but for the difference of positions.
inline MutualLanes mutual_lanes(const PlanarPose* pose, const Turn* turn, const Pair* pair) {
  const auto shift = [&](std::uint32_t k) {
    const auto of_one = [&](std::uint32_t i) {
      return load_as<DoublePair>(&pose[pair[i].a].x) - load_as<DoublePair>(&pose[pair[i].b].x);
    };
    return __builtin_convertvector(__builtin_shufflevector(of_one(2 * k), of_one(2 * k + 1), 0, 1, 2, 3), FloatGroup);
  };
  const auto [dx, dy] = two_columns(shift);
  const auto [ac, as] =
      two_columns([&](std::uint32_t k) { return load_two(turn + pair[2 * k].a, turn + pair[2 * k + 1].a); });
  const auto [bc, bs] =
      two_columns([&](std::uint32_t k) { return load_two(turn + pair[2 * k].b, turn + pair[2 * k + 1].b); });
  return {bc * dx + bs * dy,    bc * dy - bs * dx,  // a in b's frame
          -(ac * dx + as * dy), as * dx - ac * dy,  // b in a's
          ac * bc + as * bs,    as * bc - ac * bs};
}

/// \return -1 for the pairs that have moved by reach or more since `reference`, |shift| + lever |change of (c, s)|;
///         else 0
inline OctetInt moved_lanes(const MutualLanes& now, const PoseLanes& reference, OctetFloat reach2, OctetFloat lever2) {
  const OctetFloat dx = now.a_x - reference.x, dy = now.a_y - reference.y, dc = now.c - reference.c,
                   ds = now.s - reference.s;
  const OctetFloat u2 = dx * dx + dy * dy, v2 = lever2 * (dc * dc + ds * ds), rest = reach2 - (u2 + v2);
  return ~((rest > 0) & (4 * (u2 * v2) < rest * rest));  // (u + v)^2 < reach^2, without roots
}

}  // namespace scree::star
