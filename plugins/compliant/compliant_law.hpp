#pragma once
/// \file Common parts of this plugin's laws: rolling resistance, cohesion by a pull, and what they need of the
/// contacts.

#include "law_models.hpp"
#include "scree/device/law.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/law/potential_face.hpp"

namespace scree::compliant {

/// A law with the face "force/1" whose loops are put together from law_models.hpp.
class CompliantLaw : public ContactLaw, public ForceFace {
 public:
  const void* face(std::string_view name) const noexcept override;

 protected:
  /// The face "potential/1", for laws whose normal force is that of a convex energy.
  virtual const PotentialFace* potential() const noexcept { return nullptr; }
  /// Returns the data for a device, for laws that run on one.
  virtual const device::DeviceLaw* on_device() const noexcept { return nullptr; }
  /// Returns the shared part of the model.
  virtual const SharedModel& shared() const noexcept = 0;
  /// Checks that the law has no pull.
  bool pushes_only() const noexcept { return !shared().pull.any(); }
  /// Adds the rates of rolling resistance. \param rates  in: along the normal
  void add_rolling(double reduced_mass, double reduced_radius, ContactRates& rates) const noexcept;
  /// Needs of rolling resistance and pull; `friction` with history is carried with the frame in 3D.
  ForceNeeds shared_needs(bool friction) const noexcept;
};

/// Returns the friction of rolling resistance [-]; 0 if there is none.
inline double rolling_friction(const RollingParameters& rolling) {
  return rolling.model == RollingParameters::Model::none ? 0 : rolling.friction;
}

}  // namespace scree::compliant
