// Bodies whose principal moments differ in implicit time steps: free tops, loads, bonds.

#include "solvers/newton/unequal_moments.hpp"
#include "use_solvers.hpp"

#include <omp.h>

#include <cstring>

#include "catch.hpp"
#include "measure/specimen.hpp"
#include "one_thread.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

constexpr Scheme kSchemes[] = {Scheme::backward_euler, Scheme::midpoint};

MinimiseOptions exact_minimum(double tolerance = 1e-10) {
  MinimiseOptions o;
  o.tolerance = tolerance;
  o.inexact = false;
  o.tightest = 1e-10;
  return o;
}

/// One body of 1 kg, turned somehow.
Specimen top(const Vec3& moments, const Vec3& spin) {
  Specimen s;
  s.add_body(Vec3::Zero(), 1, 0.1);
  s.moments = {moments};
  s.orientation[0] = Quat(0.8, 0.1, -0.5, 0.3).normalized();
  s.angular_velocity[0] = spin;
  return s;
}

/// Five bodies in a bonded row, shaped unlike each other, that move in all ways. The third is a sphere.
Specimen row() {
  Specimen s = chain(4, 0.4, 0.02, 1e6, 4e5);
  const double i = s.moment[0];
  s.moments = {Vec3(i, i, 0.1 * i), Vec3(0.5 * i, 0.8 * i, i), Vec3::Zero(), Vec3(i, 0.3 * i, i), Vec3(i, i, 1.5 * i)};
  for (std::size_t k = 0; k < s.size(); ++k) {
    const double t = static_cast<double>(k);
    s.velocity[k] = 0.3 * Vec3(std::sin(t), std::cos(2 * t), std::sin(3 * t + 1));
    s.angular_velocity[k] = 4 * Vec3(std::cos(t), std::sin(2 * t), std::cos(3 * t));
    // Bonds are measured from orientations at rest, which are those of no turn: the tops' axes are askew all the same.
    if (k % 2 == 1) std::swap(s.moments[k][0], s.moments[k][2]);
  }
  return s;
}

double apart(const Specimen& a, const Specimen& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    d = std::max({d, (a.position[i] - b.position[i]).norm(),
                  0.02 * logarithm(a.orientation[i] * b.orientation[i].conjugate()).norm()});
  return d;
}

/// The row after 10 ms.
Specimen moved_row(Scheme scheme, int steps_per_run) {
  Specimen s = row();
  Stepper steps(s, scheme, 0.01 / steps_per_run, exact_minimum(1e-9), "direct");
  steps.step().set_reference_acceleration(1000);
  for (int k = 0; k < steps_per_run; ++k) CHECK(steps.advance().residual < 1e-7);
  return s;
}

/// Moves the specimen by explicit steps, second order: kick, free motion, kick.
Specimen moved_explicitly(int steps_per_run) {
  Specimen s = row();
  const BondTerm bonds(s.bonds(), s.size());
  const double dt = 0.01 / steps_per_run;
  const auto kick = [&](double time) {
    std::vector<Wrench> w(s.size());
    bonds.add_wrenches(s.configuration(), w);
    for (std::size_t i = 0; i < s.size(); ++i) {
      const bool sphere = !unequal(s.moments, i);
      const Vec3 inverse = sphere ? Vec3(Vec3::Constant(1 / s.moment[i])) : Vec3(s.moments[i].cwiseInverse());
      s.velocity[i] += time * w[i].force / s.mass[i];
      s.angular_velocity[i] += time * angular_acceleration<double>(w[i].torque, s.orientation[i], inverse);
    }
  };
  for (int k = 0; k < steps_per_run; ++k) {
    kick(dt / 2);
    for (std::size_t i = 0; i < s.size(); ++i) {
      const bool sphere = !unequal(s.moments, i);
      const Vec3 moments = sphere ? Vec3(Vec3::Constant(s.moment[i])) : s.moments[i];
      s.position[i] += dt * s.velocity[i];
      const Rotation<double> now{s.orientation[i], s.angular_velocity[i]};
      const Rotation<double> next = rotated_freely<double>(now, moments, moments.cwiseInverse(), dt);
      s.orientation[i] = next.q.normalized(), s.angular_velocity[i] = next.omega;
    }
    kick(dt / 2);
  }
  return s;
}

}  // namespace

TEST_CASE("R12: a free symmetric top keeps its angular momentum and turns as it must, whichever axis is the odd one") {
  const double across = 2e-3, dt = 0.01;
  const int count = 1000;
  for (const Scheme scheme : kSchemes)
    for (const double along : {2e-4, 3.5e-3})
      for (int axis = 0; axis < 3; ++axis) {
        Vec3 moments = Vec3::Constant(across);
        moments[axis] = along;
        Specimen s = top(moments, Vec3(20, -9, 14));
        const Quat q0 = s.orientation[0];
        const Vec3 l0 = momenta(s).angular;
        Stepper steps(s, scheme, dt, exact_minimum(), "block-jacobi");
        for (int k = 0; k < count; ++k) CHECK(steps.advance().iterations == 0);
        INFO("scheme " << static_cast<int>(scheme) << ", axis " << axis << ", L off by "
                       << (momenta(s).angular - l0).norm() / l0.norm());
        CHECK((momenta(s).angular - l0).norm() < 1e-11 * l0.norm());
        const double about = (q0.conjugate() * l0)[axis] / along;  // rad/s about the odd axis
        const Quat want = exponential<double>(count * dt / across * l0) * q0 *
                          exponential<double>(count * dt * (1 - along / across) * about * Vec3::Unit(axis));
        CHECK(logarithm(s.orientation[0] * want.conjugate()).norm() < 1e-9);  // of 300 rad
      }
}

TEST_CASE("three different moments: momentum to rounding, energy off by O(dt^2) and no more as time goes on") {
  const Vec3 moments(2e-3, 3e-3, 4.5e-3), spin(0.4, 20, -0.3);  // about the middle axis, which is unstable: it tumbles
  for (const Scheme scheme : kSchemes) {
    double previous = 0, previous_turn = 0;
    Specimen reference = top(moments, spin);
    Stepper fine(reference, scheme, 1e-5, exact_minimum(), "block-jacobi");
    for (int k = 0; k < 20000; ++k) fine.advance();
    for (const double dt : {4e-3, 2e-3, 1e-3}) {
      Specimen s = top(moments, spin);
      const Momenta before = momenta(s);
      Stepper steps(s, scheme, dt, exact_minimum(), "block-jacobi");
      double most = 0, turn = 0;
      const auto at_reference = std::lround(0.2 / dt), count = std::lround(8 / dt);
      double early = 0;
      for (int k = 1; k <= count; ++k) {
        steps.advance();
        most = std::max(most, std::abs(momenta(s).kinetic / before.kinetic - 1));
        if (k == at_reference) turn = logarithm(s.orientation[0] * reference.orientation[0].conjugate()).norm();
        if (k == count / 4) early = most;
      }
      INFO("scheme " << static_cast<int>(scheme) << ", dt " << dt << ": energy off by " << most << ", orientation by "
                     << turn);
      CHECK((momenta(s).angular - before.angular).norm() < 1e-11 * before.angular.norm());
      CHECK(most < 1.05 * early);
      if (previous > 0) {
        CHECK(previous / most == Approx(4).epsilon(0.05));
        CHECK(previous_turn / turn == Approx(4).epsilon(0.1));
      }
      previous = most, previous_turn = turn;
    }
  }
}

TEST_CASE("a constant torque changes the angular momentum of a top by T dt a step, in every scheme") {
  for (const Scheme scheme : kSchemes) {
    Specimen s = top(Vec3(2e-3, 3e-3, 4.5e-3), Vec3(3, -2, 5));
    const Vec3 l0 = momenta(s).angular;
    const std::vector<Vec3> force{Vec3::Zero()}, torque{Vec3(0.01, -0.02, 0.03)};
    ImplicitStep step(scheme, s.bodies(), s.unknowns(), {}, exact_minimum(), "block-jacobi");
    for (int k = 1; k <= 200; ++k) {
      step.advance(s.motion(), {}, {force, torque}, 5e-3);
      CHECK((momenta(s).angular - l0 - k * 5e-3 * torque[0]).norm() < 1e-12 * l0.norm());
    }
  }
}

TEST_CASE("with equal moments the prediction of unequal ones is that of spheres, eq. (22)") {
  const Vec3 equal = Vec3::Constant(0.5), torque(1, 2, -1), w(3, 1, -2);
  const double h = 0.02;
  const Quat q = Quat(0.8, 0.1, -0.5, 0.3).normalized();
  const Quat predicted = predicted_turn({q, w}, equal, torque, h).orientation;
  CHECK(logarithm(predicted * retracted(q, h * w + h * h * 2 * torque).conjugate()).norm() < 1e-15);
}

TEST_CASE("bodies with unequal moments in bonds: first order of backward Euler, second of midpoint") {
  const Specimen exact = moved_explicitly(8000);
  CHECK(apart(moved_explicitly(4000), exact) < 1e-6);
  for (const auto& [scheme, order] : {std::pair{Scheme::backward_euler, 1}, {Scheme::midpoint, 2}}) {
    const double coarse = apart(moved_row(scheme, 200), exact), fine = apart(moved_row(scheme, 400), exact);
    INFO("order " << order << ", ratio " << coarse / fine << ", off by " << fine);
    CHECK(coarse / fine > (order == 1 ? 1.8 : 3.6));
    CHECK(coarse / fine < (order == 1 ? 2.2 : 4.4));
  }
}

TEST_CASE("bodies with unequal moments in bonds: momenta") {
  const auto loss = [](Scheme scheme, int count) {
    Specimen s = row();
    const Momenta before = momenta(s);
    Stepper steps(s, scheme, 0.01 / count, exact_minimum(1e-12), "direct");
    for (int k = 0; k < count; ++k) steps.advance();
    const Momenta after = momenta(s);
    CHECK((after.linear - before.linear).norm() < 1e-10 * before.linear.norm());  // rounding of p/dt
    return (after.angular - before.angular).norm() / before.angular.norm();
  };
  CHECK(loss(Scheme::midpoint, 50) < 1e-9);
  const double coarse = loss(Scheme::backward_euler, 200), fine = loss(Scheme::backward_euler, 400);
  INFO("backward Euler loses " << fine);
  CHECK(coarse / fine == Approx(2).epsilon(0.1));
}

TEST_CASE("midpoint keeps the energy of a bonded row with unequal moments to O(dt^2), for 20,000 steps", "[long]") {
  const scree::test::OneThread one_thread;
  double most[2] = {0, 0};
  for (const int fine : {0, 1}) {
    Specimen s = row();
    Stepper steps(s, Scheme::midpoint, fine ? 5e-5 : 1e-4, exact_minimum(1e-9), "direct");
    const double start = momenta(s).kinetic + steps.potential_energy();
    for (int k = 0; k < 20000; ++k) {
      steps.advance();
      most[fine] = std::max(most[fine], std::abs((momenta(s).kinetic + steps.potential_energy()) / start - 1));
    }
  }
  INFO("energy off by " << most[0] << ", with half the step by " << most[1]);
  CHECK(most[0] < 1e-5);  // no drift: over 80,000 steps 8e-6, over 2000 1.4e-6
  CHECK(most[0] > 2.5 * most[1]);
}

TEST_CASE("backward Euler stops a thin rod on a stiff bond, which turns by 1.7 rad a step, and never gives it energy") {
  const scree::test::OneThread one_thread;
  for (const double thin : {0.02, 0.3, 0.9}) {
    Specimen s = chain(1, 0.1, 0.02, 1e9, 4e8);
    s.driven[0] = 1;
    s.moments = {Vec3::Zero(), s.moment[1] * Vec3(1, 1, thin)};
    s.angular_velocity[1] = Vec3(70, -60, 40);
    double energy = momenta(s).kinetic;
    Stepper steps(s, Scheme::backward_euler, 1.0 / 60, exact_minimum(1e-6), "direct");
    for (int k = 0; k < 20; ++k) {
      CHECK(steps.advance().converged);
      const double now = momenta(s).kinetic + steps.potential_energy();
      CHECK(now <= energy * (1 + 1e-9));
      energy = now;
    }
    INFO("turned by " << logarithm(s.orientation[1]).norm() << ", spin " << s.angular_velocity[1].norm());
    CHECK(logarithm(s.orientation[1]).norm() < 1e-6);
    CHECK(s.angular_velocity[1].norm() < 1e-6);
  }
}

TEST_CASE("a step that starts where the Hessian of a thin rod's inertia is indefinite finds its minimum") {
  Specimen s = top(Vec3(2e-3, 2e-3, 4e-5), Vec3::Zero());
  const std::vector<Quat> predicted{s.orientation[0]};
  const std::vector<Vec3> at{Vec3::Zero()};
  const InertiaTerm inertia({s.mass, s.moment, at, predicted, 0.01, s.moments});
  for (const double angle : {0.6, 1.5, 2.5}) {
    s.orientation[0] = retracted(predicted[0], angle * Vec3(0.6, 0, 0.8));
    IncrementalPotential potential(s.unknowns(), {&inertia});
    BlockMatrix hessian(potential.pattern());
    const auto solver = direct_cholesky();
    const auto report = minimise(potential, {s.radius, 1}, exact_minimum(1e-8), *solver, hessian, s.moving());
    INFO(angle << " rad: " << report.stopped << " after " << report.iterations << ", clamped " << report.clamped);
    CHECK(report.converged);
    CHECK(report.clamped > 0);
    CHECK(logarithm(s.orientation[0] * predicted[0].conjugate()).norm() < 1e-6);
  }
}

TEST_CASE("BDF2 refuses bodies with unequal moments") {
  Specimen s = top(Vec3(2e-3, 3e-3, 4.5e-3), Vec3::Zero());
  CHECK_THROWS_WITH(ImplicitStep(Scheme::bdf2, s.bodies(), s.unknowns(), {}, exact_minimum(), "direct"),
                    "ImplicitStep: BDF2 and SDIRK2 move bodies with equal moments of inertia only");
}

TEST_CASE("bodies with unequal moments: the same bits for any number of threads") {
  std::vector<double> bits[3];
  for (const int threads : {1, 2, 3}) {
    omp_set_num_threads(threads);
    Specimen s = cut_cubes(6, 3, 3, 0.1, 1e6, 4e5, 1000, 0.1);
    s.drive([](const Vec3& p) { return p.x() < 0.1; });
    for (std::size_t i = 0; i < s.size(); ++i) {
      const double share = static_cast<double>(i % 7) / 7;
      s.moments.push_back(i % 3 == 0 || s.driven[i] ? Vec3(Vec3::Zero())
                                                    : Vec3(s.moment[i] * Vec3(1, 1 - share / 2, 0.6)));
      s.angular_velocity[i] = Vec3(std::sin(i), std::cos(i), 1);
    }
    Stepper steps(s, Scheme::backward_euler, 1.0 / 60, {}, "multigrid");
    for (std::size_t i = 0; i < s.size(); ++i) steps.applied()[i] = Vec3(0, 0, -9.81 * s.mass[i]);
    for (int k = 0; k < 4; ++k) CHECK(steps.advance().converged);
    auto& out = bits[threads - 1];
    for (std::size_t i = 0; i < s.size(); ++i) {
      const auto add = [&](const auto& v) { out.insert(out.end(), v.data(), v.data() + v.size()); };
      add(s.position[i]), add(s.velocity[i]), add(s.angular_velocity[i]), add(s.orientation[i].coeffs());
    }
  }
  omp_set_num_threads(omp_get_num_procs());
  for (const int k : {1, 2}) CHECK(std::memcmp(bits[0].data(), bits[k].data(), bits[0].size() * sizeof(double)) == 0);
}
