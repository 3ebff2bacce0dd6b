#include <scree/plugin/plugin.hpp>

#include "body_mesh.hpp"
#include "grain/mesh_grain.hpp"
#include "mesh_shape.hpp"
#include "mesh_wear.hpp"
#include "smooth_mesh.hpp"
#include "sphere_mesh.hpp"

namespace scree::mesh {

namespace {

Sides sides_of(const std::string& word) {
  return word == "both" ? Sides::both : word == "outside" ? Sides::outside : Sides::automatic;
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
    return std::make_shared<MeshShape>(placed(read_surface(options), options),
                                       MeshOptions{options.boolean("inside"), sides_of(options.text("sides")),
                                                   options.has("file") ? "/file" : "/faces"});
  });
  registrar.shape("mesh-grain", [](const Options& options) {
    SurfaceMesh surface = read_surface(options);
    for (Vec3& v : surface.vertices) v *= options.number("scale");
    return std::make_shared<MeshGrain>(
        std::move(surface),
        MeshGrainOptions{static_cast<int>(options.integer("resolution")), static_cast<int>(options.integer("nodes")),
                         options.number_or("volume", 0), options.has("file") ? "/file" : "/faces"});
  });
  registrar.detector("sphere-mesh", [](const Options&) { return std::make_unique<scree::mesh::SphereMesh>(); });
  registrar.detector("segment-mesh", [](const Options&) { return std::make_unique<BodyMesh>(Body::segment); });
  registrar.detector("polyhedron-mesh", [](const Options&) { return std::make_unique<BodyMesh>(Body::polyhedron); });
  registrar.detector("smooth-mesh", [](const Options&) { return std::make_unique<SmoothMesh>(); });
  registrar.observer("mesh-wear", [](const Options& options) { return std::make_unique<MeshWear>(options); });
}
