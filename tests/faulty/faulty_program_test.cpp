// The program's own exit codes, where a plugin throws what no one expects.

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
