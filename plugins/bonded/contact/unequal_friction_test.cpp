// Friction and rolling resistance of bodies whose principal moments differ.

#include "catch.hpp"
#include "contact/friction.hpp"
#include "solvers/newton/rotation_inertia.hpp"
#include "use_solvers.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// Two bodies that meet off their centres' line.
struct Meeting {
  double mass_a = 1, mass_b = 3;
  Vec3 moments_a{0.004, 0.004, 0.0005}, moments_b{0.01, 0.02, 0.028};
  Quat q_a = Quat(0.8, 0.1, -0.5, 0.3).normalized(), q_b = Quat(0.2, 0.7, 0.4, -0.3).normalized();
  Vec3 at_a{0.3, -0.2, 0.5}, arm_a{0.08, 0.05, -0.03}, arm_b{-0.02, 0.09, 0.06}, at_b = at_a + arm_a - arm_b;
  Vec3 normal = Vec3(1, 2, -1).normalized();
  SlidingSolid<double> a{Vec3(1, 0.5, -0.3), Vec3(3, -2, 5), 1 / mass_a,
                         in_world_axes<double>(moments_a.cwiseInverse(), q_a)};
  SlidingSolid<double> b{Vec3(-0.4, 0.1, 0.2), Vec3(-1, 4, 2), 1 / mass_b,
                         in_world_axes<double>(moments_b.cwiseInverse(), q_b)};

  Vec3 spin_a() const { return times_principal<double>(moments_a, q_a, a.angular_velocity); }
  Vec3 spin_b() const { return times_principal<double>(moments_b, q_b, b.angular_velocity); }
  Vec3 linear() const { return mass_a * a.velocity + mass_b * b.velocity; }
  Vec3 angular() const {
    return mass_a * at_a.cross(a.velocity) + mass_b * at_b.cross(b.velocity) + spin_a() + spin_b();
  }
  double energy() const {
    return 0.5 * (mass_a * a.velocity.squaredNorm() + mass_b * b.velocity.squaredNorm() +
                  spin_a().dot(a.angular_velocity) + spin_b().dot(b.angular_velocity));
  }
  Vec3 sliding() const {
    const Vec3 u = a.velocity + a.angular_velocity.cross(arm_a) - b.velocity - b.angular_velocity.cross(arm_b);
    return u - u.dot(normal) * normal;
  }
};

}  // namespace

TEST_CASE(
    "friction of bodies with unequal moments keeps both momenta, loses energy, and opposes what sliding is left") {
  const double friction = 0.4;
  bool stuck = false, slid = false;
  for (const double push : {0.01, 0.1, 0.3, 1.0, 10.0}) {
    Meeting m;
    const Vec3 p = m.linear(), l = m.angular();
    const double e = m.energy();
    const Vec3 impulse = rub<double>(m.a, m.b, m.normal, m.arm_a, m.arm_b, friction, push);
    CHECK(std::abs(impulse.dot(m.normal)) < 1e-14 * impulse.norm());
    CHECK(impulse.norm() <= friction * push * (1 + 1e-12));
    CHECK((m.linear() - p).norm() < 1e-12 * p.norm());
    CHECK((m.angular() - l).norm() < 1e-12 * l.norm());
    CHECK(m.energy() < e);
    if (impulse.norm() < friction * push * (1 - 1e-9)) {
      stuck = true;
      CHECK(m.sliding().norm() < 1e-12);
    } else {
      slid = true;
      CHECK((m.sliding().normalized() + impulse.normalized()).norm() < 1e-9);
    }
    Meeting other;
    resist_rolling<double>(other.a, other.b, 0.05, 0.2, push);
    CHECK((other.angular() - l).norm() < 1e-12 * l.norm());
    CHECK(other.energy() < e);
  }
  CHECK(stuck);
  CHECK(slid);
}

TEST_CASE("given equal moments and arms along the normal, friction of any moments is that of spheres") {
  for (const double push : {0.02, 0.2, 20.0}) {
    const Vec3 n = Vec3(1, 2, -1).normalized();
    const double ia = 0.004, ib = 0.027;
    SlidingBody<double> a{Vec3(1, 0.5, -0.3), Vec3(3, -2, 5), 1, 1 / ia};
    SlidingBody<double> b{Vec3(-0.4, 0.1, 0.2), Vec3(-1, 4, 2), 1 / 3.0, 1 / ib};
    SlidingSolid<double> solid_a{a.velocity, a.angular_velocity, a.inverse_mass, Mat3::Identity() / ia};
    SlidingSolid<double> solid_b{b.velocity, b.angular_velocity, b.inverse_mass, Mat3::Identity() / ib};
    const Vec3 impulse = rub<double>(a, b, n, Arms<double>{0.1, 0.15}, 0.4, push);
    const Vec3 of_solids = rub<double>(solid_a, solid_b, n, Vec3(0.1 * n), Vec3(-0.15 * n), 0.4, push);
    CHECK((impulse - of_solids).norm() < 1e-12 * impulse.norm());
    resist_rolling<double>(a, b, 0.1, 0.1, push);
    resist_rolling<double>(solid_a, solid_b, 0.1, 0.1, push);
    CHECK((a.angular_velocity - solid_a.angular_velocity).norm() < 1e-12);
    CHECK((b.angular_velocity - solid_b.angular_velocity).norm() < 1e-12);
  }
}

TEST_CASE("the impulse that slows most is the best of all that are allowed") {
  const Quat q = Quat(0.8, 0.1, -0.5, 0.3).normalized();
  for (const Vec3& values : {Vec3(1, 2, 3), Vec3(1, 1, 200), Vec3(0.01, 5, 5)})
    for (const double most : {1e-6, 0.1, 1.0, 1e3}) {
      const Mat3 mobility = in_world_axes<double>(values, q);
      const Vec3 rate(0.3, -0.7, 0.4);
      const auto energy = [&](const Vec3& x) { return 0.5 * x.dot(mobility * x) + rate.dot(x); };
      const Vec3 best = most_slowing<double>(mobility, rate, most);
      CHECK(best.norm() <= most * (1 + 1e-12));
      for (int k = 0; k < 2000; ++k) {
        const double t = static_cast<double>(k);
        const Vec3 x =
            most * (k % 4 + 1) / 4 * Vec3(std::sin(t), std::cos(1.7 * t), std::sin(2.3 * t + 1)).normalized();
        CHECK(energy(best) <= energy(x) + 1e-12 * std::abs(energy(best)));
      }
    }
  CHECK(most_slowing<double>(Mat3::Identity(), Vec3(1, 0, 0), 0.0).norm() == 0);
  CHECK(most_slowing<double>(Mat3::Identity(), Vec3::Zero(), 1.0).norm() == 0);
}
