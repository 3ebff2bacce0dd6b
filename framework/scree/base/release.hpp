#pragma once
/// \file Gives a vector's memory back, which `v = {}` would keep.

#include <vector>

namespace scree {

template <class T>
void release(std::vector<T>& v) {
  std::vector<T>().swap(v);
}

}  // namespace scree
