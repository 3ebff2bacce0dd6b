#pragma once
/// \file Settings of the process that only its environment can make, before its libraries start.

#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Restarts the program with these settings, unless the user has made them. Does nothing after the restart.
///
/// GOMP_SPINCOUNT: threads of OpenMP spin for short waits only. By default they spin for milliseconds. On a shared
/// machine, a spinning thread then keeps the one it waits for off the processor, and runs become ten times slower.
///
/// GLIBC_TUNABLES: large arrays are in large pages if the system allows it, for fewer misses of the address cache.
/// \param argv  arguments of main()
SCREE_API void set_up_process(char** argv);

/// Opens replacements for closed standard input, output or error, on which reading or writing fails. No file opened
/// later then gets their numbers, and with them printed text.
SCREE_API void reserve_standard_streams();

/// Makes a file that may not grow further (ulimit -f) an error of writing, as on a full disk, instead of a signal that
/// ends the program.
SCREE_API void take_limits_as_errors();

/// Returns a word of a command line, quoted for a shell.
SCREE_API std::string quoted_for_shell(std::string_view word);

/// Returns freed memory to the system, which malloc keeps where it lies between memory in use. Takes some milliseconds:
/// not for every step.
SCREE_API void give_back_freed_memory();

}  // namespace scree
