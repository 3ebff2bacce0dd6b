// A pair's contacts go on from the same contacts of the step before, whether the pair is matched alone or among others,
// and whatever was matched before it.

#include <fmt/format.h>

#include "catalogue.hpp"
#include "catch.hpp"
#include "scree/contacts/history/contact_matching.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr std::size_t kPairs = 48;

/// What the contacts of some pairs inherit, in order.
struct Inherited {
  std::vector<std::uint32_t> feature;
  std::vector<double> value;  ///< 0: nothing
  bool operator==(const Inherited&) const = default;
};

/// \param value  of the first old contact; the next ones have the numbers that follow
Inherited inherit(detail::ContactMatching& matching, const ContactDetector& detector, std::span<const Touches> old,
                  std::span<const Touches> now, double value, bool once) {
  std::vector<std::uint32_t> pair, feature;
  std::vector<std::uint64_t> payload;
  std::vector<double> committed;
  ContactBuffer contacts;
  for (std::uint32_t p = 0; p < old.size(); ++p) {
    for (const Touch& t : old[p]) {
      pair.push_back(p), feature.push_back(t.feature), payload.push_back(t.payload);
      committed.push_back(value++);
    }
    for (const Touch& t : now[p]) contacts.push(p, t.overlap, t.normal, t.point, t.feature, t.payload);
  }
  ContactKeys keys;
  keys.assign(pair.size(), pair.data(), feature.data(), payload.data());
  matching.match(keys, contacts, detector, true, once);
  Inherited all;
  all.feature.assign(contacts.feature(), contacts.feature() + contacts.size());
  all.value.resize(contacts.size());
  if (contacts.size() == 0) return all;
  matching.together(0, contacts.size());
  matching.copy(committed.data(), 0, contacts.size(), all.value.data());
  return all;
}

/// How many pairs inherit otherwise alone than among the others. \param changed  counts pairs with other contacts than
/// before
std::size_t differ(const Encounter& m, Draws& draws, double way, bool once, std::size_t& changed) {
  std::vector<PairPose> before, after;
  for (std::size_t tries = 0; before.size() < kPairs && tries < 20 * kPairs; ++tries) {
    const PairPose pose = m.draw(draws), moved = m.stray(pose, draws, way * m.unit, way);
    if (m.takes(pose) && m.takes(moved)) before.push_back(pose), after.push_back(moved);
  }
  const std::vector<Touches> old = m.detect(before), now = m.detect(after);
  detail::ContactMatching matching;
  const Inherited together = inherit(matching, *m.detector, old, now, 1, once);
  std::size_t wrong = 0, first = 0;
  double value = 1;
  for (std::size_t p = 0; p < old.size(); ++p) {
    const std::size_t size = now[p].size();
    const Inherited alone =
        inherit(matching, *m.detector, std::span(old).subspan(p, 1), std::span(now).subspan(p, 1), value, once);
    const auto among = [&](const auto& column) { return std::span(column).subspan(first, size); };
    wrong += !std::ranges::equal(alone.feature, among(together.feature)) ||
             !std::ranges::equal(alone.value, among(together.value));
    changed += size != old[p].size();
    first += size;
    value += static_cast<double>(old[p].size());
  }
  return wrong;
}

void check_matches(int dimension) {
  std::size_t meetings = 0, changed = 0;
  for_all_meetings(dimension, [&](const Encounter& meeting) {
    Draws draws(++meetings);
    INFO(meeting.text());
    for (const double way : {1e-5, 0.02, 0.2})
      for (const bool once : {false, true}) CHECK(differ(meeting, draws, way, once, changed) == 0);
  });
  CHECK(meetings > 0);
  CHECK(changed > 10 * meetings);
}

}  // namespace

TEST_CASE("a pair inherits the same history alone and among others in 2D, by every detector's match()") {
  check_matches(2);
}

TEST_CASE("a pair inherits the same history alone and among others in 3D, by every detector's match()") {
  check_matches(3);
}
