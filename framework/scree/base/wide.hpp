#pragma once
/// \file Four doubles as one number: a formula written for one bond or body works on four. The value of a lane depends
/// neither on the lane, nor on the other three, nor on the instruction set. Sums have one order, which Eigen does not
/// promise for double. Hence hot loops use Wide for all items, the last few included.

#include <Eigen/Geometry>
#include <cmath>
#include <cstring>

#include "scree/base/api.hpp"
#include "scree/base/lanes.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Number of four bonds or bodies.
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

/// Returns -1 for x < 0, else 1.
template <class Real>
SCREE_HD inline Real sign_or_one(Real x) {
  return x < Real(0) ? Real(-1) : Real(1);
}
inline Wide sign_or_one(Wide x) { return Wide(x.v < 0 ? all_lanes(-1) : all_lanes(1)); }

template <class Real>
SCREE_HD inline Real lesser(Real a, Real b) {
  return a < b ? a : b;
}
inline Wide lesser(Wide a, Wide b) { return Wide(a.v < b.v ? a.v : b.v); }

/// Returns `then` where sign is positive. \param sign  NaN is not positive
template <class Real>
SCREE_HD inline Real where_positive(Real sign, Real then, Real otherwise) {
  return sign > Real(0) ? then : otherwise;
}
inline Wide where_positive(Wide sign, Wide then, Wide otherwise) { return Wide(sign.v > 0 ? then.v : otherwise.v); }

}  // namespace scree

template <>
struct Eigen::NumTraits<scree::Wide> : Eigen::GenericNumTraits<scree::Wide> {
  using Real = scree::Wide;
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

namespace scree {

using WideVec3 = Eigen::Matrix<Wide, 3, 1>;
using WideQuat = Eigen::Quaternion<Wide, Eigen::DontAlign>;

inline Wide pack(double a, double b, double c, double d) { return {a, b, c, d}; }
inline WideVec3 pack(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return {Wide(a[0], b[0], c[0], d[0]), Wide(a[1], b[1], c[1], d[1]), Wide(a[2], b[2], c[2], d[2])};
}
/// Packs four quaternions. Eigen keeps them as x, y, z, w: four loads and a transpose.
inline WideQuat pack(const Quat& a, const Quat& b, const Quat& c, const Quat& d) {
  const LaneBlock q = transposed({{load_lanes(a.coeffs().data()), load_lanes(b.coeffs().data()),
                                   load_lanes(c.coeffs().data()), load_lanes(d.coeffs().data())}});
  return {Wide(q.v[3]), Wide(q.v[0]), Wide(q.v[1]), Wide(q.v[2])};
}

/// Unpacks lanes to four structs of doubles, four numbers at a time. Both structs consist of numbers only, the same
/// ones in order.
/// \param out  (4)
template <class OfWide, class OfDouble>
inline void unpack(const OfWide& from, OfDouble* out) {
  constexpr std::size_t numbers = sizeof(OfDouble) / sizeof(double);
  static_assert(sizeof(OfDouble) == numbers * sizeof(double) && sizeof(OfWide) == numbers * sizeof(Wide));
  const auto* const source = reinterpret_cast<const char*>(&from);
  auto* const to = reinterpret_cast<char*>(out);
  std::size_t k = 0;
  for (; k + 4 <= numbers; k += 4) {
    const LaneBlock four =
        transposed({{load_lanes(source + k * sizeof(Wide)), load_lanes(source + (k + 1) * sizeof(Wide)),
                     load_lanes(source + (k + 2) * sizeof(Wide)), load_lanes(source + (k + 3) * sizeof(Wide))}});
    for (std::size_t lane = 0; lane < 4; ++lane)
      store_lanes(to + lane * sizeof(OfDouble) + k * sizeof(double), four.v[lane]);
  }
  for (; k < numbers; ++k)
    for (std::size_t lane = 0; lane < 4; ++lane)
      std::memcpy(to + lane * sizeof(OfDouble) + k * sizeof(double), source + k * sizeof(Wide) + lane * sizeof(double),
                  sizeof(double));
}

}  // namespace scree
