#pragma once
/// \file Errors as plain data, so that one process can tell another what ended it.

#include <cstdint>
#include <exception>
#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// One per class of error; see base/error.hpp.
enum class FailureKind : std::uint32_t { internal, input, numerical, files, memory };

struct Failure {
  FailureKind kind = FailureKind::internal;
  std::string text;  ///< the whole message
};

/// What was thrown, as data. \pre not null
SCREE_API Failure failure_of(const std::exception_ptr& thrown);

/// Throws it as an error again: std::bad_alloc for memory, else the class of its kind.
[[noreturn]] SCREE_API void raise(const Failure& failure);

}  // namespace scree
