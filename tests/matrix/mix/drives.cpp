#include "mix/drives.hpp"

#include <algorithm>

#include "mix/meetings.hpp"

namespace scree::test::matrix {

using Catch::Matchers::ContainsSubstring;

namespace {

void check_face(const std::string& text, const Json& law, const Json& integrator) {
  CHECK_THAT(text, ContainsSubstring("/interactions/0/law") && ContainsSubstring(law["type"].dump()));
  CHECK_THAT(text, ContainsSubstring("has no face") && ContainsSubstring(integrator["type"].dump()));
  CHECK_THAT(text, ContainsSubstring("Laws that fit"));
}

bool picky(const Mix& mix) {
  const Made made(mix);
  const IntegratorTraits traits = made.prepared.methods.integrator->traits();
  return traits.needs_gradient_consistency || traits.isotropic_inertia_only;
}

}  // namespace

bool drives_its_own(const Json& integrator) {
  const std::string name = integrator["type"];
  const Json options = test::with_defaults(test::schema_of("integrator", name), integrator);
  const auto made = all_plugins().integrator(name)(Options::parse(options.dump()));
  return std::ranges::any_of(driving_faces(), [&](const std::string& face) { return made->face(face) != nullptr; });
}

std::vector<Drive> drives() {
  std::vector<Drive> fitting;
  const Json disc = {{"type", "sphere"}, {"radius", 0.01}};
  for (const Json& law : examples("law"))
    for (const Json& integrator : examples("integrator")) {
      if (drives_its_own(integrator)) continue;
      Mix mix;
      mix.dimension = 2;
      mix.a = mix.b = disc;
      mix.law = law;
      mix.integrator = integrator;
      INFO(law << ", " << integrator);
      const std::string refused = refusal(mix);
      if (refused.empty())
        fitting.push_back({law, integrator, picky(mix)});
      else
        check_face(refused, law, integrator);
    }
  return fitting;
}

std::vector<Drive> one_per_law(const std::vector<Drive>& all) {
  std::vector<Drive> chosen;
  for (const Drive& d : all)
    if (!d.picky && std::none_of(chosen.begin(), chosen.end(), [&](const Drive& c) { return c.law == d.law; }))
      chosen.push_back(d);
  return chosen;
}

std::vector<Drive> some_of(const std::vector<Drive>& all, std::size_t turn) {
  std::vector<Drive> chosen;
  for (auto from = all.begin(); from != all.end();) {
    const auto to = std::find_if(from, all.end(), [&](const Drive& d) { return d.law != from->law; });
    std::vector<Drive> plain;
    for (auto d = from; d != to; ++d) (d->picky ? chosen : plain).push_back(*d);
    if (!plain.empty()) chosen.push_back(plain[turn++ % plain.size()]);
    from = to;
  }
  return chosen;
}

std::vector<Drive> third_of(const std::vector<Drive>& all, std::size_t turn) {
  std::vector<Drive> chosen;
  std::size_t law = turn;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].law != all[i - 1].law) ++law;
    if (law % 3 == 0) chosen.push_back(all[i]);
  }
  return chosen;
}

}  // namespace scree::test::matrix
