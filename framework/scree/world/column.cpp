#include "scree/world/column.hpp"

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

void ColumnStorage::gather(std::span<const std::uint32_t> order) {
  scratch_.resize(order.size() * row_bytes_);
  for (std::size_t i = 0; i < order.size(); ++i)
    std::memcpy(scratch_.data() + i * row_bytes_, bytes_.data() + order[i] * row_bytes_, row_bytes_);
  bytes_.swap(scratch_);
  rows_ = order.size();
}

}  // namespace scree
