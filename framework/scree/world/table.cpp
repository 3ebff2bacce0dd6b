#include "scree/world/table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "scree/base/error.hpp"

namespace scree {

namespace {

constexpr std::uint32_t kNoRow = ~std::uint32_t{0};

bool among(std::span<const Id> ascending, Id id) { return std::ranges::binary_search(ascending, id); }

}  // namespace

bool is_table_name(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, plain);
}

Table::Table(std::string name) : name_(std::move(name)) { id = column<Id>("id"); }

ColumnStorage& Table::storage(const std::string& name, ColumnType type, int components, const std::string& unit,
                              bool show) {
  if (ColumnStorage* found = find_column(name)) {
    if (found->type() != type || found->components() != components)
      throw Error("column \"" + name + "\" is registered with two different types");
    return *found;
  }
  columns_.push_back(std::make_unique<ColumnStorage>(name, type, components, unit, show));
  columns_.back()->resize(size_);
  by_name_[name] = columns_.back().get();
  return *columns_.back();
}

ColumnStorage* Table::find_column(const std::string& name) {
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

const ColumnStorage* Table::find_column(const std::string& name) const {
  return const_cast<Table*>(this)->find_column(name);
}

void Table::reserve(std::size_t rows) {
  for (auto& column : columns_) column->reserve(rows);
}

/// Returns the ids wanted, with the next free ones in place of kNewId.
std::vector<Id> Table::new_ids(std::span<const Id> wanted) const {
  const auto refuse = [this](Id taken) {
    throw Error((name_ == "bodies" ? "body id " : "table \"" + name_ + "\": id ") + std::to_string(taken) +
                " is given twice. Ids must be unique over all " + (name_ == "bodies" ? "bodies." : "rows."));
  };
  std::vector<Id> ids;
  ids.reserve(wanted.size());
  Id next = next_id_;
  bool chosen = false;
  for (const Id want : wanted) {
    const Id given = want == kNewId ? next : want;
    if (given < next_id_ && row(given)) refuse(given);
    chosen = chosen || want != kNewId;
    next = std::max(next, given + 1);
    ids.push_back(given);
  }
  if (!chosen) return ids;
  std::vector<Id> ascending = ids;
  std::ranges::sort(ascending);
  const auto twice = std::ranges::adjacent_find(ascending);
  if (twice != ascending.end()) refuse(*twice);
  return ids;
}

std::vector<Id> Table::add(std::span<const Id> wanted) {
  std::vector<Id> ids = new_ids(wanted);
  const std::size_t first = size_;
  resize(first + ids.size());
  const auto all = id.write();
  std::ranges::copy(ids, all.begin() + static_cast<std::ptrdiff_t>(first));
  for (const Id given : ids) next_id_ = std::max(next_id_, given + 1);
  edits_.added.insert(edits_.added.end(), ids.begin(), ids.end());
  return ids;
}

std::vector<Id> Table::add(std::size_t rows) { return add(std::vector<Id>(rows, kNewId)); }

void Table::take_back(std::size_t rows, Id next_id) {
  edits_.added.resize(edits_.added.size() - (size_ - rows));
  next_id_ = next_id;
  resize(rows);
}

std::vector<Id> Table::remove(std::span<const Id> ids) {
  std::vector<bool> goes(size_, false);
  for (const Id go : ids)
    if (const auto i = row(go)) goes[*i] = true;
  std::vector<std::uint32_t> keep;
  std::vector<Id> gone;
  const auto all = id.read();
  for (std::size_t i = 0; i < size_; ++i)
    if (goes[i])
      gone.push_back(all[i]);
    else
      keep.push_back(static_cast<std::uint32_t>(i));
  if (gone.empty()) return gone;
  std::vector<std::byte> spare;
  for (auto& column : columns_) column->gather(keep, spare);
  size_ = keep.size();
  log_removed(gone);
  forget_rows();
  return gone;
}

/// Logs removed rows. Rows added since the log was last taken were never reported, so they leave it without a trace.
void Table::log_removed(std::span<const Id> gone) {
  std::vector<Id> ascending(gone.begin(), gone.end()), unseen;
  std::ranges::sort(ascending);
  std::ranges::copy_if(edits_.added, std::back_inserter(unseen), [&](Id came) { return among(ascending, came); });
  std::ranges::sort(unseen);
  for (std::vector<Id>* list : {&edits_.added, &edits_.moved})
    std::erase_if(*list, [&](Id listed) { return among(ascending, listed); });
  std::ranges::copy_if(gone, std::back_inserter(edits_.removed), [&](Id went) { return !among(unseen, went); });
}

void Table::mark_moved(std::span<const Id> ids) { edits_.moved.insert(edits_.moved.end(), ids.begin(), ids.end()); }

void Table::reorder(std::span<const std::uint32_t> order) {
  std::vector<std::byte> spare;
  for (auto& column : columns_) column->gather(order, spare);
  forget_rows();
}

TableEdits Table::take_edits() { return std::exchange(edits_, {}); }

void Table::reset_rows(std::size_t rows) {
  for (auto& column : columns_) column->resize(0);
  resize(rows);
}

void Table::rows_filled() {
  forget_rows();
  edits_ = {};
}

void Table::resize(std::size_t rows) {
  for (auto& column : columns_) column->resize(rows);
  size_ = rows;
  forget_rows();
}

void Table::forget_rows() {
  rows_found_.store(false, std::memory_order_relaxed);
  copies_ = 0;
  ++version_;
}

void Table::find_rows() const {
  const std::lock_guard lock(finding_rows_);
  if (rows_found_.load(std::memory_order_relaxed)) return;
  const auto ids = id.read();
  const Id largest = std::ranges::max(ids);
  rows_by_number_ = largest < 4 * size_;
  if (rows_by_number_) {
    rows_.assign(largest + 1, kNoRow);
    for (std::size_t i = 0; i < size_; ++i) rows_[ids[i]] = static_cast<std::uint32_t>(i);
  } else {
    rows_.resize(size_);
    std::iota(rows_.begin(), rows_.end(), 0u);
    std::ranges::sort(rows_, {}, [&](std::uint32_t i) { return ids[i]; });
  }
  rows_found_.store(true, std::memory_order_release);
}

std::optional<std::size_t> Table::row(Id wanted) const {
  if (size_ == 0) return std::nullopt;
  if (!rows_found_.load(std::memory_order_acquire)) find_rows();
  if (rows_by_number_)
    return wanted < rows_.size() && rows_[wanted] != kNoRow ? std::optional<std::size_t>(rows_[wanted]) : std::nullopt;
  const auto ids = id.read();
  const auto it = std::ranges::lower_bound(rows_, wanted, {}, [&](std::uint32_t i) { return ids[i]; });
  return it != rows_.end() && ids[*it] == wanted ? std::optional<std::size_t>(*it) : std::nullopt;
}

}  // namespace scree
