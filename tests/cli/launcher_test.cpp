// The launcher: what it installs where packages are missing, what it builds for a command, and help without a build.
// dpkg-query, apt-get, ninja and ctest are played.

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

/// A configured build folder in which nothing is built: ninja and ctest only note what they are asked for.
struct EmptyBuild {
  TemporaryFolder folder;

  EmptyBuild() {
    fs::create_directories(folder / "bin");
    tool("dpkg-query", "echo install ok installed");
    for (const char* name : {"ninja", "ctest"})
      tool(name, fmt::format("echo \"{} $*\" >>{}", name, (folder / "asked").string()));
    spit(folder / "build/build.ninja", "");
    spit(folder / "build/tests.txt",
         "star_test: outline_test\tstar_test\n"
         "star_test: launcher_test\tstar_test\n"
         "docs: pages run\tscree_program scree_plugins\n");
    spit(folder / "build/later_plugins.txt", "rods elastic-rod capsule\ncontinuum granular-continuum\n");
  }
  void tool(const std::string& name, const std::string& does) const {
    spit(folder / "bin" / name, "#!/bin/sh\n" + does + "\n");
    fs::permissions(folder / "bin" / name, fs::perms::owner_all);
  }
  Outcome launch(const std::string& command) const {
    fs::remove(folder / "asked");
    return shell(fmt::format("PATH={}:$PATH SCREE_BUILD_DIR={} {} {}", (folder / "bin").string(),
                             (folder / "build").string(), SCREE_LAUNCHER, command));
  }
  /// What ninja and ctest were asked for by a command, without the folder and the check that the build is configured.
  std::string asked(const std::string& command) const {
    launch(command);
    std::string text = fs::exists(folder / "asked") ? slurp(folder / "asked") : "";
    for (const std::string& same : {" -C " + (folder / "build").string(), std::string("ninja build.ninja\n")})
      for (std::size_t at; (at = text.find(same)) != std::string::npos;) text.erase(at, same.size());
    return text;
  }
};

}  // namespace

TEST_CASE("launcher: help is printed before anything is built") {
  const EmptyBuild build;
  const auto says = [&](const std::string& command, const std::string& text) {
    INFO(command);
    const Outcome outcome = build.launch(command);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, ContainsSubstring(text));
    CHECK(!fs::exists(build.folder / "asked"));
  };
  says("--help", "scree COMMAND --help says more");
  says("--help", "./scree test [NAME]");
  says("run --help", "Usage: scree run SCENE [options]");
  says("check scene.json -h", "Usage: scree check SCENE [options]");
  for (const char* command : {"test", "bench", "build", "install", "package"})
    says(std::string(command) + " --help", fmt::format("./scree {} ", command));
}

TEST_CASE("launcher: a test is built alone, by its name, or by the name of a case in its file") {
  const EmptyBuild build;
  CHECK_THAT(build.asked("test outline"), ContainsSubstring("ninja star_test\nctest --test-dir"));
  CHECK_THAT(build.asked("test outline"), ContainsSubstring("-R outline\n"));
  CHECK_THAT(build.asked("test 'pages run'"), ContainsSubstring("ninja scree_program scree_plugins\n"));
  CHECK_THAT(build.asked("test 'help is printed before'"), ContainsSubstring("-R : (launcher_test)$\n"));
  CHECK_THAT(build.asked("test"), ContainsSubstring("ninja all\nctest"));
  const Outcome none = build.launch("test no-such-test-anywhere");
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.err, ContainsSubstring("scree test no-such-test-anywhere: no test has that in its name."));
}

TEST_CASE("launcher: build takes targets, and nothing else") {
  const EmptyBuild build;
  CHECK(build.asked("build") == "ninja all\n");
  CHECK(build.asked("build --only star_test spheres") == "ninja star_test spheres\n");
  const Outcome wrong = build.launch("build star_test");
  CHECK(wrong.exit_code == 2);
  CHECK_THAT(wrong.err, ContainsSubstring("expected nothing, or --only TARGET..."));
}

TEST_CASE(
    "launcher: a run builds plugins that compile for long where its scene names them, and device code for a device") {
  const EmptyBuild build;
  const fs::path pile = build.folder / "pile.json", hair = build.folder / "hair.json";
  spit(pile, R"({"shapes": {"ball": {"type": "sphere"}}})");
  spit(hair, R"({"shapes": {"lock": {"type": "capsule"}}})");
  CHECK(build.asked("run " + pile.string()) == "ninja scree_program scree_first_plugins\n");
  CHECK(build.asked("run " + hair.string()) == "ninja scree_program scree_first_plugins rods\n");
  CHECK(build.asked("check " + pile.string() + " --set /integrator/type=granular-continuum") ==
        "ninja scree_program scree_first_plugins continuum\n");
  CHECK(build.asked("run " + pile.string() + " --device cuda-host") ==
        "ninja scree_program scree_device scree_first_plugins\n");
  CHECK(build.asked("plugins") == "ninja scree_program scree_plugins\n");
  // What was built once is kept up to date.
  spit(build.folder / "build/lib/scree/plugins/librods.so", "");
  CHECK(build.asked("run " + pile.string()) == "ninja scree_program scree_first_plugins rods\n");
}

TEST_CASE("launcher: what an option leaves out needs no package") {
  const BareSystem system("no network");
  const Outcome whole = system.launch("");
  CHECK(whole.exit_code == 4);
  for (const char* package : {"libeigen3-dev", "libvtk9-dev", "xvfb", "libopenvdb-dev", "catch2", "pybind11-dev",
                              "python3-dev", "python3-numpy", "python3-pytest", "mypy"})
    CHECK_THAT(whole.err, ContainsSubstring(package));
  const auto less = [](const Outcome& outcome) {
    CHECK(outcome.exit_code == 4);
    CHECK_THAT(outcome.err, ContainsSubstring("libeigen3-dev"));
    for (const char* package : {"libvtk9-dev", "xvfb", "libopenvdb-dev", "catch2", "pybind11-dev", "python3-", "mypy"})
      CHECK_THAT(outcome.err, !ContainsSubstring(package));
  };
  less(system.launch("-DSCREE_VTK=OFF -DSCREE_OPENVDB:BOOL=off -DBUILD_TESTING=0"));
  // Later on the build folder knows.
  spit(system.build() / "build.ninja", "");
  spit(system.build() / "CMakeCache.txt", "SCREE_VTK:BOOL=OFF\nSCREE_OPENVDB:BOOL=OFF\nBUILD_TESTING:BOOL=OFF\n");
  less(system.launch(""));
}

TEST_CASE("launcher: python runs a script with the package, which an option leaves out") {
  const EmptyBuild build;
  build.tool("python", "echo \"$PYTHONPATH: $*\"");
  spit(build.folder / "build/python.txt", (build.folder / "bin/python").string() + "\n");
  const Outcome ran = build.launch("python pile.py --help");
  CHECK(ran.exit_code == 0);
  CHECK_THAT(ran.out, ContainsSubstring((build.folder / "build/lib/python").string()));
  CHECK_THAT(ran.out, ContainsSubstring(": pile.py --help\n"));
  CHECK(build.asked("python pile.py") == "ninja scree_python_module scree_program scree_plugins scree_renderer\n");
  CHECK_THAT(build.launch("python --help").out, ContainsSubstring("./scree python SCRIPT"));

  spit(build.folder / "build/CMakeCache.txt", "SCREE_PYTHON:STRING=OFF\n");
  const Outcome off = build.launch("python pile.py");
  CHECK(off.exit_code == 2);
  CHECK_THAT(off.err, ContainsSubstring("SCREE_PYTHON is OFF"));
  const Outcome without = BareSystem("no network").launch("-DSCREE_PYTHON=OFF");
  CHECK_THAT(without.err, ContainsSubstring("catch2"));
  CHECK_THAT(without.err, !ContainsSubstring("pybind11-dev"));
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
