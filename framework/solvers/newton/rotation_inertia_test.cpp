// Inertia of rotation of a body whose principal moments differ: energy, torque and Hessian against the matrices they
// stand for and against differences.

#include "solvers/newton/rotation_inertia.hpp"

#include <Eigen/Eigenvalues>
#include <array>
#include <numbers>

#include "catch.hpp"
#include "solvers/newton/potential.hpp"
#include "solvers/newton/terms.hpp"
#include "solvers/newton/unequal_moments.hpp"

using namespace scree;
using namespace scree::solvers;

namespace {

constexpr double kStepOfTops = 0.01;

class RandomTop {
 public:
  double operator()() {  // in [-1, 1)
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
  }
  Vec3 direction() { return Vec3((*this)(), (*this)(), (*this)()).normalized(); }
  Quat orientation() { return exponential<double>(Vec3(std::numbers::pi * direction())).normalized(); }
  /// Those of three masses on the axes: all that rigid bodies can have.
  Vec3 moments() {
    const Vec3 mass = (Vec3((*this)(), (*this)(), (*this)()).array().square() + 0.01) * 1e-3;
    return {mass[1] + mass[2], mass[0] + mass[2], mass[0] + mass[1]};
  }

 private:
  std::uint64_t state_ = 2024;
};

/// Fourth order: error of the fourth power of the step.
template <class F>
auto slope_of(const F& f, double t) {
  return ((8 * (f(t) - f(-t)) - (f(2 * t) - f(-2 * t))) / (12 * t));
}

const std::array<Vec3, 5> kMoments{Vec3(1, 1, 0.03), Vec3(0.2, 1, 1), Vec3(0.5, 0.9, 0.5), Vec3(0.4, 0.7, 1),
                                   Vec3(1, 1, 1)};

}  // namespace

TEST_CASE("inertia of rotation is tr((R - R^) J (R - R^)^T)/(2 h^2), and its derivatives those of the matrix A") {
  RandomTop draw;
  for (int k = 0; k < 200; ++k) {
    const Vec3 moments = draw.moments();
    const Quat predicted = draw.orientation();
    const Quat q = retracted(predicted, 1.5 * (1 + draw()) * draw.direction());
    const Mat3 j = Vec3(Vec3::Constant(moments.sum() / 2) - moments).asDiagonal();
    const Mat3 r = q.toRotationMatrix(), off = r - predicted.toRotationMatrix();
    const double h2 = kStepOfTops * kStepOfTops, size = moments.maxCoeff() / h2;
    CHECK(std::abs(rotation_energy<double>(q, predicted, moments, kStepOfTops) -
                   (off * j * off.transpose()).trace() / (2 * h2)) < 1e-14 * size);
    const Mat3 a = r * j * predicted.toRotationMatrix().transpose();
    const Vec3 torque = Vec3(a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1)) / h2;
    const Mat3 hessian = (a.trace() * Mat3::Identity() - (a + a.transpose()) / 2) / h2;
    CHECK((rotation_torque<double>(q, predicted, moments, kStepOfTops) - torque).norm() < 1e-14 * size);
    CHECK((rotation_hessian<double>(q, predicted, moments, kStepOfTops) - hessian).norm() < 1e-14 * size);
    const Quat other(-predicted.w(), -predicted.x(), -predicted.y(), -predicted.z());
    CHECK((rotation_torque<double>(q, other, moments, kStepOfTops) - torque).norm() < 1e-14 * size);
  }
}

TEST_CASE("torque and Hessian of the inertia of rotation are the derivatives of its energy along q <- exp(th) q") {
  RandomTop draw;
  double worst_torque = 0, worst_hessian = 0;
  for (int k = 0; k < 200; ++k) {
    const Vec3 moments = draw.moments(), along = draw.direction();
    const Quat predicted = draw.orientation();
    const Quat q = retracted(predicted, 1.5 * (1 + draw()) * draw.direction());
    const auto energy = [&](double t) {
      return rotation_energy<double>(retracted(q, t * along), predicted, moments, kStepOfTops);
    };
    const double size = moments.maxCoeff() / (kStepOfTops * kStepOfTops), t = 2e-3;
    const Vec3 torque = rotation_torque<double>(q, predicted, moments, kStepOfTops);
    worst_torque = std::max(worst_torque, std::abs(slope_of(energy, t) - along.dot(torque)) / size);
    const double bend =
        (16 * (energy(t) + energy(-t)) - (energy(2 * t) + energy(-2 * t)) - 30 * energy(0)) / 12 / t / t;
    const Mat3 hessian = rotation_hessian<double>(q, predicted, moments, kStepOfTops);
    worst_hessian = std::max(worst_hessian, std::abs(bend - along.dot(hessian * along)) / size);
  }
  INFO("torque " << worst_torque << ", Hessian " << worst_hessian);
  CHECK(worst_torque < 1e-8);
  CHECK(worst_hessian < 1e-6);
}

TEST_CASE("the inertia of unequal moments, given equal ones, is (1 + cos(angle/2))/2 of that of spheres") {
  const Vec3 equal = Vec3::Constant(0.7);
  const double moment = 0.7;
  const std::vector<double> mass{1}, of_sphere{moment};
  const std::vector<Vec3> place{Vec3::Zero()};
  RandomTop draw;
  for (const double angle : {1e-9, 1e-4, 0.3, 2.0}) {
    const std::vector<Quat> predicted{draw.orientation()}, q{retracted(predicted[0], angle * draw.direction())};
    std::vector<double> energy(1);
    const InertiaTerm sphere({mass, of_sphere, place, predicted, kStepOfTops});
    sphere.energies({place, q}, energy);
    const double ratio = rotation_energy<double>(q[0], predicted[0], equal, kStepOfTops) / energy[0];
    // The older formula squares a difference of components: few digits at the smallest angle.
    CHECK(std::abs(ratio - (1 + std::cos(angle / 2)) / 2) < (angle < 1e-6 ? 1e-6 : 1e-10));
  }
}

TEST_CASE("the clamped inertia of rotation is positive definite at every angle, and the exact one where that is") {
  int replaced = 0;
  RandomTop draw;
  for (const Vec3& moments : kMoments)
    for (int k = 0; k < 200; ++k) {
      const Quat predicted = draw.orientation();
      const Quat q = retracted(predicted, std::numbers::pi / 2 * (1 + draw()) * draw.direction());
      const auto least = [](const Mat3& h) { return Eigen::SelfAdjointEigenSolver<Mat3>(h).eigenvalues()[0]; };
      const Mat3 exact = rotation_hessian<double>(q, predicted, moments, kStepOfTops);
      const Mat3 clamped = rotation_hessian_clamped<double>(q, predicted, moments, kStepOfTops);
      CHECK(least(clamped) > 0);
      if (least(exact) > 1e-9 * exact.norm())
        CHECK(clamped == exact);
      else
        ++replaced;
    }
  CHECK(replaced > 100);
}

TEST_CASE("the term of bodies with unequal moments among others: gradient and Hessian by body, spheres as before") {
  RandomTop draw;
  const std::vector<double> mass{1, 2, 3}, moment{0.5, 0.7, 0.4};
  const std::vector<Vec3> moments{Vec3::Zero(), Vec3(0.4, 0.7, 1), Vec3::Zero()};
  std::vector<Vec3> place(3), predicted_place(3);
  std::vector<Quat> q(3), predicted(3);
  for (std::size_t i = 0; i < 3; ++i) {
    place[i] = draw.direction(), predicted_place[i] = place[i] + 0.1 * draw.direction();
    predicted[i] = draw.orientation(), q[i] = retracted(predicted[i], 0.4 * draw.direction());
  }
  const InertiaTerm spheres({mass, moment, predicted_place, predicted, kStepOfTops});
  const InertiaTerm mixed({mass, moment, predicted_place, predicted, kStepOfTops, moments});
  const Configuration x{place, q};
  std::vector<double> energy(3), energy_of_spheres(3);
  mixed.energies(x, energy), spheres.energies(x, energy_of_spheres);
  CHECK(energy[0] == energy_of_spheres[0]);
  CHECK(energy[2] == energy_of_spheres[2]);
  CHECK(energy[1] == Approx(mass[1] * (place[1] - predicted_place[1]).squaredNorm() / (2 * kStepOfTops * kStepOfTops) +
                            rotation_energy<double>(q[1], predicted[1], moments[1], kStepOfTops))
                         .epsilon(1e-14));
  IncrementalPotential potential(Unknowns(3), {&mixed});
  BlockMatrix h(potential.pattern());
  potential.hessian(x, Curvature::exact, h);
  BlockVector gradient;
  potential.gradient(x, gradient);
  const Vec3 torque = rotation_torque<double>(q[1], predicted[1], moments[1], kStepOfTops);
  CHECK((gradient.segment<3>(9) - torque).norm() < 1e-12 * torque.norm());
  const Mat3 second = rotation_hessian<double>(q[1], predicted[1], moments[1], kStepOfTops);
  CHECK((h.diagonal(1).bottomRightCorner<3, 3>() - second).norm() < 1e-14 * second.norm());
}

TEST_CASE("bodies with unequal moments have the same derivatives one by one and four at a time") {
  RandomTop draw;
  constexpr std::size_t n = 11;
  const std::vector<double> mass(n, 1), moment(n, 0.5);
  std::vector<Vec3> moments(n), place(n, Vec3::Zero());
  std::vector<Quat> q(n), predicted(n);
  int indefinite = 0;
  for (std::size_t i = 0; i < n; ++i) {
    moments[i] = i % 4 == 2 ? Vec3(Vec3::Zero()) : Vec3(1e-3, 1, 1);
    predicted[i] = draw.orientation(), q[i] = retracted(predicted[i], (i % 2 ? 0.02 : 0.8) * draw.direction());
  }
  const InertiaTerm term({mass, moment, place, predicted, kStepOfTops, moments});
  IncrementalPotential potential(Unknowns(n), {&term});
  BlockVector gradient;
  potential.gradient({place, q}, gradient);
  for (const Curvature curvature : {Curvature::exact, Curvature::clamped}) {
    BlockMatrix h(potential.pattern());
    potential.hessian({place, q}, curvature, h);
    for (std::size_t i = 0; i < n; ++i) {
      if (moments[i].isZero()) continue;
      const Vec3 torque = rotation_torque<double>(q[i], predicted[i], moments[i], kStepOfTops);
      CHECK((gradient.segment<3>(6 * static_cast<Eigen::Index>(i) + 3) - torque).norm() < 1e-12 * torque.norm());
      const auto second = curvature == Curvature::exact ? rotation_hessian<double> : rotation_hessian_clamped<double>;
      const Mat3 expected = second(q[i], predicted[i], moments[i], kStepOfTops);
      CHECK((h.diagonal(static_cast<std::uint32_t>(i)).bottomRightCorner<3, 3>() - expected).norm() <
            1e-14 * expected.norm());
      const double least = Eigen::SelfAdjointEigenSolver<Mat3>(expected).eigenvalues()[0];
      if (curvature == Curvature::clamped) CHECK(least > 0);
      indefinite += least < 0;
    }
  }
  CHECK(indefinite > 0);
}

TEST_CASE("moments are unequal where they differ by more than rounding") {
  CHECK_FALSE(unequal<double>(Vec3(1, 1, 1)));
  CHECK_FALSE(unequal<double>(Vec3(1, 1 + 5e-10, 1)));
  CHECK(unequal<double>(Vec3(1, 1, 1 + 2e-9)));
  CHECK(unequal<double>(Vec3(1e-12, 1e-12, 2e-12)));
}

TEST_CASE("eq. (29): from where a body is, the inertia of rotation is at most its kinetic energy") {
  RandomTop draw;
  double worst = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec3 moments = draw.moments(), spin = 200 * (1 + draw()) * draw.direction();  // up to 4 rad a step
    const Turning now{draw.orientation(), spin};
    // The exact motion: many small steps.
    Quat exact = now.orientation;
    for (int part = 0; part < 200; ++part)
      exact = turned_freely(exact, now.momentum(moments), moments, kStepOfTops / 200);
    worst = std::max(worst, rotation_energy<double>(now.orientation, exact, moments, kStepOfTops) /
                                (0.5 * now.momentum(moments).dot(spin)));
  }
  INFO("at most " << worst);
  CHECK(worst < 1 + 1e-4);  // the error of the small steps
}
