#pragma once
/// \file An engine of a device for tests, without a run around it, and with a device that counts.

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "engine/device_engine.hpp"
#include "scree/scene/read_scene.hpp"
#include "scree/setup/setup.hpp"

namespace scree::device {

/// The host's processors, with a count of what the engine waits for and asks for.
class CountingDevice final : public Device {
 public:
  struct Counts {
    int reads = 0, recordings = 0;
    std::set<std::string> stages;  ///< that were looked for
  };
  explicit CountingDevice(Counts& counts) : device_(make_host_device()), counts_(counts) {}

  std::string name() const override { return device_->name(); }
  void* allocate(std::size_t bytes) override { return device_->allocate(bytes); }
  void release(void* memory) noexcept override { device_->release(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override { device_->upload(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override {
    ++counts_.reads;
    device_->download(to, from, bytes);
  }
  void copy(void* to, const void* from, std::size_t bytes) override { device_->copy(to, from, bytes); }
  void fill(void* to, int byte, std::size_t bytes) override { device_->fill(to, byte, bytes); }
  void sort_pairs(const std::uint64_t* keys, std::uint64_t* sorted, const std::uint32_t* values,
                  std::uint32_t* sorted_values, std::uint32_t count) override {
    device_->sort_pairs(keys, sorted, values, sorted_values, count);
  }
  void exclusive_scan(const std::uint32_t* from, std::uint32_t* to, std::uint32_t count) override {
    device_->exclusive_scan(from, to, count);
  }
  StageFunction find(const DeviceStage& stage) override {
    counts_.stages.insert(stage.name);
    return device_->find(stage);
  }
  StageFunction find(const char* name) override { return device_->find(name); }
  void call(const StageCall& stage) override {
    device_->halt_on(execution().halted);
    device_->call(stage);
  }
  void begin_recording() override {
    ++counts_.recordings;
    device_->begin_recording();
  }
  std::unique_ptr<Recording> end_recording() override { return device_->end_recording(); }

 private:
  std::unique_ptr<Device> device_;
  Counts& counts_;
};

/// An engine without a run around it.
class BareEngine {
 public:
  /// \param change  called with the methods before the engine is made
  explicit BareEngine(const std::string& json, const std::function<void(Methods&)>& change = {}) {
    registry.load(default_plugin_search({}));
    scene = parse_scene("scene.json", json, {}, registry);
    prepared = prepare(scene, registry);
    prepared->engine.reset();
    if (change) change(prepared->methods);
    engine = std::make_unique<DeviceEngine>(
        EnginePlan{*prepared->world, prepared->methods, prepared->clock.dt, prepared->clock.origin},
        std::make_unique<CountingDevice>(counts));
  }
  World& world() { return *prepared->world; }

  Registry registry;
  Scene scene;
  CountingDevice::Counts counts;
  std::unique_ptr<Prepared> prepared;
  std::unique_ptr<Engine> engine;
};

}  // namespace scree::device
