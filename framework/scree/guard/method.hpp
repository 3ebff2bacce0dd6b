#pragma once
/// \file Guarded calls into plugins: every exception that leaves one, whatever its type, names the method.

#include <string>
#include <typeinfo>
#include <utility>

#include "scree/base/api.hpp"
#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree {

/// Factory of a plugin and its products, as messages name them: detector "taubin" (plugin star).
struct Method {
  std::string kind, name, plugin;
};

/// Call into a plugin.
struct Call {
  const Method* method = nullptr;  ///< nullptr: none
  const char* entry = "";          ///< entry point, such as "detect()"
};

/// Returns the innermost call that this thread is in: a crash or std::terminate() now is that method's. Signal handlers
/// may call it.
SCREE_API Call current_call() noexcept;

namespace detail {

/// Marks a call during its lifetime.
class SCREE_API Calling {
 public:
  Calling(const Method& method, const char* entry) noexcept;
  ~Calling();
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

 private:
  Call before_;
};

/// Throws the exception being handled with method and entry point in front: scree's own errors keep their type, any
/// other becomes an InternalError. An exception that names a method already is thrown on unchanged. So is an
/// OptionError, to which set-up adds its place in the scene.
[[noreturn]] SCREE_API void rethrow_named(const Method& method, const char* entry);

/// Returns the name of a type as written in C++.
SCREE_API std::string name_of(const std::type_info& type);

}  // namespace detail

/// Destroys an object that the method's factory has made.
template <class Pointer>
void destroy(const Method& method, Pointer& object) noexcept {
  const detail::Calling now(method, "destructor");
  object.reset();
}

/// Reports a result or action that breaks the interface. \throws InternalError
[[noreturn]] SCREE_API void fail_contract(const Method& method, const char* entry, const std::string& text);

/// Reports results that are no numbers. \throws NumericalError
[[noreturn]] SCREE_API void fail_numbers(const Method& method, const char* entry, const std::string& text);

/// Calls f() as a guarded call.
/// \param entry  entry point, such as "detect()"
template <class F>
auto guarded(const Method& method, const char* entry, F&& f) -> decltype(f()) {
  const detail::Calling now(method, entry);
  try {
    return std::forward<F>(f)();
  } catch (...) {
    detail::rethrow_named(method, entry);
  }
}

/// Calls f() as a guarded call during set-up: errors about the user's input and files are complete without a name.
template <class F>
auto guarded_set_up(const Method& method, const char* entry, F&& f) -> decltype(f()) {
  const detail::Calling now(method, entry);
  try {
    return std::forward<F>(f)();
  } catch (const InputError&) {
    throw;
  } catch (const IoError&) {
    throw;
  } catch (...) {
    detail::rethrow_named(method, entry);
  }
}

}  // namespace scree
