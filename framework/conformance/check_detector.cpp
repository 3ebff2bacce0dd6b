#include <fmt/format.h>

#include <map>

#include "conformance/checks.hpp"
#include "conformance/contact_judge.hpp"

namespace scree::conformance {

namespace {

constexpr std::size_t kPoses = 64;     // in each meeting
constexpr std::size_t kMeetings = 60;  // in each dimension: a detector of nodes has hundreds

struct Sum {
  Tallies tallies;
  std::size_t meetings = 0, touching = 0, poses = 0;
  std::string refused;  ///< error of a detector that refuses most poses
};

void look(const Encounter& meeting, Sum& sum) {
  ContactJudge judge(meeting, ++sum.meetings);
  sum.poses += judge.look_at(kPoses);
  sum.touching += judge.touching();
  if (judge.refused() > kPoses / 2 && sum.refused.empty()) sum.refused = judge.refusal();
  for (const auto& [what, one] : judge.tallies()) {
    Tally& all = sum.tallies[what];
    all.looked += one.looked;
    all.wrong += one.wrong;
    all.worst = std::max(all.worst, one.worst);
    if (all.first.empty() && one.wrong > 0) all.first = meeting.text() + ": " + one.first;
  }
}

}  // namespace

Rows check_detector(const Registry& registry, const std::string& name) {
  Sum sum;
  for (const int dimension : {2, 3}) {
    std::size_t count = 0;
    for_all_meetings(registry, {.dimension = dimension, .detector = name, .every_choice = false},
                     [&](const Encounter& meeting) {
                       if (count++ < kMeetings) look(meeting, sum);
                     });
  }
  Rows rows;
  rows.push_back(judged("takes shapes", sum.meetings > 0,
                        sum.meetings > 0
                            ? fmt::format("{} meetings of loaded shapes, also of other sizes", sum.meetings)
                            : "no loaded shapes offer the facets that traits() names."));
  if (sum.meetings == 0) return rows;
  rows.push_back(
      judged("gives contacts", sum.refused.empty() && 10 * sum.touching > sum.poses,
             !sum.refused.empty() ? sum.refused : fmt::format("{} of {} random poses touch", sum.touching, sum.poses)));
  for (const auto& [what, tally] : sum.tallies)
    rows.push_back(judged(what, tally.wrong == 0,
                          tally.wrong == 0
                              ? fmt::format("{} times, error at most {:.2g}", tally.looked, tally.worst)
                              : fmt::format("{} of {} wrong; {}", tally.wrong, tally.looked, tally.first)));
  return rows;
}

}  // namespace scree::conformance
