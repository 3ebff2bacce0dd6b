#include "make_shape.hpp"

#include <fmt/format.h>

#include <cmath>

#include "scree/plugin/surface_file.hpp"
#include "solids.hpp"

namespace scree::spheropolyhedron {

namespace {

/// The option that gives the surface: one of three.
std::string source_of(const Options& options) {
  std::string source;
  for (const char* key : {"solid", "vertices", "file"}) {
    if (!options.has(key)) continue;
    if (!source.empty())
      throw OptionError("", fmt::format("both \"{}\" and \"{}\" give the surface; keep one of them.", source, key));
    source = key;
  }
  if (source.empty()) throw OptionError("", "the shape has no surface; give \"solid\", \"vertices\" or \"file\".");
  if (options.has("faces") != (source == "vertices"))
    throw OptionError(source == "vertices" ? "" : "/faces",
                      source == "vertices" ? "\"vertices\" are given without \"faces\"; add the corners of each face."
                                           : "\"faces\" belong to \"vertices\"; give these, or leave out \"faces\".");
  return source;
}

std::vector<Vec3> read_vertices(const Options& options) {
  std::vector<Vec3> vertices;
  for (const Options& vertex : options.objects("vertices")) {
    const std::vector<double> x = vertex.as_numbers();
    vertices.emplace_back(x[0], x[1], x[2]);
  }
  return vertices;
}

std::vector<std::vector<std::uint32_t>> read_faces(const Options& options) {
  std::vector<std::vector<std::uint32_t>> faces;
  for (const Options& face : options.objects("faces")) {
    auto& corners = faces.emplace_back();
    for (const double v : face.as_numbers()) corners.push_back(static_cast<std::uint32_t>(v));
  }
  return faces;
}

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

}  // namespace

std::shared_ptr<const SweptSolid> make_spheropolyhedron(const Options& options) {
  const std::string source = source_of(options);
  Polyhedron body;
  if (source == "solid") body = make_solid(options);
  if (source == "vertices") body = {read_vertices(options), read_faces(options)};
  if (source == "file") body = read_surface(options.file("file"), "/file");
  for (Vec3& v : body.vertices) v *= options.number("scale");
  return std::make_shared<SweptSolid>(
      std::move(body), SweptSolidOptions{options.number("radius"), source == "vertices" ? "/faces" : "/" + source,
                                         options.text("position_of") == "centre-of-mass"});
}

}  // namespace scree::spheropolyhedron
