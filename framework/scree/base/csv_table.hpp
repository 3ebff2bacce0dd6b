#pragma once
/// \file Tables of comma-separated values with a line of column names.

#include <string>
#include <string_view>
#include <vector>

#include "scree/base/text_lines.hpp"

namespace scree {

/// Rows of a table, one at a time. Empty lines, and lines that begin with #, are skipped.
class SCREE_API CsvTable {
 public:
  /// Reads the column names.
  /// \param name     name of the file, for errors
  /// \param example  line of column names, for errors
  /// \throws InputError if there are none, or one is there twice
  CsvTable(std::istream& in, std::string name, const std::string& example);

  /// Checks that all columns are known.
  /// \param dimension  dimension of the scene, for errors
  /// \param fix        remedy for an unknown column, for errors
  /// \throws InputError for unknown columns
  void check_names(const std::vector<std::string>& known, int dimension, const std::string& fix) const;
  bool has(std::string_view column) const;

  /// Goes to the next row. \return false at the end of the file \throws InputError for another number of values
  bool next_row();
  /// Returns the text of the row in a column that exists, without blanks around it; valid until next_row().
  std::string_view text(std::string_view column) const;
  /// Returns the number of the row in a column. \throws InputError if it is none, or not finite
  double number(std::string_view column) const;

  /// Line of this row in the file, counted from 1.
  int line() const { return lines_.line(); }
  /// Throws an error at this row. \throws InputError "name:line: message"
  [[noreturn]] void fail(const std::string& message) const { lines_.fail(message); }
  /// Throws an error at a line. \throws InputError "name:line: message"
  [[noreturn]] void fail_at(int line, const std::string& message) const { lines_.fail_at(line, message); }

 private:
  TextLines lines_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> values_;  ///< parts of the line
};

}  // namespace scree
