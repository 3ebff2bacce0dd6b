// One scene under several methods, side by side.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct CompareHome {
  TemporaryFolder folder;
  CompareHome() { spit(folder / "scene.json", kSmallScene); }
  Outcome compare(const std::string& more) const {
    return shell(fmt::format("cd {} && {} compare scene.json --out out --threads 1 {}", folder.path().string(),
                             SCREE_PROGRAM, more));
  }
  std::string table() const { return slurp(folder / "out/compare.csv"); }
};

}  // namespace

TEST_CASE("a comparison has the scene's own methods first, and differences from them") {
  const CompareHome home;
  const Outcome compare =
      home.compare("--vary integrator=velocity-verlet,symplectic-euler --figures step,time_s,kinetic_energy_J");
  INFO(compare.err);
  REQUIRE(compare.exit_code == 0);
  CHECK_THAT(compare.out, ContainsSubstring("figure            symplectic-euler  velocity-verlet") &&
                              ContainsSubstring("500 (0 %)") && ContainsSubstring("exit code"));
  CHECK_THAT(home.table(), ContainsSubstring("run,integrator,exit_code,step,time_s,kinetic_energy_J,message\n"
                                             "integrator=symplectic-euler,symplectic-euler,0,500,0.05,"));
}

TEST_CASE("variants are changes of the scene, inline or from a file") {
  const CompareHome home;
  spit(home.folder / "light.json", "\n{\"materials\": {\"grain\": {\"density\": 590}}}\n");
  const Outcome compare = home.compare(
      R"(--variant light=light.json --variant 'smooth={"interactions": {"grain-*": {"law": {"friction": 0}}}}')");
  INFO(compare.err);
  REQUIRE(compare.exit_code == 0);
  for (const char* figure : {"bodies", "contacts", "kinetic_energy_J", "elastic_energy_J", "wall_seconds_per_second"})
    CHECK_THAT(compare.out, ContainsSubstring(figure));
  const auto scene = nlohmann::json::parse(slurp(home.folder / "out/variant=light/scene.json"));
  CHECK(scene["materials"]["grain"]["density"] == 590);
  // Half the mass, and all of it still falls in part: half the potential energy, within what contacts change.
  CHECK_THAT(compare.out, ContainsSubstring("(-50 %)"));
}

TEST_CASE("figures of meters join the comparison") {
  const CompareHome home;
  const Outcome compare = home.compare(
      R"(--vary integrator=rk4 --set '/hooks=[{"type": "region-meter", "name": "bed", "interval": 0.01, "region": )"
      R"({"type": "box", "lower": [-0.01, 0], "upper": [0.05, 0.02]}}]')");
  INFO(compare.err);
  REQUIRE(compare.exit_code == 0);
  CHECK_THAT(compare.out, ContainsSubstring("bed/coordination") && ContainsSubstring("bed/solid_fraction"));
}

TEST_CASE("option --within bounds what methods may differ by: exit code 5, with figure, values and limit") {
  const CompareHome home;
  const std::string what =
      R"(--variant 'light={"materials": {"grain": {"density": 590}}}' --figures step,kinetic_energy_J )";
  const Outcome apart = home.compare(what + "--within 5");
  CHECK(apart.exit_code == 5);
  CHECK_THAT(apart.err, ContainsSubstring("These do not agree:\nkinetic_energy_J: light has ") &&
                            ContainsSubstring(" of the first run; at most 5 % is allowed."));
  CHECK_THAT(apart.err, !ContainsSubstring("step: light"));
  const Outcome within = home.compare(what + "--within kinetic_energy_J=80 --within 0");
  INFO(within.err);
  CHECK(within.exit_code == 0);
  CHECK_THAT(within.out, ContainsSubstring("All agree within their limits."));
  CHECK_THAT(within.err, ContainsSubstring("2 of them done before"));
  // A bound that nothing can be held against is no agreement.
  CHECK(home.compare(what + "--within nothing=80").exit_code == 5);
}

TEST_CASE("seeds are averaged, with their spread, and differences within it are told from those beyond") {
  const CompareHome home;
  const std::string what =
      R"(--variant 'light={"materials": {"grain": {"density": 590}}}' --variant 'same={"damping": {}}' )"
      "--seeds 4 --figures bodies,potential_energy_J,status ";
  const Outcome compare = home.compare(what + "--within bodies=seeds");
  INFO(compare.out << compare.err);
  REQUIRE(compare.exit_code == 0);
  CHECK_THAT(compare.out, ContainsSubstring("figure              scene  ") && ContainsSubstring("(-50 %) *") &&
                              ContainsSubstring("completed") && ContainsSubstring("Means of seeds"));
  const std::string table = home.table(), means = slurp(home.folder / "out/means.csv");
  CHECK(std::count(table.begin(), table.end(), '\n') == 13);
  CHECK_THAT(means, Catch::Matchers::StartsWith("variant,runs,bodies,bodies_deviation,potential_energy_J,"
                                                "potential_energy_J_deviation,status,status_deviation\nscene,4,"));
  // Both have the same seeds, so that the means are equal.
  const Outcome apart = home.compare(what + "--within seeds");
  CHECK(apart.exit_code == 5);
  CHECK_THAT(apart.err, ContainsSubstring("potential_energy_J: light has ") &&
                            ContainsSubstring("the spread of 4 seeds explains a difference of ") &&
                            !ContainsSubstring("same has"));
}

TEST_CASE("the deviation of seeds is that of their runs, and a time from which means are taken includes its row") {
  const CompareHome home;
  const Outcome compare =
      home.compare(R"(--variant 'same={"damping": {}}' --seeds 2 --from 0.02 --set /bodies/0/random_speed=0.1 )"
                   "--set /run/duration=0.03 --figures momentum_y_kg_m_per_s:mean");
  INFO(compare.out << compare.err);
  REQUIRE(compare.exit_code == 0);
  const auto number_in_line = [](const std::string& text, const std::string& begin, int column) {
    const auto at = text.find("\n" + begin);
    REQUIRE(at != std::string::npos);
    std::istringstream line(text.substr(at + 1, text.find('\n', at + 1) - at - 1));
    std::string word;
    for (int k = 0; k <= column; ++k) std::getline(line, word, ',');
    return std::stod(word);
  };
  std::vector<double> means;
  for (const char* const seed : {"0", "1"}) {
    const std::string metrics = slurp(home.folder / fmt::format("out/variant=scene,seed={}", seed) / "metrics.csv");
    const double at_2 = number_in_line(metrics, "0.02,", 9), at_3 = number_in_line(metrics, "0.03,", 9);
    means.push_back((at_2 + at_3) / 2);
  }
  CHECK(means[0] != means[1]);
  const std::string table = slurp(home.folder / "out/means.csv");
  // Of two numbers: half of their difference, times the root of two.
  CHECK(number_in_line(table, "scene,2,", 2) == Approx((means[0] + means[1]) / 2));
  CHECK(number_in_line(table, "scene,2,", 3) == Approx(std::abs(means[0] - means[1]) / std::sqrt(2.0)));
}

TEST_CASE("a method that does not fit is told with the rest of the table") {
  const CompareHome home;
  const Outcome compare = home.compare("--vary integrator=moreau-jean --figures step --within 1");
  CHECK(compare.exit_code == 2);
  CHECK_THAT(compare.err, ContainsSubstring("integrator=moreau-jean: exit code 2: ") &&
                              ContainsSubstring("law \"linear\" has no face cone/1"));
  CHECK_THAT(compare.out, ContainsSubstring("step       500               -"));
}

TEST_CASE("comparisons that cannot be meant are refused before a folder is made") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "there is nothing to compare with. Give --vary integrator=NAME"},
      {"--variant light", "--variant light: must have the form NAME=FILE or NAME={...}, a JSON object."},
      {"--variant a/b='{}'", "the name becomes that of a folder."},
      {"--variant a=list.json", "--variant a: list.json has no JSON object. Write {"},
      {"--variant scene='{}'", "--vary variant: has the value scene twice."},
      {"--vary integrator=rk5", "there is no integrator \"rk5\". Did you mean \"rk4\"? Loaded: "},
      {"--vary integrator=rk4 --within x", "--within x: must be a number of percent from 0 up, or FIGURE=PCT"},
      {"--vary integrator=rk4 --within step=-1", "--within step=-1: must be a number of percent from 0 up"},
      {"--vary integrator=rk4 --within seeds", "--within seeds: one run has no spread. Give --seeds N"},
      {"--vary integrator=rk4 --seeds 0", "--seeds"},
  };
  for (const auto& [more, message] : cases) {
    INFO(more);
    const CompareHome home;
    spit(home.folder / "list.json", "[1]");
    const Outcome compare = home.compare(more);
    CHECK(compare.exit_code == 2);
    CHECK_THAT(compare.err, ContainsSubstring(message));
    CHECK(!fs::exists(home.folder / "out"));
  }
  CHECK(CompareHome().compare("--variant a=none.json").exit_code == 4);
}
