#pragma once
/// \file How a step moves bodies on R^3 x S^3, and which of them are free. State lives outside, in columns of any
/// owner.

#include <span>

#include "solvers/blocks/block_matrix.hpp"
#include "scree/base/types.hpp"
#include "scree/integrate/rigid_body.hpp"
#include "scree/law/energy_term.hpp"

namespace scree::solvers {

/// The rotation vector of q, the short way round: |.| <= pi. The inverse of exponential(). Eq. (5)
inline Vec3 logarithm(const Quat& q) {
  const double sign = q.w() < 0 ? -1 : 1, sine = q.vec().norm();
  if (sine < 1e-10) return (2 * sign) * q.vec();
  return (2 * sign * std::atan2(sine, sign * q.w()) / sine) * q.vec();
}

/// Eq. (6): exp(th) q, back on the sphere.
inline Quat retracted(const Quat& q, const Vec3& turn) { return (exponential<double>(turn) * q).normalized(); }

/// Which bodies are free, and which row of the system is whose. Driven bodies have no row: they are where they are.
struct Unknowns {
  static constexpr std::uint32_t kNone = 0xffffffff;
  std::vector<std::uint32_t> row;   ///< (bodies), kNone for a driven one
  std::vector<std::uint32_t> body;  ///< (rows)

  /// \param driven  (bodies) nonzero: not an unknown; empty: all are free
  /// \param order   rows in the order of this coordinate (ties: of bodies); empty: in that of bodies. Incomplete
  ///                factorisations want the order of space, along the longest side
  Unknowns(std::size_t bodies, std::span<const std::uint8_t> driven = {}, std::span<const double> order = {});

  std::size_t rows() const { return body.size(); }
};

}  // namespace scree::solvers
