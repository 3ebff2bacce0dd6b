#pragma once
/// \file Memory and work of a device, as the engine sees them: a GPU, or the host's processors in its place.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scree/device/execution.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

/// Stages that were recorded once, to be run again and again.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Runs them with the arguments that they had when they were recorded.
  virtual void launch() = 0;
};

/// A stage with its arguments.
struct StageCall {
  StageFunction run;
  const void *parameters, *arguments;
  std::shared_ptr<const void> (*copy)(const void* arguments);  ///< of the arguments
  const char* name;
};

/// Calls throw NumericalError where a device fails: out of memory, lost in mid-run. It is not to be used afterwards.
class Device {
 public:
  virtual ~Device() = default;
  /// "cuda-host", "NVIDIA H100 80GB HBM3"
  virtual std::string name() const = 0;
  const Execution& execution() const { return execution_; }
  /// Stages do nothing from now on where *halted, in the device's memory, is not 0. Null: they always work.
  void halt_on(const std::uint32_t* halted) { execution_.halted = halted; }

  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;  ///< waits for all work before
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
  virtual void fill(void* to, int byte, std::size_t bytes) = 0;

  /// By ascending keys; equal ones keep their order.
  virtual void sort_pairs(const std::uint64_t* keys, std::uint64_t* sorted, const std::uint32_t* values,
                          std::uint32_t* sorted_values, std::uint32_t count) = 0;
  /// to[i] = from[0] + .. + from[i - 1] for i = 0 .. count - 1.
  virtual void exclusive_scan(const std::uint32_t* from, std::uint32_t* to, std::uint32_t count) = 0;

  /// The code of a stage for this device. \throws InputError where there is none
  virtual StageFunction find(const DeviceStage& stage) = 0;
  /// That of this plugin itself.
  virtual StageFunction find(const char* name) = 0;

  template <class Arguments>
  void run(const DeviceStage& stage, const Arguments& arguments) {
    call({find(stage), stage.parameters, &arguments, copy_of<Arguments>, stage.name});
  }
  /// A body of this plugin's own, for items or blocks 0 .. most - 1.
  template <class Body>
  void run(std::uint32_t most, const Body& body) {
    const OwnStage<Body> arguments{most, body};
    call({find(Body::kName), nullptr, &arguments, copy_of<OwnStage<Body>>, Body::kName});
  }
  /// Keeps the stages that `work` runs, and runs none of them. It may ask nothing else of the device.
  template <class Work>
  std::unique_ptr<Recording> record(const Work& work) {
    begin_recording();
    work();
    return end_recording();
  }

  template <class Body>
  struct OwnStage {
    std::uint32_t most;
    Body body;
  };

  virtual void call(const StageCall& stage) = 0;
  virtual void begin_recording() = 0;
  virtual std::unique_ptr<Recording> end_recording() = 0;

 protected:
  Execution execution_;

 private:
  template <class Arguments>
  static std::shared_ptr<const void> copy_of(const void* arguments) {
    return std::make_shared<const Arguments>(*static_cast<const Arguments*>(arguments));
  }
};

/// An array in the memory of a device.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(Device& device) : device_(&device) {}
  Buffer(Device& device, std::span<const T> values) : device_(&device) { upload(values); }
  ~Buffer() { reset(); }
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    swap(other);
    return *this;
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  /// Contents are lost where it grows beyond what there is room for.
  void resize(std::size_t size) {
    if (size > capacity_) {
      reset();
      const std::size_t wanted = size + size / 4 + 1;
      data_ = static_cast<T*>(device_->allocate(wanted * sizeof(T)));
      capacity_ = wanted;
    }
    size_ = size;
  }
  void upload(std::span<const T> values) {
    resize(values.size());
    if (size_ > 0) device_->upload(data_, values.data(), bytes());
  }
  std::vector<T> download() const {
    std::vector<T> values(size_);
    if (size_ > 0) device_->download(values.data(), data_, bytes());
    return values;
  }
  T at(std::size_t i) const {
    T value;
    device_->download(&value, data_ + i, sizeof(T));
    return value;
  }
  void fill(int byte) {
    if (size_ > 0) device_->fill(data_, byte, bytes());
  }
  void copy_from(const Buffer& other) {
    resize(other.size_);
    if (size_ > 0) device_->copy(data_, other.data_, bytes());
  }

 private:
  void reset() noexcept {
    if (data_) device_->release(data_);
    data_ = nullptr;
    size_ = capacity_ = 0;
  }
  void swap(Buffer& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

/// A failure that is made to happen, for tests: the memory ends, or the device is lost, after so many calls.
struct InjectedFault {
  std::size_t most_bytes = ~std::size_t{0};
  std::size_t most_stages = ~std::size_t{0};
};

/// The processors of this machine, running the same kernels. Order of blocks and faults are read from the environment
/// where tests set them: SCREE_DEVICE_ORDER=reversed|shuffled, SCREE_DEVICE_MEMORY=<bytes>, SCREE_DEVICE_LOST=<stages>.
/// For engines on any device, SCREE_DEVICE_BATCH=<steps> is how many they enqueue at a time at most, from 1 to 64.
std::unique_ptr<Device> make_host_device();
std::unique_ptr<Device> make_host_device(const Execution& execution, const InjectedFault& fault);

/// The first GPU. \throws InputError that says which of driver, device and device code is missing or too old
std::unique_ptr<Device> make_cuda_device();

}  // namespace scree::device
