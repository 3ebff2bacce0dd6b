#include <scree/plugin/plugin.hpp>

#include "star_detector.hpp"
#include "star_shape.hpp"

namespace {

using namespace scree;

/// Coefficients of one kind ("cos" or "sin") into the harmonics they belong to.
void read_harmonics(const Options& coefficients, const char* kind, double star::Harmonic::*part,
                    std::map<int, star::Harmonic>& harmonics) {
  if (!coefficients.has(kind)) return;
  const Options series = coefficients.object(kind);
  for (const std::string& key : series.keys()) {
    const int k = std::stoi(key);
    harmonics[k].k = k;
    harmonics[k].*part = series.number(key);
  }
}

std::shared_ptr<const Shape> make_star(const Options& options) {
  if (options.has("radius") == options.has("area"))
    throw OptionError("", options.has("radius") ? "both \"radius\" and \"area\" give the size of the star; keep one"
                                                : "the star has no size; give \"radius\" [m] or \"area\" [m^2]");
  const Options coefficients = options.object("coefficients");
  std::map<int, star::Harmonic> harmonics;
  read_harmonics(coefficients, "cos", &star::Harmonic::c, harmonics);
  read_harmonics(coefficients, "sin", &star::Harmonic::s, harmonics);
  std::vector<star::Harmonic> list;
  for (const auto& [k, harmonic] : harmonics) list.push_back(harmonic);
  RadialSettings settings;
  settings.nodes = static_cast<int>(options.integer("nodes"));
  settings.table_size = static_cast<int>(options.integer("table_size"));
  settings.thickness = options.number("thickness");
  settings.max_radius = options.number_or("radius", 0);
  settings.area = options.number_or("area", 0);
  return std::make_shared<star::StarShape>(coefficients.number("a0"), std::move(list), settings);
}

std::unique_ptr<ContactDetector> make_taubin(const Options& options) {
  star::TaubinOptions taubin;
  taubin.scheme = star::scheme_of(options.text("scheme"));
  taubin.radial = options.text("distance") == "radial";
  return std::make_unique<star::TaubinDetector>(taubin);
}

}  // namespace

SCREE_PLUGIN(star, "1.0.0") {
  registrar.shape("star", make_star);
  registrar.detector("taubin", make_taubin);
}
