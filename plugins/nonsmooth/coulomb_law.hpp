#pragma once
/// \file The law "coulomb": rigid contact with Coulomb friction and Newton's restitution.

#include "scree/law/cone_face.hpp"

namespace scree::nonsmooth {

class CoulombLaw : public ContactLaw, public ConeFace {
 public:
  /// \param friction  mu >= 0   \param restitution  e in [0, 1]
  CoulombLaw(double friction, double restitution) : friction_(friction), restitution_(restitution) {}

  const void* face(std::string_view name) const noexcept override;
  void cone(const ContactColumns& contacts, double* friction, double* restitution) const override;

 private:
  double friction_, restitution_;
};

}  // namespace scree::nonsmooth
