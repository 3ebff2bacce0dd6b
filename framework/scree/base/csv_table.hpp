#pragma once
/// \file Tables of comma-separated values with a line of column names.

#include <string>
#include <string_view>
#include <vector>

#include "scree/base/text_lines.hpp"

namespace scree {

/// Rows of a table, one at a time. Empty lines, and lines that begin with #, are passed over.
class SCREE_API CsvTable {
 public:
  /// Reads the column names. \param name  of the file, for errors \param example  of a line of column names, for errors
  /// \throws InputError where there are none, or one is there twice
  CsvTable(std::istream& in, std::string name, const std::string& example);

  /// \param dimension  of the scene, for errors \param fix  what to do about another column, for errors
  /// \throws InputError where there are other columns than these
  void check_names(const std::vector<std::string>& known, int dimension, const std::string& fix) const;
  bool has(std::string_view column) const;

  /// Goes to the next row. \return false at the end of the file \throws InputError for another number of values
  bool next_row();
  /// What the row has in a column that is there, without blanks around it; until next_row().
  std::string_view text(std::string_view column) const;
  /// The same as a number. \throws InputError where it is none, or not finite
  double number(std::string_view column) const;

  /// Line of this row in the file, counted from 1.
  int line() const { return lines_.line(); }
  /// \throws InputError "name:line: message", with the line of this row
  [[noreturn]] void fail(const std::string& message) const { lines_.fail(message); }
  /// \throws InputError "name:line: message"
  [[noreturn]] void fail_at(int line, const std::string& message) const { lines_.fail_at(line, message); }

 private:
  TextLines lines_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> values_;  ///< into the line
};

}  // namespace scree
