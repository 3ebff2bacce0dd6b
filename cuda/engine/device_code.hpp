#pragma once
/// \file Libraries of device code, loaded when a run asks for a device.

#include <map>
#include <string>
#include <utility>

#include "kernels/cuda_api.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

/// The plugin whose device code holds the engine's own stages, and for a GPU the functions of the runtime.
inline constexpr const char* kOwnPlugin = "cuda_engine";

/// What a library of device code was compiled for.
enum class CodeFor { cuda, host };

/// device/cuda/<plugin>.so or device/host/<plugin>.so beside the library that an address lies in, or beside the plugins
/// of a program's installation. It stays loaded.
class DeviceCode {
 public:
  /// \param library  any address in the plugin's library
  /// \throws InputError when the device code is not there, or does not fit
  DeviceCode(const void* library, const std::string& plugin, CodeFor kind);
  const StageTable& stages() const { return *stages_; }
  /// The functions of the CUDA runtime, which only kOwnPlugin has. \throws InputError
  const CudaApi& api() const;

 private:
  std::string file_;
  void* library_;
  const StageTable* stages_;
};

/// Stages for the host's processors that are part of this library instead, by plugin: those of tests.
std::map<std::string, const StageTable*>& linked_stages();

/// The stages that a device has been asked for; each is looked up once.
class FoundStages {
 public:
  explicit FoundStages(CodeFor kind) : kind_(kind) {}
  /// \throws InputError where the plugin has no such stage for this kind of device
  StageFunction find(const DeviceStage& stage);
  /// A stage of kOwnPlugin.
  StageFunction find(const char* name) { return find({kOwnPlugin, name, nullptr}); }

 private:
  CodeFor kind_;
  std::map<std::pair<std::string, std::string>, StageFunction> found_;
};

}  // namespace scree::device
