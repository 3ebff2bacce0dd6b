#include <algorithm>
#include <filesystem>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/plugin/registry.hpp"

using namespace scree;

namespace {

const std::string kFolder = ABI_PLUGINS;
const std::string kRebuild = " Rebuild it with the installed package's scree_add_plugin().";

/// The message on loading a library, without the folder.
std::string message(const std::string& library) {
  try {
    Registry().load_library(kFolder + "/" + library);
  } catch (const InputError& e) {
    std::string text = e.what();
    const std::string place = " (" + std::filesystem::canonical(kFolder).string() + "/" + library + ")";
    const std::size_t at = text.find(place);
    return at == std::string::npos ? text : text.substr(0, at);
  }
  return "no error";
}

const std::string kApi = std::to_string(SCREE_API_VERSION);

}  // namespace

TEST_CASE("a library that is no plugin is refused by name") {
  CHECK(message("text.so") == "text.so: is not a shared library (no ELF file).");
  CHECK(message("plain.so") ==
        "plain.so: is a shared library but no scree plugin: it has no symbol scree_plugin_manifest. Define it with "
        "SCREE_PLUGIN().");
  CHECK(
      message("undefined_symbol.so") ==
      "undefined_symbol.so: uses elsewhere::answer(double), which neither it nor this scree defines. Link the library "
      "that does, or rebuild the plugin for this scree.");
  CHECK(message("nowhere.so") == "nowhere.so: no such file.");
}

TEST_CASE("a plugin of another build is refused with both sides named") {
  CHECK(message("short_manifest.so") == "short_manifest.so: its manifest has 56 bytes; this scree's has " +
                                            std::to_string(sizeof(scree_manifest)) + "." + kRebuild);
  CHECK(message("no_name.so") == "no_name.so: its manifest has no readable name and version." + kRebuild);
  CHECK(message("wrong_magic.so") ==
        "wrong_magic.so: its symbol scree_plugin_manifest is not scree's (wrong magic number). Define it with "
        "SCREE_PLUGIN().");
  CHECK(message("other_api.so") == "other_api.so: built for scree API 4; this scree has API " + kApi + "." + kRebuild);
  CHECK(message("newer_revision.so") == "newer_revision.so: needs revision 7 of scree API " + kApi +
                                            "; this scree has revision " + std::to_string(SCREE_API_REVISION) +
                                            ". Install a newer scree.");
  CHECK(message("other_alignment.so") ==
        "other_alignment.so: built with Eigen alignment 128; this scree has Eigen alignment " +
            std::to_string(EIGEN_MAX_ALIGN_BYTES) + "." + kRebuild);
  CHECK(message("single_precision.so") ==
        "single_precision.so: built with 4-byte reals; this scree has 8-byte reals." + kRebuild);
  CHECK(message("other_containers.so") ==
        "other_containers.so: built with _GLIBCXX_DEBUG; this scree has no _GLIBCXX_DEBUG." + kRebuild);
  CHECK(message("other_layout.so") ==
        "other_layout.so: built with headers in which types of the interfaces have another layout than in this scree, "
        "though both have API " +
            kApi + "." + kRebuild);
  CHECK(message("no_register.so") ==
        "no_register.so: has a manifest but no function scree_plugin_register(). Define both with SCREE_PLUGIN().");
}

TEST_CASE("a plugin of another compiler is told which one to take") {
  const std::string compiler = SCREE_COMPILER_NAME SCREE_STRINGIZE(SCREE_COMPILER_MAJOR);
  const std::string program = (compiler[0] == 'g' ? "g++-" : "clang++-") + compiler.substr(compiler.find(' ') + 1);
  for (const std::string other : {"gcc 4", "clang 14"}) {
    const std::string file = other == "gcc 4" ? "other_compiler.so" : "clang.so";
    CHECK(message(file) == file + ": built with " + other + "; this scree has " + compiler + ". Rebuild it with " +
                               compiler + ": cmake -DCMAKE_CXX_COMPILER=" + program + ".");
  }
}

TEST_CASE("faulty libraries in a folder are listed and skipped, a name registered twice costs that name alone") {
  Registry registry;
  registry.load({{kFolder}, {"/no/such/folder"}});
  CHECK(registry.failures().size() == 15);
  CHECK(registry.names("law").empty());
  CHECK(registry.names("shape") == std::vector<std::string>{"twin_a", "twin_b"});
  const std::string place = std::filesystem::canonical(kFolder).string();
  CHECK_THROWS_WITH(registry.law("twin"), "twin_b.so: registers the law \"twin\", and so does " + place +
                                              "/twin_a.so. Remove one of the two. (" + place + "/twin_b.so)");
  CHECK(registry.warnings() ==
        std::vector<std::string>{
            "twin_b.so: registers the law \"twin\", and so does " + place +
            "/twin_a.so. No scene can use what is registered twice; remove one of the two libraries. (" + place +
            "/twin_b.so)"});
}

TEST_CASE("a library named by the user loads although a name of it is taken") {
  Registry registry;
  registry.load({{kFolder + "/twin_a.so", kFolder + "/twin_b.so"}, {}});
  CHECK(registry.names("shape") == std::vector<std::string>{"twin_a", "twin_b"});
  CHECK(registry.warnings().size() == 1);
  CHECK(registry.list().size() == 3);  // the law is listed, so that a scene that names it is told why it cannot have it
}

TEST_CASE("what the user names must be there and must load") {
  Registry registry;
  CHECK_THROWS_WITH(registry.load({{"/no/such/folder"}, {}}),
                    "--plugin-path /no/such/folder: no such folder or library.");
  CHECK_THROWS_AS(registry.load({{kFolder + "/text.so"}, {}}), InputError);
}
