#include "compliant_law.hpp"

namespace scree::compliant {

const void* CompliantLaw::face(std::string_view name) const noexcept {
  if (name == ForceFace::kName) return static_cast<const ForceFace*>(this);
  if (name == PotentialFace::kName) return potential();
  if (name == device::DeviceLaw::kName) return on_device();
  return nullptr;
}

void CompliantLaw::add_rolling(double reduced_mass, double reduced_radius, ContactRates& rates) const noexcept {
  const RollingParameters& r = shared().rolling;
  if (r.model != RollingParameters::Model::elastic_plastic || !std::isfinite(reduced_radius)) return;
  const double arm = r.friction * reduced_radius, k = r.stiffness_factor * rates.stiffness * arm * arm;
  rates.rolling_stiffness = k;
  rates.rolling_damping =
      rolling_damping(r.damping_ratio, shared().rolling_inertia(), reduced_mass, std::abs(reduced_radius), k);
}

ForceNeeds CompliantLaw::shared_needs(bool friction) const noexcept {
  const SharedModel& model = shared();
  ForceNeeds needs;
  needs.spin = needs.moment = needs.mass = model.rolls();
  needs.radius = model.rolls() || model.pull.any();
  needs.turn = !model.planar && (friction || model.rolling_history() > 0);
  // Forces and rolling are two loops, each with columns of its own but for JKR's radius: the second asks whether the
  // contact was made after the first has noted whether it is, which comes to the same.
  needs.history_in_place = true;
  return needs;
}

}  // namespace scree::compliant
