#include <fmt/format.h>

#include <scree/plugin/plugin.hpp>

#include "mesh_shape.hpp"
#include "sphere_mesh.hpp"

namespace scree::mesh {

namespace {

Sides sides_of(const std::string& word) {
  return word == "both" ? Sides::both : word == "outside" ? Sides::outside : Sides::automatic;
}

/// Reads the surface: of a file, or of lists. \throws OptionError
SurfaceMesh source(const Options& options) {
  if (options.has("file") == options.has("vertices"))
    throw OptionError("", "a mesh has either a \"file\", or \"vertices\" and \"faces\"; give one of the two.");
  if (options.has("faces") != options.has("vertices"))
    throw OptionError("", "\"vertices\" and \"faces\" belong together; give both, or a \"file\".");
  if (options.has("file")) return read_surface(options.file("file"), "/file");
  SurfaceMesh surface;
  for (const Options& vertex : options.objects("vertices")) {
    const std::vector<double> x = vertex.as_numbers();
    surface.vertices.emplace_back(x[0], x[1], x[2]);
  }
  for (const Options& face : options.objects("faces")) {
    std::vector<std::uint32_t>& corners = surface.faces.emplace_back();
    for (const double v : face.as_numbers()) {
      if (!(v < static_cast<double>(surface.vertices.size())))
        throw OptionError("/faces", fmt::format("a face names vertex {:.0f}; there are {}, numbered from 0.", v,
                                                surface.vertices.size()));
      corners.push_back(static_cast<std::uint32_t>(v));
    }
  }
  return surface;
}

/// Moves a surface as the options say: sizes first, then the turn, then the way.
SurfaceMesh placed(SurfaceMesh surface, const Options& options) {
  const double scale = options.number("scale");
  const std::vector<double> turn = options.numbers("rotation"), way = options.numbers("translation");
  const Vec3 axis(turn[0], turn[1], turn[2]);
  const Mat3 rotation =
      axis.norm() > 0 ? Eigen::AngleAxisd(axis.norm(), axis.normalized()).toRotationMatrix() : Mat3(Mat3::Identity());
  for (Vec3& v : surface.vertices) v = rotation * (scale * v) + Vec3(way[0], way[1], way[2]);
  return surface;
}

}  // namespace

}  // namespace scree::mesh

SCREE_PLUGIN(mesh, "1.0.0") {
  using namespace scree;
  using namespace scree::mesh;
  registrar.shape("mesh", [](const Options& options) {
    return std::make_shared<MeshShape>(placed(source(options), options),
                                       MeshOptions{options.boolean("inside"), sides_of(options.text("sides")),
                                                   options.has("file") ? "/file" : "/faces"});
  });
  registrar.detector("sphere-mesh", [](const Options&) { return std::make_unique<SphereMesh>(); });
}
