/// \file Cone coordinates against tensors, and the projection against what defines it.

#include "catch.hpp"
#include "solvers/coulomb/test_problems.hpp"
#include "solvers/drucker_prager/cone_coordinates.hpp"

using namespace scree::continuum;
using scree::coulomb::test::Random;

namespace {

constexpr int kCases = 1000;
constexpr double kRounding = 1e-13;  // of sums of ten products of numbers about 1

template <int D>
Mat<D> random_symmetric(Random& random) {
  const Mat<D> a = random.matrix<D>();
  return a + a.transpose();
}

template <int D>
void check_map() {
  Random random;
  for (int i = 0; i < kCases; ++i) {
    const Mat<D> a = random_symmetric<D>(random), b = random_symmetric<D>(random);
    const Stress<D> x = to_cone(a), y = to_cone(b);
    const double p = a.trace() / D;
    const Mat<D> deviator = a - p * Mat<D>::Identity();
    CHECK(std::fabs(x.dot(y) - 0.5 * a.cwiseProduct(b).sum()) < kRounding * (1 + a.norm() * b.norm()));
    CHECK((to_tensor(x) - a).norm() < kRounding * a.norm());
    CHECK(std::fabs(pressure<D>(x) - p) < kRounding * a.norm());
    CHECK(std::fabs(x.template tail<kStress<D> - 1>().norm() - deviator.norm() / std::sqrt(2.)) < kRounding * a.norm());
    // A tensor on the cone |Dev A| = mu p, in coordinates.
    const double mu = deviator.norm() / std::sqrt(2.) / std::fabs(p);
    CHECK(x.template tail<kStress<D> - 1>().norm() == Approx(cone_friction<D>(mu) * std::fabs(x[0])).epsilon(1e-12));
  }
}

template <int D>
void check_strain_rate() {
  Random random;
  for (int i = 0; i < kCases; ++i) {
    const Vec<D> g = random.vector<D>(), u = random.vector<D>();
    const Stress<D> r = to_cone(random_symmetric<D>(random));
    const Mat<D> rate = 0.5 * (u * g.transpose() + g * u.transpose());
    const double size = 1 + g.norm() * u.norm() * r.norm();
    CHECK((to_tensor(strain_rate<D>(g, u)) - rate).norm() < kRounding * size);
    CHECK((impulse<D>(g, r) - to_tensor(r) * g).norm() < kRounding * size);
    CHECK(std::fabs(2 * strain_rate<D>(g, u).dot(r) - u.dot(impulse<D>(g, r))) < kRounding * size);
  }
}

/// p is the projection of z if p and z - p belong to the cone and its polar cone, and are perpendicular.
template <int D>
void check_projection() {
  Random random;
  int inside = 0, apex = 0, side = 0;
  for (int i = 0; i < kCases; ++i) {
    const double mu = random.uniform(0, 2), e = i % 2 ? random.uniform(0, 1) : 0;
    const Stress<D> z = to_cone(random_symmetric<D>(random));
    const Stress<D> p = project<D>(z, mu, e);
    const double size = 1 + z.norm();
    CHECK((project<D>(p, mu, e) - p).norm() < kRounding * size);
    Stress<D> from_apex = p;
    from_apex[0] += e;
    const Stress<D> out = z - p;
    CHECK(from_apex.template tail<kStress<D> - 1>().norm() <= mu * from_apex[0] + kRounding * size);
    // The polar cone: out . k <= 0 for all k of the cone, thus out_N + mu |out_T| <= 0.
    CHECK(out[0] + mu * out.template tail<kStress<D> - 1>().norm() <= kRounding * size);
    CHECK(std::fabs(from_apex.dot(out)) < kRounding * size * size);
    (out.norm() < kRounding ? inside : from_apex.norm() < kRounding ? apex : side) += 1;
  }
  CHECK(std::min({inside, apex, side}) > kCases / 20);  // all three branches were seen
}

/// rho |s - z|^2 / 2 + |s_T - r_T|^2 / (2 c) where r_T is the nearest to s_T that friction allows.
template <int D>
double cost(const Stress<D>& s, const Stress<D>& z, double rho, double c, double mu, double e) {
  const double size = s.template tail<kStress<D> - 1>().norm(), bound = mu * (s[0] + e);
  if (bound < 0) return HUGE_VAL;
  const double viscous = std::fmax(0, size - bound);
  return 0.5 * rho * (s - z).squaredNorm() + viscous * viscous / (2 * c);
}

/// No point about it costs less.
template <int D>
void check_response() {
  Random random;
  for (int i = 0; i < kCases; ++i) {
    const double mu = random.uniform(0, 2), e = random.uniform(0, 1), rho = std::exp(random.normal()),
                 c = std::exp(2 * random.normal());
    const Stress<D> z = to_cone(random_symmetric<D>(random));
    const Stress<D> s = respond<D>(z, mu, e, yield_share(rho * c));
    const double least = cost<D>(s, z, rho, c, mu, e * (1 + 1e-12));
    for (int k = 0; k < 20; ++k) {
      const Stress<D> other = s + 1e-4 * to_cone(random_symmetric<D>(random));
      CHECK(cost<D>(other, z, rho, c, mu, e) >= least * (1 - 1e-9));
    }
  }
}

}  // namespace

TEST_CASE("cone coordinates keep the inner product, the pressure and the deviator of random tensors") {
  check_map<2>();
  check_map<3>();
}

TEST_CASE("simple shear of size tau has |A| = tau") {
  Mat<3> shear = Mat<3>::Zero();
  shear(0, 2) = shear(2, 0) = 3;
  CHECK(to_cone(shear).norm() == Approx(3));
}

TEST_CASE("G(g) u is the symmetric part of u (x) g, and 2 G^T r the force of r on a node") {
  check_strain_rate<2>();
  check_strain_rate<3>();
}

TEST_CASE("the projection on the cone is idempotent and nearest, from its apex on") {
  check_projection<2>();
  check_projection<3>();
}

TEST_CASE("with viscosity the response to a trial stress costs least; without, it is the projection") {
  check_response<2>();
  check_response<3>();
  const Stress<2> z(1, 2, 3);
  CHECK(respond<2>(z, 0.5, 0.1, yield_share(0)) == project<2>(z, 0.5, 0.1));
  // Where nothing yields but the trial is admissible in its normal part, it stays.
  CHECK((respond<2>(z, 0.5, 0.1, yield_share(1e20)) - z).norm() < 1e-9);
}
