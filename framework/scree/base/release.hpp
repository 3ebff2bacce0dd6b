#pragma once
/// \file Release of a vector's memory, which `v = {}` would keep.

#include <cstddef>
#include <vector>

namespace scree {

template <class T>
void release(std::vector<T>& v) {
  std::vector<T>().swap(v);
}

/// Amount of memory [bytes] from which releasing pays: the system returns it in large pages. Less is cheaper kept.
inline constexpr std::size_t kWorthReleasing = std::size_t{4} << 20;

/// Calls release() if that pays.
template <class T>
void release_if_large(std::vector<T>& v) {
  if (v.capacity() * sizeof(T) >= kWorthReleasing) release(v);
}

}  // namespace scree
