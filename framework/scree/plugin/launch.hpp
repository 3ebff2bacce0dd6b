#pragma once
/// \file Launch by mpirun: the processes of a run, and the transport that connects them.

#include <memory>

#include "scree/base/api.hpp"
#include "scree/base/transport.hpp"

namespace scree {

/// Data from mpirun about its processes.
struct Launch {
  int size = 1;              ///< number of processes
  int rank = 0;              ///< rank of this process
  const char* told_by = "";  ///< names of the variables with these numbers
};

/// Returns data from OMPI_COMM_WORLD_SIZE or PMI_SIZE in the environment; one process if neither is set.
SCREE_API Launch launch_of_environment();

/// Opens the transport in scree/transports beside libscree, or in the folder SCREE_TRANSPORT_PATH.
/// \pre launch.size > 1
/// \throws InputError if there is none, or none that fits this build or this mpirun
SCREE_API std::unique_ptr<Transport> open_transport(const Launch& launch);

}  // namespace scree
