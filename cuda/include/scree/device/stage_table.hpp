#pragma once
/// \file How compiled kernels are found. A plugin's device code is compiled twice, each time into a library of its own:
/// by nvcc for a GPU, and as C++ for the host's processors. Each library has a table of stages.

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

/// An address in the library that includes this header: each library has its own.
[[gnu::visibility("hidden")]] inline constexpr char kThisLibrary = 0;

/// A method's share in the steps of a device: what a law, a detector or a shape tells an engine about itself.
struct DeviceStage {
  const char* plugin;                   ///< name of the plugin whose device code has the stage
  const char* name;                     ///< name of the stage
  const void* parameters;               ///< lives as long as the method
  const void* library = &kThisLibrary;  ///< any address in the plugin's library; device/ is looked for beside it

  /// Another stage of the same method.
  DeviceStage named(const char* other) const { return {plugin, other, parameters, library}; }
};

}  // namespace scree::device

/// Defines the table of a library of device code, under the symbol that engines look for.
#define SCREE_DEVICE_STAGES(entries)                                                                         \
  extern "C" __attribute__((visibility("default"))) const scree::device::StageTable* scree_device_stages() { \
    static const scree::device::StageTable table = scree::device::table_of(entries);                         \
    return &table;                                                                                           \
  }
