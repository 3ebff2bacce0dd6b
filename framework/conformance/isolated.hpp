#pragma once
/// \file Isolated checks, each in a process of its own: a plugin that crashes or never ends fails it, and the suite
/// goes on.

#include <functional>
#include <string>

#include "conformance/row.hpp"

namespace scree::conformance {

/// Limits that end a check. Neither depends on other load of the machine: beside other work a check waits, and is not
/// ended.
struct Limits {
  double processor = 300;  ///< processor time of all threads of the check [s]
  double standstill = 60;  ///< time without any use of a processor [s]: a thread waits for ever
};

/// Returns the rows of `check`, with the method's name; one failed row if it throws, crashes or passes a limit.
/// \pre no thread of OpenMP has run in this process: a forked one cannot use them
/// \param name  name of that one row
Rows isolated(const std::string& method, const std::string& name, const std::function<Rows()>& check,
              const Limits& limits);

}  // namespace scree::conformance
