#include "shape/stars.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "scree/base/error.hpp"

namespace scree::star3d {

Star3D::Star3D(std::vector<Harmonic> terms, const RadialSettings3D& settings) : series_(std::move(terms)) {
  try {
    derive(settings);
  } catch (const OptionError& e) {
    if (!e.pointer().empty()) throw;
    throw OptionError("/coefficients", std::string(e.what()) + ". Raise the coefficient [0, 0, c] or lower others.");
  }
}

SuperquadricShape::SuperquadricShape(const Superquadric& formula, RadialSettings3D settings) : formula_(formula) {
  settings.moments = moments_of(formula);
  derive(settings);
}

Ellipsoid::Ellipsoid(const Vec3& semi_axes, RadialSettings3D settings) : semi_axes_(semi_axes) {
  settings.moments = ellipsoid_moments(semi_axes);
  derive(settings);
}

namespace {

RadialSettings3D read_settings(const Options& options) {
  RadialSettings3D settings;
  settings.nodes = static_cast<int>(options.integer("nodes"));
  settings.table = static_cast<int>(options.integer("table"));
  settings.max_radius = options.number_or("radius", 0);
  settings.volume = options.number_or("volume", 0);
  return settings;
}

std::vector<Harmonic> read_terms(const Options& options) {
  std::vector<Harmonic> terms;
  for (const Options& entry : options.objects("coefficients")) {
    const std::vector<double> v = entry.as_numbers();
    const std::string here = fmt::format("/coefficients/{}", terms.size());
    if (v.size() != 3) throw OptionError(here, fmt::format("has {} numbers; give [l, m, coefficient].", v.size()));
    const double l = v[0], m = v[1];
    if (l != std::floor(l) || l < 0 || l > kMostDegrees)
      throw OptionError(here, fmt::format("l is {}; whole numbers from 0 to {} are possible.", l, kMostDegrees));
    if (m != std::floor(m) || std::abs(m) > l)
      throw OptionError(here, fmt::format("m is {} with l = {}; whole numbers from -l to l are possible.", m, l));
    terms.push_back({static_cast<int>(l), static_cast<int>(m), v[2]});
  }
  return terms;
}

Vec3 read_semi_axes(const Options& options) {
  const Vec3 axes = options.vector("semi_axes");
  if (!(axes.minCoeff() > 0))
    throw OptionError("/semi_axes", fmt::format("are [{}, {}, {}]; each must be above 0.", axes[0], axes[1], axes[2]));
  if (axes.maxCoeff() > 10 * axes.minCoeff())
    throw OptionError("/semi_axes", fmt::format("are [{}, {}, {}]; the longest may be 10 times the shortest. Take a "
                                                "capsule for slender grains.",
                                                axes[0], axes[1], axes[2]));
  return axes;
}

}  // namespace

std::shared_ptr<const Star3D> make_star(const Options& options) {
  const RadialSettings3D settings = read_settings(options);
  if (settings.max_radius == 0 && settings.volume == 0)
    throw OptionError("", "the star has no size; give \"radius\" [m] or \"volume\" [m^3]");
  return std::make_shared<Star3D>(read_terms(options), settings);
}

std::shared_ptr<const SuperquadricShape> make_superquadric(const Options& options) {
  const std::vector<double> e = options.numbers("exponents");
  return std::make_shared<SuperquadricShape>(Superquadric{read_semi_axes(options), e[0], e[1]}, read_settings(options));
}

std::shared_ptr<const Ellipsoid> make_ellipsoid(const Options& options) {
  return std::make_shared<Ellipsoid>(read_semi_axes(options), read_settings(options));
}

}  // namespace scree::star3d
