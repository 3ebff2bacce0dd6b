#include <numeric>
#include <random>
#include <vector>

#include "catch.hpp"
#include "disc_world.hpp"
#include "random_cases.hpp"
#include "scree/contacts/history/contact_matching.hpp"

using namespace scree;
using namespace scree::test;
using detail::ContactMatching;

namespace {

struct Contact {
  std::uint32_t pair, feature;
  std::uint64_t payload;
};
using Contacts = std::vector<Contact>;

bool same_looks(const Contact& a, const Contact& b) {
  return a.pair == b.pair && a.payload == b.payload && (a.payload != 0 || a.feature == b.feature);
}

ContactBuffer buffer_of(const Contacts& contacts) {
  ContactBuffer buffer;
  for (const Contact& c : contacts) buffer.push(c.pair, 0, Vec3::UnitX(), Vec3::Zero(), c.feature, c.payload);
  return buffer;
}

ContactKeys keys_of(const Contacts& contacts) {
  const ContactBuffer buffer = buffer_of(contacts);
  ContactKeys keys;
  keys.assign(buffer.size(), buffer.pair(), buffer.feature(), buffer.payload());
  return keys;
}

/// The default match() of detectors: equal features.
const Discs kDetector({});

/// Pair by pair and contact by contact: those of a pair whose contacts look as before go on in order, others where
/// features are equal. \return the predecessor of each contact of now, or -1
std::vector<int> brute_force(const Contacts& old, const Contacts& now) {
  std::vector<int> source(now.size(), -1);
  for (std::size_t i = 0; i < now.size(); ++i) {
    std::vector<std::size_t> before, after;
    for (std::size_t j = 0; j < old.size(); ++j)
      if (old[j].pair == now[i].pair) before.push_back(j);
    for (std::size_t j = 0; j < now.size(); ++j)
      if (now[j].pair == now[i].pair) after.push_back(j);
    bool alike = before.size() == after.size();
    for (std::size_t k = 0; alike && k < before.size(); ++k) alike = same_looks(old[before[k]], now[after[k]]);
    for (std::size_t k = 0; k < before.size(); ++k)
      if (alike ? after[k] == i : old[before[k]].feature == now[i].feature) source[i] = static_cast<int>(before[k]);
  }
  return source;
}

/// Contacts of 100 pairs, up to three each; `payloads`: of nearly all.
Contacts random_contacts(std::mt19937& random, bool payloads) {
  Contacts contacts;
  for (std::uint32_t pair = 0; pair < 100; ++pair)
    for (std::uint32_t k = 0, most = random() % 4; k < most; ++k)
      contacts.push_back({pair, k, payloads && random() % 8 ? 1 + random() % 1000 : 0});
  return contacts;
}

/// Now and then a contact is lost, another payload or feature, or doubled under another feature.
Contacts changed(const Contacts& old, std::mt19937& random, unsigned rarely) {
  Contacts now;
  for (const Contact& c : old) {
    const unsigned what = random() % rarely;
    if (what == 0) continue;
    now.push_back(c);
    if (what == 1) now.back().payload += 7;
    if (what == 2) now.back().feature += 10;
    if (what == 3) now.push_back({c.pair, c.feature + 20, c.payload});
  }
  return now;
}

}  // namespace

TEST_CASE("contacts go on from those that brute force finds, with their features") {
  std::mt19937 random(3);
  for (int n = 0; n < random_cases(2000, 200); ++n) {
    const Contacts old = random_contacts(random, n % 2), now = changed(old, random, n % 3 ? 60 : 8);
    const std::vector<int> source = brute_force(old, now);
    ContactBuffer buffer = buffer_of(now);
    ContactMatching matching;
    const std::size_t hits = matching.match(keys_of(old), buffer, kDetector, true, false);
    REQUIRE(hits == static_cast<std::size_t>(std::ranges::count_if(source, [](int j) { return j >= 0; })));

    std::vector<double> numbers(old.size()), inherited(now.size());
    std::iota(numbers.begin(), numbers.end(), 1);
    for (std::size_t begin = 0, end; begin < now.size(); begin = end) {
      end = std::min<std::size_t>(now.size(), begin + 1 + random() % 50);
      const auto from = matching.together(begin, end);
      matching.copy(numbers.data(), begin, end, inherited.data() + begin);
      for (std::size_t i = begin; i < end; ++i) {
        REQUIRE(inherited[i] == source[i] + 1);  // 0: new
        if (from) REQUIRE(source[i] == static_cast<int>(*from + (i - begin)));
        if (source[i] >= 0) REQUIRE(buffer.feature()[i] == old[static_cast<std::size_t>(source[i])].feature);
      }
    }
  }
}

TEST_CASE("the same contacts are one range, and new features are kept from them only where records want the old") {
  std::mt19937 random(5);
  const Contacts old = random_contacts(random, true);
  Contacts now = old;
  const auto renamed = static_cast<std::size_t>(
      std::ranges::find_if(now, [](const Contact& c) { return c.payload != 0; }) - now.begin());
  now[renamed].feature += 10;
  for (const bool features : {false, true}) {
    ContactBuffer buffer = buffer_of(now);
    ContactMatching matching;
    CHECK(matching.match(keys_of(old), buffer, kDetector, features, false) == old.size());
    CHECK(matching.unchanged());
    CHECK(matching.together(0, old.size()) == 0u);
    CHECK(buffer.feature()[renamed] == (features ? old : now)[renamed].feature);
  }
}

TEST_CASE("a contact more or less is no contact unchanged, nor are none of some") {
  const Contacts two{{0, 0, 0}, {1, 0, 0}}, one{{0, 0, 0}}, none;
  const auto unchanged = [](const Contacts& old, const Contacts& now, std::size_t hits) {
    ContactBuffer buffer = buffer_of(now);
    ContactMatching matching;
    CHECK(matching.match(keys_of(old), buffer, kDetector, false, false) == hits);
    return matching.unchanged();
  };
  CHECK(unchanged(two, two, 2));
  CHECK_FALSE(unchanged(two, one, 1));
  CHECK_FALSE(unchanged(one, two, 1));
  CHECK_FALSE(unchanged(two, none, 0));
  CHECK_FALSE(unchanged(none, two, 0));
  CHECK(unchanged(none, none, 0));
}
