#pragma once
/// \file Plain values to bytes and back, for checkpoints.

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "scree/base/error.hpp"

namespace scree::culling {

class ByteWriter {
 public:
  template <class T>
  void put(const T& value) {
    const std::byte* const first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
  }
  /// Number of elements, then the elements.
  template <class T>
  void put_all(const std::vector<T>& values) {
    put(values.size());
    const std::byte* const first = reinterpret_cast<const std::byte*>(values.data());
    bytes.insert(bytes.end(), first, first + sizeof(T) * values.size());
  }
  std::vector<std::byte> bytes;
};

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  void get(T& value) {
    take(&value, sizeof(T));
  }
  template <class T>
  void get_all(std::vector<T>& values) {
    std::size_t size = 0;
    get(size);
    if (size > rest_.size() / sizeof(T))
      throw InputError("the state of granular-culling in the checkpoint is cut short");
    values.resize(size);
    take(values.data(), sizeof(T) * size);
  }
  std::span<const std::byte> rest() const { return rest_; }

 private:
  void take(void* to, std::size_t size) {
    if (size > rest_.size()) throw InputError("the state of granular-culling in the checkpoint is cut short");
    if (size > 0) std::memcpy(to, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }
  std::span<const std::byte> rest_;
};

}  // namespace scree::culling
