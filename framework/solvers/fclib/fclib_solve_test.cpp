/// \file The program as a user meets it.

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "solvers/coulomb/solve.hpp"
#include "solvers/fclib/test_files.hpp"
#include "solvers/fclib/write.hpp"
#include "program.hpp"

namespace scree::fclib {

using Catch::Matchers::ContainsSubstring;
using scree::test::Outcome;
using scree::test::shell;
using scree::test::spit;
using scree::test::TemporaryFolder;

namespace {

const std::string kData = SCREE_FCLIB_DATA;
const std::string kEasy = kData + "/Rover4396.hdf5", kHard = kData + "/OneObject-i100000-316.hdf5";

Outcome fclib_solve(const std::string& arguments) { return shell(std::string(SCREE_PROGRAM) + " " + arguments); }

}  // namespace

TEST_CASE("fclib_solve prints a line for each file and ends with 0") {
  const Outcome outcome = fclib_solve(kEasy + " " + kData + "/CubeH8.hdf5 --tolerance 1e-8");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK_THAT(outcome.out,
             ContainsSubstring("Rover4396.hdf5") && ContainsSubstring("CubeH8.hdf5") && ContainsSubstring("converged"));
}

TEST_CASE("fclib_solve ends with 3 when a problem is not solved") {
  const Outcome outcome = fclib_solve(kEasy + " " + kHard + " --plain --sweeps 50");
  CHECK(outcome.exit_code == 3);
  CHECK_THAT(outcome.out, ContainsSubstring("stalled"));
}

TEST_CASE("fclib_solve goes on after a bad file, tells why it is bad, and ends with 2") {
  const TemporaryFolder folder;
  spit(folder / "bad.hdf5", "W = 1\n");
  const Outcome outcome = fclib_solve((folder / "bad.hdf5").string() + " " + kEasy);
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err ==
        "error: " + (folder / "bad.hdf5").string() + ": is no HDF5 file, or a truncated one. FCLib files are HDF5.\n");
  CHECK_THAT(outcome.out, ContainsSubstring("bad input") && ContainsSubstring("converged"));
}

TEST_CASE("fclib_solve speaks JSON") {
  const Outcome outcome = fclib_solve(kEasy + " " + kData + "/CubeH8.hdf5 missing.hdf5 --json");
  CHECK(outcome.exit_code == 2);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["tolerance"] == 1e-6);
  CHECK(json["files"][0]["contacts"] == 2);
  CHECK(json["files"][0]["status"] == "converged");
  CHECK(json["files"][0]["error"] < 1e-6);
  CHECK(json["files"][0]["branches"]["unsolved"] == 0);
  CHECK(json["files"][1]["global_error"] < 1e-6);
  CHECK(json["files"][2]["fault"] == "missing.hdf5: cannot be read. Is it there, and may you read it?");
}

TEST_CASE("fclib_solve tells the branch of every visit to a contact") {
  const Outcome outcome = fclib_solve(kData + "/Capsules-i100-1090.hdf5 --plain --sweeps 50 --tolerance 1e-12 --json");
  const auto file = nlohmann::json::parse(outcome.out)["files"][0];
  long visits = 0;
  for (const auto& [name, count] : file["branches"].items()) visits += count.get<long>();
  CHECK(visits == file["contacts"].get<long>() * file["sweeps"].get<long>());
}

TEST_CASE("fclib_solve takes problems in the plane, and such without contacts") {
  const TemporaryFolder folder;
  test::planar().write(folder / "planar.hdf5");
  write(folder / "empty.hdf5", Problem<3>{{{0}, {}, {}, {}, {}}, {}, {}, {}, {}});
  const std::string files = (folder / "planar.hdf5").string() + " " + (folder / "empty.hdf5").string();
  const Outcome outcome = fclib_solve(files + " --json --tolerance 1e-12");
  CHECK(outcome.exit_code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["files"][0]["dimension"] == 2);
  CHECK(json["files"][0]["contacts"] == 2);
  CHECK(json["files"][1]["contacts"] == 0);
}

TEST_CASE("fclib_solve saves what it solved, as a problem with its solution") {
  const TemporaryFolder folder;
  CHECK(fclib_solve(kEasy + " --tolerance 1e-10 --save " + folder.path().string()).exit_code == 0);
  const auto saved = std::get<Problem<3>>(read(folder / "Rover4396.hdf5"));
  const auto original = std::get<Problem<3>>(read(kEasy));
  CHECK(saved.contacts.q == original.contacts.q);
  const auto r = by_contact<3>(saved.solution.value().r);
  CHECK(coulomb::error(original.contacts, std::span(r), coulomb::Measure::natural_map) <= 1e-10);

  const std::string saved_file = (folder / "Rover4396.hdf5").string();
  CHECK(fclib_solve(saved_file + " --save " + folder.path().string()).err ==
        "error: --save " + folder.path().string() + ": " + saved_file + " would be replaced. Choose another folder.\n");
  CHECK(fclib_solve(saved_file + " " + kEasy + " --save /").err ==
        "error: --save: two files are called Rover4396.hdf5; save them one by one.\n");
  CHECK(fclib_solve(kEasy + " --save /nowhere").err == "error: --save /nowhere: is no folder. Make it first.\n");
}

TEST_CASE("fclib_solve says what is wrong with its options") {
  const auto complaint = [](const std::string& arguments) {
    const Outcome outcome = fclib_solve(arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(complaint("") == "error: FILE is missing. Usage: fclib_solve FILE... [options].\n");
  CHECK(complaint("a --tolerance 0") == "error: --tolerance 0: must be above 0.\n");
  CHECK(complaint("a --threads 0") == "error: --threads 0: allowed are whole numbers from 1 on.\n");
  CHECK(complaint("a --solver pgs") ==
        "error: --solver pgs: allowed are hybrid, newton, enumerative, admm and interior-point.\n");
  CHECK(complaint("a --solver admm --plain") ==
        "error: --solver admm --plain: admm has no sweeps to do alone. Leave --plain out.\n");
  CHECK_THAT(complaint("a --sweep 3"),
             ContainsSubstring("unknown option --sweep. Did you mean --sweeps? Known: --tolerance, "));
  CHECK_THAT(complaint("a --sweeps many"), ContainsSubstring("Usage: fclib_solve FILE... [options].\n"));
}

TEST_CASE("fclib_solve explains itself") {
  const Outcome outcome = fclib_solve("--help");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("Usage: fclib_solve FILE... [options]") && ContainsSubstring("--plain") &&
                              ContainsSubstring("Exit codes:"));
}

}  // namespace scree::fclib
