#pragma once
/// \file Columns of runs' tables as curves.

#include <filesystem>
#include <string>
#include <vector>

namespace scree::plot {

/// Curve of a column over another one.
struct Curve {
  std::string run;     ///< name that distinguishes its run from the others
  std::string column;  ///< "kinetic_energy_J", "bed/coordination"
  std::vector<double> x, y;
};

/// Rows of a table that a curve is made of.
struct RowChoice {
  std::string column;               ///< empty: all rows
  std::vector<std::string> values;  ///< numbers, or "last"; a curve for each, of the rows that are nearest to it
};

/// Reads columns of metrics.csv, or FILE/COLUMN of another .csv file, of each run. Rows in which one of the two is no
/// finite number are left out.
/// \param runs  output folders, or .csv files
/// \param x     column of the same file
/// \param choice  rows to take; columns are then named after the value that was found
/// \throws IoError if a run has no such file, InputError if a file has no such column or no row
std::vector<Curve> read_curves(const std::vector<std::string>& runs, const std::vector<std::string>& columns,
                               const std::string& x, const RowChoice& choice = {});

/// Replaces each value by the mean of the rows within `width` of x up to its own, as meters average over a window.
/// \throws InputError where x does not ascend
void average_over(Curve& curve, double width);

/// Returns the name of a curve in the legend: its run, its column, or both, as far as they differ among these.
std::string label_of(const Curve& curve, const std::vector<Curve>& among);

/// Returns a table of the curves: run, x, and a column for each. \param x  name of the column x
std::string csv_of(const std::vector<Curve>& curves, const std::string& x);

}  // namespace scree::plot
