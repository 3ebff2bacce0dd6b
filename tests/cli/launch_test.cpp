// Started by mpirun where nothing connects the processes.

#include <fmt/format.h>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Folder {
  TemporaryFolder folder;
  Folder() { spit(folder / "scene.json", kSmallScene); }
  fs::path out() const { return folder / "out"; }
  Outcome run(const std::string& environment) const {
    return shell(fmt::format("{} {} run {} --quiet --threads 1 --set /run/duration=0.001 --out {}", environment,
                             SCREE_PROGRAM, (folder / "scene.json").string(), out().string()));
  }
};

}  // namespace

TEST_CASE("processes of mpirun that nothing connects are refused: the first says why, the others that they are some") {
  const Folder folder;
  for (const std::string of : {"OMPI_COMM_WORLD", "PMI"}) {
    const auto started = [&](int rank) {
      return folder.run(fmt::format("SCREE_TRANSPORT_PATH=/nowhere {0}_SIZE=4 {0}_RANK={1}", of, rank));
    };
    const Outcome first = started(0), last = started(3);
    CHECK((first.exit_code == 2 && last.exit_code == 2));
    CHECK_THAT(first.err, ContainsSubstring("error: mpirun has started 4 processes, and this scree has nothing by "
                                            "which they could share a run: no transport is in /nowhere. Build scree "
                                            "where MPI is installed"));
    CHECK_THAT(last.err, ContainsSubstring(fmt::format("error: this is process 3 of 4 by {0}_SIZE and {0}_RANK, and it "
                                                       "cannot share a run with the others",
                                                       of)) &&
                             ContainsSubstring("unset these variables"));
  }
  CHECK_FALSE(fs::exists(folder.out()));
}

TEST_CASE("one process of mpirun, or numbers that are none, make a run as any other") {
  const Folder folder;
  for (const char* environment :
       {"OMPI_COMM_WORLD_SIZE=1 OMPI_COMM_WORLD_RANK=0", "PMI_SIZE=1", "PMI_SIZE=", "OMPI_COMM_WORLD_SIZE=4x"})
    CHECK(folder.run(std::string("SCREE_TRANSPORT_PATH=/nowhere ") + environment).exit_code == 0);
}

TEST_CASE("a library that is no transport is named, with what it lacks") {
  const Folder folder;
  const Outcome outcome = folder.run("PMI_SIZE=2 PMI_RANK=0 SCREE_TRANSPORT_PATH=$SCREE_PLUGIN_PATH");
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("has a manifest but no function scree_start_transport(). Define both with "
                                            "SCREE_TRANSPORT()."));
}
