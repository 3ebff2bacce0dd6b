#include "engine/device_code.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "scree/base/error.hpp"

namespace scree::device {

namespace {

std::filesystem::path folder_of(const void* anchor) {
  Dl_info info{};
  if (dladdr(anchor, &info) == 0 || !info.dli_fname) return {};
  return std::filesystem::path(info.dli_fname).parent_path();
}

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& name) {
  const std::filesystem::path beside = folder / "device" / (name + ".so");
  const std::filesystem::path installed = folder.parent_path() / "lib/scree/plugins/device" / (name + ".so");
  return !std::filesystem::exists(beside) && std::filesystem::exists(installed) ? installed : beside;
}

}  // namespace

DeviceCode::DeviceCode(const void* anchor, const std::string& name) : file_(file_of(folder_of(anchor), name).string()) {
  if (!std::filesystem::exists(file_))
    throw InputError(
        fmt::format("--device cuda: there is no device code of plugin {} ({} is missing). Build scree where nvcc is "
                    "found (on PATH, or in the CUDA toolkit's default place), or use --device cpu.",
                    name, file_));
  library_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_)
    throw InputError(
        fmt::format("--device cuda: the device code of plugin {} cannot be loaded: {}. Install the CUDA "
                    "runtime it was built with, or use --device cpu.",
                    name, dlerror()));
  const auto table = reinterpret_cast<const StageTable* (*)()>(dlsym(library_, kStageTableSymbol));
  stages_ = table ? table() : nullptr;
  if (!stages_ || stages_->abi != kStageAbi)
    throw InputError(fmt::format("--device cuda: {} was built for another version of scree. Build it anew.", file_));
}

const CudaApi& DeviceCode::api() const {
  const auto get = reinterpret_cast<const CudaApi* (*)()>(dlsym(library_, kCudaApiSymbol));
  const CudaApi* const api = get ? get() : nullptr;
  if (!api || api->abi != kCudaApi)
    throw InputError(fmt::format("--device cuda: {} was built for another version of scree. Build it anew.", file_));
  return *api;
}

}  // namespace scree::device
