#include <scree/plugin/plugin.hpp>

#include "extremal/extremal_detector.hpp"
#include "shape/star_shape.hpp"
#include "taubin/star_detector.hpp"

namespace {

using namespace scree;

std::unique_ptr<ContactDetector> make_taubin(const Options& options) {
  star::TaubinOptions taubin;
  taubin.scheme = star::scheme_of(options.text("scheme"));
  taubin.radial = options.text("distance") == "radial";
  return std::make_unique<star::TaubinDetector>(taubin);
}

}  // namespace

SCREE_PLUGIN(star, "1.0.0") {
  registrar.shape("star", star::make_star);
  registrar.detector("taubin", make_taubin);
  registrar.detector("extremal", [](const Options&) { return std::make_unique<star::ExtremalDetector>(); });
}
