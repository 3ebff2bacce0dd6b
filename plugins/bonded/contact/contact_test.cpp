#include "catch.hpp"

#include <Eigen/Eigenvalues>

#include "contact/friction.hpp"
#include "contact/pair_terms.hpp"
#include "incremental/bond_term.hpp"
#include "measure/specimen.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// A bond along x and its stress when b is moved and turned.
struct OneBond {
  double young = 1e7, shear = 4e6, area = 2e-3, length = 0.1;
  Stiffness<double> k = beam_stiffness(young, shear, area, length);

  SectionForces<double> forces(const Vec3& move, const Vec3& turn_a, const Vec3& turn_b) const {
    const auto versor = [](const Vec3& turn) {
      const Quat q = exponential<double>(turn);
      return Versor<double>{q.w(), q.vec()};
    };
    return section_forces(deformation<double>(Vec3(length, 0, 0) + move, versor(turn_a), versor(turn_b), Vec3::UnitX()),
                          k, length);
  }
};

double off(double got, double want) { return std::abs(got / want - 1); }

}  // namespace

TEST_CASE("T16: stress of one bond under tension, shear, bending and twist is that of the round beam") {
  const OneBond bond;
  const double r = std::sqrt(bond.area / std::numbers::pi), i = std::numbers::pi * std::pow(r, 4) / 4, j = 2 * i;
  const double extension = 1e-3, angle = 0.02, chord = 2 * std::sin(angle / 2);

  const auto pulled = section_stress(bond.forces(Vec3(extension, 0, 0), Vec3::Zero(), Vec3::Zero()), bond.area);
  CHECK(off(pulled.tension, bond.young * extension / bond.length) < 1e-10);
  CHECK(pulled.shear == 0);

  // Both bodies turn alike while the branch stays: pure shear by the angle.
  const auto sheared = section_stress(bond.forces(Vec3::Zero(), Vec3(0, angle, 0), Vec3(0, angle, 0)), bond.area);
  CHECK(off(sheared.shear, bond.shear * angle) < 1e-10);
  CHECK(sheared.tension == 0);

  // Opposite turns by half the angle each: pure bending, the moment that of the chord.
  const auto bent = section_stress(bond.forces(Vec3::Zero(), Vec3(0, 0, angle / 2), Vec3(0, 0, -angle / 2)), bond.area);
  CHECK(off(bent.tension, bond.young * i * chord / bond.length * r / i) < 1e-10);
  CHECK(std::abs(bent.shear) < 1e-10 * bent.tension);

  const auto twisted =
      section_stress(bond.forces(Vec3::Zero(), Vec3(angle / 2, 0, 0), Vec3(-angle / 2, 0, 0)), bond.area);
  CHECK(off(twisted.shear, bond.shear * j * chord / bond.length * r / j) < 1e-10);
  CHECK(std::abs(twisted.tension) < 1e-10 * twisted.shear);

  const auto both =
      section_stress(bond.forces(Vec3(extension, 0, 0), Vec3(0, angle / 2, 0), Vec3(0, -angle / 2, 0)), bond.area);
  CHECK(off(both.tension, pulled.tension + bent.tension) < 1e-10);
}

TEST_CASE("T16: a bond breaks exactly at its strength, by tension and not by compression") {
  const OneBond bond;
  const double extension = 1e-3, strength = bond.young * extension / bond.length;
  const auto use = [&](double x, FractureForm form) {
    return utilisation(section_stress(bond.forces(Vec3(x, 0, 0), Vec3::Zero(), Vec3::Zero()), bond.area, form),
                       {strength, strength});
  };
  CHECK(use(extension * (1 + 1e-10), FractureForm::corrected) > 1);
  CHECK(use(extension * (1 - 1e-10), FractureForm::corrected) < 1);
  CHECK(use(-10 * extension, FractureForm::corrected) <= 0);
  CHECK(use(-10 * extension, FractureForm::paper_exact) == Approx(10));
}

TEST_CASE("a broken bond holds nothing, and no momentum changes") {
  Specimen s = chain(4, 0.4, 0.02, 1e7, 4e6);
  for (Vec3& p : s.position) p.x() *= 1.01;
  BondTerm bonds(s.bonds(), s.size());
  const Momenta before = momenta(s);
  for (const std::size_t bond : {2u, 3u, 3u}) bonds.break_bond(bond);
  CHECK(bonds.alive() == 2);
  CHECK(momenta(s).linear == before.linear);
  std::vector<Wrench> w(s.size());
  bonds.add_wrenches(s.configuration(), w);
  CHECK(w[3].force.norm() == 0);  // between the two broken ones
  CHECK(w[1].force.norm() < 1e-9 * w[0].force.norm());
}

TEST_CASE("fracture form of the paper has half the moments") {
  const OneBond bond;
  const auto f = bond.forces(Vec3::Zero(), Vec3(0.01, 0.02, 0), Vec3::Zero());
  const auto a = section_stress(f, bond.area), b = section_stress(f, bond.area, FractureForm::paper_exact);
  const double shear = f.shear / bond.area;
  CHECK(off(a.shear - shear, 2 * (b.shear - shear)) < 1e-12);
  CHECK(off(a.tension, 2 * b.tension) < 1e-12);
}

TEST_CASE("repulsion of a pair is the slope of its energy, and its Hessian that of its gradient") {
  const double k = 1e4, reach = 0.2, h = 1e-6;
  const Vec3 e(0.05, 0.11, -0.08);
  const auto v = pair_repulsion<double>(e, k, reach, false);
  REQUIRE(v.overlap > 0);
  for (int c = 0; c < 3; ++c) {
    const auto up = pair_repulsion<double>(e + h * Vec3::Unit(c), k, reach, false);
    const auto down = pair_repulsion<double>(e - h * Vec3::Unit(c), k, reach, false);
    CHECK(std::abs((up.energy - down.energy) / (2 * h) - v.gradient[c]) < 1e-7 * v.gradient.norm());
    CHECK(((up.gradient - down.gradient) / (2 * h) - v.hessian.col(c)).norm() < 1e-7 * v.hessian.norm());
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> modes(pair_repulsion<double>(e, k, reach, true).hessian);
  CHECK(modes.eigenvalues().minCoeff() > -1e-12 * k);
  CHECK(pair_repulsion<double>(Vec3(0.3, 0, 0), k, reach, false).energy == 0);
  CHECK(contact_distance(0.1, 0.2, 0.25) == 0.25);
  CHECK(contact_distance(0.1, 0.2, 0.35) == 0.1 + 0.2);
}

TEST_CASE("T17: a sphere at rest on a plane sinks by m g/k") {
  Specimen s;
  s.add_body(Vec3(0, 0, 0.1), 2, 0.1);
  const std::vector<double> stiffness{1e5};
  const ObstacleTerm floor([](const Vec3& p) { return SignedDistance{p.z(), Vec3::UnitZ()}; }, s.radius, stiffness);
  const std::vector<Vec3> weight{Vec3(0, 0, -9.81 * s.mass[0])};
  MinimiseOptions options;
  options.tolerance = 1e-10;
  ImplicitStep step(Scheme::backward_euler, s.bodies(), s.unknowns(), {&floor}, options);
  for (int k = 0; k < 200; ++k) CHECK(step.advance(s.motion(), {}, {weight, {}}, 0.02).converged);
  CHECK(off(0.1 - s.position[0].z(), s.mass[0] * 9.81 / stiffness[0]) < 1e-6);
}

TEST_CASE("T17: a sliding sphere that cannot turn stops at v/(mu g), a free one rolls from 2 v/(7 mu g) with 5/7 v") {
  const double m = 2, r = 0.1, mu = 0.3, g = 9.81, v0 = 1, dt = 1e-4;
  const SlidingBody<double> ground{Vec3::Zero(), Vec3::Zero(), 0, 0};
  for (const bool locked : {true, false}) {
    SlidingBody<double> ball{Vec3(v0, 0, 0), Vec3::Zero(), 1 / m, locked ? 0 : 1 / (0.4 * m * r * r)};
    const double end = locked ? v0 / (mu * g) : 2 * v0 / (7 * mu * g);
    double settled = -1;
    for (int k = 0; k < static_cast<int>(2 * end / dt); ++k) {
      auto below = ground;
      rub<double>(ball, below, Vec3(0, 0, -1), {r, 0}, mu, m * g * dt);
      const double slip = (ball.velocity + ball.angular_velocity.cross(Vec3(0, 0, -r))).norm();
      if (settled < 0 && slip < 1e-9) settled = (k + 1) * dt;
    }
    CHECK(off(settled, end) < 0.01);
    CHECK(std::abs(ball.velocity.x() - (locked ? 0 : 5.0 / 7 * v0)) < 1e-9);
  }
}

TEST_CASE("rolling resistance stops a spin in I w/(mu F r) and reverses nothing") {
  const double inertia = 0.008, r = 0.1, mu = 0.05, force = 20, w0 = 3, dt = 1e-4;
  SlidingBody<double> ball{Vec3::Zero(), Vec3(0, w0, 0), 0, 1 / inertia};
  const double end = inertia * w0 / (mu * force * r);
  double stopped = -1;
  for (int k = 0; k < static_cast<int>(2 * end / dt); ++k) {
    SlidingBody<double> ground{Vec3::Zero(), Vec3::Zero(), 0, 0};
    resist_rolling<double>(ball, ground, r, mu, force * dt);
    if (stopped < 0 && ball.angular_velocity.norm() < 1e-9) stopped = (k + 1) * dt;
  }
  CHECK(off(stopped, end) < 0.01);
  CHECK(ball.angular_velocity.norm() < 1e-12);
}

TEST_CASE("T18: friction between two spheres keeps linear and angular momentum") {
  const double ma = 1, mb = 3, ra = 0.1, rb = 0.15, ia = 0.4 * ma * ra * ra, ib = 0.4 * mb * rb * rb;
  const Vec3 pa(0.3, -0.2, 0.5), n = Vec3(1, 2, -1).normalized();
  const double apart = 0.22;  // overlapping by 0.03
  const Vec3 pb = pa + apart * n;
  for (const double push : {0.01, 10.0}) {
    SlidingBody<double> a{Vec3(1, 0.5, -0.3), Vec3(3, -2, 5), 1 / ma, 1 / ia};
    SlidingBody<double> b{Vec3(-0.4, 0.1, 0.2), Vec3(-1, 4, 2), 1 / mb, 1 / ib};
    const auto linear = [&] { return Vec3(ma * a.velocity + mb * b.velocity); };
    const auto angular = [&] {
      return Vec3(ma * pa.cross(a.velocity) + mb * pb.cross(b.velocity) + ia * a.angular_velocity +
                  ib * b.angular_velocity);
    };
    const Vec3 p = linear(), l = angular();
    const auto arm = meeting_arms(apart, ra, rb);
    const Vec3 impulse = rub<double>(a, b, n, arm, 0.4, push);
    resist_rolling<double>(a, b, ra, 0.1, push);
    CHECK(impulse.norm() <= 0.4 * push * (1 + 1e-12));
    CHECK((linear() - p).norm() < 1e-12 * p.norm());
    CHECK((angular() - l).norm() < 1e-12 * l.norm());
  }
  // A large push stops the sliding of the contact point but for what turning leaves: u_t changes by -u_t m_t^-1 J.
  SlidingBody<double> a{Vec3(1, 0.5, -0.3), Vec3(3, -2, 5), 1 / ma, 1 / ia};
  SlidingBody<double> b{Vec3(-0.4, 0.1, 0.2), Vec3(-1, 4, 2), 1 / mb, 1 / ib};
  const auto arm = meeting_arms(apart, ra, rb);
  rub<double>(a, b, n, arm, 0.4, 1e3);
  const Vec3 u = a.velocity - b.velocity + (arm.a * a.angular_velocity + arm.b * b.angular_velocity).cross(n);
  CHECK((u - u.dot(n) * n).norm() < 1e-12);
}

TEST_CASE("colliding bonded pairs keep their momentum through implicit steps") {
  Specimen s;
  s.add_body(Vec3(0, 0, 0), 1, 0.1);
  s.add_body(Vec3(0, 0.19, 0), 1, 0.1);
  s.add_body(Vec3(0.3, 0.05, 0.02), 2, 0.1);
  s.add_body(Vec3(0.49, 0.05, 0.02), 2, 0.1);
  s.add_bond(0, 1, 1e7, 4e6, 1e-3);
  s.add_bond(2, 3, 1e7, 4e6, 1e-3);
  s.velocity[0] = s.velocity[1] = Vec3(2, 0, 0);
  const PairContactTerm contacts({{0, 2, 1e6, 0.2}, {1, 2, 1e6, 0.2}, {0, 3, 1e6, 0.2}, {1, 3, 1e6, 0.2}}, s.size());
  const Momenta before = momenta(s);
  MinimiseOptions options;
  options.tolerance = 1e-10;
  Stepper steps(s, Scheme::midpoint, 1e-3, options, "direct", {&contacts});
  for (int k = 0; k < 150; ++k) steps.advance();
  const Momenta after = momenta(s);
  CHECK(s.velocity[2].x() > 0.1);
  CHECK((after.linear - before.linear).norm() < 1e-9);
  CHECK((after.angular - before.angular).norm() < 1e-9);
}
