#include "engine/device_errors.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree::device {

void throw_out_of_memory(std::size_t bytes, std::size_t used, std::size_t total) {
  constexpr double kGiga = 1e9;
  throw DeviceFailure(fmt::format(
      "the device is out of memory: this run has {:.3g} GB, needs {:.3g} GB more, and the device has {:.3g} GB. Use "
      "fewer bodies or a smaller /grid/skin, a device with more memory, or --device cpu.",
      static_cast<double>(used) / kGiga, static_cast<double>(bytes) / kGiga, static_cast<double>(total) / kGiga));
}

void throw_device_lost(const std::string& device, std::string_view code, std::string_view during) {
  throw DeviceFailure(
      fmt::format("the device was lost ({}; {}, during {}). What it had computed since the last checkpoint is gone: "
                  "resume from that one.",
                  device, code, during));
}

StageFunction find_in(const StageTable& table, std::string_view name) {
  for (std::uint32_t i = 0; i < table.count; ++i)
    if (name == table.entries[i].name) return table.entries[i].run;
  return nullptr;
}

}  // namespace scree::device
