#include "engine/device_code.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

#include "engine/device_errors.hpp"
#include "scree/base/error.hpp"

namespace scree::device {

namespace {

std::filesystem::path folder_of(const void* address) {
  Dl_info info{};
  if (dladdr(address, &info) == 0 || !info.dli_fname) return {};
  return std::filesystem::path(info.dli_fname).parent_path();
}

std::filesystem::path file_of(const std::filesystem::path& folder, const std::filesystem::path& code) {
  const std::filesystem::path beside = folder / "device" / code;
  const std::filesystem::path installed = folder.parent_path() / "lib/scree/plugins/device" / code;
  return !std::filesystem::exists(beside) && std::filesystem::exists(installed) ? installed : beside;
}

struct Kind {
  const char *folder, *device, *remedy;
};
Kind names_of(CodeFor kind) {
  if (kind == CodeFor::cuda)
    return {"cuda", "--device cuda",
            "Build scree where nvcc is found (on PATH, or in the CUDA toolkit's default place), or use --device cpu."};
  return {"host", "--device cuda-host", "Build it: ./scree build. Or use --device cpu."};
}

}  // namespace

DeviceCode::DeviceCode(const void* library, const std::string& plugin, CodeFor kind)
    : file_(file_of(folder_of(library), std::filesystem::path(names_of(kind).folder) / (plugin + ".so")).string()) {
  const Kind names = names_of(kind);
  if (!std::filesystem::exists(file_))
    throw InputError(fmt::format("{}: there is no device code of plugin {} ({} is missing). {}", names.device, plugin,
                                 file_, names.remedy));
  library_ = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_)
    throw InputError(
        fmt::format("{}: the device code of plugin {} cannot be loaded: {}. Install the CUDA "
                    "runtime it was built with, or use --device cpu.",
                    names.device, plugin, dlerror()));
  const auto table = reinterpret_cast<const StageTable* (*)()>(dlsym(library_, kStageTableSymbol));
  stages_ = table ? table() : nullptr;
  if (!stages_ || stages_->abi != kStageAbi)
    throw InputError(fmt::format("{}: {} was built for another version of scree. Build it anew.", names.device, file_));
}

std::map<std::string, const StageTable*>& linked_stages() {
  static std::map<std::string, const StageTable*> tables;
  return tables;
}

StageFunction FoundStages::find(const DeviceStage& stage) {
  const auto known = found_.find({stage.plugin, stage.name});
  if (known != found_.end()) return known->second;
  const auto linked = kind_ == CodeFor::host ? linked_stages().find(stage.plugin) : linked_stages().end();
  const StageFunction run = find_in(
      linked != linked_stages().end() ? *linked->second : DeviceCode(stage.library, stage.plugin, kind_).stages(),
      stage.name);
  if (!run)
    throw InputError(fmt::format("{}: the device code of plugin {} has no \"{}\". Build it anew.",
                                 names_of(kind_).device, stage.plugin, stage.name));
  return found_[{stage.plugin, stage.name}] = run;
}

const CudaApi& DeviceCode::api() const {
  const auto get = reinterpret_cast<const CudaApi* (*)()>(dlsym(library_, kCudaApiSymbol));
  const CudaApi* const api = get ? get() : nullptr;
  if (!api || api->abi != kCudaApi)
    throw InputError(fmt::format("--device cuda: {} was built for another version of scree. Build it anew.", file_));
  return *api;
}

}  // namespace scree::device
