#include "potential.hpp"

#include <vector>

#include "catch.hpp"

using namespace scree;
using namespace scree::compliant;

namespace {

/// Force and stiffness are the first and second differences of the energy.
template <class Energy>
void check_derivatives(const Energy& energy) {
  const NormalPotential<Energy> law(energy, 0.3, 0.01);
  const double h = 1e-9;
  const std::vector<double> overlap = {-1e-4, 1e-5 - h, 1e-5, 1e-5 + h, 1e-3 - h, 1e-3, 1e-3 + h}, radius(7, 0.02);
  std::vector<double> v(7), f(7), k(7);
  ContactColumns c;
  c.size = overlap.size();
  c.overlap = overlap.data();
  c.radius = radius.data();
  law.potential(c, v.data(), f.data(), k.data());
  CHECK(v[0] == 0);
  CHECK(f[0] == 0);
  CHECK(k[0] == 0);
  for (const std::size_t i : {2u, 5u}) {
    CHECK(f[i] == Approx((v[i + 1] - v[i - 1]) / (2 * h)).epsilon(1e-6));
    CHECK(k[i] == Approx((f[i + 1] - f[i - 1]) / (2 * h)).epsilon(1e-6));
    CHECK(f[i] > 0);
    CHECK(k[i] > 0);
  }
  CHECK(law.friction() == 0.3);
  CHECK(law.rolling_friction() == 0.01);
  CHECK(law.needs().radius == Energy::kNeedsRadius);
}

}  // namespace

TEST_CASE("potential: force and stiffness are derivatives of the energy") {
  check_derivatives(LinearEnergy{1e4});
  check_derivatives(HertzEnergy{1e7});
}
