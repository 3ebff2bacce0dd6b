// The mix matrix has all that is loaded in it.

#include <algorithm>
#include <set>

#include "mix/drives.hpp"
#include "mix/meetings.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;
using namespace scree::test;
using namespace scree::test::matrix;

TEST_CASE("the mix matrix leaves no shape, detector, law or integrator out") {
  std::set<std::string> seen;
  for (const int dimension : {2, 3})
    for_all_mixes(dimension, [&](const Mix& mix) {
      const auto name = [](const char* kind, const Json& options) { return kind + options["type"].get<std::string>(); };
      const std::set<std::string> names = {name("shape/", mix.a), name("shape/", mix.b),
                                           name("detector/", mix.detector)};
      const bool known = std::ranges::includes(seen, names);  // shapes take long to make
      if (!known && refusal(mix).empty()) seen.insert(names.begin(), names.end());
    });
  for (const auto& [law, integrator, picky] : drives()) {
    seen.insert("law/" + law["type"].get<std::string>());
    seen.insert("integrator/" + integrator["type"].get<std::string>());
  }
  for (const Json& integrator : test::examples("integrator"))
    if (drives_its_own(integrator)) seen.insert("integrator/" + integrator["type"].get<std::string>());
  for (const test::Figure& figure : test::figures(2))
    if (!figure.shape->traits().driven_by.empty()) seen.insert("shape/" + figure.options["type"].get<std::string>());
  // The third party's shape included.
  CHECK(seen.count("shape/superellipse") == 1);
  for (const FactoryInfo& info : test::all_plugins().list()) {
    INFO(info.kind << "/" << info.name);
    if (info.kind == "shape" || info.kind == "detector" || info.kind == "law" || info.kind == "integrator")
      CHECK(seen.count(info.kind + "/" + info.name) == 1);
  }
}
