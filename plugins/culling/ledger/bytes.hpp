#pragma once
/// \file Plain values to bytes and back, for checkpoints.

#include <cstddef>
#include <cstdint>
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
  /// In as many groups of seven bits as the number has: one byte below 128.
  void put_number(std::uint64_t number) {
    for (; number > 0x7f; number >>= 7) put(static_cast<std::uint8_t>(number | 0x80));
    put(static_cast<std::uint8_t>(number));
  }
  /// Writes a number near 0 of either sign: 0, -1, 1, -2, 2, ... become 0, 1, 2, 3, 4, ...
  void put_signed(std::int64_t number) {
    put_number(static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63));
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
  std::uint64_t get_number() {
    std::uint64_t number = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      std::uint8_t byte = 0;
      get(byte);
      number |= std::uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    return number;
  }
  std::int64_t get_signed() {
    const std::uint64_t number = get_number();
    return static_cast<std::int64_t>(number >> 1 ^ (0 - (number & 1)));
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
