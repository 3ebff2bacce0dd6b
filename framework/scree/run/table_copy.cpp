#include "scree/run/table_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "scree/base/error.hpp"

namespace scree {

namespace {

constexpr const char* kFolder = "tables";
/// Name of the attribute of the next id. A table without rows still has its columns and its next id.
constexpr const char* kNextId = "next_id";
/// Arrays of ids, each written if the log has some.
constexpr std::pair<const char*, std::vector<Id> TableEdits::*> kEdits[] = {
    {"added", &TableEdits::added}, {"removed", &TableEdits::removed}, {"moved", &TableEdits::moved}};

ElementType element_of(ColumnType type) {
  switch (type) {
    case ColumnType::float64:
      return ElementType::float64;
    case ColumnType::int32:
      return ElementType::int32;
    case ColumnType::uint32:
      return ElementType::uint32;
    case ColumnType::uint64:
      return ElementType::uint64;
  }
  return ElementType::byte;
}

std::optional<ColumnType> column_of(ElementType type) {
  for (const ColumnType t : {ColumnType::float64, ColumnType::int32, ColumnType::uint32, ColumnType::uint64})
    if (element_of(t) == type) return t;
  return std::nullopt;
}

std::size_t scalar_bytes(ColumnType type) { return type == ColumnType::int32 || type == ColumnType::uint32 ? 4 : 8; }

std::string path_of(const std::string& table, const std::string& column) {
  return fmt::format("{}/{}/columns/{}", kFolder, table, column);
}

std::string path_of_edits(const std::string& table, const char* kind) {
  return fmt::format("{}/{}/{}", kFolder, table, kind);
}

TableCopy::ColumnCopy read_column(const CheckpointReader& in, const std::string& table, const std::string& name) {
  constexpr std::size_t kMostComponents = 1024;
  const std::string path = path_of(table, name);
  const auto shape = in.shape(path);
  const auto type = column_of(in.type(path));
  if (!type || shape.size() != 2 || shape[1] == 0 || shape[1] > kMostComponents)
    throw IoError(fmt::format("{}: array \"{}\" is no column of a table.", in.file().string(), path));
  const std::size_t row_bytes = shape[1] * scalar_bytes(*type);
  std::vector<std::byte> bytes(shape[0] * row_bytes);
  in.read_array(path, in.type(path), bytes.data(), shape[0] * shape[1]);
  return {name, *type, static_cast<int>(shape[1]), RowCopies(bytes, row_bytes)};
}

/// Returns the number of rows, the same in all columns.
std::size_t rows_of(const CheckpointReader& in, const std::string& table, const std::vector<std::string>& columns) {
  const auto fail = [&](const std::string& what) {
    throw IoError(fmt::format("{}: table \"{}\" {}.", in.file().string(), table, what));
  };
  if (std::ranges::find(columns, "id") == columns.end()) fail("has no ids");
  const auto of_ids = in.shape(path_of(table, "id"));
  if (of_ids.empty()) fail("has a single id for all rows");
  const std::size_t rows = of_ids[0];
  for (const std::string& column : columns)
    if (const auto shape = in.shape(path_of(table, column)); shape.empty() || shape[0] != rows)
      fail(fmt::format("has {} ids, but its column \"{}\" has another number of rows", rows, column));
  return rows;
}

TableCopy read_table(const CheckpointReader& in, const std::string& name) {
  const std::vector<std::string> columns = in.list(fmt::format("{}/{}/columns", kFolder, name));
  TableCopy copy;
  copy.name = name;
  copy.rows = rows_of(in, name, columns);
  const auto next = in.read<std::uint64_t>(fmt::format("{}/{}/{}", kFolder, name, kNextId));
  if (next.size() != 1) throw IoError(fmt::format("{}: table \"{}\" has no next id.", in.file().string(), name));
  copy.next_id = next[0];
  for (const std::string& column : columns) copy.columns.push_back(read_column(in, name, column));
  for (const auto& [kind, ids] : kEdits)
    if (const std::string path = path_of_edits(name, kind); in.has(path))
      copy.edits.*ids = in.read<std::uint64_t>(path);
  return copy;
}

}  // namespace

const TableCopy::ColumnCopy* TableCopy::find(const std::string& column) const {
  const auto found = std::ranges::find(columns, column, &ColumnCopy::name);
  return found == columns.end() ? nullptr : &*found;
}

TableCopy copy_of(const Table& table) {
  TableCopy copy{table.name(), table.size(), table.next_id(), {}, table.edits()};
  for (const auto& column : table.columns())
    copy.columns.push_back({column->name(), column->type(), column->components(),
                            RowCopies({column->read(), column->rows() * column->row_bytes()}, column->row_bytes())});
  return copy;
}

void restore(const TableCopy& copy, Table& table) {
  table.reset_rows(copy.rows);
  table.set_next_id(copy.next_id);
  for (const auto& saved : copy.columns) {
    ColumnStorage& column = table.storage(saved.name, saved.type, saved.components, "", false);
    const std::vector<std::byte> bytes = saved.rows.bytes();
    const ColumnWriter<std::byte> to(column, column.open_overwrite());
    if (!bytes.empty()) std::memcpy(to.data(), bytes.data(), bytes.size());
  }
}

void write_table(CheckpointWriter& out, const TableCopy& copy) {
  for (const auto& column : copy.columns) {
    const std::vector<std::byte> bytes = column.rows.bytes();
    out.write_array(path_of(copy.name, column.name), element_of(column.type), bytes.data(),
                    bytes.size() / scalar_bytes(column.type), {copy.rows, static_cast<std::size_t>(column.components)});
  }
  const std::uint64_t next = copy.next_id;
  out.write<std::uint64_t>(fmt::format("{}/{}/{}", kFolder, copy.name, kNextId), std::span(&next, 1));
  for (const auto& [kind, ids] : kEdits)
    if (const std::vector<Id>& list = copy.edits.*ids; !list.empty())
      out.write<std::uint64_t>(path_of_edits(copy.name, kind), std::span<const std::uint64_t>(list));
}

std::vector<TableCopy> read_tables(const CheckpointReader& in) {
  std::vector<std::string> names = in.list(kFolder);
  for (const char* const needed : {"bonds", "bodies"}) {
    const auto found = std::ranges::find(names, needed);
    if (found == names.end()) throw IoError(fmt::format("{}: table \"{}\" is missing.", in.file().string(), needed));
    std::rotate(names.begin(), found, found + 1);
  }
  std::vector<TableCopy> tables;
  for (const std::string& name : names) tables.push_back(read_table(in, name));
  return tables;
}

}  // namespace scree
