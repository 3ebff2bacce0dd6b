#include <fmt/format.h>

#include "command.hpp"
#include "scree/base/printable.hpp"
#include "scree/base/tell.hpp"

namespace scree::cli {

ExitCode exit_code_of(const Failure& failure) {
  switch (failure.kind) {
    case FailureKind::input:
    case FailureKind::memory:
      return kBadInput;
    case FailureKind::numerical:
      return kNumericalFailure;
    case FailureKind::files:
      return kIoFailure;
    case FailureKind::internal:
      break;
  }
  return kInternalError;
}

int report(const Failure& failure) {
  const std::string text = failure.kind == FailureKind::memory
                               ? "the memory is not enough for this. Use fewer bodies or frames, or a larger machine."
                               : failure.text;
  tell(stderr, fmt::format("error: {}\n", printable(text)));  // it may quote a stranger's file
  return exit_code_of(failure);
}

}  // namespace scree::cli
