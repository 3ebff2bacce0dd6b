#pragma once
/// \file One exception for each exit code of the program: the code that finds a fault decides its class.

#include <stdexcept>
#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Base of all errors that a user may see; what() is the whole message.
class SCREE_API Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~Error() override;
};

/// Error in the user's input, found before step 1: exit code 2. Texts have the form "where: what, got, allowed, fix".
class SCREE_API InputError : public Error {
 public:
  using Error::Error;
  ~InputError() override;
};

/// Failure of the computation (a body became NaN, left the world, was crushed): exit code 3.
class SCREE_API NumericalError : public Error {
 public:
  using Error::Error;
  ~NumericalError() override;
};

/// Failure to read or write a file: exit code 4.
class SCREE_API IoError : public Error {
 public:
  using Error::Error;
  ~IoError() override;
};

/// Error in an option of a plugin's object that the schema cannot rule out (a radius that turns negative at some
/// angle). Thrown by factories; the core puts file, line, column and the JSON pointer of the option in front.
class SCREE_API OptionError : public Error {
 public:
  /// \param pointer  JSON pointer relative to the object that was being made, e.g. "/coefficients"; may be empty
  OptionError(std::string pointer, const std::string& message) : Error(message), pointer_(std::move(pointer)) {}
  ~OptionError() override;
  const std::string& pointer() const noexcept { return pointer_; }

 private:
  std::string pointer_;
};

/// Returns the known name nearest to a mistyped `word`, with an edit distance of at most a third of its length.
/// Otherwise the one that begins alike, by at least four letters and half of the shorter word. "" if there is none.
SCREE_API std::string nearest_name(const std::string& word, const std::vector<std::string>& known);

}  // namespace scree
