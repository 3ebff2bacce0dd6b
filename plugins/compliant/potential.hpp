#pragma once
/// \file The face "potential/1" of elastic contacts: the spring along the normal alone. What the law dissipates there
/// is left to the integrator; friction and rolling resistance act after the solve.

#include "hertz_force.hpp"
#include "linear_force.hpp"
#include "scree/law/potential_face.hpp"

namespace scree::compliant {

/// k d^2/2.
struct LinearEnergy {
  static constexpr bool kNeedsRadius = false;
  double stiffness = 0;  ///< k_n [N/m]

  NormalContact<double> at(double overlap, double) const { return linear_contact<double>(stiffness, 0, overlap, 0); }
  double energy(double overlap, double) const { return linear_energy<double>(stiffness, overlap); }
};

/// 8/15 E* sqrt(R) d^2.5.
struct HertzEnergy {
  static constexpr bool kNeedsRadius = true;
  double modulus = 0;  ///< E* [Pa]

  NormalContact<double> at(double overlap, double radius) const {
    return hertz_contact<double>(modulus, 0, 1, radius, overlap, 0);
  }
  double energy(double overlap, double radius) const { return hertz_energy<double>(modulus, radius, overlap); }
};

template <class Energy>
class NormalPotential final : public PotentialFace {
 public:
  NormalPotential(const Energy& energy, double friction, double rolling)
      : energy_(energy), friction_(friction), rolling_(rolling) {}

  ForceNeeds needs() const noexcept override {
    ForceNeeds needs;
    needs.radius = Energy::kNeedsRadius;
    return needs;
  }
  void potential(const ContactColumns& c, double* energy, double* force, double* stiffness) const override {
    for (std::size_t i = 0; i < c.size; ++i) {
      const double radius = Energy::kNeedsRadius ? c.radius[i] : 0;
      const auto contact = energy_.at(c.overlap[i], radius);
      energy[i] = energy_.energy(c.overlap[i], radius);
      force[i] = contact.force;
      stiffness[i] = c.overlap[i] > 0 ? contact.stiffness : 0;
    }
  }
  double friction() const noexcept override { return friction_; }
  double rolling_friction() const noexcept override { return rolling_; }

 private:
  Energy energy_;
  double friction_, rolling_;  ///< [-]
};

}  // namespace scree::compliant
