#pragma once
/// \file Exceptions must not leave an OpenMP loop: they are kept, and thrown again after it.

#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>

namespace scree {

/// Of several items that fail, the lowest one is reported, whichever thread met it first.
class FirstFailure {
 public:
  /// Calls work(), of item `item`, from any thread.
  template <class Work>
  void watch(std::size_t item, const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (item >= item_) return;
      item_ = item;
      failure_ = std::current_exception();
    }
  }

  /// Behind the loop, by one thread: what was kept, null if nothing, and of which item.
  const std::exception_ptr& failure() const { return failure_; }
  std::size_t item() const { return item_; }
  /// Throws it, if anything was kept.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::size_t item_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

}  // namespace scree
