// A contact law for scree: overlaps and velocities in, forces out.

#include "@name@.hpp"

#include <scree/plugin/plugin.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace @name@ {

void Law::force(const scree::ContactColumns& c, const double* const*, double* const*, scree::ForceColumns out) const {
  for (std::size_t i = 0; i < c.size; ++i) {
    // < 0 while bodies approach: b moves against the normal, which leads from a to b.
    const double v = c.velocity[0][i] * c.normal[0][i] + c.velocity[1][i] * c.normal[1][i] + c.velocity[2][i] * c.normal[2][i];
    const bool touches = c.overlap[i] > 0;
    const double push = touches ? std::max(0.0, stiffness_ * c.overlap[i] - damping_ * v) : 0;
    for (int k = 0; k < 3; ++k) {
      const double slip = c.velocity[k][i] - v * c.normal[k][i];
      out.force[k][i] = push * c.normal[k][i] - (touches ? damping_ * slip : 0);
    }
  }
}

void Law::energy(const scree::ContactColumns& c, const double* const*, double* energy) const {
  for (std::size_t i = 0; i < c.size; ++i) {
    const double overlap = std::max(0.0, c.overlap[i]);
    energy[i] = 0.5 * stiffness_ * overlap * overlap;
  }
}

/// Half a period of mass and spring.
double Law::contact_duration(double reduced_mass, double) const noexcept {
  return std::numbers::pi * std::sqrt(reduced_mass / stiffness_);
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.law("@name@", [](const scree::Options& o, const scree::LawContext&) {
    return std::make_unique<@name@::Law>(o.number("stiffness"), o.number("damping"));
  });
}
