#include "scree/law/contact_law.hpp"

#include <algorithm>
#include <numbers>

#include "scree/law/cone_face.hpp"
#include "scree/law/potential_face.hpp"

namespace scree {

ContactLaw::~ContactLaw() = default;
double ContactLaw::range() const noexcept { return 0; }
std::span<const std::string_view> ContactLaw::contact_inputs() const noexcept { return {}; }
std::span<const std::string_view> ContactLaw::body_inputs() const noexcept { return {}; }
std::optional<Moduli> ContactLaw::moduli(const Moduli&) const noexcept { return {}; }
ForceFace::~ForceFace() = default;
ConeFace::~ConeFace() = default;
PotentialFace::~PotentialFace() = default;
ForceNeeds PotentialFace::needs() const noexcept { return {}; }
ForceNeeds ForceFace::needs() const noexcept { return {}; }
ContactRates ForceFace::rates(double reduced_mass, double reduced_radius) const noexcept {
  const double frequency = std::numbers::pi / contact_duration(reduced_mass, reduced_radius);
  return {.stiffness = reduced_mass * frequency * frequency};
}
void ForceFace::elastic(const ContactColumns& contacts, double* force, double* stiffness) const {
  for (std::size_t i = 0; i < contacts.size; ++i) force[i] = std::max(0.0, contacts.overlap[i]);
  std::fill_n(stiffness, contacts.size, 1.0);
}

}  // namespace scree
