#pragma once
/// \file Four doubles at once, for loops over contacts whose bodies are scattered in memory. A body's group of four
/// numbers is one load, and four such groups turn into columns in registers: no single numbers are gathered. Portable
/// by the vector extensions of GCC and Clang; instruction sets without wide registers get pairs.

#include <cstddef>
#include <cstring>

namespace scree {

using Lanes = double __attribute__((vector_size(32)));
/// Eight doubles, for longer computations on each: one instruction with AVX-512, two or four elsewhere.
using WideLanes = double __attribute__((vector_size(64)));

/// Loads numbers from any address, as many as the type has lanes: Lanes, or any other of vector_size.
template <class AnyLanes>
inline AnyLanes load_as(const void* from) {
  AnyLanes v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
inline Lanes load_lanes(const void* from) { return load_as<Lanes>(from); }

template <class AnyLanes>
inline void store_lanes(void* to, const AnyLanes& v) {
  std::memcpy(to, &v, sizeof v);
}

inline Lanes all_lanes(double value) { return Lanes{value, value, value, value}; }

/// Four groups of four. Its transpose turns groups by body into columns: one number of four bodies.
struct LaneBlock {
  Lanes v[4];
};

inline LaneBlock transposed(const LaneBlock& m) {
  const Lanes low01 = __builtin_shufflevector(m.v[0], m.v[1], 0, 4, 2, 6);
  const Lanes high01 = __builtin_shufflevector(m.v[0], m.v[1], 1, 5, 3, 7);
  const Lanes low23 = __builtin_shufflevector(m.v[2], m.v[3], 0, 4, 2, 6);
  const Lanes high23 = __builtin_shufflevector(m.v[2], m.v[3], 1, 5, 3, 7);
  return {{__builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
           __builtin_shufflevector(low01, low23, 2, 3, 6, 7), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)}};
}

inline WideLanes joined(Lanes low, Lanes high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }

/// Three columns of a vector, for as many contacts or bodies as there are lanes.
template <class AnyLanes>
struct LanesOf3 {
  AnyLanes x, y, z;
};
using Lanes3 = LanesOf3<Lanes>;
using WideLanes3 = LanesOf3<WideLanes>;

inline WideLanes3 joined(const Lanes3& low, const Lanes3& high) {
  return {joined(low.x, high.x), joined(low.y, high.y), joined(low.z, high.z)};
}

/// Stores the first three numbers. \param to  x of the vector
inline void store_vector(double* to, Lanes v) {
  using Two = double __attribute__((vector_size(16)));
  const Two xy = __builtin_shufflevector(v, v, 0, 1);
  store_lanes(to, xy);
  to[2] = v[2];
}

/// Four consecutive vectors in memory: twelve numbers in a row.
struct FourVectors {
  Lanes group[3];
};

/// Loads four consecutive vectors. \param first  x of the first one
inline FourVectors load_vectors(const double* first) {
  return {{load_lanes(first), load_lanes(first + 4), load_lanes(first + 8)}};
}
inline void store_vectors(double* first, const FourVectors& v) {
  for (int k = 0; k < 3; ++k) store_lanes(first + 4 * k, v.group[k]);
}

/// Returns four vectors as columns.
inline Lanes3 columns_of(const FourVectors& v) {
  const auto& [p, q, r] = v.group;
  return {__builtin_shufflevector(__builtin_shufflevector(p, q, 0, 3, 6, 6), r, 0, 1, 2, 5),
          __builtin_shufflevector(__builtin_shufflevector(p, q, 1, 4, 7, 7), r, 0, 1, 2, 6),
          __builtin_shufflevector(__builtin_shufflevector(p, q, 2, 5, 5, 5), r, 0, 1, 4, 7)};
}

template <class L>
LanesOf3<L> operator+(const LanesOf3<L>& a, const LanesOf3<L>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class L>
LanesOf3<L> operator-(const LanesOf3<L>& a, const LanesOf3<L>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class L>
LanesOf3<L> operator*(L factor, const LanesOf3<L>& v) {
  return {factor * v.x, factor * v.y, factor * v.z};
}
template <class L>
L dot(const LanesOf3<L>& a, const LanesOf3<L>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class L>
LanesOf3<L> cross(const LanesOf3<L>& a, const LanesOf3<L>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

}  // namespace scree
