#include "scree/contacts/shares/row_shares.hpp"

#include <algorithm>

#include "scree/base/packed_bytes.hpp"

namespace scree {

namespace {

/// Rows of a range, at most.
constexpr std::size_t kRange = 1024;

/// What a step changes of bodies.
constexpr const char* kColumns[] = {"position", "orientation", "velocity",  "angular_velocity",
                                    "force",    "torque",      "own_force", "own_torque"};

}  // namespace

std::span<const RowRange> RowShares::own() const {
  if (divided_) return summed_;
  all_ = {0, world_.size()};
  return {&all_, 1};
}

std::uint32_t RowShares::rank_of(std::uint32_t row) const {
  const std::span<const std::uint32_t> owner = lists_.owner_row();
  return shares_.rank_of(lists_.place_of(owner.empty() ? row : owner[row]));
}

void RowShares::reset() {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  strays_.assign(static_cast<std::size_t>(shares_.ranks().size()), {});
  summed_.clear();
  const auto add = [&](std::size_t row) {
    if (!summed_.empty() && summed_.back().end == row && summed_.back().size() < kRange)
      summed_.back().end = row + 1;
    else
      summed_.push_back({row, row + 1});
  };
  if (lists_.owner_row().empty() && lists_.in_order()) {
    for (std::size_t row = shares_.own_first(); row < shares_.own_end(); ++row) add(row);
  } else {
    for (std::uint32_t row = 0; row < world_.size(); ++row) {
      const std::uint32_t rank = rank_of(row);
      if (rank == me) add(row);
      if (rank != shares_.rank_of(row)) strays_[rank].push_back(row);
    }
  }
  border_.reset();
}

/// Ranges as they lie, then what lies in the range of another rank than its own.
void RowShares::gather(std::byte* rows, std::size_t row_bytes) const {
  Ranks& ranks = shares_.ranks();
  std::vector<std::size_t> sizes;
  for (std::size_t r = 0; r < strays_.size(); ++r)
    sizes.push_back((shares_.first_place(r + 1) - shares_.first_place(r)) * row_bytes);
  std::size_t count = 0;
  for (const auto& of_rank : strays_) count += of_rank.size();
  std::vector<std::byte> strays(count * row_bytes);
  std::byte* const own = strays.data();
  std::size_t before = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks.rank()); ++r) before += strays_[r].size();
  std::byte* at = own + before * row_bytes;
  for (const std::uint32_t row : strays_[static_cast<std::size_t>(ranks.rank())])
    at = std::copy_n(rows + row * row_bytes, row_bytes, at);
  ranks.gather_in_place({rows, world_.size() * row_bytes}, sizes);
  if (count == 0) return;
  sizes.clear();
  for (const auto& of_rank : strays_) sizes.push_back(of_rank.size() * row_bytes);
  ranks.gather_in_place(strays, sizes);
  const std::byte* from = strays.data();
  for (const auto& of_rank : strays_)
    for (const std::uint32_t row : of_rank) {
      std::copy_n(from, row_bytes, rows + row * row_bytes);
      from += row_bytes;
    }
}

void RowShares::gather_columns(std::span<const char* const> names) const {
  for (const char* const name : names)
    if (ColumnStorage* const column = world_.find_column(name)) {
      gather(column->open_write(), column->row_bytes());
      column->close_write();
    }
}

void RowShares::join() {
  if (!divided_) return;
  divided_ = false;
  gather_columns(kColumns);
}

}  // namespace scree
