#pragma once
/// \file A loop over items 0..n-1 on all threads.

#include <cstddef>

#include "scree/base/parallel.hpp"

namespace scree::solvers {

template <class F>
void for_each(std::size_t n, F&& f) {
  parallel_for(static_cast<std::ptrdiff_t>(n), [&](std::ptrdiff_t i) { f(static_cast<std::size_t>(i)); });
}

}  // namespace scree::solvers
