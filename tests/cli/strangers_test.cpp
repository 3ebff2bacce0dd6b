// Scenes of strangers: what they name, how large they are, and that `check` sees all that `run` sees.

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string with(const std::string& from, const std::string& to) {
  std::string text = kSmallScene;
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string kLattice = R"({"type": "lattice", "lower": [0, 0.01], "counts": [4, 3], "spacing": 0.012})";
std::string packed(const std::string& file) {
  return with(kLattice, fmt::format(R"({{"type": "csv", "file": "{}"}})", file));
}

/// A scene in a folder of its own, beside which others lie.
struct Home {
  TemporaryFolder folder;
  fs::path scene = folder / "home" / "scene.json";
  explicit Home(const std::string& text) { spit(scene, text); }
  Outcome check(const std::string& more = "") const { return scree_program("check " + scene.string() + " " + more); }
  Outcome run(const std::string& more = "") const {
    return shell("cd " + folder.path().string() + " && " + SCREE_PROGRAM + " run home/scene.json --quiet " + more);
  }
};

void refused(const Outcome& outcome, const std::string& place, const std::string& message) {
  INFO(outcome.err);
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring(place) && ContainsSubstring(message));
}

}  // namespace

TEST_CASE("a scene reads files of its own folder, others where --allow-path says so, and shows no byte of the rest") {
  const std::string secret = "x,y,password\n0,0.01,1\n", table = "x,y\n0,0.01\n";
  const auto place_of = [](const Outcome& outcome) { return outcome.err.substr(0, outcome.err.find("/packing")); };
  const auto outside = [&](const Home& home) {
    spit(home.folder / "secret.csv", secret);
    const Outcome told = home.check();
    refused(told, "scene.json:", "--allow-path");
    CHECK_THAT(told.err, ContainsSubstring("lies outside of the scene's folder"));
    CHECK_THAT(told.err, !ContainsSubstring("password"));
    CHECK_THAT(place_of(told), ContainsSubstring("/bodies/0"));
    CHECK_THAT(home.run("--out out").err, ContainsSubstring("--allow-path"));
    CHECK(!fs::exists(home.folder / "out"));
    // Once allowed it is read, and its fault is told.
    CHECK_THAT(home.check("--allow-path " + home.folder.path().string()).err, ContainsSubstring("password"));
  };
  outside(Home(packed("../secret.csv")));
  Home linked(packed("grains.csv"));
  fs::create_symlink("../secret.csv", linked.folder / "home" / "grains.csv");
  outside(linked);
  Home through(packed("data/secret.csv"));
  fs::create_directory_symlink("..", through.folder / "home" / "data");
  outside(through);

  Home absolute(packed("/etc/passwd"));
  refused(absolute.check(), "/bodies/0/packing/file", "--allow-path");
  Home own(packed("sub/../grains.csv"));
  spit(own.folder / "home" / "grains.csv", table);
  CHECK(own.check().exit_code == 0);
  CHECK(own.run("--out out").exit_code == 0);
  // The result's scene names the file where it is, outside of the result's folder.
  const std::string again = "check " + (own.folder / "out" / "scene.json").string();
  CHECK(scree_program(again).exit_code == 2);
  CHECK(scree_program(again + " --allow-path " + (own.folder / "home").string()).exit_code == 0);
  refused(own.check("--allow-path /nowhere"), "--allow-path /nowhere", "no such folder");
}

TEST_CASE("pipes, devices and folders are no files: told at once") {
  Home home(packed("pipe"));
  REQUIRE(mkfifo((home.folder / "home" / "pipe").c_str(), 0600) == 0);
  refused(home.check(), "/bodies/0/packing/file", "not a regular file");
  refused(Home(packed("/dev/zero")).check("--allow-path /dev"), "/bodies/0/packing/file", "not a regular file");
  refused(scree_program("check " + (home.folder / "home" / "pipe").string()), "pipe", "no regular file");
  refused(scree_program("check /dev/zero"), "/dev/zero", "no regular file");
  CHECK(shell("cat " + home.scene.string() + " | " + SCREE_PROGRAM + " check /dev/stdin").exit_code == 2);
}

TEST_CASE("a scene writes into its output folder alone") {
  for (const char* const name :
       {"../../x", "/tmp/scree_stranger", "..", ".", "a/b", "a\\nb", "\\u001b[2J", "\\u202e"}) {
    const Home home(with("\"name\": \"small\"", std::string("\"name\": \"") + name + "\""));
    refused(home.check(), "scene.json:2:", "/name");
    refused(home.run(), "scene.json:2:", "out/<name>");
    CHECK(!fs::exists(home.folder / "out"));
    CHECK_THAT(home.check().err, !ContainsSubstring("\x1b"));
  }
  CHECK(!fs::exists("/tmp/scree_stranger"));
  const auto dumping = [](const std::string& folder) {
    return with(R"("integrator": {"type": "symplectic-euler", "dt": 0.0001})",
                R"("integrator": {"type": "moreau-jean", "dt": 0.001, "dump": {"folder": ")" + folder +
                    R"(", "interval": 0.01}})");
  };
  for (const char* const folder : {"/tmp/scree_stranger", "../problems", "a/../../problems"}) {
    const Home home(dumping(folder));
    refused(home.check(), "/integrator/dump/folder", "output folder");
    refused(home.run("--out out"), "/integrator/dump/folder", "output folder");
  }
}

TEST_CASE("names have neither commas nor quotes nor controls, wherever they stand, and are refused with their place") {
  for (const char* name : {"a,b", "a\\\"b", "a\\nb", "a\\u001b[31mb"})
    refused(Home(with("\"name\": \"floor\"", std::string("\"name\": \"") + name + "\"")).check(), "/bodies/1/name",
            "metrics.csv");
  CHECK(Home(with("\"name\": \"floor\"", "\"name\": \"Schüttgut 1\"")).check().exit_code == 0);
  refused(Home(with("\"cross\": {", "\"cr\\u001boss\": {")).check(), "scene.json:", "\\x1b");
  const auto hook = [](const std::string& type, const std::string& name) {
    return "--set '/hooks=[{\"type\": \"" + type + "\", \"name\": \"" + name + "\", \"interval\": 0.001, " +
           (type == "emitter" ? "\"shape\": \"cross\", \"material\": \"grain\", \"number\": 1, " : "") +
           "\"region\": {\"type\": \"box\", \"lower\": [0, 0], \"upper\": [1, 1]}}]'";
  };
  const Home home(kSmallScene);
  const std::string kilometre(40000, 'n');
  for (const std::string name : {"feed/left", "a,b", "a\\nb", "a\\u0000b", "../x", kilometre.c_str()})
    for (const std::string type : {"emitter", "outlet", "region-meter"}) {
      INFO(type << " " << name.substr(0, 50));
      refused(home.check(hook(type, name)), "/hooks/0/name", "");
    }
  refused(home.check(hook("region-meter", "a b")), "/hooks/0/name", "does not fit the pattern ^[A-Za-z0-9_-]+$");
  CHECK(home.check(hook("outlet", "the way out-2.b")).exit_code == 0);
  refused(home.check("--set '/output/writers=[{\"type\": \"particle-files\", \"name\": \"a/b\"}]'"),
          "/output/writers/0/name", "a/b");
  refused(home.check("--set '/run={}' --set '/stages=[{\"name\": \"a;b\", \"until\": {\"steps\": 2}}]'"),
          "/stages/0/name", "A name has letters");
}

TEST_CASE("keys that a pattern allows are taken, others are told, and so is what stands under the first") {
  const auto harmonics = [](const std::string& sines) {
    return Home(with("\"sin\": {\"4\": 1}", "\"sin\": {" + sines + "}")).check();
  };
  CHECK(harmonics("\"4\": 1, \"12\": 0.01").exit_code == 0);
  refused(harmonics("\"4\": 1, \"0\": 1"), "/shapes/cross/coefficients/sin/0", "unknown key");
  refused(harmonics("\"4\": \"x\""), "/shapes/cross/coefficients/sin/4", "expected a number");
  refused(harmonics("\"" + std::string(100000, '4') + "\": 1"), "/shapes/cross/coefficients/sin/4", "unknown key");
}

TEST_CASE("numbers that overflow are told with their place") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/bodies/0/packing/spacing=1e308", "/bodies/0/packing"},
      {"/shapes/cross/thickness=1e300", "/shapes/cross/thickness: 1e+300 is too large"},
      {"/materials/grain/density=1e300", "/bodies/0"},
      {"/shapes/cross/radius=1e50", "/shapes/cross/radius"},
      {"/shapes/floor={\"type\": \"circle\", \"radius\": 1e300, \"inside\": true}", "/shapes/floor/radius"},
      {"/shapes/floor={\"type\": \"polyline\", \"points\": [[0, 0], [1e300, 0]], \"wall\": 1}",
       "/shapes/floor/points/1/0: 1e+300 is too large to compute with; shapes take numbers up to 1e+30."},
      {"/shapes/cross={\"type\": \"spheropolygon\", \"vertices\": [[0, 0], [0, -1e300], [1, 1]], \"radius\": 1}",
       "/shapes/cross/vertices/1/1"},
      {"/shapes/cross={\"type\": \"spheropolygon\", \"vertices\": [[0, 0], [1, 0], [1, 1]], \"radius\": 1e300}",
       "/shapes/cross/radius"},
      {"/integrator/dt=1e-300", "/integrator/dt"},
      {"/run/duration=1e300", "/integrator/dt"},
      {"/periodic={\"x\": [-1e308, 1e308]}", "/periodic/x"},
      {"/bodies/0/seed=9223372036854775808", "out of range"},
      {"/bodies/1/position=[0, 1e200]", "/bodies/1"},
  };
  const Home home(kSmallScene);
  for (const auto& [set, place] : cases) {
    INFO(set);
    refused(home.check("--set '" + set + "'"), place, "");
    refused(home.run("--out out --set '" + set + "'"), place, "");
    CHECK(!fs::exists(home.folder / "out"));
  }
  refused(Home(with("\"spacing\": 0.012", "\"spacing\": 0.012, \"jitter\": 18446744073709551616")).check(),
          "/bodies/0/packing/jitter", "out of range");
}

TEST_CASE("large and deep scenes are taken or refused within seconds") {
  const auto timed = [](const Home& home, const std::string& more = "") {
    const auto begin = std::chrono::steady_clock::now();
    const Outcome outcome =
        shell(fmt::format("ulimit -v 4000000; ulimit -t 10; {} check {} {}", SCREE_PROGRAM, home.scene.string(), more));
    INFO(outcome.err.substr(0, 1000));
    CHECK((outcome.exit_code == 0 || outcome.exit_code == 2));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(60));
    return outcome;
  };
  const auto repeated = [](const std::string& item, int n) {
    std::string text;
    for (int i = 0; i < n; ++i) text += (i ? "," : "") + item;
    return text;
  };
  // 100,000 wrong entries; thousands of materials and interactions; a long key above many values; many numbers
  CHECK(timed(Home(with("\"bodies\": [", "\"bodies\": [" + repeated("{}", 100000) + ","))).exit_code == 2);
  std::string materials, interactions;
  for (int i = 0; i < 3000; ++i) materials += fmt::format(R"("m{}": {{"density": 1}},)", i);
  for (int i = 0; i < 300; ++i)
    interactions += fmt::format(R"({{"between": ["m{}", "m{}"], "law": "none"}},)", i, i + 1);
  std::string many = with("\"materials\": {", "\"materials\": {" + materials);
  many.insert(many.find("\"interactions\": [") + 17, interactions);
  CHECK(timed(Home(many)).exit_code == 0);
  const std::string key(1000000, 'k');
  CHECK(timed(Home("{\"" + key + "\": [" + repeated("1", 4000) + "]}")).exit_code == 2);
  CHECK_THAT(timed(Home("[" + repeated("0", 5000000) + "]")).err, ContainsSubstring("values"));
  CHECK_THAT(timed(Home("[" + std::string(40 << 20, ' ') + "]")).err, ContainsSubstring("MiB"));
  const Home small(kSmallScene);
  CHECK_THAT(timed(small,
                   "--set \"/description=$(head -c 60000 /dev/zero | tr '\\0' '[')$(head -c 60000 /dev/zero | "
                   "tr '\\0' ']')\"")
                 .err,
             ContainsSubstring("nested deeper than 100 levels"));
  CHECK_THAT(timed(small, "--set \"$(printf '/name=\\377')\"").err, ContainsSubstring("UTF-8"));
  CHECK_THAT(timed(small, "--set /bodies/0/packing/counts='[10000, 10000]'").err, ContainsSubstring("GiB"));
  const Home nameless(with("\"name\": \"small\",", ""));
  const fs::path odd = nameless.folder / "home" / "sc\xff.json";
  fs::rename(nameless.scene, odd);
  CHECK(scree_program("check '" + odd.string() + "'").exit_code == 0);
}

TEST_CASE("what run refuses, check refuses, and a refused run leaves an older result as it was") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"(/output/writers=[{"type": "vtk", "columns": ["strain"]}])", "/output/writers/0: writer vtk: columns"},
      {R"(/output/writers=[{"type": "fracture-surface"}])", "/output/writers/0: writer fracture-surface"},
      {R"(/domain={"lower": [1, 1], "upper": [2, 2]})", "starts outside"},
  };
  const Home home(kSmallScene);
  REQUIRE(home.run("--out out --set /run/duration=0.001").exit_code == 0);
  const std::string scene = slurp(home.folder / "out" / "scene.json"),
                    metrics = slurp(home.folder / "out" / "metrics.csv");
  for (const auto& [set, message] : cases) {
    refused(home.check("--set '" + set + "'"), "", message);
    refused(home.run("--out out --set '" + set + "'"), "", message);
    refused(home.run("--out other --set '" + set + "'"), "", message);
    CHECK(slurp(home.folder / "out" / "scene.json") == scene);
    CHECK(slurp(home.folder / "out" / "metrics.csv") == metrics);
    CHECK(!fs::exists(home.folder / "other"));
  }
}

TEST_CASE("a run of no steps is told of, and steps are numbers") {
  const Home home(kSmallScene);
  const Outcome none = home.check("--set /integrator/dt=0.2 --set /run/accept_long_dt=true");
  CHECK(none.exit_code == 0);
  CHECK_THAT(none.out, ContainsSubstring(", 0 steps of 0.2 s") && ContainsSubstring("no step is made"));
  CHECK_THAT(home.check().out, ContainsSubstring(", 500 steps of 0.0001 s"));
}

TEST_CASE("a wall that outruns all numbers is told by its name, also where nothing touches it") {
  for (const char* motion : {"\"velocity\": [0, -1e300]", "\"angular_velocity\": 1e200",
                             "\"velocity\": [1e308, -1e308]", "\"amplitude\": [1e308, 0], \"frequency\": 1e300"}) {
    INFO(motion);
    const Home home(with("\"fixed\": true", std::string("\"motion\": {") + motion + "}"));
    const Outcome run = home.run("--out out --set /run/duration=0.003");
    INFO(run.err);
    CHECK_THAT(run.err, !ContainsSubstring("18446744073709551615"));
    CHECK((run.exit_code == 3 || run.exit_code == 2));
  }
  const Home turning(with("\"fixed\": true", "\"motion\": {\"angular_velocity\": 1e200}"));
  const Outcome run = turning.run("--out out");
  CHECK(run.exit_code == 3);
  CHECK_THAT(run.err, ContainsSubstring("wall \"floor\" (body 12): its motion leads to"));
}

TEST_CASE("stages whose steps cannot be counted, and packings whose bodies cannot be stored, are refused at once") {
  const Home home(kSmallScene);
  const auto stages = [&](const std::string& second) {
    return home.check(
        "--set '/run={}' --set '/stages=[{\"name\": \"a\", \"until\": {\"steps\": 2}}, {\"name\": \"b\", " + second +
        "}]'");
  };
  const std::string tiny = "\"change\": {\"integrator\": {\"dt\": 1e-300}}, ";
  refused(stages(tiny + "\"until\": {\"duration\": 0.01}"), "/stages/1/until/duration", "1e+298 steps");
  refused(stages(tiny + "\"until\": {\"time\": 0.01}"), "/stages/1/until/time", "steps up to the end of this stage");
  refused(stages(tiny + "\"until\": {\"figure\": \"kinetic_energy_J\", \"below\": 0, \"limit\": 1}"),
          "/stages/1/until/limit", "1e+300 steps");
  refused(stages("\"until\": {\"steps\": 2000000000000000}"), "/stages/1/until/steps", "at most 1e+15");
  CHECK(stages("\"until\": {\"duration\": 0.01}").exit_code == 0);

  const std::string disc = "--set '/shapes/cross={\"type\": \"sphere\", \"radius\": 1e-8}' ";
  for (const std::string much : {"\"mass\": 70", "\"solid_fraction\": 0.4"}) {
    const Outcome told =
        shell(fmt::format("ulimit -v 3000000; ulimit -t 20; {} check {} {} --set '/bodies/0/packing={{\"type\": "
                          "\"fill\", {}, \"region\": "
                          "{{\"type\": \"box\", \"lower\": [-0.1, 0], \"upper\": [0.1, 0.3]}}}}'",
                          SCREE_PROGRAM, home.scene.string(), disc, much));
    refused(told, "/bodies/0/packing/" + much.substr(1, much.find('"', 1) - 1), "at most 1e+08");
  }
}
