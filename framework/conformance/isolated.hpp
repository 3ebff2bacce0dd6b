#pragma once
/// \file A check in a process of its own: a plugin that crashes or never ends fails it, and the suite goes on.

#include <functional>
#include <string>

#include "conformance/row.hpp"

namespace scree::conformance {

/// Rows that `check` returns, with the method's name; one failed row where it throws, crashes or takes too long.
/// \pre no thread of OpenMP has run in this process: a forked one cannot use them
/// \param name     of that one row
/// \param seconds  it may take
Rows isolated(const std::string& method, const std::string& name, const std::function<Rows()>& check, int seconds);

}  // namespace scree::conformance
