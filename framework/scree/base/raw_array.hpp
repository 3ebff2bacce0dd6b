#pragma once
/// \file Array without initial values: large ones are first touched by the threads that work on them.

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "scree/base/release.hpp"

namespace scree {

template <class T>
class RawArray {
  static_assert(std::is_trivially_default_constructible_v<T>);

 public:
  /// Changes the size. All elements lose their values, including earlier ones.
  void resize(std::size_t size) {
    if (size > capacity_) {
      elements_.reset();
      elements_ = std::make_unique_for_overwrite<T[]>(size);
      capacity_ = size;
    }
    size_ = size;
  }
  /// Frees the memory if that pays (kWorthReleasing). No elements are left then.
  void release_if_large() {
    if (capacity_ * sizeof(T) < kWorthReleasing) return;
    elements_.reset();
    size_ = capacity_ = 0;
  }

  T* data() { return elements_.get(); }
  T& operator[](std::size_t i) { return elements_[i]; }
  const T& operator[](std::size_t i) const { return elements_[i]; }
  std::size_t size() const { return size_; }
  operator std::span<const T>() const { return {elements_.get(), size_}; }

 private:
  std::unique_ptr<T[]> elements_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace scree
