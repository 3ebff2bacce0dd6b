#pragma once

#include <scree/law/contact_law.hpp>

namespace @name@ {

/// A spring and a damper along the normal, and a damper across it. No force pulls.
class Law final : public scree::ContactLaw, public scree::ForceFace {
 public:
  /// \param stiffness [N/m], damping [N s/m]
  Law(double stiffness, double damping) : stiffness_(stiffness), damping_(damping) {}
  const void* face(std::string_view name) const noexcept override {
    return name == scree::ForceFace::kName ? static_cast<const scree::ForceFace*>(this) : nullptr;
  }
  int history_size() const noexcept override { return 0; }
  void force(const scree::ContactColumns& contacts, const double* const* last, double* const* now,
             scree::ForceColumns out) const override;
  void energy(const scree::ContactColumns& contacts, const double* const* history, double* energy) const override;
  double contact_duration(double reduced_mass, double reduced_radius) const noexcept override;

 private:
  double stiffness_, damping_;
};

}  // namespace @name@
