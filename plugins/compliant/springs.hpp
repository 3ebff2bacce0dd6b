#pragma once
/// \file Springs along the normal, in which the elastic laws differ.

#include <numbers>

#include "models.hpp"
#include "potential.hpp"
#include "scree/law/contact_law.hpp"

namespace scree::compliant {

/// Law "linear".
struct LinearSpring {
  /// Convex, and so offered as a potential. Springs without energy() have none to offer.
  LinearEnergy energy() const noexcept { return {stiffness}; }
  double stiffness = 0;       ///< k_n [N/m]
  double damping = 0;         ///< c_n [N s/m]
  double damping_ratio = -1;  ///< z: c_n = 2 z sqrt(k_n m) instead; < 0: not given [-]

  bool needs_mass() const noexcept { return damping_ratio >= 0; }
  double range() const noexcept { return 0; }
  double duration(double reduced_mass) const noexcept { return linear_duration(stiffness, reduced_mass); }
  ContactRates rates(double reduced_mass) const noexcept {
    return {.stiffness = stiffness,
            .damping = damping_ratio < 0 ? damping : 2 * damping_ratio * std::sqrt(stiffness * reduced_mass)};
  }
  template <class Use>
  void with_normal(const ContactColumns& c, const Use& use) const {
    if (damping_ratio < 0) return use(LinearNormal{stiffness, damping});
    use(LinearRestitution{stiffness, 2 * damping_ratio * std::sqrt(stiffness), c.mass});
  }
};

/// Law "power-law".
struct PowerSpring {
  double stiffness = 0;      ///< k [N/m^(p - 1)]
  double exponent = 2;       ///< p of the energy k d^p/p [-]
  double damping = 0;        ///< c_n [N s/m]
  double typical_speed = 1;  ///< typical speed of impacts, for the duration of a contact [m/s]

  bool needs_mass() const noexcept { return false; }
  double range() const noexcept { return 0; }
  double duration(double reduced_mass) const noexcept {
    return power_duration(stiffness, exponent, reduced_mass, typical_speed);
  }
  /// At the depth of a typical impact.
  ContactRates rates(double reduced_mass) const noexcept {
    const double depth = power_depth(stiffness, exponent, reduced_mass, typical_speed);
    return {.stiffness = (exponent - 1) * stiffness * std::pow(depth, exponent - 2), .damping = damping};
  }
  template <class Use>
  void with_normal(const ContactColumns&, const Use& use) const {
    use(PowerNormal{stiffness, exponent, damping});
  }
};

/// Law "lennard-jones".
struct LennardJonesSpring {
  LennardJones<double> potential;
  double typical_speed =
      0;  ///< typical speed of impacts, for the duration of a contact [m/s]; 0: bodies that oscillate in the well

  bool needs_mass() const noexcept { return false; }
  double range() const noexcept { return potential.range; }
  /// Half a swing about the bottom of the well, or with the stiffness at which typical impacts turn back.
  double duration(double reduced_mass) const noexcept {
    return std::numbers::pi * std::sqrt(reduced_mass / rates(reduced_mass).stiffness);
  }
  ContactRates rates(double reduced_mass) const noexcept {
    const double kinetic = reduced_mass * typical_speed * typical_speed / 2;
    return {.stiffness = typical_speed > 0 ? potential.stiffness_at_turn(kinetic) : potential.stiffness()};
  }
  template <class Use>
  void with_normal(const ContactColumns&, const Use& use) const {
    use(LennardJonesNormal{potential});
  }
};

}  // namespace scree::compliant
