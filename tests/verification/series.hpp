#pragma once
/// \file A scene file run by `scree run`, and its metrics as columns.

#include <fmt/format.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "program.hpp"
#include "verify.hpp"

namespace scree::test {

/// The rows of metrics.csv of a run. \param overrides  of the scene: {"/integrator/dt", "1e-6"}
class Series {
 public:
  explicit Series(const std::string& scene, const std::map<std::string, std::string>& overrides = {}) {
    const TemporaryFolder folder;
    std::string command =
        fmt::format("run {}/{}.json --quiet --out {}", SCREE_SCENES, scene, (folder / "out").string());
    for (const auto& [pointer, value] : overrides) command += fmt::format(" --set '{}={}'", pointer, value);
    const Outcome run = scree_program(command);
    INFO(command << "\n" << run.err);
    REQUIRE(run.exit_code == 0);
    std::istringstream table(slurp(folder / "out/metrics.csv"));
    std::string row, name;
    std::getline(table, row);
    for (std::istringstream names(row); std::getline(names, name, ',');) names_.push_back(name);
    while (std::getline(table, row)) {
      std::istringstream values(row);
      std::string value;
      for (const std::string& column : names_) {
        std::getline(values, value, ',');
        columns_[column].push_back(std::stod(value));
      }
    }
  }

  const std::vector<double>& operator[](const std::string& column) const { return columns_.at(column); }
  double last(const std::string& column) const { return columns_.at(column).back(); }
  std::size_t rows() const { return columns_.begin()->second.size(); }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::vector<double>> columns_;
};

/// One row of the table: printed, and checked. \param tolerance  relative to the reference; absolute where that is 0
inline void compare(const std::string& test, const std::string& quantity, double reference, double ours,
                    double tolerance) {
  static const bool header = [] {
    fmt::print("{:<34} {:<26} {:>14} {:>14} {:>10} {:>8}\n", "test", "quantity", "reference", "ours", "error", "gate");
    return true;
  }();
  (void)header;
  fmt::print("{:<34} {:<26} {:>14.8g} {:>14.8g} {:>10.1e} {:>8.0e}\n", test, quantity, reference, ours,
             deviation(reference, ours), tolerance);
  verify(test + ": " + quantity, reference, ours, tolerance);
}

}  // namespace scree::test
