#include <scree/plugin/plugin.hpp>

#include "scree/shape/facets.hpp"
#include "shape/stars.hpp"
#include "surface/surface_detector.hpp"

SCREE_PLUGIN(star3d, "1.0.0") {
  using namespace scree::star3d;
  registrar.shape("star3d", make_star);
  registrar.shape("superquadric", make_superquadric);
  registrar.shape("ellipsoid", make_ellipsoid);
  const auto meets = [](std::string_view partner) {
    return [partner](const scree::Options&) { return std::make_unique<SurfaceDetector>(partner); };
  };
  registrar.detector("surface", meets(scree::SmoothField::kName));
  registrar.detector("surface-sphere", meets(scree::SphereSet::kName));
  registrar.detector("surface-wall", meets(scree::WallFaces::kName));
}
