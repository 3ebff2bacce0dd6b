// `scree test-plugin` finds what is wrong with a plugin, names it, and passes what is right.

#include <map>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;
using Json = nlohmann::json;

namespace {

struct Line {
  std::string verdict, reason;
};
/// Lines by method and check.
using Table = std::map<std::string, std::map<std::string, Line>>;

Table rows_of(const Outcome& outcome) {
  INFO(outcome.err);
  Table rows;
  for (const Json& row : Json::parse(outcome.out)) rows[row["method"]][row["check"]] = {row["verdict"], row["reason"]};
  return rows;
}

Outcome tested(const std::string& file, const std::string& more = "") {
  return scree_program("test-plugin " + file + " --json" + more);
}

}  // namespace

TEST_CASE("test-plugin passes a planar shape of a third party, with all there is to look at") {
  const Outcome outcome = tested(SCREE_FOREIGN_PLUGIN);
  INFO(outcome.out << outcome.err);
  CHECK(outcome.exit_code == 0);
  Table all = rows_of(outcome);
  auto& rows = all["shape/superellipse"];
  for (const char* check :
       {"moments of inertia are those of the surface", "the bounding radius holds the surface and all facets",
        "SignedDistance is below 0 inside, above 0 outside", "its gradient is its derivative", "a run ends",
        "2 threads give the same bits as one", "3 threads give the same bits as one",
        "a resumed run equals the uninterrupted one", "an unknown option is refused", "bodies keep their momentum"}) {
    INFO(check);
    CHECK(rows[check].verdict == "passed");
  }
}

TEST_CASE("test-plugin finds each fault of a plugin whose methods are each wrong in one way") {
  const Outcome outcome = tested(BROKEN_PLUGIN);
  CHECK(outcome.exit_code == 1);
  Table rows = rows_of(outcome);
  struct Fault {
    const char *method, *check, *reason;
  };
  const Fault faults[] = {
      {"detector/nan-overlap", "gives contacts", "detector \"nan-overlap\" (plugin broken), detect(): "},
      {"detector/zero-normal", "alone", "detector \"zero-normal\" (plugin broken), detect(): "},
      {"detector/pair-out-of-range", "alone", "detector \"pair-out-of-range\" (plugin broken), detect(): "},
      {"detector/throws", "alone", "detector \"throws\" (plugin broken), detect(): threw std::runtime_error: no idea"},
      {"detector/throws", "runs", "detector \"throws\" (plugin broken), detect(): threw std::runtime_error: no idea"},
      {"detector/sees-a-first", "swapped bodies", " wrong; "},
      {"detector/crashes", "alone", "crashed: Segmentation fault in detector \"crashes\" (plugin broken), detect()."},
      {"law/double-energy", "force at rest is the derivative of energy()", "bound 0.001"},
      {"law/pushes-east", "forces change sign when bodies change places", "bound 1e-12"},
      {"law/pushes-east", "forces turn with the contact", "bound 1e-11"},
      {"law/stronger-in-company", "a contact has the same bits alone and among others", "bound 0"},
      {"shape/small-square", "the bounding radius holds the surface and all facets", "error at most 0.41"},
      {"shape/small-square", "moments of inertia are those of the surface", "bound 0.15"},
      {"shape/small-square", "SignedDistance is below 0 inside, above 0 outside", ""},
      {"integrator/forgetful", "a resumed run equals the uninterrupted one", "state "},
      {"law/loose-options", "odd values are taken or refused with a sentence",
       "law \"loose-options\" (plugin broken), factory: threw std::runtime_error: negative"},
  };
  for (const Fault& fault : faults) {
    INFO(fault.method << ", " << fault.check);
    const auto& found = rows[fault.method];
    REQUIRE(found.contains(fault.check));
    CHECK(found.at(fault.check).verdict == "FAILED");
    CHECK_THAT(found.at(fault.check).reason, ContainsSubstring(fault.reason));
  }
  const Line excused = rows["law/loose-options"]["force at rest is the derivative of energy()"];
  CHECK(excused.verdict == "not applicable");
  CHECK(excused.reason == "its schema says: the energy is that of two contacts.");
  // What is right about them passes.
  CHECK(rows["law/double-energy"]["forces turn with the contact"].verdict == "passed");
  CHECK(rows["integrator/forgetful"]["2 threads give the same bits as one"].verdict == "passed");
}

TEST_CASE("test-plugin finds methods that run well and are wrong", "[long]") {
  const Outcome outcome = tested(SUBTLE_PLUGIN, " --steps 10");
  CHECK(outcome.exit_code == 1);
  Table rows = rows_of(outcome);
  struct Fault {
    const char *method, *check, *reason;
  };
  const Fault faults[] = {
      {"law/drives", "a contact gives no more work than it took", "bound 0.002"},
      {"law/pushes-along", "a contact gives no more work than it took", "bound 0.002"},
      {"law/forgets", "force() writes all of its history", "column 1"},
      {"law/reaches-out", "no force across a gap beyond range()", "error at most 0.001"},
      {"law/long", "contact_duration() is that of a contact", "error at most 4.6"},  // ln 100
      {"integrator/half-drift", "free flight is a parabola", "bound 1.01"},
      {"integrator/stiff-neck", "a body turns by its angular velocity", "bound 1.01"},
      {"integrator/heavy", "free flight is a parabola", "bound 1.01"},
      {"integrator/heavy", "the error of a spring goes down with dt", "bounds 0.02"},
      {"integrator/lagless", "forces() is told how old velocities are", "velocities are 0.5 dt older"},
      {"integrator/standing-walls", "prescribed bodies follow their motion", "Call World::move_prescribed()"},
      {"integrator/lies-about-forces", "last_forces is as traits() say", "1 of a step's way from the end"},
      {"shape/inside-out", "SignedDistance is above 0 far away", "bound 0"},
      {"shape/beside", "its spheres lie where its surface does", "bound 0.1"},
      {"shape/far-reference", "reference_point() lies within the bounding radius", "bound 1"},
      {"shape/reachless", "rotation_reach() bounds the way of its boundary", "bound 0.05"},
      {"shape/crashes-when-made", "is made from its examples",
       "crashed: Segmentation fault in shape \"crashes-when-made\" (plugin subtle), factory."},
      {"modifier/clock-column", "3 threads give the same bits as one", "column \"warmth\" of bodies, row 0 differs."},
      {"modifier/clock-figure", "2 threads give the same bits as one", "figure \"warmth\" differs."},
      {"modifier/nowhere", "a run ends", "it does without the modifier; with it: "},
      {"detector/marginless", "with a margin, gaps within it are told", " wrong; "},
      {"packing/same-id", "runs", "body id 7 is given twice"},
      {"packing/no-size", "runs", "no scene takes the bodies that it places: "},
  };
  for (const Fault& fault : faults) {
    INFO(fault.method << ", " << fault.check);
    const auto& found = rows[fault.method];
    if (!found.contains(fault.check)) {
      std::string has;
      for (const auto& [check, line] : found) has += check + ": " + line.verdict + ", " + line.reason + "\n";
      FAIL_CHECK(has);
      continue;
    }
    CHECK(found.at(fault.check).verdict == "FAILED");
    CHECK_THAT(found.at(fault.check).reason, ContainsSubstring(fault.reason));
  }
  // One that reads a column of bodies is right, and what is right about the others passes.
  for (const auto& [check, line] : rows["law/charged"]) {
    INFO(check << ": " << line.reason);
    CHECK(line.verdict != "FAILED");
  }
  CHECK(rows["law/charged"]["a contact has the same bits alone and among others"].verdict == "passed");
  CHECK(rows["integrator/lagless"]["free flight is a parabola"].verdict == "passed");
  CHECK(rows["integrator/half-drift"]["a body turns by its angular velocity"].verdict == "FAILED");
  CHECK(rows["law/drives"]["forces turn with the contact"].verdict == "passed");
}

TEST_CASE("test-plugin does not end well where nothing could be tested") {
  const Outcome outcome = scree_program("test-plugin " UNTESTED_PLUGIN);
  CHECK(outcome.exit_code == 1);
  CHECK_THAT(outcome.out, ContainsSubstring("0 passed, 0 failed, 1 not applicable"));
  CHECK_THAT(outcome.err, ContainsSubstring("nothing of ") && ContainsSubstring("could be tested."));
}

TEST_CASE("test-plugin tells what is wrong with the command line") {
  CHECK(tested("no_such_file.so").exit_code == 2);
  const Outcome steps = tested(SCREE_FOREIGN_PLUGIN, " --steps 3");
  CHECK(steps.exit_code == 2);
  CHECK_THAT(steps.err, ContainsSubstring("--steps must be at least 4"));
  const Outcome scene = tested(SCREE_FOREIGN_PLUGIN, " --scene no_such_scene.json");
  CHECK(scene.exit_code == 2);
  CHECK_THAT(scene.err, ContainsSubstring("no_such_scene.json: no such file"));
  const Outcome seconds = tested(SCREE_FOREIGN_PLUGIN, " --seconds 0");
  CHECK(seconds.exit_code == 2);
  CHECK_THAT(seconds.err, ContainsSubstring("--seconds must be above 0"));
}
