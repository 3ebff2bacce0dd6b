#pragma once
/// \file A table as a snapshot keeps it and a checkpoint writes it: whatever it stands for.

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
  TableEdits edits = {};  ///< that methods had not heard of

  /// Null when there is none of this name.
  SCREE_API const ColumnCopy* find(const std::string& column) const;
};

SCREE_API TableCopy copy_of(const Table& table);

/// Replaces the rows of the table. Columns that it lacks are made. World::rows_filled() is to follow, and then the log
/// of edits.
SCREE_API void restore(const TableCopy& copy, Table& table);

SCREE_API void write_table(CheckpointWriter& out, const TableCopy& copy);
/// All tables of a file, bodies first, bonds second.
/// \throws IoError naming the array
SCREE_API std::vector<TableCopy> read_tables(const CheckpointReader& in);

}  // namespace scree
