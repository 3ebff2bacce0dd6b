#pragma once
/// \file How long OpenMP's threads wait by spinning.

#include "scree/base/api.hpp"

namespace scree {

/// GNU OpenMP lets idle threads spin for milliseconds before they sleep. A step takes less than one; on a machine that
/// is shared, a spinning thread keeps the one it waits for off the processor, and runs become ten times slower. The
/// setting is read when the library is loaded, so the program starts itself anew with a short one. Nothing happens when
/// the user has chosen (OMP_WAIT_POLICY, GOMP_SPINCOUNT), or on failure.
SCREE_API void limit_spinning(char** argv);

}  // namespace scree
