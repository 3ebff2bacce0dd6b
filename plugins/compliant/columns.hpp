#pragma once
/// \file Access to columns of three components.

#include <cstddef>

#include "triple.hpp"

namespace scree::compliant {

/// Returns the place of a contact in the columns of history. An index may have another place for them, as on devices;
/// for all other columns it is the same.
template <class Index>
SCREE_HD inline std::size_t in_history(const Index& i) {
  if constexpr (requires { i.history; })
    return i.history;
  else
    return i;
}

/// Checks whether vectors of the plane have no column of z. Devices have such indices.
template <class Index>
constexpr bool is_flat() {
  if constexpr (requires { Index::kFlat; })
    return Index::kFlat;
  else
    return false;
}

/// A number of contact i: from its column, or from the index, where that brings along what has just been found, as on
/// devices.
template <class Index>
SCREE_HD inline double overlap_of(const double* column, const Index& i) {
  if constexpr (requires { i.overlap; })
    return i.overlap;
  else
    return column[i];
}
template <class Index>
SCREE_HD inline double mass_of(const double* column, const Index& i) {
  if constexpr (requires { i.mass; })
    return i.mass;
  else
    return column[i];
}
template <class Index>
SCREE_HD inline double radius_of(const double* column, const Index& i) {
  if constexpr (requires { i.radius; })
    return i.radius;
  else
    return column[i];
}

/// Columns of three components, read only.
struct In {
  const double *x = nullptr, *y = nullptr, *z = nullptr;
  In() = default;
  In(const double* first, const double* second, const double* third) : x(first), y(second), z(third) {}
  explicit In(const double* const* columns) : In(columns[0], columns[1], columns[2]) {}
  SCREE_HD Triple<double> operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
};

struct Out {
  double *x = nullptr, *y = nullptr, *z = nullptr;
  Out() = default;
  Out(double* first, double* second, double* third) : x(first), y(second), z(third) {}
  explicit Out(double* const* columns) : Out(columns[0], columns[1], columns[2]) {}
  SCREE_HD Triple<double> operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
  SCREE_HD void store(std::size_t i, Triple<double> v) const {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
};

/// Vectors that lie in the plane, where there is one.
template <class Index>
SCREE_HD inline Triple<double> in_plane(const In& columns, const Index& i) {
  const std::size_t at = i;
  if constexpr (is_flat<Index>())
    return {columns.x[at], columns.y[at], 0};
  else
    return columns[at];
}

/// A vector of contact i, likewise.
template <class Index>
SCREE_HD inline Triple<double> normal_of(const In& columns, const Index& i) {
  if constexpr (requires { i.normal; })
    return {i.normal.x, i.normal.y, i.normal.z};
  else
    return in_plane(columns, i);
}
template <class Index>
SCREE_HD inline Triple<double> velocity_of(const In& columns, const Index& i) {
  if constexpr (requires { i.velocity; })
    return {i.velocity.x, i.velocity.y, i.velocity.z};
  else
    return in_plane(columns, i);
}
template <class Index>
SCREE_HD inline Triple<double> turn_of(const In& columns, const Index& i) {
  if constexpr (requires { i.turn; })
    return {i.turn.x, i.turn.y, i.turn.z};
  else
    return columns[i];
}

template <class Index>
SCREE_HD inline void store_in_plane(const Out& columns, const Index& i, Triple<double> v) {
  const std::size_t at = i;
  if constexpr (is_flat<Index>()) {
    columns.x[at] = v.x;
    columns.y[at] = v.y;
  } else {
    columns.store(at, v);
  }
}

}  // namespace scree::compliant
