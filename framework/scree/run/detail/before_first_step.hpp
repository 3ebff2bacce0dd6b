#pragma once
/// \file Errors before the first step, which are all faults of the input.

#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree {

/// Reports a plugin's breach of its interface before the first step as an error of the input that led to it.
template <class F>
auto before_first_step(const F& f) -> decltype(f()) {
  try {
    return f();
  } catch (const InternalError& e) {
    throw InputError(e.what());
  } catch (const NumericalError& e) {
    throw InputError(e.what());
  }
}

}  // namespace scree
