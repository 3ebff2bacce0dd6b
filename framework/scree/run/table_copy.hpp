#pragma once
/// \file Copy of a table for snapshots and checkpoints, whatever it stands for.

#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/output/container.hpp"
#include "scree/run/row_copies.hpp"
#include "scree/world/table.hpp"

namespace scree {

struct TableCopy {
  struct ColumnCopy {
    std::string name;
    ColumnType type;
    int components;
    RowCopies rows;
  };
  std::string name;
  std::size_t rows = 0;
  Id next_id = 0;
  std::vector<ColumnCopy> columns;
  TableEdits edits = {};  ///< edits that methods had not been notified of

  /// Returns the copy of a column; null if there is none of this name.
  SCREE_API const ColumnCopy* find(const std::string& column) const;
};

SCREE_API TableCopy copy_of(const Table& table);

/// Replaces the rows of the table. Missing columns are made. World::rows_filled() must follow, and then the log of
/// edits.
SCREE_API void restore(const TableCopy& copy, Table& table);

SCREE_API void write_table(CheckpointWriter& out, const TableCopy& copy);
/// Reads all tables of a file, bodies first, bonds second.
/// \throws IoError naming the array
SCREE_API std::vector<TableCopy> read_tables(const CheckpointReader& in);

}  // namespace scree
