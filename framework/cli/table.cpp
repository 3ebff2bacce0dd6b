#include "cli/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::cli {

namespace {

std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::string table_text(const TableRows& rows, const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (k == widths.size()) widths.push_back(0);
      widths[k] = std::max(widths[k], shown_width(row[k]));
    }
  std::string text;
  for (const auto& row : rows) {
    std::string line = indent;
    for (std::size_t k = 0; k < row.size(); ++k) {
      line += row[k];
      if (k + 1 < row.size()) line.append(widths[k] + 2 - shown_width(row[k]), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

void print_table(const TableRows& rows, const std::string& indent) { fmt::print("{}", table_text(rows, indent)); }

std::string csv_text(const TableRows& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) text += (k ? "," : "") + csv_cell(row[k]);
    text += "\n";
  }
  return text;
}

}  // namespace scree::cli
