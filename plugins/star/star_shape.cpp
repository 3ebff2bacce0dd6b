#include "star_shape.hpp"

#include "scree/base/error.hpp"

namespace scree::star {

StarShape::StarShape(double a0, std::vector<Harmonic> harmonics, const RadialSettings& settings)
    : a0_(a0), harmonics_(std::move(harmonics)) {
  try {
    derive(settings);
  } catch (const OptionError& e) {
    if (!e.pointer().empty()) throw;
    throw OptionError("/coefficients", std::string(e.what()) + ". Raise a0 or lower the harmonics.");
  }
}

}  // namespace scree::star
