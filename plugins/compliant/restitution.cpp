#include "restitution.hpp"

#include <cmath>

namespace scree::compliant {

double clipped_restitution(double z) {
  if (z == 1) return std::exp(-2.0);
  if (z < 1) {
    const double w = std::sqrt((1 - z) * (1 + z));
    return std::exp(-z / w * std::atan2(2 * z * w, 2 * z * z - 1));
  }
  const double w = std::sqrt((z - 1) * (z + 1));
  return std::exp(-2 * z / w * std::log(z + w));
}

double clipped_damping_ratio(double restitution) {
  double low = 0, high = 1;
  while (clipped_restitution(high) > restitution) high *= 2;
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = (low + high) / 2;
    (clipped_restitution(middle) > restitution ? low : high) = middle;
  }
  return restitution == 1 ? 0 : (low + high) / 2;
}

}  // namespace scree::compliant
