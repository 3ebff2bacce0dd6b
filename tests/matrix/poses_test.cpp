// Random poses of every pair of shapes in every detector that takes them, with every choice of its options. Shapes and
// detectors come from the registry, so a plugin that somebody adds is in it unedited.

#include <fmt/format.h>

#include "catalogue.hpp"
#include "conformance/contact_judge.hpp"
#include "random_cases.hpp"

#ifndef SCREE_POSES
#define SCREE_POSES 100000
#endif

using namespace scree;
using namespace scree::test;

namespace {

/// The two schemes of the paper begin with one body's nodes: another result when the two change places.
bool sees_a_first(const Json& detector) { return detector.value("scheme", "").rfind("s1-", 0) == 0; }

void check_poses(int dimension, std::size_t total) {
  std::size_t meetings = 0, drawn = 0, number = 0;
  for_all_meetings(dimension, [&](const Encounter&) { ++meetings; });
  REQUIRE(meetings > 0);
  Tallies all;
  for_all_meetings(dimension, [&](const Encounter& meeting) {
    ContactJudge judge(meeting, ++number, sees_a_first(meeting.options));
    drawn += judge.look_at(total / meetings);
    INFO(meeting.text());
    // Fewest where nodes lie far apart for a small body, and where a distance of first order, as that of smooth solids
    // in 3D, places a sphere beside them.
    CHECK(20 * judge.touching() >= total / meetings);
    CHECK(judge.refused() < total / meetings / 2);
    for (const auto& [what, t] : judge.tallies()) {
      Tally& sum = all[what];
      sum.looked += t.looked;
      sum.worst = std::max(sum.worst, t.worst);
      INFO(what << ": " << t.wrong << " of " << t.looked << "; first: " << t.first);
      CHECK(t.wrong == 0);
    }
  });
  fmt::print("{}D: {} poses in {} meetings\n", dimension, drawn, meetings);
  for (const auto& [what, t] : all) fmt::print("  {:<45} {:>9} times, worst {:.2g}\n", what, t.looked, t.worst);
}

}  // namespace

TEST_CASE("random poses in 2D: contacts are those of brute force, symmetric, and forces the gradient of an energy") {
  check_poses(2, random_cases(SCREE_POSES * 4 / 5));
}

TEST_CASE("random poses in 3D: contacts are those of brute force, symmetric, and forces the gradient of an energy") {
  check_poses(3, random_cases(SCREE_POSES / 5));
}
