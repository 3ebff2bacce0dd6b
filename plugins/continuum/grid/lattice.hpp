#pragma once
/// \file The lattice that a continuum is solved on: cubes of one width, some directions of which may repeat.

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <cstdint>

#include "solvers/drucker_prager/problem.hpp"

namespace scree::continuum {

template <int D>
using Place = std::array<int, D>;  ///< place of a node, or of a cell by its lowest corner [widths from the origin]
using Key = std::uint64_t;         ///< a place as one number, ordered by z, then y, then x

inline constexpr int kKeyBits = 21;
inline constexpr int kKeyBias = 1 << (kKeyBits - 1);
inline constexpr Key kKeyMask = (Key{1} << kKeyBits) - 1;

inline constexpr int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }
template <int D>
inline constexpr int kCorners =
    power(2, D);  ///< number of corners of a cell; bit k of a corner's number: the upper one along axis k

/// Returns the offset of a neighbour along an axis, from its number among the kNeighbours of a node, which include the
/// node: 0, 1, 2 for -1, 0, 1.
template <int D>
constexpr int neighbour_offset(int neighbour, int axis) {
  return neighbour / power(3, axis) % 3 - 1;
}

/// The number, as seen from corner j of a cell, of the node at its corner i.
template <int D>
constexpr int neighbour_of_corner(int j, int i) {
  int n = 0;
  for (int k = 0; k < D; ++k) n += ((i >> k & 1) - (j >> k & 1) + 1) * power(3, k);
  return n;
}

template <int D>
struct Lattice {
  Vec<D> origin = Vec<D>::Zero();  ///< [m]
  double width = 1;                ///< width of a cell [m]
  Place<D> period{};               ///< cells until it repeats; 0: it does not

  static Key key(const Place<D>& place) {
    Key key = 0;
    for (int k = D - 1; k >= 0; --k) key = key << kKeyBits | static_cast<Key>(place[k] + kKeyBias);
    return key;
  }
  static Place<D> place(Key key) {
    Place<D> place;
    for (int k = 0; k < D; ++k, key >>= kKeyBits) place[k] = static_cast<int>(key & kKeyMask) - kKeyBias;
    return place;
  }
  /// Returns the equivalent place within the first period.
  Place<D> wrapped(Place<D> place) const {
    for (int k = 0; k < D; ++k)
      if (period[k] > 0) place[k] = ((place[k] % period[k]) + period[k]) % period[k];
    return place;
  }
  Vec<D> position(const Place<D>& place) const {
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = origin[k] + width * place[k];
    return x;
  }
  /// The cell that holds x, and where in it: 0 to 1 along each axis. \return whether keys reach so far
  bool locate(const Vec<D>& x, Place<D>& cell, Vec<D>& local) const {
    for (int k = 0; k < D; ++k) {
      const double at = (x[k] - origin[k]) / width, floor = std::floor(at);
      if (!(std::abs(floor) < kKeyBias - 2)) return false;
      cell[k] = static_cast<int>(floor);
      local[k] = at - floor;
    }
    return true;
  }
};

}  // namespace scree::continuum
