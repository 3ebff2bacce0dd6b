#pragma once
/// \file Gives a vector's memory back, which `v = {}` would keep.

#include <cstddef>
#include <vector>

namespace scree {

template <class T>
void release(std::vector<T>& v) {
  std::vector<T>().swap(v);
}

/// release(), where it is so much that the system hands it out again in large pages; less is cheaper kept.
template <class T>
void release_if_large(std::vector<T>& v) {
  constexpr std::size_t kLarge = std::size_t{4} << 20;  // [bytes]
  if (v.capacity() * sizeof(T) >= kLarge) release(v);
}

}  // namespace scree
