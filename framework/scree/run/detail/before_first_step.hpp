#pragma once
/// \file Before the first step, everything that goes wrong is the input's fault.

#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree {

/// What a plugin does against its interface before the first step is reported as an error of the input that led to it.
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
