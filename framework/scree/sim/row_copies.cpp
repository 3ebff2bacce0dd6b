#include "scree/sim/row_copies.hpp"

#include <string_view>
#include <unordered_map>

namespace scree {

RowCopies::RowCopies(std::span<const std::byte> bytes, std::size_t row_bytes) : row_bytes_(row_bytes) {
  if (keep_different(bytes)) return;
  std::vector<std::uint8_t>().swap(number_);
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

std::vector<std::byte> RowCopies::bytes() const {
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
