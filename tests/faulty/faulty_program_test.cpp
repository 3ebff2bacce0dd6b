// The program's own exit codes, where a plugin throws what no one expects.

#include <stdlib.h>

#include <fstream>

#include "catch.hpp"
#include "faulty_scene.hpp"
#include "program.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("the program's exit code tells whose fault it is when a plugin throws", "[faulty]") {
  struct Case {
    const char *at, *fault;
    int step, code;
  };
  for (const Case c :
       {Case{"prepare", "int", 6, 1}, Case{"detect", "numerical", 6, 3}, Case{"law", "bad_alloc", 0, 2}}) {
    const TemporaryFolder folder;
    spit(folder / "scene.json", faulty_scene(c.at, c.fault, c.step));
    const Outcome run = scree_program("run " + (folder / "scene.json").string() +
                                      " --plugin-path " FAULTY_PLUGIN " --out " + (folder / "out").string());
    INFO(run.err);
    CHECK(run.exit_code == c.code);
    CHECK_THAT(run.err, ContainsSubstring("(plugin faulty)"));
  }
}

TEST_CASE("an exception out of a destructor, or at unloading, does not undo a run that is over", "[faulty]") {
  const TemporaryFolder folder;
  const auto run = [&](const char* at) {
    spit(folder / "scene.json", faulty_scene(at, "runtime_error", 6));  // set-up makes some laws twice
    return scree_program("run " + (folder / "scene.json").string() + " --quiet --plugin-path " FAULTY_PLUGIN " --out " +
                         (folder / "out").string());
  };
  const char* const thrown =
      ": threw std::runtime_error: not one of scree's errors. Results had been written by then, and";
  const Outcome destroyed = run("destructor");
  INFO(destroyed.err);
  CHECK(destroyed.exit_code == 0);
  CHECK_THAT(destroyed.err,
             ContainsSubstring("warning: law \"faulty-law\" (plugin faulty), destructor" + std::string(thrown)));
  ::setenv("FAULTY_UNLOAD", "1", 1);
  const Outcome unloaded = run("");
  ::unsetenv("FAULTY_UNLOAD");
  INFO(unloaded.err);
  CHECK(unloaded.exit_code == 0);
  CHECK_THAT(unloaded.err, ContainsSubstring("warning: library faulty.so" + std::string(thrown)));
}

TEST_CASE("an exception out of a destructor before a run has ended names the plugin and is its fault", "[faulty]") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", faulty_scene("destructor", "runtime_error", 0));
  const Outcome check = scree_program("check " + (folder / "scene.json").string() + " --plugin-path " FAULTY_PLUGIN);
  INFO(check.err);
  CHECK(check.exit_code == 1);
  CHECK_THAT(check.err, ContainsSubstring("error: law \"faulty-law\" (plugin faulty), destructor: threw "));
}
