#pragma once
/// \file A check in a process of its own: a plugin that crashes or never ends fails it, and the suite goes on.

#include <functional>
#include <string>

#include "conformance/row.hpp"

namespace scree::conformance {

/// What ends a check. Neither depends on what else the machine does: beside other work a check waits, and is not ended.
struct Limits {
  double processor = 300;  ///< processor time of all threads of the check [s]
  double standstill = 60;  ///< time without any use of a processor [s]: a thread waits for what never comes
};

/// Rows that `check` returns, with the method's name; one failed row where it throws, crashes or passes a limit.
/// \pre no thread of OpenMP has run in this process: a forked one cannot use them
/// \param name  of that one row
Rows isolated(const std::string& method, const std::string& name, const std::function<Rows()>& check,
              const Limits& limits);

}  // namespace scree::conformance
