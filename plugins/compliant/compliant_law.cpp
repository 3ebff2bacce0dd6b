#include "compliant_law.hpp"

namespace scree::compliant {

const void* CompliantLaw::face(std::string_view name) const noexcept {
  if (name == ForceFace::kName) return static_cast<const ForceFace*>(this);
  if (name == PotentialFace::kName) return potential();
  return nullptr;
}

ForceNeeds CompliantLaw::shared_needs(bool friction) const noexcept {
  ForceNeeds needs;
  needs.spin = needs.moment = needs.mass = rolls();
  needs.radius = rolls() || pull_.any();
  needs.turn = !planar_ && (friction || rolling_history() > 0);
  // Forces and rolling are two loops, each with columns of its own but for JKR's radius: the second asks whether the
  // contact was made after the first has noted whether it is, which comes to the same.
  needs.history_in_place = true;
  return needs;
}

int CompliantLaw::rolling_history() const noexcept {
  if (rolling_.model != RollingParameters::Model::elastic_plastic) return 0;
  return planar_ ? 1 : 3;
}

}  // namespace scree::compliant
