#pragma once
/// \file Four doubles as one number, so that a formula written for one bond works on four. What a lane holds depends
/// neither on the lane nor on the other three, nor on the instruction set: sums have one order, which Eigen does not
/// promise for double. Hence hot loops use Wide for all bonds, the last few included.

#include <Eigen/Core>
#include <cmath>

#include "scree/base/api.hpp"
#include "scree/base/lanes.hpp"

namespace scree::bonded {

/// A number of four bonds.
struct Wide {
  Lanes v;

  Wide() = default;
  Wide(double all) : v(all_lanes(all)) {}  // implicit, as Eigen asks of a scalar
  explicit Wide(Lanes lanes) : v(lanes) {}
  Wide(double a, double b, double c, double d) : v(Lanes{a, b, c, d}) {}

  double operator[](int lane) const { return v[lane]; }
  Wide& operator+=(Wide o) { return v += o.v, *this; }
  Wide& operator-=(Wide o) { return v -= o.v, *this; }
  Wide& operator*=(Wide o) { return v *= o.v, *this; }
  Wide& operator/=(Wide o) { return v /= o.v, *this; }
  friend Wide operator+(Wide a, Wide b) { return Wide(a.v + b.v); }
  friend Wide operator-(Wide a, Wide b) { return Wide(a.v - b.v); }
  friend Wide operator*(Wide a, Wide b) { return Wide(a.v * b.v); }
  friend Wide operator/(Wide a, Wide b) { return Wide(a.v / b.v); }
  friend Wide operator-(Wide a) { return Wide(-a.v); }
};

template <class Real>
SCREE_HD inline Real square_root(Real x) {
  using std::sqrt;
  return sqrt(x);
}
inline Wide square_root(Wide x) { return {std::sqrt(x.v[0]), std::sqrt(x.v[1]), std::sqrt(x.v[2]), std::sqrt(x.v[3])}; }

/// -1 for x < 0, else 1.
template <class Real>
SCREE_HD inline Real sign_or_one(Real x) {
  return x < Real(0) ? Real(-1) : Real(1);
}
inline Wide sign_or_one(Wide x) { return Wide(x.v < 0 ? all_lanes(-1) : all_lanes(1)); }

}  // namespace scree::bonded

template <>
struct Eigen::NumTraits<scree::bonded::Wide> : Eigen::GenericNumTraits<scree::bonded::Wide> {
  using Real = scree::bonded::Wide;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 1,
    AddCost = 1,
    MulCost = 1
  };
};
