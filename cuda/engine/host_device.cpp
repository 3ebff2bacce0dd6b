#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "engine/device.hpp"
#include "engine/device_code.hpp"
#include "engine/device_errors.hpp"
#include "scree/base/error.hpp"

namespace scree::device {

namespace {

/// Stages with copies of their arguments.
class HostRecording final : public Recording {
 public:
  explicit HostRecording(Device& device) : device_(device) {}
  void add(StageCall stage) {
    arguments_.push_back(stage.copy(stage.arguments));
    stage.arguments = arguments_.back().get();
    stages_.push_back(stage);
  }
  void launch() override {
    for (const StageCall& stage : stages_) device_.call(stage);
  }

 private:
  Device& device_;
  std::vector<StageCall> stages_;
  std::vector<std::shared_ptr<const void>> arguments_;
};

class HostDevice final : public Device {
 public:
  HostDevice(const Execution& execution, const InjectedFault& fault) : fault_(fault) { execution_ = execution; }

  std::string name() const override { return "the host's processors"; }

  void* allocate(std::size_t bytes) override {
    refuse_in_recording("allocation");
    allocated_ += bytes;
    if (allocated_ > fault_.most_bytes) throw_out_of_memory(bytes, allocated_ - bytes, fault_.most_bytes);
    return ::operator new (bytes, std::align_val_t{256});
  }
  void release(void* memory) noexcept override { ::operator delete (memory, std::align_val_t{256}); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    refuse_in_recording("copy to the device");
    std::memcpy(to, from, bytes);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    refuse_in_recording("copy to the host");
    if (lost()) throw_device_lost(name(), "injected", "a test asked for it");
    std::memcpy(to, from, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    refuse_in_recording("copy on the device");
    std::memcpy(to, from, bytes);
  }
  void fill(void* to, int byte, std::size_t bytes) override {
    refuse_in_recording("fill");
    std::memset(to, byte, bytes);
  }

  void sort_pairs(const std::uint64_t* keys, std::uint64_t* sorted, const std::uint32_t* values,
                  std::uint32_t* sorted_values, std::uint32_t count) override {
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) { return keys[i] < keys[j]; });
    for (std::uint32_t i = 0; i < count; ++i) sorted[i] = keys[order[i]], sorted_values[i] = values[order[i]];
  }
  void exclusive_scan(const std::uint32_t* from, std::uint32_t* to, std::uint32_t count) override {
    std::exclusive_scan(from, from + count, to, 0u);
  }

  StageFunction find(const DeviceStage& stage) override { return found_.find(stage); }
  StageFunction find(const char* name) override { return found_.find(name); }
  void call(const StageCall& stage) override {
    if (recording_) return recording_->add(stage);
    stage.run(execution_, stage.parameters, stage.arguments);
    ++stages_;
    if (lost()) throw_device_lost(name(), "injected", stage.name);
  }
  void begin_recording() override { recording_ = std::make_unique<HostRecording>(*this); }
  std::unique_ptr<Recording> end_recording() override { return std::move(recording_); }

 private:
  bool lost() const { return stages_ > fault_.most_stages; }
  /// A GPU's stream can keep stages alone.
  void refuse_in_recording(const char* what) const {
    if (recording_) throw std::logic_error(fmt::format("{} while stages are recorded: do it before", what));
  }

  InjectedFault fault_;
  FoundStages found_{CodeFor::host};
  std::unique_ptr<HostRecording> recording_;
  std::size_t allocated_ = 0, stages_ = 0;
};

std::size_t number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : ~std::size_t{0};
}

Order order_of(std::string_view name) {
  return name == "reversed" ? Order::reversed : name == "shuffled" ? Order::shuffled : Order::forward;
}

}  // namespace

std::unique_ptr<Device> make_host_device(const Execution& execution, const InjectedFault& fault) {
  return std::make_unique<HostDevice>(execution, fault);
}

std::unique_ptr<Device> make_host_device() {
  Execution execution;
  if (const char* const order = std::getenv("SCREE_DEVICE_ORDER")) execution.order = order_of(order);
  execution.seed = 1;
  return make_host_device(execution, {number_of("SCREE_DEVICE_MEMORY"), number_of("SCREE_DEVICE_LOST")});
}

}  // namespace scree::device
