#pragma once
/// \file Arc of an outline that can lie in another's bounding circle. Pure, host and device, in single precision: the
/// arc only sorts out, so callers widen it by more than its error.

#include <cmath>
#include <cstdint>
#include <numbers>

#include "scree/base/api.hpp"

namespace scree::star {

/// acos to 7e-5. \source Abramowitz and Stegun 4.4.45
SCREE_HD inline float coarse_acos(float x) {
  const float a = std::abs(x), rest = 1 - a;
  const float r =
      std::sqrt(rest > 0 ? rest : 0.0f) * (1.5707288f + a * (-0.2121144f + a * (0.0742610f - 0.0187293f * a)));
  return x < 0 ? std::numbers::pi_v<float> - r : r;
}

/// The polar angle of (x, y) to 1e-4, by its cosine or sine, whichever is steeper.
SCREE_HD inline float coarse_angle(float x, float y, float distance) {
  constexpr float pi = std::numbers::pi_v<float>;
  if (std::abs(x) < std::abs(y)) return std::copysign(coarse_acos(x / distance), y);
  const float to_axis = pi / 2 - coarse_acos(std::abs(y) / distance);
  return std::copysign(x < 0 ? pi - to_axis : to_axis, y);
}

/// Half-angle [rad], to 1e-4, of the arc about the direction to the other body that holds every point of a disc of
/// radius `own` which lies in the other's disc of radius `other`, centres `distance` apart; negative when there is
/// none.
SCREE_HD inline float half_arc(float distance, float own, float other) {
  constexpr float pi = std::numbers::pi_v<float>;
  const auto at_most_one = [](float x) { return x < 1 ? x : 1.0f; };
  if (distance >= own + other) return -1;
  if (distance <= other) return pi;
  if (distance * distance >= own * own + other * other)
    return coarse_acos(at_most_one((distance * distance + own * own - other * other) / (2 * distance * own)));
  return pi / 2 - coarse_acos(at_most_one(other / distance));
}

/// Consecutive nodes first, first + 1, .. of a ring, modulo its number of nodes.
struct NodeArc {
  std::uint32_t first = 0, count = 0;
};

/// The nodes of an outline that can lie in the other's disc.
/// \param x, y  from the outline's centre to that of the other, in the outline's frame [m]
/// \param own, other  radii of both discs [m]
SCREE_HD inline NodeArc facing_arc(float x, float y, float own, float other, int nodes) {
  const float distance = std::sqrt(x * x + y * y), half = half_arc(distance, own, other);
  if (half < 0) return {};
  const float per_radian = static_cast<float>(nodes) / (2 * std::numbers::pi_v<float>);
  const float towards = coarse_angle(x, y, distance) * per_radian, turns = 2 * static_cast<float>(nodes);
  // Rounded down and up, and one node more at either end: angles are good to 2e-4, 0.1 node of 4096.
  const int begin = static_cast<int>(towards - half * per_radian + turns) - 2 * nodes - 1;
  const int end = static_cast<int>(towards + half * per_radian + turns) - 2 * nodes + 3;
  const int count = end - begin < nodes ? end - begin : nodes;
  const int first = begin < 0 ? begin + nodes * (begin < -nodes ? 2 : 1) : begin;
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count)};
}

}  // namespace scree::star
