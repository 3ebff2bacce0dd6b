// The launcher where packages are missing: what it would install, and what it says when that fails. dpkg-query and
// apt-get are played.

#include <fmt/format.h>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A Debian without any package, whose apt-get installs nothing.
struct BareSystem {
  TemporaryFolder folder;

  explicit BareSystem(const std::string& why) {
    fs::create_directories(folder / "bin");
    tool("dpkg-query", "exit 1");
    tool("id", "echo 0");
    tool("apt-get", fmt::format("[ $1 = update ] || {{ echo \"{}\"; exit 100; }}", why));
  }
  void tool(const std::string& name, const std::string& does) const {
    spit(folder / "bin" / name, "#!/bin/sh\n" + does + "\n");
    fs::permissions(folder / "bin" / name, fs::perms::owner_all);
  }
  fs::path build() const { return folder / "build"; }
  Outcome launch(const std::string& options) const {
    return shell(fmt::format("PATH={}:$PATH SCREE_BUILD_DIR={} SCREE_CMAKE_ARGS='{}' {} build",
                             (folder / "bin").string(), build().string(), options, SCREE_LAUNCHER));
  }
};

}  // namespace

TEST_CASE("launcher: what an option leaves out needs no package") {
  const BareSystem system("no network");
  const Outcome whole = system.launch("");
  CHECK(whole.exit_code == 4);
  for (const char* package : {"libeigen3-dev", "libvtk9-dev", "xvfb", "libopenvdb-dev", "catch2"})
    CHECK_THAT(whole.err, ContainsSubstring(package));
  const auto less = [](const Outcome& outcome) {
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.err, ContainsSubstring("libeigen3-dev"));
    for (const char* package : {"libvtk9-dev", "xvfb", "libopenvdb-dev", "catch2"})
      CHECK_THAT(outcome.err, !ContainsSubstring(package));
  };
  less(system.launch("-DSCREE_VTK=OFF -DSCREE_OPENVDB:BOOL=off -DBUILD_TESTING=0"));
  // Later on the build folder knows.
  spit(system.build() / "build.ninja", "");
  spit(system.build() / "CMakeCache.txt", "SCREE_VTK:BOOL=OFF\nSCREE_OPENVDB:BOOL=OFF\nBUILD_TESTING:BOOL=OFF\n");
  less(system.launch(""));
}

TEST_CASE("launcher: a package that cannot be installed ends it with the log, and of ParaView it says what helps") {
  const Outcome plain = BareSystem("no network").launch("");
  CHECK(plain.exit_code == 4);
  CHECK_THAT(plain.err, ContainsSubstring("no network\nscree: the packages could not be installed; the whole log is "));
  const Outcome conflict = BareSystem(" python3-paraview : Conflicts: python3-vtk9").launch("");
  CHECK(conflict.exit_code == 4);
  CHECK_THAT(conflict.err, ContainsSubstring("scree: Debian's package python3-paraview cannot be installed beside "
                                             "libvtk9-dev. Remove it:\n  apt-get remove python3-paraview paraview\n"));
}
