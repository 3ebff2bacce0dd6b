#include "cli/run_metrics.hpp"

#include <fstream>

#include "catch.hpp"
#include "temporary_folder.hpp"

using namespace scree::cli;
using namespace scree::test;

namespace {

/// The output of a run with four rows.
struct Output {
  TemporaryFolder folder;
  Output() {
    std::ofstream(folder / "metrics.csv") << "time_s,step,contacts\n0,0,100\n0.01,1,7\n0.02,2,1\n0.03,3,3\n";
    std::ofstream(folder / "bed.csv") << "time_s,coordination\n0.01,9\n0.02,2\n0.03,4\n";
    std::ofstream(folder / "summary.json") << R"({"steps": 3, "momentum": [1.5, -2], "figures": {"heat": 8}})";
  }
  std::string text(const std::string& name, double from = 0) const {
    return RunMetrics(folder.path(), from).text(name);
  }
};

}  // namespace

TEST_CASE("mean, least and largest value of a column are those of all rows from a time on, the row of that time too") {
  const Output run;
  CHECK(run.text("contacts:mean", 0.02) == "2");
  CHECK(run.text("contacts:max", 0.02) == "3");
  CHECK(run.text("contacts:min", 0.02) == "1");
  CHECK(run.text("contacts:max", 0.01) == "7");
  CHECK(run.text("contacts:max") == "100");
  CHECK(run.text("contacts:mean", 0.021) == "3");
  CHECK(run.text("contacts:mean", 1).empty());
  CHECK(run.text("bed/coordination:mean", 0.02) == "3");
}

TEST_CASE("a column alone is its last row, whatever the time from which rows count") {
  const Output run;
  CHECK(run.text("contacts") == "3");
  CHECK(run.text("contacts", 1) == "3");
  CHECK(run.text("bed/coordination", 1) == "4");
}

TEST_CASE("figures of the summary go by their keys, with dots into what they hold") {
  const Output run;
  CHECK(run.text("steps") == "3");
  CHECK(run.text("momentum.1") == "-2");
  CHECK(run.text("figures.heat") == "8");
  CHECK(run.text("momentum.2").empty());
  CHECK(run.text("nothing").empty());
}
