#pragma once
/// \file Gives a vector's memory back, which `v = {}` would keep.

#include <cstddef>
#include <vector>

namespace scree {

template <class T>
void release(std::vector<T>& v) {
  std::vector<T>().swap(v);
}

/// So much memory [bytes] that the system hands it out again in large pages. Less is cheaper kept.
inline constexpr std::size_t kWorthReleasing = std::size_t{4} << 20;

/// release(), where that is worth it.
template <class T>
void release_if_large(std::vector<T>& v) {
  if (v.capacity() * sizeof(T) >= kWorthReleasing) release(v);
}

}  // namespace scree
