#pragma once
/// \file What a run is told when a device fails.

#include <cstddef>
#include <string>
#include <string_view>

#include "scree/base/error.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

/// The device, not the scene, is at fault.
class DeviceFailure : public NumericalError {
 public:
  using NumericalError::NumericalError;
};

/// \param bytes  asked for \param used  by this run already \param total  there are
/// \throws DeviceFailure
[[noreturn]] void throw_out_of_memory(std::size_t bytes, std::size_t used, std::size_t total);
/// \param code  of the runtime \param during  what failed \throws DeviceFailure
[[noreturn]] void throw_device_lost(const std::string& device, std::string_view code, std::string_view during);

/// \return null where the table has no such stage
StageFunction find_in(const StageTable& table, std::string_view name);

}  // namespace scree::device
