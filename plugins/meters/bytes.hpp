#pragma once
/// \file A meter's state as bytes of a checkpoint.

#include <cmath>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/base/error.hpp"

namespace scree::meters {

/// Puts values behind each other.
class BytesOut {
 public:
  template <typename T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof value);
  }
  void put(const std::vector<std::byte>& more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// Takes them out again.
class BytesIn {
 public:
  /// \param whose  the meter's name, for messages
  BytesIn(std::span<const std::byte> bytes, const char* whose) : bytes_(bytes), whose_(whose) {}
  /// \throws InputError where too few bytes are left
  template <typename T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, next(sizeof value).data(), sizeof value);
    return value;
  }
  std::span<const std::byte> next(std::size_t size) {
    if (size > bytes_.size()) refuse("has another size");
    const auto taken = bytes_.first(size);
    bytes_ = bytes_.subspan(size);
    return taken;
  }
  std::span<const std::byte> rest() { return next(bytes_.size()); }
  bool done() const { return bytes_.empty(); }
  /// \throws InputError for what is no number
  double get_finite() {
    const auto value = get<double>();
    if (!std::isfinite(value)) refuse("holds what is no number");
    return value;
  }
  [[noreturn]] void refuse(const char* what) const {
    throw InputError(std::string("the state of ") + whose_ + " in the checkpoint " + what +
                     ". It is damaged, or was not written by this scene's run.");
  }

 private:
  std::span<const std::byte> bytes_;
  const char* whose_;
};

}  // namespace scree::meters
