#include "make_body.hpp"

#include <fmt/format.h>

#include "templates.hpp"

namespace scree::spheres {

namespace {

/// Inertia as it is written: zz in 2D; xx, yy, zz[, xy, xz, yz] in 3D, with I_xy = -int x y dm.
Mat3 read_inertia(const Options& options, int dimension) {
  const std::vector<double> v = options.numbers("inertia");
  Mat3 inertia = Mat3::Zero();
  if (dimension == 2 ? v.size() != 1 : v.size() != 3 && v.size() != 6)
    throw OptionError("/inertia",
                      fmt::format("has {} numbers; {}.", v.size(),
                                  dimension == 2 ? "a 2D scene takes one, [zz]"
                                                 : "give [xx, yy, zz], or [xx, yy, zz, xy, xz, yz] where the axes are "
                                                   "not the principal ones"));
  if (dimension == 2) {
    inertia(2, 2) = v[0];
    return inertia;
  }
  for (int k = 0; k < 3; ++k) inertia(k, k) = v[static_cast<std::size_t>(k)];
  if (v.size() == 6) {
    inertia(0, 1) = inertia(1, 0) = v[3];
    inertia(0, 2) = inertia(2, 0) = v[4];
    inertia(1, 2) = inertia(2, 1) = v[5];
  }
  return inertia;
}

std::optional<GivenMass> read_mass(const Options& options, int dimension) {
  const bool centre = options.has("centre_of_mass"), inertia = options.has("inertia");
  if (!options.has("mass")) {
    if (centre || inertia)
      throw OptionError(centre ? "/centre_of_mass" : "/inertia", "is given without \"mass\"; add the mass [kg].");
    return std::nullopt;
  }
  if (centre && !inertia)
    throw OptionError("/centre_of_mass",
                      "is given without \"inertia\", which a centre of one's own changes; add the inertia about it.");
  GivenMass given;
  given.mass = options.number("mass");
  if (centre) given.centre = options.vector("centre_of_mass");
  if (inertia) given.inertia = read_inertia(options, dimension);
  return given;
}

}  // namespace

std::shared_ptr<const SphereBody> make_sphere(const Options& options, const ShapeContext& context) {
  return std::make_shared<SphereBody>(Spheres{{Vec3::Zero()}, {options.number("radius")}},
                                      SphereBodyOptions{context.dimension, options.number("thickness"), {}});
}

std::shared_ptr<const SphereBody> make_clump(const Options& options, const ShapeContext& context) {
  const int d = context.dimension;
  return std::make_shared<SphereBody>(clump_spheres(options, d),
                                      SphereBodyOptions{d, options.number("thickness"), read_mass(options, d)});
}

}  // namespace scree::spheres
