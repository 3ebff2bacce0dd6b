#include "catch.hpp"

#include "measure/specimen.hpp"
#include "one_thread.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

MinimiseOptions exact_options(double tolerance = 1e-10) {
  MinimiseOptions o;
  o.tolerance = tolerance;
  o.inexact = false;
  o.tightest = 1e-10;
  return o;
}

}  // namespace

TEST_CASE("T12: a free sphere keeps its spin with the geodesic predictor") {
  Specimen s;
  s.add_body(Vec3::Zero(), 1, 0.1);
  s.angular_velocity[0] = Vec3(0, 0, 6);
  const InertiaTerm nothing({});
  ImplicitStep step(Scheme::backward_euler, s.bodies(), s.unknowns(), {}, exact_options(), "block-jacobi");
  for (int k = 0; k < 60; ++k) step.advance(s.motion(), {}, {}, 1.0 / 60);
  CHECK(std::abs(s.angular_velocity[0].z() / 6 - 1) < 1e-12);
  CHECK(std::abs(logarithm(s.orientation[0]).z() - (6 - 2 * std::numbers::pi)) < 1e-11);
}

TEST_CASE("T12: the predictor of the paper, 2 q_n - q_(n-1), loses spin as its recursion says") {
  const double dt = 1.0 / 60;
  for (const auto& [rate, want] : {std::pair{6.0, 0.87700}, {1.0, 0.99586}, {30.0, 0.34230}}) {
    Specimen s;
    s.add_body(Vec3::Zero(), 1, 0.1);
    Quat before = exponential<double>(Vec3(0, 0, -rate * dt));
    for (int k = 0; k < 60; ++k) {
      const std::vector<Vec3> p{Vec3::Zero()};
      std::vector<Quat> q(1);
      q[0].coeffs() = 2 * s.orientation[0].coeffs() - before.coeffs();
      const InertiaTerm inertia({s.mass, s.moment, p, q, dt});
      IncrementalPotential potential(s.unknowns(), {&inertia});
      BlockMatrix hessian(potential.pattern());
      const auto solver = block_jacobi_cg();
      before = s.orientation[0];
      const auto r = minimise(potential, {s.radius, 1}, exact_options(1e-13), *solver, hessian, s.moving());
      CHECK(r.residual < 1e-9);
    }
    const double kept = 2 * std::acos(s.orientation[0].dot(before)) / (rate * dt);
    INFO(rate << " rad/s keeps " << kept);
    CHECK(std::abs(kept - want) < 1e-5);
  }
}

TEST_CASE("T13: backward Euler keeps linear momentum to rounding, and loses spin as it must") {
  for (const auto& [rate, spin_kept] : {std::pair{1.0, 0.984}, {6.0, 0.681}}) {
    Specimen s = lattice(6, 2, 2, 0.1, 1e7, 4e6);
    Vec3 centre = Vec3::Zero();
    for (const Vec3& p : s.position) centre += p / static_cast<double>(s.size());
    for (std::size_t i = 0; i < s.size(); ++i) {
      s.position[i] -= centre;
      s.angular_velocity[i] = Vec3(0, 0, rate);
      s.velocity[i] = Vec3(0.3, -0.1, 0.2) + s.angular_velocity[i].cross(s.position[i]);
    }
    const Momenta before = momenta(s);
    const double mass = 24 * s.mass[0], drift = 0.5 * mass * Vec3(0.3, -0.1, 0.2).squaredNorm();
    Stepper steps(s, Scheme::backward_euler, 1.0 / 60, exact_options(1e-9));
    for (int k = 0; k < 60; ++k) CHECK(steps.advance().converged);
    const Momenta after = momenta(s);
    // About the centre, which has moved with the momentum.
    Vec3 now = Vec3::Zero();
    for (const Vec3& p : s.position) now += p / static_cast<double>(s.size());
    const double spin = (after.angular - now.cross(after.linear)).z() / before.angular.z();
    const double energy = (after.kinetic - drift) / (before.kinetic - drift);
    INFO("momentum " << (after.linear - before.linear).norm() / before.linear.norm() << " spin " << spin << " energy "
                     << energy);
    CHECK((after.linear - before.linear).norm() < 1e-11 * before.linear.norm());
    CHECK(std::abs(spin / spin_kept - 1) < 0.01);
    CHECK(std::abs(energy / (spin * spin) - 1) < 0.002);  // all but rigid: L^2/(2 I)
  }
}

TEST_CASE("midpoint keeps linear and angular momentum where backward Euler loses a third of the spin") {
  Specimen s = lattice(6, 2, 2, 0.1, 1e7, 4e6);
  for (std::size_t i = 0; i < s.size(); ++i) {
    s.angular_velocity[i] = Vec3(1, 2, 6);
    s.velocity[i] = s.angular_velocity[i].cross(s.position[i]);
  }
  const Momenta before = momenta(s);
  Stepper steps(s, Scheme::midpoint, 1.0 / 60, exact_options(1e-11));
  for (int k = 0; k < 60; ++k) CHECK(steps.advance().residual < 1e-9);
  const Momenta after = momenta(s);
  INFO("angular " << (after.angular - before.angular).norm() / before.angular.norm() << " energy "
                  << (after.kinetic + steps.potential_energy()) / before.kinetic - 1);
  CHECK((after.linear - before.linear).norm() < 1e-10 * (24 * s.mass[0]));
  CHECK((after.angular - before.angular).norm() < 1e-9 * before.angular.norm());
}

TEST_CASE("T14: two bonded spheres vibrate with sqrt(2 k/m), and backward Euler damps by its exact factor") {
  Specimen s;
  const double length = 0.1, young = 1e7, area = 1e-3;
  s.add_body(Vec3::Zero(), 0.1, 0.05);
  s.add_body(Vec3(length, 0, 0), 0.1, 0.05);
  s.add_bond(0, 1, young, young / 2.5, area);
  const double omega = std::sqrt(2 * s.stretch[0] / s.mass[0]), dt = 0.02 / omega, amplitude = 1e-6;
  s.position[0].x() -= amplitude / 2;
  s.position[1].x() += amplitude / 2;
  Stepper steps(s, Scheme::backward_euler, dt, exact_options(1e-12), "direct");
  // Exact discrete solution of x'' = -w^2 x: z_(n+1) = z_n/(1 - i w dt) for z = w x + i v... amplitude and phase.
  std::complex<double> z(omega * amplitude, 0);
  for (int k = 0; k < 300; ++k) {
    steps.advance();
    z /= std::complex<double>(1, omega * dt);
    const double x = s.position[1].x() - s.position[0].x() - length, v = s.velocity[1].x() - s.velocity[0].x();
    CHECK(std::abs(omega * x - z.real()) < 1e-6 * omega * amplitude);
    CHECK(std::abs(v - z.imag()) < 1e-6 * omega * amplitude);
  }
}

TEST_CASE("halving dt halves the error of backward Euler, quarters that of midpoint, BDF2 and SDIRK2") {
  const auto end = [](Scheme scheme, int steps_per_run) {
    Specimen s = chain(4, 0.4, 0.02, 1e6, 4e5);
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double t = static_cast<double>(i);
      s.velocity[i] = 0.3 * Vec3(std::sin(t), std::cos(2 * t), std::sin(3 * t + 1));
      s.angular_velocity[i] = 4 * Vec3(std::cos(t), std::sin(2 * t), std::cos(3 * t));
    }
    const double time = 0.01;
    Stepper steps(s, scheme, time / steps_per_run, exact_options(1e-9), "direct");
    steps.step().set_reference_acceleration(1000);
    for (int k = 0; k < steps_per_run; ++k) {
      const auto r = steps.advance();
      CHECK(r.residual < 1e-7);
    }
    return s;
  };
  const auto distance = [](const Specimen& a, const Specimen& b) {
    double d = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      d = std::max({d, (a.position[i] - b.position[i]).norm(),
                    0.02 * logarithm(a.orientation[i] * b.orientation[i].conjugate()).norm()});
    return d;
  };
  for (const auto& [scheme, order] :
       {std::pair{Scheme::backward_euler, 1}, {Scheme::midpoint, 2}, {Scheme::bdf2, 2}, {Scheme::sdirk2, 2}}) {
    const Specimen a = end(scheme, 200), b = end(scheme, 400), c = end(scheme, 800);
    const double ratio = distance(a, b) / distance(b, c);
    INFO("order " << order << " ratio " << ratio << " change " << distance(b, c));
    CHECK(ratio > (order == 1 ? 1.8 : 3.6));
    CHECK(ratio < (order == 1 ? 2.2 : 4.4));
  }
}

TEST_CASE("T15: a beam twisted by six degrees a step takes few iterations, and no step of the search is cut") {
  const scree::test::OneThread one_thread;
  for (const double young : {1e7, 1e9}) {
    Specimen s = cut_cubes(9, 3, 3, 0.33, young, 0.4 * young, 1000, 0.1);
    s.drive([](const Vec3& p) { return p.x() < 0.33 || p.x() > 8 * 0.33; });
    Stepper steps(s, Scheme::backward_euler, 1.0 / 60, {}, "direct");
    const Quat turn = exponential<double>(Vec3(std::numbers::pi / 30, 0, 0));
    int iterations = 0;
    const int count = 8;
    for (int k = 0; k < count; ++k) {
      const auto report = steps.advance([&](Specimen& x) {
        for (std::size_t i = 0; i < x.size(); ++i) {
          if (!x.driven[i] || x.position[i].x() < 4 * 0.33) continue;
          x.position[i] = turn * x.position[i];
          x.orientation[i] = (turn * x.orientation[i]).normalized();
        }
      });
      CHECK(report.converged);
      CHECK(report.halvings == 0);
      CHECK(report.clamped == 0);
      CHECK(report.iterations <= 6);
      iterations += report.iterations;
    }
    INFO("E = " << young << ": " << static_cast<double>(iterations) / count << " iterations per step");
    CHECK(iterations <= 4 * count);
  }
}

TEST_CASE("T15: draping beams of any stiffness take two iterations, and never gain potential energy") {
  const scree::test::OneThread one_thread;
  for (const double young : {1e6, 1e7, 1e8, 1e9}) {
    Specimen s = cut_cubes(9, 3, 3, 0.33, young, 0.4 * young, 1000, 0.1);
    s.drive([](const Vec3& p) { return p.x() < 0.33; });
    Stepper steps(s, Scheme::backward_euler, 1.0 / 60, {}, "direct");
    for (std::size_t i = 0; i < s.size(); ++i) steps.applied()[i] = Vec3(0, 0, -9.81 * s.mass[i]);
    const auto energy = [&] {
      double v = steps.potential_energy();
      for (std::size_t i = 0; i < s.size(); ++i)
        if (!s.driven[i]) v += 9.81 * s.mass[i] * s.position[i].z();
      return v;
    };
    int iterations = 0, most = 0, halvings = 0, clamped = 0;
    const int count = 10;
    double before = energy() + momenta(s).kinetic;
    for (int k = 0; k < count; ++k) {
      const auto report = steps.advance();
      CHECK(report.converged);
      iterations += report.iterations;
      most = std::max(most, report.iterations);
      halvings += report.halvings;
      clamped += report.clamped;
      const double v = energy();
      CHECK(v <= before + 1e-9 * std::abs(before));
      before = v + momenta(s).kinetic;
    }
    INFO("E = " << young << ": " << static_cast<double>(iterations) / count << " iterations per step, most " << most);
    CHECK(most <= 2);
    CHECK(halvings == 0);
    CHECK(clamped == 0);
  }
}

TEST_CASE("a Hessian serves twice where that ends the minimisation, as 2 r_1^2/r_0 says") {
  const scree::test::OneThread one_thread;
  Specimen s = cut_cubes(9, 3, 3, 0.33, 1e7, 4e6, 1000, 0.1);
  s.drive([](const Vec3& p) { return p.x() < 0.33; });
  Stepper steps(s, Scheme::backward_euler, 1.0 / 60, {}, "direct");
  for (std::size_t i = 0; i < s.size(); ++i) steps.applied()[i] = Vec3(0, 0, -9.81 * s.mass[i]);
  int corrections = 0, done = 0;
  for (int k = 0; k < 10; ++k) {
    const auto report = steps.advance();
    REQUIRE(report.converged);
    CHECK(report.iterations + report.corrections == static_cast<int>(report.history.size()));
    for (std::size_t n = 1; n < report.history.size(); ++n) {
      if (!report.history[n].corrected) continue;
      const double r1 = report.history[n].residual, r0 = report.history[n - 1].residual;
      CHECK(2 * r1 * r1 / r0 <= MinimiseOptions{}.tolerance);
      ++corrections;
      done += n + 1 == report.history.size();
    }
  }
  INFO(done << " of " << corrections << " corrections ended their step");
  CHECK(corrections >= 3);
  CHECK(done >= corrections - 1);
}

TEST_CASE("a step ends where forces and the change of momentum balance to the tolerance, as the bonds' gradient says") {
  const scree::test::OneThread one_thread;
  Specimen s = cut_cubes(9, 3, 3, 0.33, 1e7, 4e6, 1000, 0.1);
  s.drive([](const Vec3& p) { return p.x() < 0.33; });
  constexpr double dt = 1.0 / 60, g = 9.81;
  double worst = 0;
  for (const double tolerance : {1e-3, 1e-5, 1e-7}) {
    MinimiseOptions options;
    options.tolerance = tolerance;
    Stepper steps(s, Scheme::backward_euler, dt, options, "block-jacobi");
    for (std::size_t i = 0; i < s.size(); ++i) steps.applied()[i] = Vec3(0, 0, -g * s.mass[i]);
    for (int k = 0; k < 8; ++k) {
      const std::vector<Vec3> before = s.velocity;
      REQUIRE(steps.advance().converged);
      IncrementalPotential bonds(s.unknowns(), {&steps.bonds()});
      BlockVector slope;
      bonds.set_base(s.configuration());
      bonds.gradient(s.configuration(), slope);
      double square = 0, scale = 0;
      for (std::size_t row = 0; row < bonds.unknowns().rows(); ++row) {
        const std::uint32_t i = bonds.unknowns().body[row];
        const Vec3 left = s.mass[i] * ((s.velocity[i] - before[i]) / dt + Vec3(0, 0, g)) +
                          slope.segment<3>(6 * static_cast<Eigen::Index>(row));
        square += left.squaredNorm();
        scale += std::pow(s.mass[i] * g, 2);
      }
      worst = std::max(worst, std::sqrt(square / scale) / tolerance);
    }
  }
  INFO("forces left over, at most " << worst << " times the tolerance");
  CHECK(worst < 1.01);  // without torques, which count too
}

TEST_CASE("a step may start as if it went on like the one before: nearer to its minimum, which stays the same") {
  const scree::test::OneThread one_thread;
  Specimen s[2] = {cut_cubes(9, 3, 3, 0.33, 1e7, 4e6, 1000, 0.1), {}};
  s[0].drive([](const Vec3& p) { return p.x() < 0.33; });
  s[1] = s[0];
  double residual[2] = {0, 0};
  int iterations[2] = {0, 0};
  for (const int informed : {0, 1}) {
    Specimen& x = s[informed];
    Stepper steps(x, Scheme::backward_euler, 1.0 / 60, {}, "direct");
    for (std::size_t i = 0; i < x.size(); ++i) steps.applied()[i] = Vec3(0, 0, -9.81 * x.mass[i]);
    std::vector<Vec3> acceleration(x.size(), Vec3::Zero()), angular = acceleration;
    for (int k = 0; k < 10; ++k) {
      const Specimen before = x;
      ImplicitStep::Trend trend;
      if (informed) trend = {acceleration, angular};
      const auto report = steps.step().advance(x.motion(), {}, {steps.applied(), {}}, 1.0 / 60, {}, trend);
      REQUIRE(report.converged);
      iterations[informed] += report.iterations;
      if (k > 0) residual[informed] += report.history[0].residual;
      for (std::size_t i = 0; i < x.size(); ++i) {
        acceleration[i] = (x.velocity[i] - before.velocity[i]) * 60;
        angular[i] = (x.angular_velocity[i] - before.angular_velocity[i]) * 60;
      }
    }
  }
  double apart = 0, fallen = 0;
  for (std::size_t i = 0; i < s[0].size(); ++i) {
    apart = std::max(apart, (s[0].position[i] - s[1].position[i]).norm());
    fallen = std::max(fallen, s[0].velocity[i].norm() / 60);
  }
  INFO("residuals at the start " << residual[0] << ", informed " << residual[1] << "; iterations " << iterations[0]
                                 << ", informed " << iterations[1] << "; apart " << apart << " m");
  CHECK(residual[1] < 0.5 * residual[0]);
  CHECK(iterations[1] < iterations[0]);
  CHECK(apart < 1e-5 * fallen);
}
