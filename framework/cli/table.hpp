#pragma once
/// \file Tables of text for users.

#include <string>
#include <vector>

namespace scree::cli {

using TableRows = std::vector<std::vector<std::string>>;

/// Returns a table as text, with two spaces between columns; the last column is not padded. Width counts characters of
/// UTF-8 text.
std::string table_text(const TableRows& rows, const std::string& indent = "");
void print_table(const TableRows& rows, const std::string& indent = "");
/// Returns comma-separated values: texts with commas, quotes or line feeds are in quotes.
std::string csv_text(const TableRows& rows);

}  // namespace scree::cli
