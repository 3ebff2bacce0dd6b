#include "scree/plugin/plugin.hpp"

#include "engine/device_engine.hpp"

SCREE_PLUGIN(cuda_engine, "1.0.0") {
  using namespace scree;
  registrar.engine("cuda", [](const EnginePlan& plan) -> std::unique_ptr<Engine> {
    return std::make_unique<device::DeviceEngine>(plan, device::make_cuda_device());
  });
  registrar.engine("cuda-host", [](const EnginePlan& plan) -> std::unique_ptr<Engine> {
    return std::make_unique<device::DeviceEngine>(plan, device::make_host_device());
  });
}
