#pragma once
/// \file The contact laws "linear", "power-law" and "lennard-jones": a spring along the normal, one of three kinds of
/// friction across it.

#include <optional>

#include "compliant_law.hpp"
#include "potential.hpp"

namespace scree::compliant {

/// \tparam Spring  one of springs.hpp
template <class Spring>
class ElasticLaw : public CompliantLaw {
 public:
  using Model = ElasticModel<Spring>;
  ElasticLaw(const Spring& spring, const TangentialParameters& tangential, int dimension = 2,
             const RollingParameters& rolling = {}, const PullParameters& pull = {})
      : model_{{{dimension == 2, rolling, pull}}, spring, tangential} {
    if constexpr (requires { spring.energy(); })
      potential_.emplace(spring.energy(),
                         tangential.model == TangentialParameters::Model::none ? 0 : tangential.friction,
                         rolling_friction(rolling));
  }

  double range() const noexcept override { return model_.spring.range(); }
  ForceNeeds needs() const noexcept override;
  int history_size() const noexcept override { return model_.rolling_column() + model_.rolling_history(); }
  void force(const ContactColumns& contacts, const double* const* last, double* const* now,
             ForceColumns out) const override;
  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override;
  double contact_duration(double reduced_mass, double) const noexcept override {
    return model_.spring.duration(reduced_mass);
  }
  ContactRates rates(double reduced_mass, double reduced_radius) const noexcept override;
  const Model& model() const noexcept { return model_; }

 private:
  const SharedModel& shared() const noexcept override { return model_; }
  const PotentialFace* potential() const noexcept override {
    return potential_ && pushes_only() ? &*potential_ : nullptr;
  }

  const device::DeviceLaw* on_device() const noexcept override {
    device_.parameters = &model_;  // laws may have been moved
    return std::is_same_v<Spring, LinearSpring> ? &device_ : nullptr;
  }

  Model model_;
  std::optional<NormalPotential<LinearEnergy>> potential_;  ///< potential of springs that have one
  mutable device::DeviceLaw device_{
      {"compliant", "linear", &model_}, true, "linear-of-spheres"};  ///< data of LinearSpring for devices
};

using LinearLaw = ElasticLaw<LinearSpring>;
using PowerLaw = ElasticLaw<PowerSpring>;
using LennardJonesLaw = ElasticLaw<LennardJonesSpring>;

}  // namespace scree::compliant
