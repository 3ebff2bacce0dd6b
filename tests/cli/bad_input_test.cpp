// Bad input: exit code 2, a message that says where, what, got, allowed and what to do, and nothing written.

#include <fmt/format.h>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Fault {
  const char* what;
  const char* find;  ///< text of the scene to replace
  const char* replace;
  std::vector<const char*> message;  ///< each must be in the message
};

}  // namespace

TEST_CASE("a faulty scene is refused with place, value, bounds and remedy, and nothing is written") {
  const std::vector<Fault> faults = {
      {"unknown key",
       "\"thickness\": 0.003",
       "\"thicknes\": 0.003",
       {"scene.json:7:", "/shapes/cross", "thicknes", "Did you mean \"thickness\"?"}},
      {"unknown top-level key", "\"gravity\"", "\"gravty\"", {"scene.json:4:", "gravty", "Did you mean \"gravity\"?"}},
      {"wrong type",
       "\"radius\": 0.005",
       "\"radius\": \"big\"",
       {"scene.json:7:", "/shapes/cross/radius", "\"big\"", "number"}},
      {"negative radius",
       "\"radius\": 0.005",
       "\"radius\": -0.005",
       {"scene.json:7:", "/shapes/cross/radius", "-0.005", "0"}},
      {"places beyond what numbers hold",
       "\"spacing\": 0.012",
       "\"spacing\": 1e308",
       {"scene.json:11:", "/bodies/0/packing", "place ", "inf", "must be finite"}},
      {"places too far apart to compute with",
       "\"spacing\": 0.012",
       "\"spacing\": 1e200",
       {"scene.json:11:", "/bodies/0/packing", "body 1 of this entry", "1e+200", "numbers up to 1e+30"}},
      {"NaN", "\"radius\": 0.005", "\"radius\": NaN", {"scene.json:7:"}},
      {"negative density", "\"density\": 1180", "\"density\": -1", {"scene.json:5:", "/materials/grain/density", "-1"}},
      {"no density", "{\"density\": 1180}", "{}", {"grain", "density"}},
      {"negative stiffness",
       "\"normal_stiffness\": 400",
       "\"normal_stiffness\": -5",
       {"/interactions/0/law/normal_stiffness", "-5"}},
      {"negative dt", "\"dt\": 0.0001", "\"dt\": -0.0001", {"/integrator/dt", "-0.0001"}},
      {"negative friction", "\"friction\": 0.5", "\"friction\": -0.5", {"/interactions/0/law/friction", "-0.5"}},
      {"radius <= 0 somewhere",
       "\"a0\": 2",
       "\"a0\": 0.5",
       {"scene.json:7:", "/shapes/cross/coefficients", "theta", "r > 0", "Raise a0"}},
      {"unknown shape type",
       "\"type\": \"star\"",
       "\"type\": \"stra\"",
       {"/shapes/cross/type", "stra", "Did you mean \"star\"?", "half-plane"}},
      {"unknown law", "\"type\": \"linear\"", "\"type\": \"coulmb\"", {"/interactions/0/law/type", "coulmb", "linear"}},
      {"unknown integrator", "\"symplectic-euler\"", "\"euler\"", {"/integrator/type", "euler", "velocity-verlet"}},
      {"unknown shape name",
       "\"shape\": \"cross\"",
       "\"shape\": \"crosss\"",
       {"/bodies/0/shape", "crosss", "Did you mean \"cross\"?"}},
      {"detector that does not fit",
       "[\"grain\", \"*\"], ",
       "[\"grain\", \"*\"], \"detector\": \"taubin\", ",
       {"/interactions/0/detector", "taubin", "RadialFunction/1", "\"floor\" (half-plane) lacks", "nodes-to-surface"}},
      {"nothing said about two materials",
       "[\"grain\", \"*\"]",
       "[\"grain\", \"grain\"]",
       {"/interactions", "\"grain\" and \"wall\"", "Add {"}},
      {"three dimensions", "\"dimension\": 2", "\"dimension\": 3", {"dimension"}},
      {"not JSON", "\"run\"", "run", {"scene.json:19:"}},
      {"bodies in each other",
       "\"spacing\": 0.012",
       "\"spacing\": 0.006",
       {"/bodies", "overlap", "\"grains\"", "max_initial_overlap"}},
      {"periodic sides out of order",
       "\"dimension\": 2",
       "\"dimension\": 2, \"periodic\": {\"x\": [1, 0]}",
       {"scene.json:3:", "/periodic/x", "[1,0]", "lower side first"}},
      {"periodic along z in 2D",
       "\"dimension\": 2",
       "\"dimension\": 2, \"periodic\": {\"z\": [0, 1]}",
       {"/periodic/z", "2 dimensions", "Remove"}},
      {"a cell so short that a body touches itself",
       "\"dimension\": 2",
       "\"dimension\": 2, \"periodic\": {\"x\": [0, 0.011]}",
       {"/periodic/x", "0.011 m long", "radius 0.005 m", "longer than 0.0125 m"}},
      {"Young's modulus that is neither a number nor rigid",
       "\"density\": 1180",
       "\"density\": 1180, \"youngs_modulus\": \"soft\"",
       {"scene.json:5:", "/materials/grain/youngs_modulus", "\"soft\"", "rigid"}},
      {"Poisson's ratio out of range",
       "\"density\": 1180",
       "\"density\": 1180, \"poisson_ratio\": 0.7",
       {"/materials/grain/poisson_ratio", "0.7", "0.5"}},
      {"half-plane that moves freely",
       "\"material\": \"wall\", \"fixed\": true",
       "\"material\": \"grain\"",
       {"/bodies/1", "cannot move freely"}},
  };
  for (const Fault& fault : faults) {
    INFO(fault.what);
    const TemporaryFolder folder;
    spit(folder / "scene.json", replaced(kSmallScene, fault.find, fault.replace));
    const Outcome run =
        scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / "out").string());
    INFO(run.err);
    CHECK(run.exit_code == 2);
    for (const char* text : fault.message) CHECK_THAT(run.err, ContainsSubstring(text));
    CHECK(!fs::exists(folder / "out"));
    CHECK(run.out.empty());
  }
}

TEST_CASE("faulty options of meters are refused with place, value, bounds and remedy") {
  const std::string region = R"("region": {"type": "box", "lower": [0, 0], "upper": [0.1, 0.1]})";
  const auto average = [&](const std::string& options) {
    return R"({"type": "region-meter", "name": "m", )" + region + R"(, "average": )" + options + "}";
  };
  const auto mixing = [&](const std::string& bodies, const std::string& cell) {
    return R"({"type": "mixing-meter", "name": "m", )" + region + R"(, "bodies": )" + bodies + R"(, "cell_size": )" +
           cell + "}";
  };
  std::vector<std::pair<std::string, std::vector<const char*>>> faults = {
      {average(R"({"window": 0})"), {"/hooks/0/average/window", "0 is out of range", "greater than 0"}},
      {average(R"({"start": -1})"), {"/hooks/0/average/start", "-1 is out of range", "at least 0"}},
      {average(R"({"strat": 1})"), {"/hooks/0/average", "strat", "Did you mean \"start\"?"}},
      {average("true"), {"/hooks/0/average", "expected an object", "true"}},
      {mixing(R"(["grains"])", "0.01"), {"/hooks/0/bodies", "has 1 item", "at least 2"}},
      {mixing(R"(["grains", "grains"])", "0.01"), {"/hooks/0/bodies/1", "\"grains\"", "Remove one"}},
      {mixing(R"(["grains", "grians"])", "0.01"),
       {"/hooks/0/bodies/1", "there is no entry \"grians\" of bodies", "There are: grains, floor"}},
      {mixing(R"(["grains", "floor"])", "0.2"),
       {"/hooks/0/cell_size", "is 0.2 m", "larger than the region, which has 0.01 m^2", "Give less than 0.1 m"}},
      {mixing(R"(["grains", "floor"])", "-1"), {"/hooks/0/cell_size", "-1 is out of range", "greater than 0"}}};
  const auto profile = [](const std::string& bins) {
    return R"({"type": "profile-meter", "name": "m", "bins": )" + bins + "}";
  };
  const auto of = [](const std::string& type, const std::string& options) {
    return R"({"type": ")" + type + R"(", "name": "m", )" + options + "}";
  };
  const std::vector<std::pair<std::string, std::vector<const char*>>> more = {
      {profile(R"({"along": [0, 1], "to": 1})"), {"/hooks/0/bins", "missing key \"number\""}},
      {profile(R"({"along": [0, 1], "to": 1, "number": 0})"), {"/hooks/0/bins/number", "0 is out of range"}},
      {profile(R"({"to": 1, "number": 2})"), {"/hooks/0/bins", "has no direction", "Give \"along\" for slabs"}},
      {profile(R"({"along": [0, 1], "from": 2, "to": 1, "number": 2})"),
       {"/hooks/0/bins/to", "is 1 m, not above \"from\", 2 m"}},
      {of("body-meter", R"("ids": [99])"), {"/hooks/0/ids/0", "is 99, but no body of this number exists"}},
      {of("heap-meter", R"("sectors": 1)"), {"/hooks/0/sectors", "1 is out of range"}},
      {of("heap-meter", R"("ridge": [1, 0, 0])"), {"/hooks/0/ridge", "is for 3D", "Remove it"}},
      {of("track", R"("bodies": ["grians"])"), {"/hooks/0/bodies/0", "no entry \"grians\" of bodies"}},
      {of("external-load", R"("bodies": ["floor"], "force": [1, 0])"),
       {"/hooks/0/bodies/0", "no body of \"floor\" moves freely", "Remove its \"fixed\""}}};
  faults.insert(faults.end(), more.begin(), more.end());
  for (const auto& [hook, message] : faults) {
    INFO(hook);
    const TemporaryFolder folder;
    spit(folder / "scene.json", replaced(kSmallScene, R"("output":)", R"("hooks": [)" + hook + R"(], "output":)"));
    const Outcome done = scree_program("check " + (folder / "scene.json").string());
    CHECK(done.exit_code == 2);
    for (const char* const part : message) CHECK_THAT(done.err, ContainsSubstring(part));
  }
}

TEST_CASE("a fixed body that reaches too many periodic cells away is refused") {
  const std::string periodic =
      replaced(kSmallScene, "\"dimension\": 2", "\"dimension\": 2, \"periodic\": {\"x\": [0, 0.05]}");
  const TemporaryFolder folder;
  const auto checked = [&](const std::string& body) {
    spit(folder / "scene.json", replaced(periodic, "\"position\": [0, 0]}", "\"position\": [0, 0]}, " + body));
    return scree_program("check " + (folder / "scene.json").string());
  };
  const std::string pillar = R"({"name": "pillar", "shape": "cross", "material": "wall", "fixed": true, "position": )";
  CHECK(checked(pillar + "[20, -1]}").exit_code == 0);
  const Outcome far = checked(pillar + "[-30, -1]}");
  CHECK(far.exit_code == 2);
  CHECK_THAT(far.err, ContainsSubstring("scene.json:3:") && ContainsSubstring("/periodic/x") &&
                          ContainsSubstring("body 13 of radius 0.005 m at -30 m reaches 601 cells away") &&
                          ContainsSubstring("Put the body into the cell"));
}

TEST_CASE("several faults are reported at once, in the order of the file") {
  const TemporaryFolder folder;
  spit(folder / "scene.json",
       replaced(replaced(kSmallScene, "\"dt\": 0.0001", "\"dt\": 0"), "\"radius\": 0.005", "\"radius\": 0"));
  const Outcome run = scree_program("check " + (folder / "scene.json").string());
  CHECK(run.exit_code == 2);
  const auto first = run.err.find("/shapes/cross/radius"), second = run.err.find("/integrator/dt");
  INFO(run.err);
  CHECK(first != std::string::npos);
  CHECK(second != std::string::npos);
  CHECK(first < second);
}

TEST_CASE("missing files and bad command lines are named") {
  Outcome run = scree_program("run no/such/scene.json");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, ContainsSubstring("no/such/scene.json"));
  run = scree_program("rum scene.json");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, ContainsSubstring("rum") && ContainsSubstring("run"));
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  run = scree_program("run " + (folder / "scene.json").string() +
                      " --device cuda --quiet --set /integrator/type=rk4 --out " + (folder / "out").string());
  CHECK(run.exit_code == 2);
  // What is missing depends on the machine: nvcc, the driver, a GPU, or else the integrator.
  CHECK_THAT(run.err, ContainsSubstring("device") && ContainsSubstring("use --device cpu"));
  CHECK(!fs::exists(folder / "out"));
  run = scree_program("run " + (folder / "scene.json").string() + " --set /shapes/cross/radus=1 --out " +
                      (folder / "out").string());
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.err, ContainsSubstring("--set /shapes/cross/radus") && ContainsSubstring("radius"));
}

TEST_CASE("a contact shorter than ten steps is warned of, with the estimate") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", replaced(kSmallScene, "\"normal_stiffness\": 400", "\"normal_stiffness\": 2000"));
  const Outcome run = scree_program("run " + (folder / "scene.json").string() +
                                    " --quiet --set /run/duration=0.001 --out " + (folder / "out").string());
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.err, ContainsSubstring("warning: ") && ContainsSubstring("/interactions/0/law") &&
                          ContainsSubstring("steps of 0.0001 s"));
}

TEST_CASE("an output folder that cannot be written: exit code 4") {
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  const Outcome nowhere = scree_program("run " + (folder / "scene.json").string() + " --quiet --out /proc/scree");
  CHECK(nowhere.exit_code == 4);
  CHECK_THAT(nowhere.err, ContainsSubstring("/proc/scree"));
  spit(folder / "taken", "a file");
  const Outcome file =
      scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / "taken").string());
  CHECK(file.exit_code == 4);
  CHECK_THAT(file.err, ContainsSubstring("taken"));
}

TEST_CASE("a full disk: exit code 4, and what was written before is readable") {
  // A limit on the size of files stands in for the disk: the kernel refuses the write that would pass it.
  const TemporaryFolder folder;
  spit(folder / "scene.json", kSmallScene);
  const std::string out = (folder / "out").string();
  const Outcome run = shell(
      fmt::format("trap '' XFSZ; ulimit -f 6; exec {} run {} --quiet --out {} --set /output/metrics_interval=0.0001",
                  SCREE_PROGRAM, (folder / "scene.json").string(), out));
  INFO(run.err);
  CHECK(run.exit_code == 4);
  CHECK_THAT(run.err, ContainsSubstring(out));
  if (fs::exists(out + "/metrics.csv")) {
    const std::string metrics = slurp(out + "/metrics.csv");
    CHECK((metrics.empty() || metrics.back() == '\n'));
  }
}
