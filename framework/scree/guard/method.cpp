#include "scree/guard/method.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <new>
#include <typeinfo>
#include <utility>

namespace scree {

namespace {

/// Mark of errors whose text names a method already.
class Named {
 public:
  virtual ~Named() = default;
};

template <class E>
class NamedError final : public E, public Named {
 public:
  using E::E;
};

std::string prefix(const Method& method, const char* entry) {
  return fmt::format("{} \"{}\" (plugin {}), {}: ", method.kind, method.name, method.plugin, entry);
}

std::string sentence(const std::string& text) { return text.ends_with('.') ? text : text + "."; }

/// Returns the type of the exception being handled.
std::string type_name() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (!type) return "an exception of unknown type";
  return detail::name_of(*type);
}

}  // namespace

namespace {
thread_local Call call;
}

Call current_call() noexcept { return call; }

detail::Calling::Calling(const Method& method, const char* entry) noexcept
    : before_(std::exchange(call, Call{&method, entry})) {}
detail::Calling::~Calling() { call = before_; }

std::string detail::name_of(const std::type_info& type) {
  int status = 0;
  char* const text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : type.name();
  std::free(text);
  return name;
}

void detail::rethrow_named(const Method& method, const char* entry) {
  const std::string where = prefix(method, entry);
  try {
    throw;
  } catch (const Named&) {
    throw;
  } catch (const OptionError&) {
    throw;
  } catch (const NumericalError& e) {
    throw NamedError<NumericalError>(where + e.what());
  } catch (const InputError& e) {
    throw NamedError<InputError>(where + e.what());
  } catch (const IoError& e) {
    throw NamedError<IoError>(where + e.what());
  } catch (const Error& e) {
    throw NamedError<InternalError>(where + e.what());
  } catch (const std::bad_alloc&) {
    throw NamedError<InternalError>(where + "found no more memory (" + type_name() + ").");
  } catch (const std::exception& e) {
    throw NamedError<InternalError>(where + "threw " + type_name() + ": " + sentence(e.what()));
  } catch (...) {
    throw NamedError<InternalError>(where + "threw an exception of type " + type_name() + ".");
  }
}

void fail_contract(const Method& method, const char* entry, const std::string& text) {
  throw NamedError<InternalError>(prefix(method, entry) + text);
}

void fail_numbers(const Method& method, const char* entry, const std::string& text) {
  throw NamedError<NumericalError>(prefix(method, entry) + text);
}

}  // namespace scree
