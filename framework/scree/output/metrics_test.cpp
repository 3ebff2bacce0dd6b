#include "scree/output/metrics.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"
#include "temporary_folder.hpp"

namespace scree {

using test::message_of;
using test::TemporaryFolder;

namespace {

const std::vector<std::string> kColumns = {"time_s", "kinetic_energy_J"};

void append_times(MetricsWriter& writer, std::initializer_list<double> times) {
  for (const double t : times) writer.append(std::array{t, 10 * t});
}

}  // namespace

TEST_CASE("metrics are readable after every row") {
  const TemporaryFolder folder;
  MetricsWriter writer(folder / "metrics.csv", kColumns);
  CHECK(read_file(folder / "metrics.csv") == "time_s,kinetic_energy_J\n");
  append_times(writer, {0, 0.1});
  CHECK(read_file(folder / "metrics.csv") == "time_s,kinetic_energy_J\n0,0\n0.1,1\n");
}

TEST_CASE("several rows go into metrics in one go") {
  const TemporaryFolder folder;
  MetricsWriter writer(folder / "metrics.csv", kColumns);
  writer.append(std::array{0.0, 1.0, 0.0, 2.0, 0.5, 3.0});
  writer.append(std::span<const double>());
  CHECK(read_file(folder / "metrics.csv") == "time_s,kinetic_energy_J\n0,1\n0,2\n0.5,3\n");
}

TEST_CASE("metrics read back to the same bits") {
  const TemporaryFolder folder;
  const double awkward = 0.1 + 0.2, tiny = std::numeric_limits<double>::denorm_min();
  MetricsWriter(folder / "metrics.csv", {"time_s", "a", "b"}).append(std::array{1.0, awkward, tiny});
  const std::string text = read_file(folder / "metrics.csv");
  const char* row = text.c_str() + text.find('\n') + 3;
  char* comma = nullptr;
  CHECK(std::strtod(row, &comma) == awkward);
  CHECK(std::strtod(comma + 1, nullptr) == tiny);
}

TEST_CASE("times have twelve digits: no rounding of steps is seen, and a step of a millionth still is") {
  const TemporaryFolder folder;
  MetricsWriter writer(folder / "metrics.csv", kColumns);
  append_times(writer, {3 * 0.4});
  writer.append(std::array{123456.000001, 0.0, 1e-7 / 3, 0.0});
  CHECK(read_file(folder / "metrics.csv") ==
        "time_s,kinetic_energy_J\n1.2,12.000000000000002\n123456.000001,0\n3.33333333333e-08,0\n");
}

TEST_CASE("a run that resumes at a time that files round keeps its row, or writes it again where that is asked for") {
  const TemporaryFolder folder;
  const std::string before = "time_s,kinetic_energy_J\n0,1\n";
  for (const auto& [time, text] : {std::pair{3 * 0.4, "1.2"}, {7 * 0.7, "4.9"}}) {  // above and below it by a last bit
    INFO(text);
    {
      MetricsWriter first(folder / "metrics.csv", kColumns);
      first.append(std::array{0.0, 1.0, time, 2.0, 9.0, 3.0});
    }
    { MetricsWriter again(folder / "metrics.csv", kColumns, time); }
    CHECK(read_file(folder / "metrics.csv") == before + text + ",2\n");
    { MetricsWriter again(folder / "metrics.csv", kColumns, time, KeptRows::before); }
    CHECK(read_file(folder / "metrics.csv") == before);
  }
}

TEST_CASE("a resumed run drops later rows and a row that was cut") {
  const TemporaryFolder folder;
  {
    MetricsWriter first(folder / "metrics.csv", kColumns);
    append_times(first, {0, 0.1, 0.2, 0.3});
  }
  write_atomically(folder / "metrics.csv", read_file(folder / "metrics.csv") + "0.1,4");
  MetricsWriter again(folder / "metrics.csv", kColumns, 0.2);
  append_times(again, {0.3});
  CHECK(read_file(folder / "metrics.csv") == "time_s,kinetic_energy_J\n0,0\n0.1,1\n0.2,2\n0.3,3\n");
}

TEST_CASE("resuming without an earlier file starts one, starting anew drops an earlier one") {
  const TemporaryFolder folder;
  MetricsWriter(folder / "metrics.csv", kColumns, 0.2).append(std::array{0.25, 1.0});
  CHECK(read_file(folder / "metrics.csv") == "time_s,kinetic_energy_J\n0.25,1\n");
  MetricsWriter anew(folder / "metrics.csv", kColumns);
  CHECK(read_file(folder / "metrics.csv") == "time_s,kinetic_energy_J\n");
}

TEST_CASE("columns may come later: rows of before have zeros in them") {
  const TemporaryFolder folder;
  MetricsWriter writer(folder / "metrics.csv", kColumns);
  append_times(writer, {0, 0.1});
  writer.set_columns({"time_s", "calls", "kinetic_energy_J", "work_J"});
  writer.append(std::array{0.2, 5.0, 2.0, 0.5});
  const std::string text = "time_s,calls,kinetic_energy_J,work_J\n0,0,0,0\n0.1,0,1,0\n0.2,5,2,0.5\n";
  CHECK(read_file(folder / "metrics.csv") == text);
  CHECK(message_of<Error>([&] {
          writer.append(std::array{0.3, 1.0});
        }) == (folder / "metrics.csv").string() + ": 2 values are no rows of 4 columns");
  CHECK(read_file(folder / "metrics.csv") == text);
}

TEST_CASE("a resumed run drops columns that came after its checkpoint, and adds those that came just before") {
  const TemporaryFolder folder;
  const auto file = folder / "metrics.csv";
  {
    MetricsWriter first(file, kColumns);
    append_times(first, {0, 0.1});
    first.set_columns({"time_s", "calls", "kinetic_energy_J"});
    first.append(std::array{0.2, 5.0, 2.0});
  }
  const std::string whole = read_file(file);
  { MetricsWriter again(file, kColumns, 0.1); }
  CHECK(read_file(file) == "time_s,kinetic_energy_J\n0,0\n0.1,1\n");
  { MetricsWriter again(file, {"time_s", "calls", "kinetic_energy_J"}, 0.1); }
  CHECK(read_file(file) == "time_s,calls,kinetic_energy_J\n0,0,0\n0.1,0,1\n");
  write_atomically(file, whole);
  CHECK_THAT(message_of<IoError>([&] { MetricsWriter(file, kColumns, 0.2); }),
             Catch::Matchers::ContainsSubstring("has other columns than this run"));  // 5 calls would be lost
  CHECK(read_file(file) == whole);
}

TEST_CASE("metrics of another run are not continued") {
  const TemporaryFolder folder;
  { MetricsWriter other(folder / "metrics.csv", {"time_s", "contacts"}); }
  const std::string message = message_of<IoError>([&] { MetricsWriter(folder / "metrics.csv", kColumns, 0.2); });
  CHECK_THAT(message,
             Catch::Matchers::ContainsSubstring("has other columns than this run: \"time_s,contacts\" instead of "
                                                "\"time_s,kinetic_energy_J\". Resume into the folder"));
  CHECK(read_file(folder / "metrics.csv") == "time_s,contacts\n");
}

TEST_CASE("figures that are not finite are written as such") {
  const TemporaryFolder folder;
  MetricsWriter(folder / "metrics.csv", kColumns).append(std::array{1.0, std::nan("")});
  CHECK(read_file(folder / "metrics.csv") == "time_s,kinetic_energy_J\n1,nan\n");
}

}  // namespace scree
