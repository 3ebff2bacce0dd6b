#pragma once
/// \file Work sharing between threads that keeps data in a core's cache from step to step.

#include <atomic>
#include <cstddef>
#include <memory>

namespace scree::detail {

/// Divides items among threads. Every thread begins with a block of its own, the same in every round, then helps the
/// others. This is as fast as fixed blocks if items cost the same. It is as fair as a queue if they do not, or if a
/// core is busy with other work.
class WorkSharing {
 public:
  /// Starts a round; called by one thread. \param items, threads  numbers of both
  void start(std::size_t items, std::size_t threads) {
    if (threads > capacity_) blocks_ = std::make_unique<Block[]>(capacity_ = threads);
    threads_ = threads;
    for (std::size_t t = 0; t < threads; ++t) {
      blocks_[t].next.store(items * t / threads, std::memory_order_relaxed);
      blocks_[t].end = items * (t + 1) / threads;
    }
  }

  /// Calls work(item) for this thread's share; together the threads process every item once.
  template <class Work>
  void run(std::size_t thread, const Work& work) {
    for (std::size_t k = 0; k < threads_; ++k) {
      Block& block = blocks_[(thread + k) % threads_];
      for (;;) {
        const std::size_t item = block.next.fetch_add(1, std::memory_order_relaxed);
        if (item >= block.end) break;
        work(item);
      }
    }
  }

 private:
  struct alignas(64) Block {
    std::atomic<std::size_t> next = 0;
    std::size_t end = 0;
  };
  std::unique_ptr<Block[]> blocks_;
  std::size_t capacity_ = 0, threads_ = 0;
};

}  // namespace scree::detail
