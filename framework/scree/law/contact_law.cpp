#include "scree/law/contact_law.hpp"

namespace scree {

ContactLaw::~ContactLaw() = default;
double ContactLaw::range() const noexcept { return 0; }
ForceFace::~ForceFace() = default;
ForceNeeds ForceFace::needs() const noexcept { return {}; }

}  // namespace scree
