#include <fmt/format.h>

#include <string>

#include "engine/device.hpp"
#include "engine/device_code.hpp"
#include "engine/device_errors.hpp"
#include "scree/base/error.hpp"

namespace scree::device {

namespace {

constexpr int kOutOfMemory = 2;  ///< cudaErrorMemoryAllocation

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

class CudaDevice final : public Device {
 public:
  CudaDevice() : code_(&kThisLibrary, kOwnPlugin, CodeFor::cuda), api_(code_.api()) {
    look_for_driver();
    look_for_device();
    char text[256] = "";
    if (const int error = api_.open(text, sizeof text, &memory_, &execution_.stream))
      throw InputError(fmt::format("--device cuda: the GPU cannot be used ({}: {}). Use --device cpu.",
                                   api_.error_name(error), api_.error_text(error)));
    name_ = text;
  }
  ~CudaDevice() override {
    if (temporary_) api_.release(temporary_);
    api_.close(execution_.stream);
  }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  std::string name() const override { return name_; }

  void* allocate(std::size_t bytes) override {
    void* memory = nullptr;
    const int error = api_.allocate(bytes, &memory);
    std::size_t free = 0;
    if (error == kOutOfMemory) {
      api_.free_memory(&free);
      throw_out_of_memory(bytes, memory_ - free, memory_);
    }
    check(error, "allocation");
    return memory;
  }
  void release(void* memory) noexcept override { api_.release(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    check(api_.copy(to, from, bytes, Copy::to_device, execution_.stream), "copy to the device");
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    check(api_.copy(to, from, bytes, Copy::to_host, execution_.stream), "copy to the host");
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    check(api_.copy(to, from, bytes, Copy::on_device, execution_.stream), "copy on the device");
  }
  void fill(void* to, int byte, std::size_t bytes) override {
    check(api_.fill(to, byte, bytes, execution_.stream), "fill");
  }

  void sort_pairs(const std::uint64_t* keys, std::uint64_t* sorted, const std::uint32_t* values,
                  std::uint32_t* sorted_values, std::uint32_t count) override {
    if (count == 0) return;
    with_temporary("sort", [&](void* temporary, std::size_t* bytes) {
      return api_.sort_pairs(temporary, bytes, keys, sorted, values, sorted_values, count, execution_.stream);
    });
  }
  void exclusive_scan(const std::uint32_t* from, std::uint32_t* to, std::uint32_t count) override {
    with_temporary("scan", [&](void* temporary, std::size_t* bytes) {
      return api_.exclusive_scan(temporary, bytes, from, to, count, execution_.stream);
    });
  }

  StageFunction find(const DeviceStage& stage) override { return found_.find(stage); }
  StageFunction find(const char* name) override { return found_.find(name); }
  void call(const StageCall& stage) override {
    check(stage.run(execution_, stage.parameters, stage.arguments), stage.name);
  }
  void begin_recording() override { check(api_.begin_recording(execution_.stream), "recording"); }
  std::unique_ptr<Recording> end_recording() override {
    void* graph = nullptr;
    check(api_.end_recording(execution_.stream, &graph), "recording");
    return std::make_unique<Graph>(*this, graph);
  }

 private:
  /// A CUDA graph.
  class Graph final : public Recording {
   public:
    Graph(const CudaDevice& device, void* graph) : device_(device), graph_(graph) {}
    ~Graph() override { device_.api_.drop_recording(graph_); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;
    void launch() override {
      device_.check(device_.api_.launch_recording(graph_, device_.execution_.stream), "recorded steps");
    }

   private:
    const CudaDevice& device_;
    void* graph_;
  };

  void check(int error, const char* stage) const {
    if (error != 0)
      throw_device_lost(name_, fmt::format("{}: {}", api_.error_name(error), api_.error_text(error)), stage);
  }
  void look_for_driver() const {
    int driver = 0, runtime = 0;
    api_.driver_version(&driver);
    api_.runtime_version(&runtime);
    if (driver == 0)
      throw InputError("--device cuda: this machine has no NVIDIA driver. Install one, or use --device cpu.");
    if (driver / 1000 < runtime / 1000)
      throw InputError(fmt::format(
          "--device cuda: the NVIDIA driver is too old: it serves CUDA {}, and this scree was built with CUDA {}. "
          "Install a newer driver, or use --device cpu.",
          version_text(driver), version_text(runtime)));
  }
  void look_for_device() const {
    int count = 0;
    if (const int error = api_.device_count(&count); error != 0 || count == 0)
      throw InputError(fmt::format("--device cuda: there is a driver, but no GPU ({}). Use --device cpu.",
                                   error ? api_.error_text(error) : "none found"));
  }
  template <class Call>
  void with_temporary(const char* what, const Call& call) {
    std::size_t bytes = 0;
    check(call(nullptr, &bytes), what);
    if (bytes > temporary_bytes_) {
      if (temporary_) api_.release(temporary_);
      temporary_ = allocate(bytes);
      temporary_bytes_ = bytes;
    }
    check(call(temporary_, &bytes), what);
  }

  DeviceCode code_;
  const CudaApi& api_;
  std::string name_;
  std::size_t memory_ = 0, temporary_bytes_ = 0;
  void* temporary_ = nullptr;
  FoundStages found_{CodeFor::cuda};
};

}  // namespace

std::unique_ptr<Device> make_cuda_device() { return std::make_unique<CudaDevice>(); }

}  // namespace scree::device
