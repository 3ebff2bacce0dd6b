#include "frame_thread.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace scree::vtk {

namespace {
constexpr int kLowestPriority = 19;
}

FrameThread::~FrameThread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

/// Threads inherit which signals are blocked.
void FrameThread::launch() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void FrameThread::start(Work work) {
  if (!thread_.joinable()) launch();
  {
    const std::lock_guard lock(mutex_);
    work_ = std::move(work);
    busy_ = true;
  }
  changed_.notify_all();
}

void FrameThread::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !busy_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void FrameThread::run() {
  // Threads of a step that wait for each other keep their cores busy: a writer between them would hold up all.
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLowestPriority);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return busy_ || ending_; });
    if (!busy_) return;
    Work work = std::exchange(work_, {});
    lock.unlock();
    std::exception_ptr failure;
    try {
      for (const auto& part : work) part();
    } catch (...) {
      failure = std::current_exception();
    }
    work.clear();  // the data too, before anybody hears that the frame is done
    lock.lock();
    failure_ = failure;
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace scree::vtk
