#include <fmt/format.h>

#include <cstring>

#include "conformance/catalogue.hpp"
#include "conformance/checks.hpp"
#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

bool same(const Packed& one, const Packed& other) {
  if (one.places.size() != other.places.size()) return false;
  for (std::size_t i = 0; i < one.places.size(); ++i)
    if (one.places[i].position != other.places[i].position || one.places[i].scale != other.places[i].scale)
      return false;
  return true;
}

}  // namespace

Rows check_packing(const Registry& registry, const std::string& name) {
  Rows rows;
  std::size_t places = 0, tried = 0;
  bool again = true;
  std::string refused;
  for (const Json& example : examples(registry, "packing", name))
    for (const int dimension : {2, 3}) try {
        const Options options = made_of(registry, "packing", example);
        const PackingContext context{.dimension = dimension, .bounding_radius = 0.01, .seed = 7, .density = 1000};
        const Packed one = registry.packing(name)(options, context), other = registry.packing(name)(options, context);
        ++tried;
        places += one.places.size();
        again = again && same(one, other);
      } catch (const Error& e) {  // not in this dimension, or of files that are not here
        refused = e.what();
      }
  if (tried == 0) return {not_applicable("places bodies", refused)};
  rows.push_back(judged("places bodies", places > 0, fmt::format("{} places in {} packings", places, tried)));
  rows.push_back(judged("the same seed gives the same places", again, "packed twice each"));
  return rows;
}

}  // namespace scree::conformance
