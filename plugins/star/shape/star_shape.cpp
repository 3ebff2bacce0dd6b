#include "shape/star_shape.hpp"

#include <map>
#include <string>

#include "scree/base/error.hpp"

namespace scree::star {

StarShape::StarShape(double a0, std::vector<Harmonic> harmonics, const RadialSettings& settings)
    : a0_(a0), harmonics_(std::move(harmonics)) {
  try {
    derive(settings);
  } catch (const OptionError& e) {
    if (!e.pointer().empty()) throw;
    throw OptionError("/coefficients", std::string(e.what()) + ". Raise a0 or lower the harmonics.");
  }
}

namespace {

/// Coefficients of one kind ("cos" or "sin") into the harmonics they belong to.
void read_harmonics(const Options& coefficients, const char* kind, double Harmonic::*part,
                    std::map<int, Harmonic>& harmonics) {
  if (!coefficients.has(kind)) return;
  const Options series = coefficients.object(kind);
  for (const std::string& key : series.keys()) {
    const int k = std::stoi(key);
    harmonics[k].k = k;
    harmonics[k].*part = series.number(key);
  }
}

}  // namespace

std::shared_ptr<const StarShape> make_star(const Options& options) {
  const bool radius = options.has("radius"), area = options.has("area");
  if (radius && area) throw OptionError("", "both \"radius\" and \"area\" give the size of the star; keep one of them");
  if (!radius && !area) throw OptionError("", "the star has no size; give \"radius\" [m] or \"area\" [m^2]");
  const Options coefficients = options.object("coefficients");
  std::map<int, Harmonic> harmonics;
  read_harmonics(coefficients, "cos", &Harmonic::c, harmonics);
  read_harmonics(coefficients, "sin", &Harmonic::s, harmonics);
  std::vector<Harmonic> list;
  for (const auto& [k, harmonic] : harmonics) list.push_back(harmonic);
  const RadialSettings settings{.nodes = static_cast<int>(options.integer("nodes")),
                                .table_size = static_cast<int>(options.integer("table_size")),
                                .thickness = options.number("thickness"),
                                .max_radius = options.number_or("radius", 0),
                                .area = options.number_or("area", 0)};
  return std::make_shared<StarShape>(coefficients.number("a0"), std::move(list), settings);
}

}  // namespace scree::star
