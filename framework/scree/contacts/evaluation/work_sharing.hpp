#pragma once
/// \file Shares items between threads so that data stay in a core's cache from step to step.

#include <atomic>
#include <cstddef>
#include <memory>

namespace scree::detail {

/// Every thread begins with a block of its own, the same in every round, and helps the others when it is done. This is
/// as fast as fixed blocks where items cost the same. It is as fair as a queue where they do not, or a core is taken
/// away.
class WorkSharing {
 public:
  /// Before a round, by one thread. \param items, threads  their numbers
  void start(std::size_t items, std::size_t threads) {
    if (threads > capacity_) blocks_ = std::make_unique<Block[]>(capacity_ = threads);
    threads_ = threads;
    for (std::size_t t = 0; t < threads; ++t) {
      blocks_[t].next.store(items * t / threads, std::memory_order_relaxed);
      blocks_[t].end = items * (t + 1) / threads;
    }
  }

  /// Calls work(item) for this thread's share; together the threads do every item once.
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
