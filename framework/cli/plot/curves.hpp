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

/// Reads columns of metrics.csv, or FILE/COLUMN of another .csv file, of each run. Rows in which one of the two is no
/// finite number are left out.
/// \param runs  output folders, or .csv files
/// \param x     column of the same file
/// \throws IoError if a run has no such file, InputError if a file has no such column or no row
std::vector<Curve> read_curves(const std::vector<std::string>& runs, const std::vector<std::string>& columns,
                               const std::string& x);

/// Returns the name of a curve in the legend: its run, its column, or both, as far as they differ among these.
std::string label_of(const Curve& curve, const std::vector<Curve>& among);

/// Returns a table of the curves: run, x, and a column for each. \param x  name of the column x
std::string csv_of(const std::vector<Curve>& curves, const std::string& x);

}  // namespace scree::plot
