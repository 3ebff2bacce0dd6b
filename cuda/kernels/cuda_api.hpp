#pragma once
/// \file What the library of device code offers the engine of the runtime and of CUB: plain functions, so that the
/// engine itself needs neither.

#include <cstddef>
#include <cstdint>

namespace scree::device {

enum class Copy : std::uint32_t { to_device, to_host, on_device };

/// Functions return 0 or the runtime's error.
struct CudaApi {
  std::uint32_t abi;
  int (*driver_version)(int*);  ///< 0 where there is no driver
  int (*runtime_version)(int*);
  int (*device_count)(int*);
  int (*open)(char* name, std::size_t name_size, std::size_t* memory, void** stream);
  void (*close)(void* stream);
  int (*allocate)(std::size_t bytes, void** memory);
  int (*release)(void* memory);
  int (*copy)(void* to, const void* from, std::size_t bytes, Copy direction, void* stream);
  int (*fill)(void* to, int byte, std::size_t bytes, void* stream);
  int (*free_memory)(std::size_t* bytes);
  /// With a null `temporary`, sets *bytes to what it needs.
  int (*sort_pairs)(void* temporary, std::size_t* bytes, const std::uint64_t* keys, std::uint64_t* sorted,
                    const std::uint32_t* values, std::uint32_t* sorted_values, std::uint32_t count, void* stream);
  int (*exclusive_scan)(void* temporary, std::size_t* bytes, const std::uint32_t* from, std::uint32_t* to,
                        std::uint32_t count, void* stream);
  /// What is enqueued on the stream until end_recording() is not done but kept.
  int (*begin_recording)(void* stream);
  int (*end_recording)(void* stream, void** recording);
  int (*launch_recording)(void* recording, void* stream);
  void (*drop_recording)(void* recording);
  const char* (*error_name)(int);
  const char* (*error_text)(int);
};
inline constexpr std::uint32_t kCudaApi = 2;
inline constexpr const char* kCudaApiSymbol = "scree_cuda_api";

}  // namespace scree::device
