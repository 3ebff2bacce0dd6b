#pragma once
/// \file The contact law "linear": spring and dashpot along the normal, one of three kinds of friction across it.

#include "linear_force.hpp"
#include "scree/law/contact_law.hpp"

namespace scree::linear {

enum class Friction {
  none,     ///< no tangential force
  viscous,  ///< history-free, of the reference code
  spring,   ///< Cundall-Strack, with history
};

class LinearLaw : public ContactLaw, public ForceFace {
 public:
  LinearLaw(const Parameters<double>& parameters, Friction friction);

  const void* face(std::string_view name) const noexcept override;

  int history_size() const noexcept override;
  void force(const ContactColumns& contacts, double* const* history, ForceColumns out) const override;
  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override;
  double contact_duration(double reduced_mass, double) const noexcept override;

 private:
  Parameters<double> parameters_;
  Friction friction_;
};

}  // namespace scree::linear
