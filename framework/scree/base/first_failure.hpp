#pragma once
/// \file Exceptions in OpenMP loops, which they must not leave: they are kept, and thrown again after the loop.

#include <cstddef>
#include <exception>
#include <limits>
#include <mutex>

namespace scree {

/// First failure of a loop: of several items that fail, the lowest is reported, whichever thread met it first.
class FirstFailure {
 public:
  /// Calls work() for item `item`, from any thread.
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

  /// Exception that was kept, or null; read after the loop, by one thread.
  const std::exception_ptr& failure() const { return failure_; }
  /// Item that failed.
  std::size_t item() const { return item_; }
  /// Throws the exception again, if one was kept.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::size_t item_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
};

}  // namespace scree
