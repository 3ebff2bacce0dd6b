#pragma once
/// \file How compiled kernels are found. A library of device code, and the plugin it belongs to, each have a table of
/// stages: the same source compiled twice, for a GPU and for the host's processors.

#include <cstdint>
#include <string_view>

#include "scree/device/execution.hpp"

namespace scree::device {

/// Raised when Execution or the arguments of any stage change.
inline constexpr std::uint32_t kStageAbi = 7;

/// Enqueues the work on e.stream, or does it at once on the host. \param parameters  the method's, plain data
/// \param arguments  of the step, a struct that goes with the kind of stage  \return 0, or the error's number
using StageFunction = int (*)(const Execution& e, const void* parameters, const void* arguments);

struct StageEntry {
  const char* name;
  StageFunction run;
};

/// `extern "C" const StageTable* scree_device_stages()` of a library of device code.
struct StageTable {
  std::uint32_t abi, count;
  const StageEntry* entries;
};
inline constexpr const char* kStageTableSymbol = "scree_device_stages";

template <std::uint32_t count>
StageTable table_of(const StageEntry (&entries)[count]) {
  return {kStageAbi, count, entries};
}

/// A method's share in the steps of a device: what a law, a detector or a shape tells an engine about itself.
struct DeviceStage {
  const char* plugin;      ///< device code is in device/<plugin>.so beside the plugin's library
  const char* name;        ///< of the stage
  const void* parameters;  ///< lives as long as the method
  const StageTable* host;  ///< where the stage is for the host's processors

  /// Another stage of the same method.
  DeviceStage named(const char* other) const { return {plugin, other, parameters, host}; }
};

}  // namespace scree::device

/// Defines the table of a file of device code: for the host as a function host_stages(), for a GPU as the symbol that
/// engines look for.
#if defined(__CUDACC__)
#define SCREE_DEVICE_STAGES(entries)                                                                         \
  extern "C" __attribute__((visibility("default"))) const scree::device::StageTable* scree_device_stages() { \
    static const scree::device::StageTable table = scree::device::table_of(entries);                         \
    return &table;                                                                                           \
  }
#else
#define SCREE_DEVICE_STAGES(entries)                                                 \
  const scree::device::StageTable* host_stages() {                                   \
    static const scree::device::StageTable table = scree::device::table_of(entries); \
    return &table;                                                                   \
  }
#endif
