#pragma once
/// \file Columns of a snapshot as values, and the reverse.

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "scree/run/table_copy.hpp"

namespace scree::detail {

template <class T>
std::vector<T> values_of(const TableCopy::ColumnCopy& column) {
  const std::vector<std::byte> bytes = column.rows.bytes();
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
  return values;
}

/// Returns the values of a column; empty if there is no such column of this type.
template <class T>
std::vector<T> values_of(const TableCopy& table, const std::string& name) {
  const TableCopy::ColumnCopy* const column = table.find(name);
  if (!column || column->type != ColumnTraits<T>::type || column->components != ColumnTraits<T>::components) return {};
  return values_of<T>(*column);
}

template <class T>
void put_values(TableCopy& table, const std::string& name, const std::vector<T>& values) {
  for (TableCopy::ColumnCopy& column : table.columns)
    if (column.name == name) column.rows = RowCopies(std::as_bytes(std::span<const T>(values)), sizeof(T));
}

}  // namespace scree::detail
