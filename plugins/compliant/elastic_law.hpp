#pragma once
/// \file The contact laws "linear", "power-law" and "lennard-jones": a spring along the normal, one of three kinds of
/// friction across it.

#include <optional>

#include "compliant_law.hpp"
#include "potential.hpp"
#include "springs.hpp"

namespace scree::compliant {

struct TangentialParameters {
  enum class Model {
    none,     ///< no tangential force
    viscous,  ///< history-free, of the reference code
    spring,   ///< Cundall-Strack, with history
  };
  Model model = Model::spring;
  double stiffness = 0;  ///< k_t [N/m]
  double damping = 0;    ///< c_t [N s/m]
  double friction = 0;   ///< mu [-]
};

/// \tparam Spring  one of springs.hpp
template <class Spring>
class ElasticLaw : public CompliantLaw {
 public:
  ElasticLaw(const Spring& spring, const TangentialParameters& tangential, int dimension = 2,
             const RollingParameters& rolling = {}, const PullParameters& pull = {})
      : CompliantLaw(dimension, rolling, pull), spring_(spring), tangential_(tangential) {
    if constexpr (requires { spring.energy(); })
      potential_.emplace(spring.energy(),
                         tangential.model == TangentialParameters::Model::none ? 0 : tangential.friction,
                         rolling_friction());
  }

  double range() const noexcept override { return spring_.range(); }
  ForceNeeds needs() const noexcept override;
  int history_size() const noexcept override;
  void force(const ContactColumns& contacts, const double* const* last, double* const* now,
             ForceColumns out) const override;
  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override;
  double contact_duration(double reduced_mass, double) const noexcept override {
    return spring_.duration(reduced_mass);
  }

 private:
  bool has_spring() const noexcept { return tangential_.model == TangentialParameters::Model::spring; }
  int rolling_column() const noexcept { return has_spring() ? 3 : 0; }
  template <class Use>
  void with_normal(const ContactColumns& contacts, const Use& use) const;
  template <class Use>
  void with_friction(const ContactColumns& contacts, const History& history, const Use& use) const;

  const PotentialFace* potential() const noexcept override {
    return potential_ && pushes_only() ? &*potential_ : nullptr;
  }

  Spring spring_;
  TangentialParameters tangential_;
  std::optional<NormalPotential<LinearEnergy>> potential_;  ///< of springs that have one
};

using LinearLaw = ElasticLaw<LinearSpring>;
using PowerLaw = ElasticLaw<PowerSpring>;
using LennardJonesLaw = ElasticLaw<LennardJonesSpring>;

}  // namespace scree::compliant
