#pragma once
/// \file What the scheme of Schreck et al. (2024), StarDEM, keeps in the device's memory: equal planar stars, a grid of
/// linked lists, and a table of distances, their sprite. SI units.
///
/// Places, velocities and forces are in double precision, nodes and the sprite in single precision.

#include <cstdint>

#include "scree/base/api.hpp"

namespace scree::paper {

/// Place and turn, rates of both, or force and torque: [m, rad], [m/s, rad/s], [N, N m].
struct Planar {
  double x, y, turn;
};

struct Stars {
  std::uint32_t count;
  Planar *place, *rate, *wrench;
  std::uint32_t* contacts;  ///< of star i with stars of higher numbers
  double mass, moment;      ///< [kg, kg m2]
};

inline constexpr std::uint32_t kNobody = ~0u;

/// Square cells as wide as a star. Those who are outside belong to the nearest cell.
struct Grid {
  double left, bottom, per_edge;  ///< lower corner [m], cells per length [1/m]
  std::uint32_t columns, rows;
  std::uint32_t *first, *next;  ///< by cell; by star: the next in the same cell

  SCREE_HD static std::uint32_t within(double cell, std::uint32_t cells) {
    return cell < 0 ? 0 : cell >= cells ? cells - 1 : static_cast<std::uint32_t>(cell);
  }
  SCREE_HD std::uint32_t column(const Planar& p) const { return within((p.x - left) * per_edge, columns); }
  SCREE_HD std::uint32_t row(const Planar& p) const { return within((p.y - bottom) * per_edge, rows); }
};

/// First-order distance to a star's outline, and its normal.
struct alignas(16) Texel {
  float distance, nx, ny;  ///< < 0 inside [m], [-]
};

/// The table, in the frame of the star: side x side texels over a square around the centre.
struct Sprite {
  const Texel* texel;
  std::uint32_t side;
  float half, per_texel;  ///< of the square's side [m]; texels per length [1/m]

  /// Between four texels. \param x, y  in the star's frame [m]
  struct Place {
    const Texel* corner;
    float u, v;
  };
  /// \return whether the point is in the square
  SCREE_HD bool place(float x, float y, Place& at) const {
    const float a = (x + half) * per_texel, b = (y + half) * per_texel;
    const float most = static_cast<float>(side - 1);
    if (!(a >= 0 && b >= 0 && a < most && b < most)) return false;
    const auto i = static_cast<std::uint32_t>(a), j = static_cast<std::uint32_t>(b);
    at = {texel + j * side + i, a - static_cast<float>(i), b - static_cast<float>(j)};
    return true;
  }
  SCREE_HD float between(const Place& at, float Texel::*member) const {
    const Texel *low = at.corner, *high = at.corner + side;
    const float below = low[0].*member + at.u * (low[1].*member - low[0].*member);
    const float above = high[0].*member + at.u * (high[1].*member - high[0].*member);
    return below + at.v * (above - below);
  }
};

struct Node {
  float x, y;  ///< in the star's frame [m]
};

struct Outline {
  const Node* node;  ///< at equal angles, from 0 on
  std::uint32_t nodes;
  float radius;  ///< largest [m]
  Sprite sprite;
};

/// Springs and dashpots; friction knows the slip of this step alone.
struct Penalty {
  double stiffness, damping;    ///< normal [N/m, kg/s]
  double tangential, friction;  ///< [N/m, -]
  double dt;                    ///< [s]
};

}  // namespace scree::paper
