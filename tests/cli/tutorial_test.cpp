// scree tutorial: a folder with the scenes of a part, as they stand on its page.

#include <fmt/format.h>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string page_of(int part) {
  for (const auto& file : fs::directory_iterator(SCREE_TUTORIAL))
    if (file.path().extension() == ".md" && file.path().filename().string()[0] == '0' + part) return slurp(file.path());
  return "";
}

}  // namespace

TEST_CASE("tutorial: every part writes the scenes that its page has or goes on with, and they are valid") {
  const TemporaryFolder folder;
  const std::vector<std::vector<std::string>> expected = {
      {"pile.json"}, {"pile.json"}, {"hopper.json"}, {"beads.json", "pile.json"}, {"pills_and_stars.json"}};
  for (int part = 1; part <= 5; ++part) {
    INFO("part " << part);
    const fs::path out = folder / fmt::format("part{}", part);
    const Outcome done = scree_program(fmt::format("tutorial {} --out {}", part, out.string()));
    INFO(done.err);
    REQUIRE(done.exit_code == 0);
    std::vector<std::string> written;
    for (const auto& file : fs::directory_iterator(out)) written.push_back(file.path().filename().string());
    std::sort(written.begin(), written.end());
    CHECK(written == expected[static_cast<std::size_t>(part - 1)]);
    for (const std::string& scene : written) {
      CHECK_THAT(done.out, ContainsSubstring((out / scene).string()));
      std::string pages;
      for (int earlier = 1; earlier <= part; ++earlier) pages += page_of(earlier);
      CHECK_THAT(pages, ContainsSubstring("```json title=\"" + scene + "\"\n" + slurp(out / scene) + "```"));
      if (part == 5) continue;  // its shape is one that the reader has built
      const Outcome check = scree_program("check " + (out / scene).string());
      INFO(check.err);
      CHECK(check.exit_code == 0);
    }
  }
}

TEST_CASE("tutorial: parts that are none, and folders that are there, are refused") {
  const TemporaryFolder folder;
  for (const std::string part : {"0", "6", "-1", "two", "1.5"}) {
    const Outcome refused = scree_program("tutorial -- " + part);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("tutorial " + part + ": must be the number of a part, 1 to 5."));
  }
  const Outcome missing = scree_program("tutorial");
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.err, ContainsSubstring("N"));
  spit(folder / "here/pile.json", "{}");
  const Outcome there = scree_program("tutorial 1 --out " + (folder / "here").string());
  CHECK(there.exit_code == 2);
  CHECK_THAT(there.err, ContainsSubstring("is there already, and nothing is overwritten"));
  CHECK(slurp(folder / "here/pile.json") == "{}");
  const Outcome closed = scree_program("tutorial 1 --out " + (folder / "here/pile.json/below").string());
  CHECK(closed.exit_code == 4);
}

TEST_CASE("tutorial: --help lists the parts") {
  const Outcome help = scree_program("tutorial --help");
  CHECK(help.exit_code == 0);
  for (const char* part : {"1. A first pile (pile.json)", "3. A hopper and its flow rate (hopper.json)"})
    CHECK_THAT(help.out, ContainsSubstring(part));
}
