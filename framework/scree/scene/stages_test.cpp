// Stages as differences of scenes: what a change makes of a document, where its values stand, how two scenes differ.

#include <algorithm>

#include "catch.hpp"
#include "scree/scene/detail/reading.hpp"
#include "scree/scene/detail/scene_changes.hpp"

using namespace scree;

namespace {

Json scene() {
  return Json::parse(R"({
    "gravity": [0, -9.81], "damping": {"linear": 1, "local": 0.5},
    "bodies": [{"name": "grains", "shape": "a"}, {"shape": "a", "fixed": true}],
    "interactions": [{"between": ["x", "y"], "law": {"type": "linear", "normal_stiffness": 3}}],
    "hooks": [{"type": "probe", "interval": 1}]})");
}

struct Changed {
  Json document = scene();
  std::vector<std::pair<std::string, std::string>> moved;
  std::vector<Fault> faults;
  explicit Changed(const char* change) { faults = apply_change(Json::parse(change), "/c", document, moved); }
};

}  // namespace

TEST_CASE("a change is merged: objects by key, null removes, anything else replaces") {
  const Changed c(R"({"gravity": [1, 2], "damping": {"local": null, "angular": 2}, "output": {"interval": 1}})");
  CHECK(c.faults.empty());
  CHECK(c.document["gravity"] == Json({1, 2}));
  CHECK(c.document["damping"] == Json({{"linear", 1}, {"angular", 2}}));
  CHECK(std::ranges::find(c.moved, std::pair<std::string, std::string>("/damping/angular", "/c/damping/angular")) !=
        c.moved.end());
  CHECK(c.document["output"] == Json({{"interval", 1}}));
  CHECK(c.document["bodies"] == scene()["bodies"]);
}

TEST_CASE("entries of lists are called by name, by their materials in any order, by type, or by index") {
  const Changed c(R"({"bodies": {"grains": {"fixed": true}, "bodies1": {"fixed": false}},
                      "interactions": {"y-x": {"law": {"friction": 1}}}, "hooks": {"probe": {"interval": 2}}})");
  CHECK(c.faults.empty());
  CHECK(c.document["bodies"][0]["fixed"] == true);
  CHECK(c.document["bodies"][1]["fixed"] == false);
  CHECK(c.document["interactions"][0]["law"] == Json({{"type", "linear"}, {"normal_stiffness", 3}, {"friction", 1}}));
  CHECK(c.document["hooks"][0]["interval"] == 2);
  CHECK(Changed(R"({"bodies": {"0": {"fixed": true}}})").document["bodies"][0]["fixed"] == true);
}

TEST_CASE("an object of another type takes nothing over from the one before") {
  const Changed c(R"({"interactions": {"0": {"law": {"type": "hertz", "friction": 1}}}})");
  CHECK(c.document["interactions"][0]["law"] == Json({{"type", "hertz"}, {"friction", 1}}));
}

TEST_CASE("an object takes the place of a vector, and of a list where it names none of its entries") {
  const Changed c(R"({"gravity": {"vector": [0, -1], "oscillation": {"amplitude": [1, 0], "frequency": 2}},
                      "bodies": {"grains": {"motion": {"velocity": [1, 0]}}}})");
  CHECK(c.faults.empty());
  CHECK(c.document["gravity"]["vector"] == Json({0, -1}));
  CHECK(c.document["gravity"]["oscillation"]["frequency"] == 2);
  CHECK(c.document["bodies"][0]["motion"] == Json({{"velocity", {1, 0}}}));
  CHECK(Changed(R"({"bodies": {"grains": 3}})").faults.size() == 1);
  Json document = Json::parse(R"({"motion": [{"velocity": [1, 0]}, {"velocity": [0, 1]}]})");
  std::vector<std::pair<std::string, std::string>> moved;
  CHECK(apply_change(Json::parse(R"({"motion": {"velocity": [2, 0]}})"), "", document, moved).empty());
  CHECK(document["motion"] == Json({{"velocity", {2, 0}}}));
}

TEST_CASE("an entry that is not there, or is to vanish, is a fault at its key") {
  const Changed c(R"({"bodies": {"grain": {"fixed": true}, "grains": null}})");
  REQUIRE(c.faults.size() == 2);
  CHECK((c.faults[0].pointer == "/c/bodies/grain" && c.faults[0].at_key));
  CHECK(c.faults[0].message ==
        "/bodies has no entry \"grain\". Did you mean \"grains\"? There are: grains, bodies1; or give an index.");
  CHECK(c.faults[1].pointer == "/c/bodies/grains");
}

TEST_CASE("scenes differ value by value, and what bodies cannot go on with says why") {
  const Json before = scene();
  Json after = before;
  after["gravity"][1] = -1;
  after["bodies"][1]["fixed"] = false;
  after["bodies"][0]["shape"] = "b";
  after["damping"].erase("local");
  const auto changes = scene_changes(before.dump(), after.dump());
  REQUIRE(changes.size() == 4);
  CHECK(changes[0].text() == "/gravity/1: -9.81 -> -1");
  CHECK(changes[1].text() == "/damping/local: 0.5 -> nothing");
  CHECK(changes[2].text() == "/bodies/0/shape: \"a\" -> \"b\"");
  CHECK(changes[3].text() == "/bodies/1/fixed: true -> false");
  for (const auto& change : changes) CHECK(change.refusal.empty() == (change.pointer != "/bodies/0/shape"));
  CHECK(scene_changes(before.dump(), before.dump()).empty());
}
