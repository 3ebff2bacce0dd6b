#pragma once
/// \file Settings of the process that only its environment can make, before its libraries start.

#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Restarts the program with these settings, unless the user has made them. The second time it does nothing.
///
/// GOMP_SPINCOUNT: OpenMP's threads spin for short waits only. By default they spin for milliseconds; on a machine that
/// is shared, a spinning thread keeps the one it waits for off the processor, and runs become ten times slower.
///
/// GLIBC_TUNABLES: large arrays lie in large pages where the system allows it, for fewer misses of the address cache.
/// \param argv  as given to main()
SCREE_API void set_up_process(char** argv);

/// Where standard input, output or error are closed, their numbers go to what fails to be read or written: no file that
/// is opened later gets them, and with them what is printed.
SCREE_API void reserve_standard_streams();

/// A file that may not grow further (ulimit -f) is an error of writing, as on a full disk, and no signal that ends the
/// program.
SCREE_API void take_limits_as_errors();

/// A word of a command line, as a shell reads it.
SCREE_API std::string quoted_for_shell(std::string_view word);

/// Gives memory that was freed back to the system, which malloc keeps where it lies between what is in use. Takes some
/// milliseconds: not for every step.
SCREE_API void give_back_freed_memory();

}  // namespace scree
