#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"

using Catch::Matchers::ContainsSubstring;

namespace scree::bonded {

namespace {

test::Outcome calibrate(const std::string& arguments) {
  return test::shell("OMP_NUM_THREADS=1 " SCREE_PROGRAM " " + arguments);
}

}  // namespace

TEST_CASE("bonded_calibrate prints a row per ratio, and a cubic lattice is as stiff as its bonds") {
  const auto outcome = calibrate("--kind cubic --cells 12 4 4 --young 2e9 --ratio 0.4 0.8 --json");
  REQUIRE(outcome.exit_code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["elements"] == 12 * 4 * 4);
  REQUIRE(json["rows"].size() == 2);
  CHECK(json["rows"][1]["bonds"]["shear"].get<double>() == Approx(1.6e9));
  CHECK(json["rows"][1]["macroscopic"]["young"].get<double>() == Approx(2e9).epsilon(1e-5));
  CHECK(std::abs(json["rows"][1]["macroscopic"]["poisson"].get<double>()) < 1e-6);
  CHECK(json["rows"][0]["macroscopic"]["shear"].get<double>() ==
        Approx(0.4e9).epsilon(0.15));  // half of G, and four cells wide
}

TEST_CASE("bonded_calibrate finds bonds for wanted moduli") {
  const auto outcome = calibrate("--cells 9 3 3 --wanted-young 5e9 --wanted-poisson 0.2 --json");
  REQUIRE(outcome.exit_code == 0);
  const auto macro = nlohmann::json::parse(outcome.out)["rows"][0]["macroscopic"];
  CHECK(macro["young"].get<double>() == Approx(5e9).epsilon(1e-6));
  CHECK(macro["poisson"].get<double>() == Approx(0.2).margin(2e-4));
}

TEST_CASE("bonded_calibrate reads meshes, and says what is wrong with them") {
  const test::TemporaryFolder folder;
  const auto msh = folder / "one.msh";
  test::spit(msh,
             "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
             "$Elements\n1\n3 4 0 1 2 3 4\n$EndElements\n");
  const auto outcome = calibrate("--mesh " + msh.string());
  CHECK(outcome.exit_code == 2);
  CHECK_THAT(outcome.err, ContainsSubstring("one.msh: fills 16.66") && ContainsSubstring("rectangular bar along x"));
  CHECK(calibrate("--mesh /nowhere/bar.msh").err == "error: /nowhere/bar.msh: no such file.\n");
  CHECK(calibrate("--mesh bar.stl").err ==
        "error: bar.stl: ends in \".stl\"; meshes are read from .msh (Gmsh, ASCII) and .vtu.\n");
}

TEST_CASE("bonded_calibrate says what is wrong with its options") {
  const auto complaint = [](const std::string& arguments) {
    const auto outcome = calibrate(arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(complaint("--kind fcc") == "error: --kind fcc: allowed are bcc, kuhn, cubic.\n");
  CHECK(complaint("--cells 4 4") == "error: --cells: has 2 numbers; give three.\n");
  CHECK(complaint("--cells 6 4 4") ==
        "error: --cells 6 4 4: give numbers from 1 on, the first at least twice the others.\n");
  CHECK(complaint("--jitter 0.7") == "error: --jitter 0.7: allowed is 0 to 0.5.\n");
  CHECK(complaint("--ratio 0") == "error: --ratio 0: must be above 0.\n");
  CHECK(complaint("--wanted-young 1e9") == "error: --wanted-young and --wanted-poisson: give both, or neither.\n");
  CHECK_THAT(complaint("--yuong 1"),
             ContainsSubstring("unknown option --yuong. Did you mean --young? Known: --kind, "));
  CHECK_THAT(complaint("--kind kuhn --cells 8 2 2 --wanted-young 1e9 --wanted-poisson 0.45"),
             ContainsSubstring("error: --wanted-poisson: Poisson's ratio 0.45 is out of reach of this packing") &&
                 ContainsSubstring("Choose another packing, or a ratio in this range."));
}

TEST_CASE("bonded_calibrate explains itself") {
  const auto outcome = calibrate("--help");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.out, ContainsSubstring("Usage: bonded_calibrate [options]") && ContainsSubstring("Exit codes:"));
}

}  // namespace scree::bonded
