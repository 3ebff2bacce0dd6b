#pragma once
/// \file Settings of the process that only its environment can make, before its libraries start.

#include "scree/base/api.hpp"

namespace scree {

/// Starts the program anew with these settings, unless the user has made them:
///  - OpenMP's threads spin for short waits only (GOMP_SPINCOUNT). By default they spin for milliseconds: on a machine
///  that
///    is shared, a spinning thread keeps the one it waits for off the processor, and runs become ten times slower.
///  - Large arrays lie in pages of 2 MB (GLIBC_TUNABLES): 8 % faster with 1e5 spheres.
/// Both are no-ops where the libraries are others. Does nothing the second time. \param argv  as given to main()
SCREE_API void set_up_process(char** argv);

}  // namespace scree
