#pragma once
/// \file The contact law "hertz-mindlin": Hertz's normal force with Tsuji's dashpot or JKR's adhesive contact,
/// Mindlin's tangential stiffness under Coulomb's cap.

#include <optional>

#include "compliant_law.hpp"
#include "potential.hpp"
#include "scree/law/elastic_face.hpp"

namespace scree::compliant {

struct HertzMindlinParameters {
  Elasticity<double> elasticity;                        ///< E*, G* [Pa]
  double damping_ratio = 0;                             ///< z of Tsuji's dashpot [-]
  double friction = 0;                                  ///< mu [-]; 0 keeps no history
  double tangential_damping = 0;                        ///< c_t = this times c_n sqrt(k_t/k_n) [-]
  double typical_speed = 1;                             ///< of impacts, for the duration of a contact [m/s]
  double adhesion = 0;                                  ///< w of JKR; 0: no such contact [J/m^2]
  double largest_radius = 0;                            ///< of a body: limits how far a neck reaches [m]
  std::optional<double> youngs_modulus, poisson_ratio;  ///< of both sides, in place of the materials' [Pa], [-]
};

class HertzMindlinLaw : public CompliantLaw, public ElasticFace {
 public:
  explicit HertzMindlinLaw(const HertzMindlinParameters& parameters, int dimension = 3,
                           const RollingParameters& rolling = {}, const PullParameters& pull = {})
      : CompliantLaw(dimension, rolling, pull),
        p_(parameters),
        potential_({parameters.elasticity.normal}, parameters.friction, rolling_friction()) {}

  double range() const noexcept override;
  ForceNeeds needs() const noexcept override;
  int history_size() const noexcept override;
  void force(const ContactColumns& contacts, const double* const* last, double* const* now,
             ForceColumns out) const override;
  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override;
  double contact_duration(double reduced_mass, double reduced_radius) const noexcept override;
  const void* face(std::string_view name) const noexcept override;
  Moduli moduli(const Moduli& of_material) const noexcept override;

 private:
  bool jkr() const noexcept { return p_.adhesion > 0; }
  bool rubs() const noexcept { return p_.friction > 0; }
  /// Where the column of the contact area's radius is: behind the elastic force.
  int radius_column() const noexcept { return rubs() ? 3 : 0; }
  int rolling_column() const noexcept { return radius_column() + (rubs() || jkr() ? 1 : 0); }
  template <class Use>
  void with_normal(const ContactColumns& contacts, const History& history, const Use& use) const;
  template <class Use>
  void with_friction(const ContactColumns& contacts, const History& history, const Use& use) const;

  const PotentialFace* potential() const noexcept override { return pushes_only() && !jkr() ? &potential_ : nullptr; }

  HertzMindlinParameters p_;
  NormalPotential<HertzEnergy> potential_;
};

}  // namespace scree::compliant
