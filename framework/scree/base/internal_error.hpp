#pragma once
/// \file Faults that no input explains.

#include "scree/base/error.hpp"

namespace scree {

/// A plugin broke the contract of its interface or threw what is none of scree's errors, or scree itself is at fault:
/// exit code 1.
class SCREE_API InternalError : public Error {
 public:
  using Error::Error;
  ~InternalError() override;
};

}  // namespace scree
