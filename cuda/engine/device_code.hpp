#pragma once
/// \file Libraries of device code, loaded when a GPU is asked for.

#include <string>

#include "kernels/cuda_api.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

/// device/<name>.so beside the library that `anchor` is in, or beside the plugins of a program's installation; stays
/// loaded.
class DeviceCode {
 public:
  /// \throws InputError when it is not there, or does not fit
  DeviceCode(const void* anchor, const std::string& name);
  const StageTable& stages() const { return *stages_; }
  /// Of the engine's own library alone. \throws InputError
  const CudaApi& api() const;

 private:
  std::string file_;
  void* library_;
  const StageTable* stages_;
};

}  // namespace scree::device
