#include "scree/run/row_copies.hpp"

#include <cstring>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "scree/base/release.hpp"

namespace scree {

RowCopies::RowCopies(std::span<const std::byte> bytes, std::size_t row_bytes) : row_bytes_(row_bytes) {
  if (keep_different(bytes)) return;
  release(number_);
  release(rows_);
  if (keep_small(bytes)) return;
  rows_.assign(bytes.begin(), bytes.end());
}

bool RowCopies::keep_different(std::span<const std::byte> bytes) {
  std::unordered_map<std::string_view, std::uint8_t> number;
  const std::size_t count = bytes.size() / row_bytes_;
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  number_.reserve(count);
  std::string_view last;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view row = all.substr(i * row_bytes_, row_bytes_);
    if (row == last) {
      number_.push_back(number_.back());
      continue;
    }
    const auto [known, fresh] = number.try_emplace(row, static_cast<std::uint8_t>(number.size()));
    if (number.size() > 256) return false;
    if (fresh) {
      const auto from = bytes.subspan(i * row_bytes_, row_bytes_);
      rows_.insert(rows_.end(), from.begin(), from.end());
    }
    number_.push_back(known->second);
    last = row;
  }
  return true;
}

bool RowCopies::keep_small(std::span<const std::byte> bytes) {
  if (row_bytes_ != sizeof(std::uint64_t)) return false;
  const std::size_t count = bytes.size() / row_bytes_;
  const auto number = [&bytes](std::size_t i) {
    std::uint64_t value;
    std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
    return value;
  };
  for (std::size_t i = 0; i < count; ++i)
    if (number(i) > std::numeric_limits<std::uint32_t>::max()) return false;
  small_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) small_.push_back(static_cast<std::uint32_t>(number(i)));
  return true;
}

std::vector<std::byte> RowCopies::bytes() const {
  if (!small_.empty()) {
    const std::vector<std::uint64_t> numbers(small_.begin(), small_.end());
    const auto all = std::as_bytes(std::span(numbers));
    return {all.begin(), all.end()};
  }
  if (number_.empty()) return rows_;
  std::vector<std::byte> all;
  all.reserve(number_.size() * row_bytes_);
  for (const std::uint8_t k : number_) {
    const auto row = rows_.begin() + static_cast<std::ptrdiff_t>(k * row_bytes_);
    all.insert(all.end(), row, row + static_cast<std::ptrdiff_t>(row_bytes_));
  }
  return all;
}

}  // namespace scree
