#include "catch.hpp"

#include "beam/modes.hpp"
#include "beam/random_bond_test.hpp"
#include "random_cases.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::bonded;
using namespace scree::bonded::test;
using scree::test::random_cases;

namespace {

/// Fourth-order central difference of f at 0.
template <class F>
double slope(F&& f, double h) {
  return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h);
}

}  // namespace

TEST_CASE("T1: gradient of a bond is the slope of its energy, Hessian the second derivative along turns") {
  RandomBonds random;
  double worst_gradient = 0, worst_hessian = 0;
  for (int trial = 0; trial < random_cases(200); ++trial) {
    const Bond b = random.bond();
    const Pose x = random.pose(b, trial % 2 ? 0.3 : 1.2);  // within the series of the shear angle, and beyond
    const Twelve g = gradient(b, x);
    const auto h = hessian(b, x);
    Twelve by_energy;
    Eigen::Matrix<double, 12, 12> by_gradient;
    for (int k = 0; k < 12; ++k) {
      by_energy[k] = slope([&](double t) { return energy(b, moved(x, t * Twelve::Unit(k))); }, 1e-3);
      // The Hessian along q <- exp(th) q is symmetric; the gradient moves with its own frame, so its slope is not:
      // second differences of the energy itself.
      for (int l = 0; l < 12; ++l)
        by_gradient(k, l) = slope(
            [&](double s) {
              return slope([&](double t) { return energy(b, moved(x, t * Twelve::Unit(k) + s * Twelve::Unit(l))); },
                           2e-3);
            },
            2e-3);
    }
    worst_gradient = std::max(worst_gradient, (g - by_energy).norm() / g.norm());
    worst_hessian = std::max(worst_hessian, (h - by_gradient).norm() / h.norm());
  }
  INFO("gradient " << worst_gradient << " Hessian " << worst_hessian);
  scree::test::verify("gradient less slope of the energy", 0, worst_gradient, 1e-9);
  scree::test::verify("Hessian less second differences", 0, worst_hessian,
                      1e-7);  // rounding 1e-16/h^2 = 3e-11, truncation h^4 times a sixth derivative
}

TEST_CASE(
    "reduced derivatives are those of R^3 x R^4 through the nullspace operator, with the curvature of the sphere") {
  RandomBonds random;
  for (int trial = 0; trial < random_cases(200); ++trial) {
    const Bond b = random.bond();
    const Pose x = random.pose(b, 0.6);
    const auto ambient =
        ambient_bond<double>(x.p_b - x.p_a, x.q_a.coeffs(), x.q_b.coeffs(), b.rest, b.stiffness, b.rest_length);
    Eigen::Matrix<double, 12, 14> reduce = Eigen::Matrix<double, 12, 14>::Zero();
    reduce.block<3, 3>(0, 0) = reduce.block<3, 3>(6, 7) = Mat3::Identity();
    reduce.block<3, 4>(3, 3) = tangent<double>(x.q_a.coeffs());
    reduce.block<3, 4>(9, 10) = tangent<double>(x.q_b.coeffs());
    const Eigen::Matrix<double, 12, 14> reduced = reduce.lazyProduct(ambient.hessian);
    Eigen::Matrix<double, 12, 12> h = reduced.lazyProduct(reduce.transpose());
    h.block<3, 3>(3, 3) -= 0.25 * x.q_a.coeffs().dot(ambient.gradient.segment<4>(3)) * Mat3::Identity();
    h.block<3, 3>(9, 9) -= 0.25 * x.q_b.coeffs().dot(ambient.gradient.segment<4>(10)) * Mat3::Identity();
    CHECK(std::abs(ambient.energy - energy(b, x)) < 1e-13 * (1 + ambient.energy));
    CHECK((reduce * ambient.gradient - gradient(b, x)).norm() < 1e-12 * (1 + ambient.gradient.norm()));
    CHECK((h - hessian(b, x)).norm() < 1e-11 * h.norm());
  }
}

TEST_CASE("derivatives in R^3 x R^4 are slopes, off the sphere too") {
  RandomBonds random;
  for (int trial = 0; trial < random_cases(50, 10); ++trial) {
    const Bond b = random.bond();
    const Pose pose = random.pose(b, 0.4);
    using Fourteen = Eigen::Matrix<double, 14, 1>;
    Fourteen x;
    x << pose.p_a, pose.q_a.coeffs() * random.uniform(0.8, 1.2), pose.p_b, pose.q_b.coeffs() * random.uniform(0.8, 1.2);
    const auto at = [&](const Fourteen& z) {
      return ambient_bond<double>(z.segment<3>(7) - z.segment<3>(0), z.segment<4>(3), z.segment<4>(10), b.rest,
                                  b.stiffness, b.rest_length);
    };
    const auto v = at(x);
    for (int k = 0; k < 14; ++k) {
      const double g = slope([&](double t) { return at(x + t * Fourteen::Unit(k)).energy; }, 1e-3);
      CHECK(std::abs(g - v.gradient[k]) < 1e-9 * (1 + v.gradient.norm()));
      for (int l = 0; l < 14; ++l) {
        const double h = slope([&](double t) { return at(x + t * Fourteen::Unit(l)).gradient[k]; }, 1e-3);
        CHECK(std::abs(h - v.hessian(k, l)) < 1e-8 * v.hessian.norm());
      }
    }
  }
}

TEST_CASE("T2: a bond at rest has six stiff modes, six rigid ones, and the Hessian of Gauss and Newton") {
  RandomBonds random;
  for (int trial = 0; trial < random_cases(50, 10); ++trial) {
    const Bond b = random.bond();
    const Vec3 a = random.vector(1);
    const Pose rest{a, a + b.rest_length * b.rest, Quat::Identity(), Quat::Identity()};
    const auto h = hessian(b, rest);
    const Vector12 modes = modes_of(h).values;
    CHECK(modes.head<6>().cwiseAbs().maxCoeff() < 1e-13);
    CHECK(modes[6] > 0.1);

    Eigen::Matrix<double, 12, 6> rigid = Eigen::Matrix<double, 12, 6>::Zero();
    const Vec3 centre = random.vector(1);
    for (int k = 0; k < 3; ++k) {
      rigid.block<3, 1>(0, k) = rigid.block<3, 1>(6, k) = Vec3::Unit(k);
      rigid.block<3, 1>(0, 3 + k) = Vec3::Unit(k).cross(rest.p_a - centre);
      rigid.block<3, 1>(6, 3 + k) = Vec3::Unit(k).cross(rest.p_b - centre);
      rigid.block<3, 1>(3, 3 + k) = rigid.block<3, 1>(9, 3 + k) = Vec3::Unit(k);
    }
    CHECK((h * rigid).norm() < 1e-13 * h.norm());

    // Strains: extension; shear angles about two transverse axes; relative turn about three.
    const Vec3 e1 = b.rest.unitOrthogonal(), e2 = b.rest.cross(e1);
    Eigen::Matrix<double, 6, 12> strain = Eigen::Matrix<double, 6, 12>::Zero();
    strain.block<1, 3>(0, 6) = b.rest.transpose();
    int row = 1;
    for (const Vec3& t : {e1, e2}) {
      strain.block<1, 3>(row, 6) = t.transpose() / b.rest_length;
      strain.block<1, 3>(row, 3) = strain.block<1, 3>(row, 9) = -0.5 * b.rest.cross(t).transpose();
      ++row;
    }
    for (const Vec3& t : {b.rest, e1, e2}) {
      strain.block<1, 3>(row, 3) = t.transpose();
      strain.block<1, 3>(row++, 9) = -t.transpose();
    }
    strain.leftCols<3>() -= strain.middleCols<3>(6);
    const auto& k = b.stiffness;
    Eigen::Matrix<double, 6, 1> by;
    by << k.stretch, k.shear, k.shear, k.twist, k.bend, k.bend;
    CHECK((h - strain.transpose() * by.asDiagonal() * strain).norm() < 1e-13 * h.norm());
  }
}

TEST_CASE("T3: a rigid motion changes no energy, forces and moments of a bond balance") {
  RandomBonds random;
  for (int trial = 0; trial < random_cases(200); ++trial) {
    const Bond b = random.bond();
    const Pose x = random.pose(b, 0.5);
    const Quat turn = exponential<double>(random.vector(3));
    const Vec3 shift = random.vector(5);
    const Pose y{turn * x.p_a + shift, turn * x.p_b + shift, turn * x.q_a, turn * x.q_b};
    CHECK(std::abs(energy(b, x) - energy(b, y)) < 1e-13 * (1 + energy(b, x)));
    const Twelve g = gradient(b, x);
    CHECK((g.segment<3>(0) + g.segment<3>(6)).norm() == 0);
    const Vec3 moment =
        x.p_a.cross(Vec3(g.segment<3>(0))) + x.p_b.cross(Vec3(g.segment<3>(6))) + g.segment<3>(3) + g.segment<3>(9);
    CHECK(moment.norm() < 1e-13 * (1 + g.norm()));
    Twelve h;
    h << turn * Vec3(g.segment<3>(0)), turn * Vec3(g.segment<3>(3)), turn * Vec3(g.segment<3>(6)),
        turn * Vec3(g.segment<3>(9));
    CHECK((gradient(b, y) - h).norm() < 1e-12 * (1 + g.norm()));
  }
}

TEST_CASE("shear angle: both branches of theta/sin(theta) and of its curvature agree with closed forms") {
  for (double t = 1e-9; t < 3.1; t = t < 0.4 ? t * 1.7 : t + 0.01) {
    const double c = std::cos(t), s2 = std::sin(t) * std::sin(t), g = arc_ratio(c, s2);
    CHECK(std::abs(g - t / std::sin(t)) < 1e-14 * g);
    const long double lt = t, exact = (1 - lt * std::cos(lt) / std::sin(lt)) / (std::sin(lt) * std::sin(lt));
    if (t > 0.05) CHECK(std::abs(arc_curvature(c, s2, g) - double(exact)) < 2e-13 * double(exact));
    if (t < 1e-3) CHECK(std::abs(arc_curvature(c, s2, g) - (1.0 / 3 + 2 * t * t / 15)) < 1e-12);
  }
}

TEST_CASE("four bonds at once are the four, whatever the lane and the neighbours") {
  RandomBonds random;
  double worst = 0;
  for (int trial = 0; trial < random_cases(100); ++trial) {
    Bond b[4];
    Pose x[4];
    for (int k = 0; k < 4; ++k) b[k] = random.bond(), x[k] = random.pose(b[k], trial % 3 ? 0.3 : 1.5);
    const auto pack = [&](auto&& of) { return Wide(of(0), of(1), of(2), of(3)); };
    const auto pack3 = [&](auto&& of) {
      Vector<Wide> v;
      for (int c = 0; c < 3; ++c) v[c] = pack([&](int k) { return of(k)[c]; });
      return v;
    };
    const Vector<Wide> branch = pack3([&](int k) { return Vec3(x[k].p_b - x[k].p_a); });
    const Versor<Wide> qa{pack([&](int k) { return x[k].q_a.w(); }),
                          pack3([&](int k) { return Vec3(x[k].q_a.vec()); })};
    const Versor<Wide> qb{pack([&](int k) { return x[k].q_b.w(); }),
                          pack3([&](int k) { return Vec3(x[k].q_b.vec()); })};
    const Stiffness<Wide> k4{
        pack([&](int k) { return b[k].stiffness.stretch; }), pack([&](int k) { return b[k].stiffness.shear; }),
        pack([&](int k) { return b[k].stiffness.twist; }), pack([&](int k) { return b[k].stiffness.bend; })};
    const Wide rest_length = pack([&](int k) { return b[k].rest_length; });
    const auto d = deformation<Wide>(branch, qa, qb, pack3([&](int k) { return b[k].rest; }));
    const auto v = bond_energy(d, k4, rest_length).total();
    const auto g = bond_gradient(d, k4, rest_length);
    const auto h = bond_hessian(d, k4, rest_length);
    const auto error = [&](double one, double lane) { worst = std::max(worst, std::abs(one - lane)); };
    for (int k = 0; k < 4; ++k) {
      const auto d1 = deformation_of(b[k], x[k]);
      const auto g1 = bond_gradient(d1, b[k].stiffness, b[k].rest_length);
      const auto h1 = bond_hessian(d1, b[k].stiffness, b[k].rest_length);
      error(energy(b[k], x[k]), v[k]);
      for (int c = 0; c < 3; ++c) {
        error(g1.branch[c], g.branch[c][k]);
        error(g1.turn_a[c], g.turn_a[c][k]);
        error(g1.turn_b[c], g.turn_b[c][k]);
        for (int r = 0; r < 3; ++r) {
          error(h1.ee(r, c), h.ee(r, c)[k]);
          error(h1.ea(r, c), h.ea(r, c)[k]);
          error(h1.eb(r, c), h.eb(r, c)[k]);
          error(h1.aa(r, c), h.aa(r, c)[k]);
          error(h1.ab(r, c), h.ab(r, c)[k]);
          error(h1.bb(r, c), h.bb(r, c)[k]);
        }
      }
    }
  }
  CHECK(worst < 2e-13);  // sums of three in another order
}
