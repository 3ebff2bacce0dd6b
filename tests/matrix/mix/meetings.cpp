#include "mix/meetings.hpp"

#include "scree/shape/facets.hpp"

namespace scree::test::matrix {

std::set<std::string> driving_faces() {
  std::set<std::string> faces;
  for (const test::Figure& figure : test::figures(2))
    if (const std::string_view driven = figure.shape->traits().driven_by; !driven.empty()) faces.emplace(driven);
  return faces;
}

Offers offers(int dimension) {
  Offers o;
  for (const Json& shape : examples("shape")) {
    const std::string alone = refusal({dimension, shape, shape});
    INFO(shape << " in " << dimension << "D: " << alone);
    if (alone.find("which need one with the face") != std::string::npos) continue;  // driving_faces()
    if (alone.empty() || alone.find("detector") != std::string::npos) {
      o.free.push_back(shape);
    } else if (alone.find("cannot move freely") != std::string::npos) {
      o.obstacles.push_back(shape);
    } else {
      CHECK_THAT(alone, Catch::Matchers::ContainsSubstring("/shapes/a") || Catch::Matchers::ContainsSubstring("\"a\""));
    }
  }
  return o;
}

void for_all_mixes(int dimension, const std::function<void(const Mix&)>& use) {
  const Offers o = offers(dimension);
  const std::vector<Json> detectors = examples("detector");
  const auto meet = [&](const Json& a, const Json& b, bool b_fixed) {
    Mix mix;
    mix.dimension = dimension;
    mix.a = a;
    mix.b = b;
    mix.b_fixed = b_fixed;
    for (const Json& detector : detectors) {
      mix.detector = detector;
      use(mix);
    }
  };
  for (std::size_t i = 0; i < o.free.size(); ++i) {
    for (std::size_t k = i; k < o.free.size(); ++k) meet(o.free[i], o.free[k], false);
    for (const Json& obstacle : o.obstacles) meet(o.free[i], obstacle, true);
  }
}

}  // namespace scree::test::matrix
