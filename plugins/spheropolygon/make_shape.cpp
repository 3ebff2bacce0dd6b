#include "make_shape.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "scree/base/computable.hpp"

namespace scree::spheropolygon {

namespace {

/// The option that gives the vertices: one of two.
std::string source_of(const Options& options) {
  const bool list = options.has("vertices"), file = options.has("file");
  if (list && file) throw OptionError("", "both \"vertices\" and \"file\" give the outline; keep one of them.");
  if (!list && !file) throw OptionError("", "the shape has no outline; give \"vertices\" or \"file\".");
  return list ? "vertices" : "file";
}

std::vector<Vec2> read_vertices(const Options& options) {
  std::vector<Vec2> vertices;
  for (const Options& vertex : options.objects("vertices")) {
    const std::vector<double> xy = vertex.as_numbers();
    if (xy.size() != 2)
      throw OptionError("", fmt::format("vertex {} has {} numbers; give two, [x, y].", vertices.size(), xy.size()));
    vertices.emplace_back(xy[0], xy[1]);
  }
  return vertices;
}

/// A JSON file with the key "vertices"; what else it holds is not looked at.
std::vector<Vec2> read_file(const Options& options) {
  const std::filesystem::path path = options.file("file");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  try {
    return read_vertices(Options::parse(text.str()));
  } catch (const Error& e) {
    throw OptionError("/file",
                      fmt::format("\"{}\": {} Expected {{\"vertices\": [[x, y], ...]}}.", path.string(), e.what()));
  }
}

void require_computable(const std::vector<Vec2>& vertices, const std::string& source) {
  for (std::size_t k = 0; k < vertices.size(); ++k)
    if (!(vertices[k].cwiseAbs().maxCoeff() <= kLargestComputable))
      throw OptionError("/" + source, fmt::format("vertex {} is at [{:.6g}, {:.6g}] m; coordinates up to {:g} m can be "
                                                  "computed with. Look for a wrong unit or exponent.",
                                                  k, vertices[k][0], vertices[k][1], kLargestComputable));
}

std::shared_ptr<const SweptBody> make_body(const Options& options, bool closed) {
  const std::string source = source_of(options);
  Skeleton skeleton{source == "file" ? read_file(options) : read_vertices(options), closed};
  const double scale = options.number("scale");
  for (Vec2& v : skeleton.vertices) v *= scale;
  require_computable(skeleton.vertices, source);
  SweptBodyOptions body;
  body.radius = options.number("radius");
  body.pointer = "/" + source;
  if (closed) {
    body.thickness = options.number("thickness");
    body.placed_by_centre_of_mass = options.text("position_of") == "centre-of-mass";
    body.node_spacing = options.number_or("node_spacing", 0);
  }
  return std::make_shared<SweptBody>(std::move(skeleton), body);
}

}  // namespace

std::shared_ptr<const SweptBody> make_spheropolygon(const Options& options) { return make_body(options, true); }
std::shared_ptr<const SweptBody> make_chain(const Options& options) { return make_body(options, false); }

}  // namespace scree::spheropolygon
