#pragma once
/// \file The contact law "hertz-mindlin": Hertz's normal force with Tsuji's dashpot or JKR's adhesive contact,
/// Mindlin's tangential stiffness under Coulomb's cap.

#include "compliant_law.hpp"
#include "potential.hpp"
#include "scree/law/contact_law.hpp"

namespace scree::compliant {

class HertzMindlinLaw : public CompliantLaw {
 public:
  using Model = HertzMindlinModel;
  explicit HertzMindlinLaw(const HertzMindlinParameters& parameters, int dimension = 3,
                           const RollingParameters& rolling = {}, const PullParameters& pull = {})
      : model_{{{dimension == 2, rolling, pull}}, parameters},
        potential_({parameters.elasticity.normal}, parameters.friction, rolling_friction(rolling)) {}

  double range() const noexcept override;
  ForceNeeds needs() const noexcept override;
  int history_size() const noexcept override { return model_.rolling_column() + model_.rolling_history(); }
  void force(const ContactColumns& contacts, const double* const* last, double* const* now,
             ForceColumns out) const override;
  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override;
  void elastic(const ContactColumns& contacts, double* force, double* stiffness) const override;
  double contact_duration(double reduced_mass, double reduced_radius) const noexcept override;
  ContactRates rates(double reduced_mass, double reduced_radius) const noexcept override;
  std::optional<Moduli> moduli(const Moduli& of_material) const noexcept override;
  const Model& model() const noexcept { return model_; }

 private:
  const SharedModel& shared() const noexcept override { return model_; }
  const PotentialFace* potential() const noexcept override {
    return pushes_only() && !model_.jkr() ? &potential_ : nullptr;
  }

  const device::DeviceLaw* on_device() const noexcept override {
    device_.parameters = &model_;  // laws may have been moved
    return &device_;
  }

  Model model_;
  NormalPotential<HertzEnergy> potential_;
  mutable device::DeviceLaw device_{{"compliant", "hertz-mindlin", &model_}, true, "hertz-mindlin-of-spheres"};
};

}  // namespace scree::compliant
