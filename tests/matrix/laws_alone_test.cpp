// A law gives a contact the same bits whatever contacts come with it: alone, among others, and in another order. What
// a body feels then depends on neither the lists nor the machine that its contacts are computed with.

#include <cstring>
#include <set>

#include "catalogue.hpp"
#include "conformance/law_columns.hpp"

using namespace scree;
using namespace scree::test;

namespace {

bool same_bits(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }

template <class Face>
void check(const std::string& name, const ContactLaw& of, const Face& law) {
  INFO(name << ", " << Face::kName);
  const Contacts contacts(1, &of);
  const Answers together = ask(law, contacts, kContacts);
  std::vector<std::size_t> order(kContacts);
  for (std::size_t i = 0; i < kContacts; ++i) order[i] = (i * 387 + 11) % kContacts;
  const Answers shuffled = ask(law, contacts.pick(order), kContacts);
  std::size_t alone_differ = 0, shuffled_differ = 0;
  for (std::size_t i = 0; i < kContacts; ++i) {
    const Answers alone = ask(law, contacts.pick(std::array{order[i]}), 1);
    for (std::size_t k = 0; k < together.size(); ++k) {
      alone_differ += !same_bits(alone[k][0], together[k][order[i]]);
      shuffled_differ += !same_bits(shuffled[k][i], together[k][order[i]]);
    }
  }
  CHECK(alone_differ == 0);
  CHECK(shuffled_differ == 0);
}

}  // namespace

TEST_CASE("laws give a contact the same bits alone, among others, and in another order") {
  const MaterialEntry material{"m", 2500, 5e6, 0.3};
  std::set<std::string> seen;
  for (const Json& example : examples("law")) {
    const std::string name = example["type"];
    for (const Json& options : all_choices(schema_of("law", name), with_defaults(schema_of("law", name), example))) {
      std::unique_ptr<ContactLaw> law;
      try {
        law = all_plugins().law(name)(Options::parse(options.dump()), {3, material, material, 5e-3});
      } catch (const OptionError&) {  // choices that do not go together
        continue;
      }
      const auto look_at = [&](const auto* face) {
        if (face == nullptr) return;
        check(options.dump(), *law, *face);
        seen.insert(name);
      };
      look_at(face<ForceFace>(*law));
      look_at(face<PotentialFace>(*law));
      look_at(face<ConeFace>(*law));
    }
  }
  for (const std::string& name : all_plugins().names("law")) {
    INFO("law \"" << name << "\": none of its examples was looked at");
    CHECK(seen.contains(name));
  }
  CHECK(seen.size() >= 5);
}
