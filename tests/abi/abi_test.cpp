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
  CHECK(message("wrong_magic.so") ==
        "wrong_magic.so: its symbol scree_plugin_manifest is not scree's (wrong magic number). Define it with "
        "SCREE_PLUGIN().");
  CHECK(message("other_api.so") == "other_api.so: built for scree API 3; this scree has API " + kApi + "." + kRebuild);
  CHECK(message("newer_revision.so") == "newer_revision.so: needs revision 7 of scree API " + kApi +
                                            "; this scree has revision " + std::to_string(SCREE_API_REVISION) +
                                            ". Install a newer scree.");
  CHECK(message("other_alignment.so") ==
        "other_alignment.so: built with Eigen alignment 128; this scree has Eigen alignment " +
            std::to_string(EIGEN_MAX_ALIGN_BYTES) + "." + kRebuild);
  CHECK(message("single_precision.so") ==
        "single_precision.so: built with 4-byte reals; this scree has 8-byte reals." + kRebuild);
  CHECK(message("other_compiler.so") ==
        "other_compiler.so: built with gcc 4; this scree has " SCREE_COMPILER_NAME SCREE_STRINGIZE(
            SCREE_COMPILER_MAJOR) "." +
            kRebuild);
  CHECK(message("no_register.so") ==
        "no_register.so: has a manifest but no function scree_plugin_register(). Define both with SCREE_PLUGIN().");
}

TEST_CASE("faulty libraries in a folder are listed and skipped, a name registered twice cannot be used") {
  Registry registry;
  registry.load({{kFolder}, {"/no/such/folder"}});
  CHECK(registry.names("law") == std::vector<std::string>{"twin"});
  CHECK(registry.failures().size() == 11);
  const std::string place = std::filesystem::canonical(kFolder).string();
  const std::string clash = "twin_b.so: registers the law \"twin\", and so does " + place +
                            "/twin_a.so. Remove one of the two. (" + place + "/twin_b.so)";
  CHECK(std::any_of(registry.failures().begin(), registry.failures().end(),
                    [&](const PluginFailure& failure) { return failure.message == clash; }));
  CHECK_THROWS_WITH(registry.law("twin"), clash);
}

TEST_CASE("what the user names must be there and must load") {
  Registry registry;
  CHECK_THROWS_WITH(registry.load({{"/no/such/folder"}, {}}),
                    "--plugin-path /no/such/folder: no such folder or library.");
  CHECK_THROWS_AS(registry.load({{kFolder + "/text.so"}, {}}), InputError);
}
