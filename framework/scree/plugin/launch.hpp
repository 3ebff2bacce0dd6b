#pragma once
/// \file Whether this program is one of several that mpirun has started, and what connects them.

#include <memory>

#include "scree/base/api.hpp"
#include "scree/base/transport.hpp"

namespace scree {

/// As mpirun tells its children.
struct Launch {
  int size = 1;              ///< processes
  int rank = 0;              ///< of this one
  const char* told_by = "";  ///< names of the variables that say so
};

/// From OMPI_COMM_WORLD_SIZE or PMI_SIZE in the environment; one process where neither is there.
SCREE_API Launch launch_of_environment();

/// The transport in scree/transports beside libscree, or in the folder SCREE_TRANSPORT_PATH.
/// \pre launch.size > 1
/// \throws InputError where there is none, or none that fits this build or this mpirun
SCREE_API std::unique_ptr<Transport> open_transport(const Launch& launch);

}  // namespace scree
