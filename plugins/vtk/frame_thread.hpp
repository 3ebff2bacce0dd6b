#pragma once
/// \file Encodes and writes frames while the run goes on.

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace scree::vtk {

/// One thread and at most one frame in work, so that memory holds no more than that. Signals go to other threads, and
/// so do cores that a step can use.
class FrameThread {
 public:
  using Work = std::vector<std::function<void()>>;

  FrameThread() = default;
  ~FrameThread();
  FrameThread(const FrameThread&) = delete;
  FrameThread& operator=(const FrameThread&) = delete;

  /// Leaves the parts of a frame to the thread, which does them in order up to the first that throws. \pre wait() was
  /// the last call
  void start(Work work);
  /// Until the frame is done. \throws what its work threw, once
  void wait();

 private:
  void run();
  void launch();

  std::mutex mutex_;
  std::condition_variable changed_;
  Work work_;
  bool busy_ = false, ending_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  ///< from the first frame on
};

}  // namespace scree::vtk
