#include "scree/base/failure.hpp"

#include <new>
#include <system_error>

#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree {

Failure failure_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const NumericalError& e) {
    return {FailureKind::numerical, e.what()};
  } catch (const IoError& e) {
    return {FailureKind::files, e.what()};
  } catch (const InternalError& e) {
    return {FailureKind::internal, e.what()};
  } catch (const Error& e) {
    return {FailureKind::input, e.what()};
  } catch (const std::system_error& e) {  // also errors of files
    return {FailureKind::files, e.what()};
  } catch (const std::bad_alloc& e) {
    return {FailureKind::memory, e.what()};
  } catch (const std::exception& e) {
    return {FailureKind::internal, e.what()};
  } catch (...) {
    return {FailureKind::internal, "an exception was thrown that is no std::exception."};
  }
}

void raise(const Failure& failure) {
  switch (failure.kind) {
    case FailureKind::input:
      throw InputError(failure.text);
    case FailureKind::numerical:
      throw NumericalError(failure.text);
    case FailureKind::files:
      throw IoError(failure.text);
    case FailureKind::memory:
      throw std::bad_alloc();
    case FailureKind::internal:
      break;
  }
  throw InternalError(failure.text);
}

}  // namespace scree
