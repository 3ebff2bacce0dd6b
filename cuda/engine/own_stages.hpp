#pragma once
/// \file The stages of kernels/, compiled for the host's processors.

#include "scree/device/stage_table.hpp"

namespace scree::device {

const StageTable* host_stages();

}  // namespace scree::device
