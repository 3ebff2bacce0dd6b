#pragma once
/// \file Every call into a plugin goes through guarded(): what leaves it, whatever its type, names the method.

#include <string>
#include <typeinfo>
#include <utility>

#include "scree/base/api.hpp"
#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"

namespace scree {

/// A factory of a plugin, and what it makes, as messages name them: detector "taubin" (plugin star).
struct Method {
  std::string kind, name, plugin;
};

/// A call into a plugin.
struct Call {
  const Method* method = nullptr;  ///< nullptr: none
  const char* entry = "";          ///< the entry point, as "detect()"
};

/// The innermost one that this thread is in: what crashes or calls std::terminate() now is that method's. Signal
/// handlers may ask.
SCREE_API Call current_call() noexcept;

namespace detail {

/// A call lasts as long as this.
class SCREE_API Calling {
 public:
  Calling(const Method& method, const char* entry) noexcept;
  ~Calling();
  Calling(const Calling&) = delete;
  Calling& operator=(const Calling&) = delete;

 private:
  Call before_;
};

/// Throws the exception that is being handled with method and entry point in front: scree's own errors keep their type,
/// any other becomes an InternalError. What names a method already is thrown on, and so is an OptionError, which set-up
/// gives its place in the scene.
[[noreturn]] SCREE_API void rethrow_named(const Method& method, const char* entry);

/// A type as it is written in C++.
SCREE_API std::string name_of(const std::type_info& type);

}  // namespace detail

/// Lets go of what the method's factory has made.
template <class Pointer>
void destroy(const Method& method, Pointer& object) noexcept {
  const detail::Calling now(method, "destructor");
  object.reset();
}

/// \throws InternalError: what the method returned or did is against its interface
[[noreturn]] SCREE_API void fail_contract(const Method& method, const char* entry, const std::string& text);

/// \throws NumericalError: the method's results are no numbers
[[noreturn]] SCREE_API void fail_numbers(const Method& method, const char* entry, const std::string& text);

/// Calls f().
/// \param entry  the entry point, as "detect()"
template <class F>
auto guarded(const Method& method, const char* entry, F&& f) -> decltype(f()) {
  const detail::Calling now(method, entry);
  try {
    return std::forward<F>(f)();
  } catch (...) {
    detail::rethrow_named(method, entry);
  }
}

/// The same where the run is set up: what is said there about the user's input and files is complete without a name.
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
