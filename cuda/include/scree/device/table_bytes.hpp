#pragma once
/// \file Tables for a device: columns of plain data one after the other, found by their offsets.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "scree/base/error.hpp"

namespace scree::device {

class TableBytes {
 public:
  static constexpr std::size_t kAlignment = 16;

  /// \return where the column begins [bytes]  \throws InputError where the tables become too large
  template <class T>
  std::uint32_t append(std::span<const T> column) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kAlignment);
    const std::size_t at = bytes_.size(), end = at + column.size_bytes();
    if (end > kMost)
      throw InputError("the tables of all shapes take more than 4 GiB on the device. Use fewer shapes or nodes.");
    bytes_.resize((end + kAlignment - 1) / kAlignment * kAlignment);
    overwrite(static_cast<std::uint32_t>(at), column);
    return static_cast<std::uint32_t>(at);
  }
  template <class T>
  std::uint32_t append(std::span<T> column) {
    return append(std::span<const T>(column));
  }
  template <class T>
  void overwrite(std::uint32_t at, std::span<const T> column) {
    if (!column.empty()) std::memcpy(bytes_.data() + at, column.data(), column.size_bytes());
  }
  std::vector<std::byte> take() { return std::exchange(bytes_, {}); }

 private:
  static constexpr std::size_t kMost = (std::size_t{1} << 32) - kAlignment;
  std::vector<std::byte> bytes_;
};

}  // namespace scree::device
