#include "scree/law/contact_law.hpp"

#include "scree/law/cone_face.hpp"
#include "scree/law/elastic_face.hpp"
#include "scree/law/law_inputs.hpp"
#include "scree/law/potential_face.hpp"

namespace scree {

ContactLaw::~ContactLaw() = default;
double ContactLaw::range() const noexcept { return 0; }
LawInputs::~LawInputs() = default;
std::span<const std::string_view> LawInputs::quantities() const noexcept { return {}; }
std::span<const std::string_view> LawInputs::bodies() const noexcept { return {}; }
ForceFace::~ForceFace() = default;
ElasticFace::~ElasticFace() = default;
ConeFace::~ConeFace() = default;
PotentialFace::~PotentialFace() = default;
ForceNeeds PotentialFace::needs() const noexcept { return {}; }
ForceNeeds ForceFace::needs() const noexcept { return {}; }

}  // namespace scree
