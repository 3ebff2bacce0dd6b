#include "scree/law/contact_law.hpp"

#include "scree/law/cone_face.hpp"

namespace scree {

ContactLaw::~ContactLaw() = default;
double ContactLaw::range() const noexcept { return 0; }
ForceFace::~ForceFace() = default;
ConeFace::~ConeFace() = default;
ForceNeeds ForceFace::needs() const noexcept { return {}; }

}  // namespace scree
