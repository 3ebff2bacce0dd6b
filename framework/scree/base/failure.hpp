#pragma once
/// \file Errors as plain data, which one process can send to another.

#include <cstdint>
#include <exception>
#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// Class of an error; see base/error.hpp.
enum class FailureKind : std::uint32_t { internal, input, numerical, files, memory };

struct Failure {
  FailureKind kind = FailureKind::internal;
  std::string text;  ///< the whole message
};

/// Returns what was thrown, as data. \pre not null
SCREE_API Failure failure_of(const std::exception_ptr& thrown);

/// Throws a failure as an error: std::bad_alloc for memory, else the class of its kind.
[[noreturn]] SCREE_API void raise(const Failure& failure);

}  // namespace scree
