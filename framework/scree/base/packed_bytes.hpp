#pragma once
/// \file Values packed into bytes, for processes of one program on like machines.

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "scree/base/internal_error.hpp"

namespace scree {

class ByteWriter {
 public:
  /// Appends values without pointers.
  template <class T>
  void put(const T* values, std::size_t count) {
    if (count == 0) return;
    const std::size_t at = bytes_.size();
    bytes_.resize(at + count * sizeof(T));
    std::memcpy(bytes_.data() + at, static_cast<const void*>(values), count * sizeof(T));
  }
  template <class T>
  void put(const T& value) {
    put(&value, 1);
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// Reads the values of a ByteWriter, in the same order.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  bool empty() const { return bytes_.empty(); }

  /// Reads values. \throws InternalError if fewer are left
  template <class T>
  void take(T* values, std::size_t count) {
    if (count > bytes_.size() / sizeof(T)) throw InternalError("a message of another rank is too short.");
    if (count == 0) return;
    std::memcpy(static_cast<void*>(values), bytes_.data(), count * sizeof(T));
    bytes_ = bytes_.subspan(count * sizeof(T));
  }
  template <class T>
  T take() {
    T value;
    take(&value, 1);
    return value;
  }
  /// Reads a number of values into a vector. \throws InternalError if fewer are left
  template <class T>
  void take(std::vector<T>& values, std::size_t count) {
    if (count > bytes_.size() / sizeof(T)) throw InternalError("a message of another rank is too short.");
    values.resize(count);
    take(values.data(), count);
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace scree
