#pragma once
/// \file Table: rows with ids, their columns, the order of the rows, and the log of edits.

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/world/column.hpp"

namespace scree {

inline constexpr Id kNewId = ~Id{0};

/// Rows that were added, removed, or changed from outside the integrator since the log was last taken.
///
/// It has the final outcome for each id. An id in both `removed` and `added`: its row was removed first, then another
/// was added under it. A row that was added and removed again is in neither.
struct TableEdits {
  std::vector<Id> added, removed, moved;
  bool empty() const { return added.empty() && removed.empty() && moved.empty(); }
};

/// Checks whether a table may have this name: 1 to 64 letters, digits, _ and -, as in names of files.
SCREE_API bool is_table_name(const std::string& name);

/// Rows with ids and columns: bodies, bonds, or further data of a method (`World::table`). Checkpoints and files handle
/// tables without knowing what they stand for. Rows may change order between steps; ids never do.
class SCREE_API Table {
 public:
  explicit Table(std::string name);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string& name() const { return name_; }
  std::size_t size() const { return size_; }
  /// Number of owned rows, which come first. Only these count in sums, hashes and files. An engine that divides a run
  /// keeps copies of other ranks' rows behind them. Integrators move all rows.
  std::size_t owned() const { return size_ - copies_; }
  /// Sets the number of copies. \param copies  rows at the end that others own; back to 0 when the set or order of rows
  /// changes
  void set_copies(std::size_t copies) { copies_ = copies; }

  Column<Id> id;

  /// Returns the column of this name; makes it (zero) if it does not exist. Columns are written to checkpoints,
  /// reordered, and follow added or removed rows. They appear in VTK files if \p show is set.
  template <class T>
  Column<T> column(const std::string& name, const std::string& unit = "", bool show = true) {
    return Column<T>(&storage(name, ColumnTraits<T>::type, ColumnTraits<T>::components, unit, show));
  }
  /// Returns the storage of the column of this name; makes it if it does not exist. \throws Error if it exists with
  /// another type
  ColumnStorage& storage(const std::string& name, ColumnType type, int components, const std::string& unit, bool show);
  ColumnStorage* find_column(const std::string& name);
  const ColumnStorage* find_column(const std::string& name) const;
  /// Returns all columns in order of registration.
  std::span<const std::unique_ptr<ColumnStorage>> columns() const { return columns_; }

  /// Reserves memory for this many rows; without it, columns grow to twice the size needed.
  void reserve(std::size_t rows);
  /// Adds zero rows at the end.
  /// \param wanted  ids of the rows; kNewId: the next free one
  /// \return the ids, in this order
  /// \throws Error for an id that exists or is given twice; the table is then unchanged
  std::vector<Id> add(std::span<const Id> wanted);
  /// Adds zero rows at the end with the next free ids. \return the ids
  std::vector<Id> add(std::size_t rows);
  /// Removes rows. Ids that do not exist are ignored. \return ids that were removed, by row
  std::vector<Id> remove(std::span<const Id> ids);
  /// Removes the rows of the last add() without a trace in the log.
  /// \param rows  number of rows before that add()
  void take_back(std::size_t rows, Id next_id);
  /// Records that the state of these rows was set from outside the integrator.
  void mark_moved(std::span<const Id> ids);
  /// Reorders rows: row i becomes old row order[i]; order is a permutation.
  void reorder(std::span<const std::uint32_t> order);

  /// Returns the row of an id. May be called from several threads at once, while no rows are added, removed or
  /// reordered.
  std::optional<std::size_t> row(Id wanted) const;
  /// Version of the rows: counts every change of their set or order, so that holders of rows notice.
  std::uint64_t version() const { return version_; }
  const TableEdits& edits() const { return edits_; }
  /// Returns the log and empties it.
  TableEdits take_edits();
  /// Replaces the log by the log of a copied state, whose edits were not reported yet. \pre rows_filled()
  void set_edits(TableEdits edits) { edits_ = std::move(edits); }

  /// Returns the next id that add() will give.
  Id next_id() const { return next_id_; }
  void set_next_id(Id next) { next_id_ = next; }
  /// Replaces the rows by this many zero ones. A checkpoint reader fills them, then calls rows_filled().
  void reset_rows(std::size_t rows);
  /// Updates what depends on the rows after they were filled.
  void rows_filled();

 private:
  std::vector<Id> new_ids(std::span<const Id> wanted) const;
  void resize(std::size_t rows);
  void log_removed(std::span<const Id> gone);
  void forget_rows();
  void find_rows() const;

  std::string name_;
  std::size_t size_ = 0, copies_ = 0;
  std::uint64_t version_ = 1;
  Id next_id_ = 0;
  std::vector<std::unique_ptr<ColumnStorage>> columns_;
  std::unordered_map<std::string, ColumnStorage*> by_name_;
  TableEdits edits_;
  /// Index for row(), made at its first call: the row of each id or, where ids are far apart, rows by ascending id.
  mutable std::vector<std::uint32_t> rows_;
  mutable bool rows_by_number_ = false;
  mutable std::atomic<bool> rows_found_ = false;  ///< true once rows_ is ready to be read
  mutable std::mutex finding_rows_;
};

}  // namespace scree
