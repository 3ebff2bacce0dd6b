#include "cli/findings.hpp"

#include "catch.hpp"

namespace scree::cli {

TEST_CASE("a message becomes findings with place, pointer and parts") {
  const auto found = findings_of(
      "s.json:1:55 /materials/g/density: -1 is out of range; must be greater than 0. Density [kg/m^3]. Needed where a "
      "body moves.\n"
      "s.json:1:82 /shapes/b/type: unknown \"sphre\". Did you mean \"sphere\"? Loaded: box, sphere.\n"
      "s.json:2:69 /run/duration: expected a number, got \"x\" (string). Simulated time [s].\n"
      "s.json:2:74 /foo: unknown key. Known: bodies, bonds.\n"
      "s.json:3:1: not JSON: a comma is missing.");
  REQUIRE(found.size() == 5);
  CHECK((found[0].file == "s.json" && found[0].line == 1 && found[0].column == 55));
  CHECK(found[0].pointer == "/materials/g/density");
  CHECK(found[0].what == "-1 is out of range; must be greater than 0.");
  CHECK((found[0].got == "-1" && found[0].allowed == "greater than 0"));
  CHECK(found[0].fix == "Density [kg/m^3]. Needed where a body moves.");
  CHECK((found[1].got == "\"sphre\"" && found[1].allowed == "box, sphere"));
  CHECK(found[1].fix == "Did you mean \"sphere\"?");
  CHECK((found[2].got == "\"x\"" && found[2].allowed == "a number" && found[2].fix == "Simulated time [s]."));
  CHECK((found[3].got.empty() && found[3].allowed == "bodies, bonds" && found[3].pointer == "/foo"));
  CHECK((found[4].pointer.empty() && found[4].line == 3 && found[4].text == "not JSON: a comma is missing."));
}

TEST_CASE("lines without a place belong to the finding before, or are one themselves") {
  const auto found = findings_of("no such file.\ns.json:1:2 /a: bad.\nmore of it");
  REQUIRE(found.size() == 2);
  CHECK((found[0].text == "no such file." && found[0].file.empty() && found[0].line == 0));
  CHECK(found[1].text == "bad.\nmore of it");
  CHECK(findings_of("").empty());
}

}  // namespace scree::cli
