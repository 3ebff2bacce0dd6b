// The runtime and CUB behind plain functions. The only file that includes CUB.
#include "kernels/cuda_api.hpp"

#include <cuda_runtime.h>

#include <cstdio>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace scree::device {

namespace {

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

int open(char* name, std::size_t name_size, std::size_t* memory, void** stream) {
  cudaDeviceProp properties;
  if (const int error = cudaSetDevice(0)) return error;
  if (const int error = cudaGetDeviceProperties(&properties, 0)) return error;
  std::snprintf(name, name_size, "%s", properties.name);
  *memory = properties.totalGlobalMem;
  return cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking);
}

int copy(void* to, const void* from, std::size_t bytes, Copy direction, void* stream) {
  constexpr cudaMemcpyKind kKind[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice};
  if (const int error =
          cudaMemcpyAsync(to, from, bytes, kKind[static_cast<std::uint32_t>(direction)], stream_of(stream)))
    return error;
  return direction == Copy::on_device ? 0 : cudaStreamSynchronize(stream_of(stream));
}

int sort_pairs(void* temporary, std::size_t* bytes, const std::uint64_t* keys, std::uint64_t* sorted,
               const std::uint32_t* values, std::uint32_t* sorted_values, std::uint32_t count, void* stream) {
  return cub::DeviceRadixSort::SortPairs(temporary, *bytes, keys, sorted, values, sorted_values, count, 0, 63,
                                         stream_of(stream));
}

int exclusive_scan(void* temporary, std::size_t* bytes, const std::uint32_t* from, std::uint32_t* to,
                   std::uint32_t count, void* stream) {
  return cub::DeviceScan::ExclusiveSum(temporary, *bytes, from, to, count, stream_of(stream));
}

int begin_recording(void* stream) {
  return cudaStreamBeginCapture(stream_of(stream), cudaStreamCaptureModeThreadLocal);
}

int end_recording(void* stream, void** recording) {
  cudaGraph_t graph = nullptr;
  if (const int error = cudaStreamEndCapture(stream_of(stream), &graph)) return error;
  const int error = cudaGraphInstantiateWithFlags(reinterpret_cast<cudaGraphExec_t*>(recording), graph, 0);
  cudaGraphDestroy(graph);
  return error;
}

int launch_recording(void* recording, void* stream) {
  return cudaGraphLaunch(static_cast<cudaGraphExec_t>(recording), stream_of(stream));
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const CudaApi* scree_cuda_api() {
  static const CudaApi api{
      kCudaApi,
      [](int* version) -> int { return cudaDriverGetVersion(version); },
      [](int* version) -> int { return cudaRuntimeGetVersion(version); },
      [](int* count) -> int { return cudaGetDeviceCount(count); },
      open,
      [](void* stream) { cudaStreamDestroy(stream_of(stream)); },
      [](std::size_t size, void** memory) -> int { return cudaMalloc(memory, size); },
      [](void* memory) -> int { return cudaFree(memory); },
      copy,
      [](void* to, int byte, std::size_t size, void* stream) -> int {
        return cudaMemsetAsync(to, byte, size, stream_of(stream));
      },
      [](std::size_t* bytes) -> int {
        std::size_t total = 0;
        return cudaMemGetInfo(bytes, &total);
      },
      sort_pairs,
      exclusive_scan,
      begin_recording,
      end_recording,
      launch_recording,
      [](void* recording) { cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(recording)); },
      [](int error) { return cudaGetErrorName(static_cast<cudaError_t>(error)); },
      [](int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); },
  };
  return &api;
}

}  // namespace scree::device
