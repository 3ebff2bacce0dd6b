// The shell's Tab key, and the kinds of plugins that are written.

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// What bash offers for the last of these words.
std::string completed(const std::string& words) {
  const TemporaryFolder folder;
  const std::string program = SCREE_PROGRAM, bin = program.substr(0, program.find_last_of('/'));
  spit(folder / "ask.bash", "PATH=" + bin + ":$PATH\nsource " SCREE_COMPLETION "\nCOMP_WORDS=(" + words +
                                ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_scree\necho \"${COMPREPLY[*]}\"\n");
  return shell("bash " + (folder / "ask.bash").string()).out;
}

}  // namespace

TEST_CASE("bash completes commands, options, methods and kinds of plugins, as the program knows them") {
  CHECK(completed("scree new") == "new new-plugin\n");
  CHECK(completed("scree new h") == "hopper\n");
  CHECK(completed("scree run --res") == "--resume\n");
  CHECK_THAT(completed("scree sweep --"), ContainsSubstring("--vary") && ContainsSubstring("--seeds"));
  CHECK_THAT(completed("scree plugins sphere"), ContainsSubstring("sphere-wall") && ContainsSubstring("sphere-sphere"));
  CHECK(completed("scree new-plugin sh") == "shape shape-3d\n");
}

TEST_CASE("new-plugin tells which kinds it knows, and which name is taken") {
  const Outcome kind = scree_program("new-plugin lw my_law");
  CHECK(kind.exit_code == 2);
  CHECK_THAT(kind.err,
             ContainsSubstring("new-plugin: unknown kind \"lw\". Did you mean \"law\"? Known: shape, shape-3d, "
                               "detector, law, bond-law, integrator, packing, modifier, observer."));
  const TemporaryFolder folder;
  const Outcome taken = scree_program("new-plugin law linear --out " + (folder / "linear").string());
  CHECK(taken.exit_code == 2);
  CHECK_THAT(taken.err, ContainsSubstring("there is a law \"linear\" already. Choose another name."));
  for (const std::string name : {"class", "std", "test", "unix", "time", "a__b", "A", "1a", "'a b'", "a/b", "''"}) {
    const Outcome none = scree_program("new-plugin law " + name + " --out " + (folder / "none").string());
    INFO(name << ": " << none.err);
    CHECK(none.exit_code == 2);
    CHECK_THAT(none.err,
               ContainsSubstring("cannot be the plugin's name, which names a C++ namespace and a CMake target"));
    CHECK_FALSE(fs::exists(folder / "none"));
  }
}
