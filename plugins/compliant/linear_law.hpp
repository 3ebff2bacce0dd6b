#pragma once
/// \file The contact law "linear": spring and dashpot along the normal, one of three kinds of friction across it.

#include "compliant_law.hpp"

namespace scree::compliant {

struct LinearParameters {
  enum class Tangential {
    none,     ///< no tangential force
    viscous,  ///< history-free, of the reference code
    spring,   ///< Cundall-Strack, with history
  };
  double normal_stiffness = 0;  ///< k_n [N/m]
  double normal_damping = 0;    ///< c_n [N s/m]
  double damping_ratio = -1;    ///< z: c_n = 2 z sqrt(k_n m) instead; < 0: not given [-]
  Tangential tangential = Tangential::spring;
  double tangential_stiffness = 0;  ///< k_t [N/m]
  double tangential_damping = 0;    ///< c_t [N s/m]
  double friction = 0;              ///< mu [-]
};

class LinearLaw : public CompliantLaw {
 public:
  explicit LinearLaw(const LinearParameters& parameters, int dimension = 2, const RollingParameters& rolling = {},
                     const PullParameters& pull = {})
      : CompliantLaw(dimension, rolling, pull), p_(parameters) {}

  ForceNeeds needs() const noexcept override;
  int history_size() const noexcept override;
  void force(const ContactColumns& contacts, double* const* history, ForceColumns out) const override;
  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override;
  double contact_duration(double reduced_mass, double) const noexcept override;

 private:
  bool has_spring() const noexcept { return p_.tangential == LinearParameters::Tangential::spring; }
  template <class Use>
  void with_normal(const ContactColumns& contacts, const Use& use) const;
  template <class Use>
  void with_friction(const ContactColumns& contacts, double* const* history, const Use& use) const;

  LinearParameters p_;
};

}  // namespace scree::compliant
