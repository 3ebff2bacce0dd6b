#include "make_shape.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scree/plugin/surface_file.hpp"
#include "solids.hpp"

namespace scree::spheropolyhedron {

namespace {

double needed(const Options& options, const char* key, const std::string& solid) {
  if (!options.has(key)) throw OptionError("", fmt::format("a {} needs \"{}\" [m]; add it.", solid, key));
  return options.number(key);
}

Polyhedron make_solid(const Options& options) {
  const std::string solid = options.text("solid");
  if (solid == "box") {
    if (!options.has("edges")) throw OptionError("", "a box needs \"edges\", three lengths [m]; add them.");
    return box(options.vector("edges"));
  }
  const double edge = needed(options, "edge", solid);
  if (solid != "prism" && solid != "pyramid") return regular_solid(solid, edge);
  const auto sides = static_cast<int>(options.integer("sides"));
  const double height = needed(options, "height", solid);
  return solid == "prism" ? prism(sides, edge, height) : pyramid(sides, edge, height);
}

/// The surface: one of the known solids, or what is listed or in a file.
Polyhedron make_surface(const Options& options) {
  if (!options.has("solid") && !options.has("file") && !options.has("vertices"))
    throw OptionError("", "the shape has no surface; give \"solid\", \"file\", or \"vertices\" and \"faces\".");
  if (!options.has("solid")) return read_surface(options);
  for (const char* key : {"vertices", "faces", "file"})
    if (options.has(key))
      throw OptionError("", fmt::format("both \"solid\" and \"{}\" give the surface; keep one of them.", key));
  return make_solid(options);
}

}  // namespace

std::shared_ptr<const SweptSolid> make_spheropolyhedron(const Options& options) {
  Polyhedron body = make_surface(options);
  for (Vec3& v : body.vertices) v *= options.number("scale");
  const char* const source = options.has("solid") ? "/solid" : options.has("file") ? "/file" : "/faces";
  return std::make_shared<SweptSolid>(
      std::move(body),
      SweptSolidOptions{options.number("radius"), source, options.text("position_of") == "centre-of-mass"});
}

}  // namespace scree::spheropolyhedron
