#include "scree/grid/curve_part.hpp"

#include "scree/grid/detail/curve.hpp"

namespace scree {

bool CurvePart::near(const Vec3& x, double far) const {
  const double more = (1 + 1e-9) * far + 1e-14 * x.cwiseAbs().maxCoeff();
  const auto cube_of = [&](const Vec3& place) {
    detail::Cell cube = detail::curve_cell(place, width_);
    for (int k = 0; k < 3; ++k) cube[k] >>= level_;
    return cube;
  };
  const detail::Cell low = cube_of(x - Vec3::Constant(more)), high = cube_of(x + Vec3::Constant(more));
  for (std::int64_t z = low[2]; z <= high[2]; ++z)
    for (std::int64_t y = low[1]; y <= high[1]; ++y)
      for (std::int64_t u = low[0]; u <= high[0]; ++u)
        if (const std::uint64_t cube = detail::along_curve({u, y, z}); first_ <= cube && cube < end_) return true;
  return false;
}

}  // namespace scree
