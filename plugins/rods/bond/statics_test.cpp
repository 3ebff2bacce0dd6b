// Statics of the law "elastic-rod" against closed forms and curves known to many digits. n is the number of segments;
// length, EI and GJ are 1.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>
#include <numbers>

#include "bond/test_chain.hpp"
#include "catch.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::rods;
using namespace scree::rods::test;

namespace {

constexpr double kPi = std::numbers::pi;

/// Smallest pivot of the Hessian at the straight rod, pressed by an axial force, or by a weight per length. It has the
/// sign of the smallest eigenvalue, and unlike that no error as large as the rod is stiff along itself.
double least_pivot(int n, double axial, double weight_per_length) {
  Chain chain(n);
  chain.make();
  const double k = chain.options.section->stretch / chain.h;
  double shift = 0;
  for (int i = 0; i < n; ++i) {
    const double above = axial + weight_per_length * (n - i) * chain.h;
    shift += above / (i == 0 ? 2 * k : k);  // the clamp is half a joint
    chain.position[static_cast<std::size_t>(i) + 1].z() -= shift;
  }
  chain.tip_force = {0, 0, -axial};
  chain.weight = {0, 0, -weight_per_length * chain.h};
  return Eigen::LDLT<Eigen::MatrixXd>(chain.hessian()).vectorD().minCoeff();
}

/// Returns the place where it becomes negative.
template <class Pivot>
double critical(double low, double high, const Pivot& pivot) {
  for (int k = 0; k < 30; ++k) {
    const double middle = (low + high) / 2;
    (pivot(middle) > 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

TEST_CASE("a pure moment bends every joint alike, and the clamp by half a joint") {
  // With x = tan(phi/2), the moment of a joint is (EI/h) 2 x (1 + x^2).
  const auto angle = [](double moment_over_stiffness) {
    double x = 0;
    for (int k = 0; k < 50; ++k) x -= (2 * x * (1 + x * x) - moment_over_stiffness) / (2 + 6 * x * x);
    return 2 * std::atan(x);
  };
  for (const bool twist : {false, true}) {
    Chain chain(8);
    chain.options.section->twist = 0.7;
    chain.make();
    const double m = 3, stiffness = twist ? 0.7 : 1;
    const Vec3 axis = twist ? Vec3::UnitZ() : Vec3::UnitX();
    chain.tip_moment = m * axis;
    chain.relax();
    Quat expected = Quat::Identity();
    for (int k = 0; k < 8; ++k) {
      expected = Eigen::AngleAxisd(angle(m * chain.h / stiffness * (k == 0 ? 0.5 : 1)), axis) * expected;
      scree::test::verify("angle off [rad]", 0,
                          chain.orientation[static_cast<std::size_t>(k) + 1].angularDistance(expected), 1e-8);
    }
  }
}

TEST_CASE("the cantilever with a load at its tip is the elastica") {
  // Deflection over length for P L^2/EI = 1, 5, 10, and the relative errors of n segments.
  const double exact[] = {0.301721, 0.713792, 0.810609};
  const double load[] = {1, 5, 10};
  const std::map<int, std::array<double, 3>> errors = {{10, {3.5e-3, 9.7e-4, 1.9e-3}}, {20, {8.4e-4, 5.6e-5, 1.9e-4}}};
  for (const auto& [n, error] : errors)
    for (std::size_t k = 0; k < 3; ++k) {
      Chain chain(n);
      chain.make();
      chain.tip_force = {-load[k], 0, 0};
      chain.relax();
      INFO("n " << n << ", load " << load[k]);
      // Exact values have six digits.
      const std::string what = "n = " + std::to_string(n) + ", P L²/EI = " + std::to_string(static_cast<int>(load[k]));
      scree::test::verify(what + ": deflection, less the error of n segments", exact[k],
                          -chain.tip().x() / (1 + error[k]), 0.1 * error[k] + 2e-6);
    }
}

TEST_CASE("the cantilever under its own weight bends as it should") {
  const double exact[] = {0.123471, 0.700200, 0.829881};
  const double load[] = {1, 10, 20};
  const double error[] = {2.4e-3, 2.0e-4, 2.5e-4};
  for (std::size_t k = 0; k < 3; ++k) {
    Chain chain(20);
    chain.make();
    chain.weight = {-load[k] * chain.h, 0, 0};
    chain.relax();
    INFO("load " << load[k]);
    scree::test::verify("deflection, less the error of 20 segments", exact[k], -chain.tip().x() / (1 + error[k]),
                        0.1 * error[k] + 5e-6);
  }
}

TEST_CASE("a pressed rod buckles at Euler's load of the chain") {
  for (const int n : {10, 20}) {
    const double h = 1.0 / n, s = std::sin(kPi * h / 4), euler = kPi * kPi / 4;
    const double found = critical(2, 3, [&](double p) { return least_pivot(n, p, 0); });
    CHECK(found == Approx(4 / (h * h) * s * s).epsilon(1e-6));  // the rod is shortened by P/EA, 2e-8
    scree::test::verify("buckling load of " + std::to_string(n) + " segments [EI/L²]", euler * (1 - 0.2056 / (n * n)),
                        found, 1e-5);
  }
}

TEST_CASE("a column buckles under its own weight at Greenhill's length") {
  const int n = 20;
  const double found = critical(5, 10, [&](double w) { return least_pivot(n, 0, w); });
  scree::test::verify("critical weight of 20 segments [EI/L³]", 7.837347 * (1 - 0.516 / (n * n)), found,
                      0.0516 / (n * n));
}

TEST_CASE("a strip that is loaded on edge buckles sideways at Prandtl's load") {
  // P L^2 = 4.012599 sqrt(EI1 GJ) where the strip is stiff in the plane of the load.
  const int n = 20;
  const auto eigenvalue = [](double load) {
    Chain chain(n);
    chain.options.section = Section{1e8, {1, 1e6}, 1};
    chain.make();
    chain.tip_force = {load, 0, 0};  // bends about y
    chain.relax(1e-9);
    return Eigen::LDLT<Eigen::MatrixXd>(chain.hessian()).vectorD().minCoeff();
  };
  scree::test::verify("critical load of 20 segments [√(EI GJ)/L²]", 4.012599 * (1 + 1.13e-3),
                      critical(3.5, 4.5, eigenvalue), 1.13e-4);
}

TEST_CASE("the lowest frequency of a cantilever") {
  const int n = 20;
  Chain chain(n);
  chain.make();
  // Mass per length 1. Moments of inertia of thin segments: without effect here, but not 0.
  Eigen::VectorXd root(6 * n);
  for (int k = 0; k < n; ++k)
    root.segment<6>(6 * k) << Vec3::Constant(std::sqrt(1 / chain.h)),
        Vec3::Constant(std::sqrt(12 / std::pow(chain.h, 3)));
  const Eigen::MatrixXd scaled = root.asDiagonal() * chain.hessian() * root.asDiagonal();
  const double omega =
      std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[0]);
  const double exact = 1.875104 * 1.875104;
  scree::test::verify("frequency of 20 segments [√(EI/(m L³))]", exact * (1 - 0.456 / (n * n)), omega,
                      0.0456 / (n * n));
}

TEST_CASE("a rod of natural curvature and twist is a helix without stress") {
  const int n = 30;
  Chain chain(n);
  chain.options.as_placed = false;
  chain.options.curvature = {4, 0, 7};
  chain.make();
  const Vec3 u(4, 0, 7);
  const double turn = u.norm() * chain.h;
  Quat frame = Quat(Eigen::AngleAxisd(turn / 2, u.normalized()));
  Vec3 joint = Vec3::Zero();
  for (std::size_t k = 1; k <= n; ++k) {
    const Vec3 way = frame * Vec3(0, 0, chain.h);
    chain.position[k] = joint + way / 2;
    chain.orientation[k] = frame;
    joint += way;
    frame = frame * Quat(Eigen::AngleAxisd(turn, u.normalized()));
  }
  CHECK(chain.gradient().norm() < 1e-6);  // rounding of gaps, times EA/h = 3e9
  CHECK(chain.law().energy(chain.configuration()) < 1e-18);
}

TEST_CASE("strengths are those of a round section, whichever way it is bent or twisted") {
  Chain chain(4);
  chain.options.section->stretch = 10;  // small, for rounding of gaps makes tension
  chain.options.tensile_strength = 100;
  chain.options.shear_strength = 50;
  chain.make();
  std::vector<double> use(4);
  const double area = 1e-4, radius = std::sqrt(area / kPi), inertia = area * area / (4 * kPi);
  for (const double moment : {1e-5, -1e-5}) {
    chain.tip_moment = {moment, 0, 0};
    chain.relax();
    chain.law().utilisation(chain.configuration(), use);
    for (const double u : use) CHECK(u == Approx(1e-5 * radius / inertia / 100).epsilon(1e-6));
    chain.tip_moment = {0, 0, moment};
    chain.relax();
    chain.law().utilisation(chain.configuration(), use);
    for (const double u : use) CHECK(u == Approx(1e-5 * radius / (2 * inertia) / 50).epsilon(1e-6));
  }
}
