#pragma once
/// \file A set of things with ids: their columns, the order of their rows, and what was changed.

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

/// Rows that came, went, or were changed by somebody other than the integrator, since the log was last taken.
///
/// It has the final outcome for each id. An id in `removed` and in `added`: the row that had it went first, then
/// another came under it. A row that came and went again is in none.
struct TableEdits {
  std::vector<Id> added, removed, moved;
  bool empty() const { return added.empty() && removed.empty() && moved.empty(); }
};

/// Whether a table may have this name: 1 to 64 letters, digits, _ and -, as files bear it.
SCREE_API bool is_table_name(const std::string& name);

/// Rows with ids and columns: bodies, bonds, or what a method of your own keeps (`World::table`). Checkpoints and files
/// know tables, and nothing of what they stand for. Rows may change order between steps; ids never do.
class SCREE_API Table {
 public:
  explicit Table(std::string name);
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string& name() const { return name_; }
  std::size_t size() const { return size_; }
  /// This many rows, from the first on, count in sums, hashes and files. An engine that shares a run keeps copies
  /// of other engines' rows behind them. Integrators move all rows.
  std::size_t owned() const { return size_ - copies_; }
  /// \param copies  how many rows at the end are others'; 0 again when the set or order of rows changes
  void set_copies(std::size_t copies) { copies_ = copies; }

  Column<Id> id;

  /// The column of this name, made (zero) when it is not there. Columns are written to checkpoints, reordered, follow
  /// added or removed rows, and appear in VTK files when \p show is set.
  template <class T>
  Column<T> column(const std::string& name, const std::string& unit = "", bool show = true) {
    return Column<T>(&storage(name, ColumnTraits<T>::type, ColumnTraits<T>::components, unit, show));
  }
  /// \throws Error when the column is there with another type
  ColumnStorage& storage(const std::string& name, ColumnType type, int components, const std::string& unit, bool show);
  ColumnStorage* find_column(const std::string& name);
  const ColumnStorage* find_column(const std::string& name) const;
  /// All columns in order of registration.
  std::span<const std::unique_ptr<ColumnStorage>> columns() const { return columns_; }

  /// Makes room for this many rows: without it, columns grow to twice what they need.
  void reserve(std::size_t rows);
  /// Adds zero rows at the end.
  /// \param wanted  their ids; kNewId: the next free one
  /// \return the ids, in this order
  /// \throws Error for an id that is there or is given twice; the table then is as before
  std::vector<Id> add(std::span<const Id> wanted);
  std::vector<Id> add(std::size_t rows);
  /// Ids that are not there are ignored. \return those that went, by row
  std::vector<Id> remove(std::span<const Id> ids);
  /// Removes the rows that the last add() made, as if they had never come.
  /// \param rows  how many there were before
  void take_back(std::size_t rows, Id next_id);
  /// Records that the state of these rows was set from outside the integrator.
  void mark_moved(std::span<const Id> ids);
  /// Row i becomes old row order[i]; order is a permutation.
  void reorder(std::span<const std::uint32_t> order);

  /// May be asked from several threads at once, while nobody adds, removes or reorders.
  std::optional<std::size_t> row(Id wanted) const;
  /// Counts every change of the set or order of rows, so that holders of rows notice.
  std::uint64_t version() const { return version_; }
  const TableEdits& edits() const { return edits_; }
  TableEdits take_edits();
  /// Makes the log that of rows which were copied before anybody had heard of it. \pre rows_filled()
  void set_edits(TableEdits edits) { edits_ = std::move(edits); }

  /// The next id add() will give.
  Id next_id() const { return next_id_; }
  void set_next_id(Id next) { next_id_ = next; }
  /// Replaces the rows by this many zero ones, to be filled by a checkpoint reader, which then calls rows_filled().
  void reset_rows(std::size_t rows);
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
  /// Made when row() is first asked: the row of each id, or, where ids are far apart, rows by ascending id.
  mutable std::vector<std::uint32_t> rows_;
  mutable bool rows_by_number_ = false;
  mutable std::atomic<bool> rows_found_ = false;  ///< rows_ is there to be read
  mutable std::mutex finding_rows_;
};

}  // namespace scree
