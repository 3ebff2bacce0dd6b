#include "scree/world/column.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace scree {

namespace {
std::size_t scalar_bytes(ColumnType type) { return type == ColumnType::int32 || type == ColumnType::uint32 ? 4 : 8; }
}  // namespace

ColumnStorage::ColumnStorage(std::string name, ColumnType type, int components, std::string unit, bool show)
    : name_(std::move(name)),
      unit_(std::move(unit)),
      type_(type),
      components_(components),
      show_(show),
      row_bytes_(scalar_bytes(type) * static_cast<std::size_t>(components)) {}

void ColumnStorage::resize(std::size_t rows) {
  bytes_.resize(rows * row_bytes_);
  rows_ = rows;
}

void ColumnStorage::gather(std::span<const std::uint32_t> order, std::vector<std::byte>& spare) {
  const std::size_t size = order.size() * row_bytes_;
  if (spare.size() < size) spare.resize(size);
  for (std::size_t i = 0; i < order.size(); ++i)
    std::memcpy(spare.data() + i * row_bytes_, bytes_.data() + order[i] * row_bytes_, row_bytes_);
  bytes_.resize(size);
  std::copy_n(spare.begin(), size, bytes_.begin());  // not swapped: narrow columns would end up with wide memory
  rows_ = order.size();
}

}  // namespace scree
