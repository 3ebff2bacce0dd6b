// Options that reach their method through the registry, from JSON: what each changes.

#include "catalogue.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

std::shared_ptr<const Shape> shape(const char* json) {
  const Json given = Json::parse(json);
  const Json options = with_defaults(schema_of("shape", given["type"]), given);
  return all_plugins().shape(given["type"])(Options::parse(options.dump()), ShapeContext{2});
}

/// Largest distance of boundary nodes that follow each other [m].
double widest(const Shape& shape) {
  const auto nodes = facet<BoundaryNodes>(shape)->nodes();
  double most = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    most = std::max(most, (nodes[(i + 1) % nodes.size()] - nodes[i]).norm());
  return most;
}

}  // namespace

TEST_CASE("node_spacing bounds the distance of boundary nodes, and has a default that follows the shape") {
  const auto box = shape(R"({"type": "box", "half_sizes": [0.02, 0.012]})");
  const auto fine_box = shape(R"({"type": "box", "half_sizes": [0.02, 0.012], "node_spacing": 0.0007})");
  CHECK(widest(*box) <= 0.012 / 4 * (1 + 1e-12));
  CHECK(widest(*box) > 0.012 / 8);
  CHECK(widest(*fine_box) <= 0.0007 * (1 + 1e-12));
  CHECK(widest(*fine_box) > 0.00035);
  const auto polygon = shape(R"({"type": "spheropolygon", "vertices": [[0, 0], [0.1, 0], [0, 0.1]], "radius": 0.01})");
  const auto fine_polygon = shape(
      R"({"type": "spheropolygon", "vertices": [[0, 0], [0.1, 0], [0, 0.1]], "radius": 0.01, "node_spacing": 0.001})");
  CHECK(widest(*polygon) <= 0.005 * (1 + 1e-12));
  CHECK(widest(*polygon) > 0.0025);
  CHECK(widest(*fine_polygon) <= 0.001 * (1 + 1e-12));
  CHECK(widest(*fine_polygon) > 0.0005);
}

TEST_CASE("nodes of circles and stars are as many as asked for") {
  CHECK(facet<BoundaryNodes>(*shape(R"({"type": "circle", "radius": 0.1, "nodes": 37})"))->nodes().size() == 37);
  CHECK(facet<BoundaryNodes>(*shape(R"({"type": "star", "coefficients": {"a0": 1}, "radius": 0.1, "nodes": 41})"))
            ->nodes()
            .size() == 41);
}

TEST_CASE("delta_allow decides how long edges must be for corner weight 3, sqrt(2 rs delta_allow)") {
  // Edges of 0.02 m and discs of 0.01 m: rs = 0.02 m, so up to delta_allow = 0.01 m.
  const auto square =
      shape(R"({"type": "spheropolygon", "vertices": [[0, 0], [0.02, 0], [0.02, 0.02], [0, 0.02]], "radius": 0.01})");
  const auto bind = [&](double delta) {
    const Json given = {{"corner_weight", 3}, {"delta_allow", delta}};
    const auto detector = all_plugins().detector("vertex-edge")(Options::parse(given.dump()));
    const Shape* const shapes[1] = {square.get()};
    detector->bind(shapes);
  };
  CHECK_NOTHROW(bind(0.0099));
  CHECK_THROWS_WITH(bind(0.0101), ContainsSubstring("3 needs edges of at least 0.0201 m") &&
                                      ContainsSubstring("delta_allow = 0.0101 m"));
}
