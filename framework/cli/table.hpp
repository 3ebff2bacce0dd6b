#pragma once
/// \file Tables of text, for people.

#include <string>
#include <vector>

namespace scree::cli {

using TableRows = std::vector<std::vector<std::string>>;

/// Two spaces between columns; the last column is not padded. Width counts characters of UTF-8 text.
std::string table_text(const TableRows& rows, const std::string& indent = "");
void print_table(const TableRows& rows, const std::string& indent = "");
/// Comma-separated values: texts with commas, quotes or line feeds stand in quotes.
std::string csv_text(const TableRows& rows);

}  // namespace scree::cli
