#pragma once
/// \file Errors that no input explains.

#include "scree/base/error.hpp"

namespace scree {

/// Fault of a plugin or of scree itself: exit code 1. The plugin broke the contract of its interface, or threw
/// something that is none of scree's errors.
class SCREE_API InternalError : public Error {
 public:
  using Error::Error;
  ~InternalError() override;
};

}  // namespace scree
