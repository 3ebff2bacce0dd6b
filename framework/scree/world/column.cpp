#include "scree/world/column.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

namespace {
std::size_t scalar_bytes(ColumnType type) { return type == ColumnType::int32 || type == ColumnType::uint32 ? 4 : 8; }

template <std::size_t kBytes>
void copy_rows(std::span<const std::uint32_t> order, const std::byte* from, std::byte* to) {
  for (const std::uint32_t row : order) {
    std::memcpy(to, from + std::size_t{row} * kBytes, kBytes);
    to += kBytes;
  }
}

/// Copies rows; common widths have code of their own.
void copy_rows(std::span<const std::uint32_t> order, std::size_t row_bytes, const std::byte* from, std::byte* to) {
  if (row_bytes == 4) return copy_rows<4>(order, from, to);
  if (row_bytes == 8) return copy_rows<8>(order, from, to);
  if (row_bytes == 24) return copy_rows<24>(order, from, to);
  if (row_bytes == 32) return copy_rows<32>(order, from, to);
  for (std::size_t i = 0; i < order.size(); ++i)
    std::memcpy(to + i * row_bytes, from + order[i] * row_bytes, row_bytes);
}

/// Calls each(first, rows) for parts of that many rows, in parallel if there are many.
template <class Each>
void in_parts(std::size_t rows, const Each& each) {
  constexpr std::size_t kPart = 4096;
  const auto part = [&](std::ptrdiff_t k) {
    const std::size_t first = static_cast<std::size_t>(k) * kPart;
    each(first, std::min(kPart, rows - first));
  };
  parallel_for(static_cast<std::ptrdiff_t>((rows + kPart - 1) / kPart), part, 4);
}
}  // namespace

DeviceRows::~DeviceRows() = default;

ColumnStorage::ColumnStorage(std::string name, ColumnType type, int components, std::string unit, bool show)
    : name_(std::move(name)),
      unit_(std::move(unit)),
      type_(type),
      components_(components),
      show_(show),
      row_bytes_(scalar_bytes(type) * static_cast<std::size_t>(components)) {}

void ColumnStorage::fetch() const {
  const std::lock_guard lock(fetching_);
  if (!device_is_newer_.load(std::memory_order_relaxed)) return;
  device_->fetch(bytes_);
  device_is_newer_.store(false, std::memory_order_release);
}

void ColumnStorage::require(ColumnType type, int components) const {
  if (type != type_ || components != components_)
    throw Error("column \"" + name_ + "\" is asked for as one of another type than it has");
}

void ColumnStorage::resize(std::size_t rows) {
  read();
  host_is_newer_.store(true, std::memory_order_relaxed);
  bytes_.resize(rows * row_bytes_);
  rows_ = rows;
}

void ColumnStorage::gather(std::span<const std::uint32_t> order, std::vector<std::byte>& spare) {
  read();
  host_is_newer_.store(true, std::memory_order_relaxed);
  const std::size_t size = order.size() * row_bytes_;
  if (spare.size() < size) spare.resize(size);
  in_parts(order.size(), [&](std::size_t first, std::size_t rows) {
    copy_rows(order.subspan(first, rows), row_bytes_, bytes_.data(), spare.data() + first * row_bytes_);
  });
  bytes_.resize(size);
  // Copied back, not swapped: narrow columns would end up with wide memory.
  in_parts(order.size(), [&](std::size_t first, std::size_t rows) {
    std::copy_n(spare.data() + first * row_bytes_, rows * row_bytes_, bytes_.data() + first * row_bytes_);
  });
  rows_ = order.size();
}

}  // namespace scree
