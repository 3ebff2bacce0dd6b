// What `scree plugins` says a method offers, it offers.

#include <exception>
#include <map>
#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using Json = nlohmann::json;

namespace {

/// Tells whether a shape offers a facet in the plane or in space, as a solid or as a container.
bool is_offered(const Registry& registry, const std::string& shape, const Options& options, const std::string& facet) {
  for (const bool inside : {false, true})
    for (const int dimension : {2, 3}) try {
        Json json = Json::parse(options.dump());
        if (json.contains("inside")) json["inside"] = inside;
        if (inside) json.erase("wall");  // a container has ends, and no thickness
        if (json.contains("half_sizes") && dimension == 3 && json["half_sizes"].size() == 2)
          json["half_sizes"].push_back(0.1);
        if (registry.shape(shape)(Options::parse(json.dump()), ShapeContext{dimension})->facet(facet)) return true;
      } catch (const std::exception&) {  // not in this dimension
      }
  return false;
}

}  // namespace

TEST_CASE("shapes offer the facets and laws the faces their schemas list") {
  // Options of the methods that cannot be made from defaults alone.
  const std::map<std::string, const char*> options = {
      {"shape/star",
       R"({"coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.01, "thickness": 0.001, "nodes": 100, "table_size": 0})"},
      {"shape/spheropolygon",
       R"({"vertices": [[0, 0], [1, 0], [0, 1]], "radius": 0.1, "scale": 1, "thickness": 1, "position_of": "origin"})"},
      {"shape/chain", R"({"vertices": [[0, 0], [1, 0]], "radius": 0.1, "scale": 1})"},
      {"shape/half-plane", R"({"normal": [0, 1], "extent": 1})"},
      {"shape/box", R"({"half_sizes": [0.2, 0.1], "inside": false, "thickness": 1})"},
      {"shape/circle", R"({"radius": 0.1, "inside": false, "thickness": 1, "nodes": 50})"},
      {"shape/cylinder", R"({"radius": 0.1, "inside": false, "extent": 1})"},
      {"shape/sphere-wall", R"({"radius": 0.1, "inside": true})"},
      {"shape/cone", R"({"radius": 0.1, "length": 0.2, "inside": false})"},
      {"shape/frustum", R"({"lower_radius": 0.1, "upper_radius": 0.2, "length": 0.2, "inside": false, "wall": 0.1})"},
      {"shape/tube", R"({"radius": 0.1, "length": 0.2, "wall": 0.1})"},
      {"shape/plate", R"({"hole": 0.1, "thickness": 0.2, "radius": 0.3})"},
      {"shape/torus", R"({"radius": 0.3, "tube_radius": 0.2})"},
      {"shape/helicoid",
       R"({"inner_radius": 0.1, "outer_radius": 0.2, "pitch": 0.2, "turns": 2, "thickness": 0.05, "hand": "left"})"},
      {"shape/polyline",
       R"({"points": [[0, 0], [1, 0], [0, 1]], "closed": true, "inside": false, "side": "both", "thickness": 1})"},
      {"shape/capsule", R"({"length": 0.1, "radius": 0.02, "thickness": 1, "mass_of": "capsule"})"},
      {"shape/material-point", R"({"spacing": 0.01, "fraction": 0.6})"},
      {"shape/star3d", R"({"coefficients": [[0, 0, 1]], "radius": 0.1, "nodes": 162, "table": 16})"},
      {"shape/superquadric", R"({"semi_axes": [0.1, 0.1, 0.1], "exponents": [1, 1], "nodes": 162, "table": 16})"},
      {"shape/ellipsoid", R"({"semi_axes": [0.1, 0.1, 0.1], "nodes": 162, "table": 16})"},
      {"shape/mesh",
       R"({"vertices": [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]], "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], "scale": 1, "rotation": [0, 0, 0], "translation": [0, 0, 0], "inside": false, "sides": "auto"})"},
      {"shape/mesh-grain",
       R"({"vertices": [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.2]], "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], "scale": 1, "resolution": 8, "nodes": 162})"},
      {"shape/spheropolyhedron",
       R"({"solid": "box", "edges": [0.2, 0.2, 0.2], "radius": 0.02, "scale": 1, "position_of": "origin"})"},
      {"shape/sphere", R"({"radius": 0.1, "thickness": 0.001})"},
      {"shape/clump", R"({"template": "cross-9", "scale": 0.1, "thickness": 0.001})"},
      {"law/hertz-mindlin",
       R"({"restitution": 0.5, "friction": 0.3, "tangential_damping": 1, "youngs_modulus": 1e7, "poisson_ratio": 0.3, "typical_speed": 1})"},
      {"law/coulomb", R"({"friction": 0.5, "restitution": 0})"},
      {"law/linear",
       R"({"normal_stiffness": 1, "normal_damping": 0, "tangential": "spring", "tangential_damping": 0, "friction": 0})"},
      {"law/power-law",
       R"({"stiffness": 1, "exponent": 2.5, "normal_damping": 0, "typical_speed": 1, "tangential": "none", "tangential_damping": 0, "friction": 0})"},
      {"law/lennard-jones",
       R"({"well_depth": 1, "distance": 1, "typical_speed": 0, "tangential": "none", "tangential_damping": 0, "friction": 0})"},
  };
  const Registry& registry = test::plugins();
  std::size_t checked = 0;
  for (const FactoryInfo& info : registry.list()) {
    const Json schema = Json::parse(info.schema);
    for (const char* list : {"x-scree-facets", "x-scree-faces"}) {
      if (!schema.contains(list)) continue;
      const auto given = options.find(info.kind + "/" + info.name);
      const auto defaults = registry.default_options(info.kind, info.name);
      REQUIRE((given != options.end() || defaults));
      const Options made_from = given != options.end() ? Options::parse(given->second) : *defaults;
      for (const std::string name : schema[list]) {
        INFO(info.kind << "/" << info.name << ": " << name);
        if (info.kind == "shape") CHECK(is_offered(registry, info.name, made_from, name));
        if (info.kind == "law") CHECK(registry.law(info.name)(made_from, LawContext{})->face(name) != nullptr);
        ++checked;
      }
    }
    // Nobody forgets to say it.
    if (info.kind == "shape") CHECK(schema.contains("x-scree-facets"));
    if (info.kind == "law") CHECK(schema.contains("x-scree-faces"));
  }
  CHECK(checked >= 12);
}
