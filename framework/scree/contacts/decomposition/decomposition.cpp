#include "scree/contacts/decomposition/decomposition.hpp"

#include <algorithm>

#include "scree/contacts/decomposition/all_to_all.hpp"

namespace scree {

namespace {

/// Rows of a range, at most.
constexpr std::size_t kRange = 1024;

/// Columns of bodies that a step changes.
constexpr const char* kColumns[] = {"position", "orientation", "velocity",  "angular_velocity",
                                    "force",    "torque",      "own_force", "own_torque"};

}  // namespace

std::span<const RowRange> Decomposition::own() const {
  if (divided_) return summed_;
  all_ = {0, world_.size()};
  return {&all_, 1};
}

std::uint32_t Decomposition::rank_of(std::uint32_t row) const {
  const std::span<const std::uint32_t> owner = lists_.owner_row();
  return shares_.rank_of(lists_.place_of(owner.empty() ? row : owner[row]));
}

void Decomposition::prepare() {
  if (!divided_) return;
  owner_before_.resize(world_.size());
  for (std::uint32_t row = 0; row < world_.size(); ++row) owner_before_[row] = rank_of(row);
  static constexpr const char* kMotion[] = {"position", "velocity"};
  gather_columns(kMotion);
  static constexpr const char* kOrientation[] = {"orientation"};
  if (world_.find_column("reference_orientation")) gather_columns(kOrientation);
  static constexpr const char* kTurning[] = {"angular_velocity"};
  if (world_.find_column(kListTurning)) gather_columns(kTurning);
}

void Decomposition::reset(std::span<const std::uint32_t> row_now) {
  ++version_;
  find_summed();
  halo_.reset(ghosts_of_bonds());
  if (divided_) migrate(row_now);
}

/// Rows of other ranks with which bonds join rows of this one.
std::vector<std::uint32_t> Decomposition::ghosts_of_bonds() const {
  const Bonds& bonds = world_.bonds();
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  std::vector<std::uint32_t> rows;
  for (std::uint32_t k = 0; k < bonds.size(); ++k) {
    if (!bonds.whole(k)) continue;
    const auto a = static_cast<std::uint32_t>(*world_.row(bonds.a[k]));
    const auto b = static_cast<std::uint32_t>(*world_.row(bonds.b[k]));
    const bool own_a = rank_of(a) == me, own_b = rank_of(b) == me;
    if (own_a != own_b) rows.push_back(own_a ? b : a);
  }
  return rows;
}

/// Each rank sends the rows that it no longer owns to their new owners.
void Decomposition::migrate(std::span<const std::uint32_t> row_now) {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  std::vector<std::vector<std::uint32_t>> leaving(off_range_.size());
  for (std::size_t row = 0; row < row_now.size(); ++row)
    if (owner_before_[row] == me)
      if (const std::uint32_t to = rank_of(row_now[row]); to != me) leaving[to].push_back(row_now[row]);
  std::vector<ColumnStorage*> columns;
  for (const char* const name : kColumns)
    if (ColumnStorage* const column = world_.find_column(name)) columns.push_back(column);
  std::vector<ByteWriter> messages(leaving.size());
  for (std::size_t r = 0; r < leaving.size(); ++r) {
    if (leaving[r].empty()) continue;
    messages[r].put(leaving[r].size());
    messages[r].put(leaving[r].data(), leaving[r].size());
    for (ColumnStorage* const column : columns) {
      const std::byte* const values = column->open_write();
      for (const std::uint32_t row : leaving[r])
        messages[r].put(values + row * column->row_bytes(), column->row_bytes());
      column->close_write();
    }
  }
  std::vector<std::uint32_t> coming;
  for (const auto& message : all_to_all_v(shares_.ranks(), CollectiveTag::motion, messages)) {
    if (message.empty()) continue;
    ByteReader from(message);
    from.take(coming, from.take<std::size_t>());
    for (ColumnStorage* const column : columns) {
      std::byte* const values = column->open_write();
      for (const std::uint32_t row : coming) from.take(values + row * column->row_bytes(), column->row_bytes());
      column->close_write();
    }
  }
}

void Decomposition::find_summed() {
  const auto me = static_cast<std::uint32_t>(shares_.ranks().rank());
  off_range_.assign(static_cast<std::size_t>(shares_.ranks().size()), {});
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
      if (rank != shares_.rank_of(row)) off_range_[rank].push_back(row);
    }
  }
}

/// Ranges as they lie, then what lies in the range of another rank than its own.
void Decomposition::gather(std::byte* rows, std::size_t row_bytes) const {
  Ranks& ranks = shares_.ranks();
  std::vector<std::size_t> sizes;
  for (std::size_t r = 0; r < off_range_.size(); ++r)
    sizes.push_back((shares_.first_place(r + 1) - shares_.first_place(r)) * row_bytes);
  std::size_t count = 0;
  for (const auto& of_rank : off_range_) count += of_rank.size();
  std::vector<std::byte> off_range(count * row_bytes);
  std::byte* const own = off_range.data();
  std::size_t before = 0;
  for (std::size_t r = 0; r < static_cast<std::size_t>(ranks.rank()); ++r) before += off_range_[r].size();
  std::byte* at = own + before * row_bytes;
  for (const std::uint32_t row : off_range_[static_cast<std::size_t>(ranks.rank())])
    at = std::copy_n(rows + row * row_bytes, row_bytes, at);
  ranks.gather_in_place({rows, world_.size() * row_bytes}, sizes);
  if (count == 0) return;
  sizes.clear();
  for (const auto& of_rank : off_range_) sizes.push_back(of_rank.size() * row_bytes);
  ranks.gather_in_place(off_range, sizes);
  const std::byte* from = off_range.data();
  for (const auto& of_rank : off_range_)
    for (const std::uint32_t row : of_rank) {
      std::copy_n(from, row_bytes, rows + row * row_bytes);
      from += row_bytes;
    }
}

void Decomposition::gather_columns(std::span<const char* const> names) const {
  for (const char* const name : names)
    if (ColumnStorage* const column = world_.find_column(name)) {
      gather(column->open_write(), column->row_bytes());
      column->close_write();
    }
}

void Decomposition::join() {
  if (!divided_) return;
  divided_ = false;
  gather_columns(kColumns);
}

}  // namespace scree
