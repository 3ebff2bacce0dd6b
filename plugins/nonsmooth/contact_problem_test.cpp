// From contacts to the friction problem of a step, and back.

#include "contact_problem.hpp"

#include <random>

#include "catch.hpp"

using namespace scree;
using namespace scree::nonsmooth;

namespace {

/// Approaching at 2 m/s along x, at a gap.
ConeContact contact(double gap, double restitution) {
  ConeContact c{};
  c.normal = Vec3::UnitX();
  c.gap = gap;
  c.velocity = {-2, 1, 0};
  c.restitution = restitution;
  return c;
}

constexpr double kDt = 0.1;
constexpr DriftControl kDrift{0.25, 0};

}  // namespace

TEST_CASE("frames are orthonormal and right-handed, the normal first") {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  std::vector<Vec3> directions = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()};
  for (int i = 0; i < 1000; ++i)
    directions.push_back(Vec3(normal(engine), normal(engine), normal(engine)).normalized());
  for (const Vec3& n : directions) {
    const coulomb::Mat<3> frame = contact_frame<3>(n);
    CHECK(frame.row(0).transpose() == n);
    CHECK((frame * frame.transpose() - Mat3::Identity()).norm() < 1e-15 * 8);
    CHECK(frame.determinant() == Approx(1));
    const Vec3 m = Vec3(n.x(), n.y(), 0).normalized();
    if (m.isZero()) continue;
    CHECK(contact_frame<2>(m).determinant() == Approx(1));
    CHECK(contact_frame<2>(m).row(0).transpose() == m.head<2>());
  }
}

TEST_CASE("a gap may close and no more, an overlap goes bit by bit") {
  const NormalBound gap = normal_bound(contact(0.3, 0), kDrift, kDt);
  CHECK(gap.velocity == Approx(-3));
  CHECK(gap.drift == 0);
  const NormalBound overlap = normal_bound(contact(-0.02, 0), kDrift, kDt);
  CHECK(overlap.velocity == Approx(0.25 * 0.02 / kDt));
  CHECK(overlap.drift == overlap.velocity);
}

TEST_CASE("gaps and overlaps up to the slop neither close nor open, larger ones do so in full") {
  const DriftControl slop{0.25, 0.01};
  for (const double gap : {0.01, 0.003, 0.0, -0.003, -0.01}) {
    CHECK(normal_bound(contact(gap, 0), slop, kDt).velocity == 0);
    CHECK(normal_bound(contact(gap, 0), slop, kDt).drift == 0);
  }
  CHECK(normal_bound(contact(0.011, 0), slop, kDt).velocity == Approx(-0.11));
  CHECK(normal_bound(contact(-0.011, 0), slop, kDt).drift == Approx(0.25 * 0.11));
  CHECK(normal_bound(contact(0.003, 0.3), slop, kDt).velocity == Approx(0.6));  // an impact rebounds all the same
}

TEST_CASE("an impact that falls into the step rebounds, one that does not waits") {
  // At 2 m/s a gap of 0.2 m closes in 0.1 s.
  CHECK(normal_bound(contact(0.19, 0.3), kDrift, kDt).velocity == Approx(0.6));
  CHECK(normal_bound(contact(0.19, 0.8), kDrift, kDt).velocity == Approx(1.6));
  CHECK(normal_bound(contact(0.21, 0.3), kDrift, kDt).velocity == Approx(-2.1));
  // Of rebound and drift control the larger one holds, and only the work of the latter is booked.
  const NormalBound fast = normal_bound(contact(-0.02, 0.3), kDrift, kDt);
  CHECK(fast.velocity == Approx(0.6));
  CHECK(fast.drift == 0);
  ConeContact slow = contact(-0.02, 0.3);
  slow.velocity = {-1e-3, 0, 0};
  CHECK(normal_bound(slow, kDrift, kDt).drift == Approx(0.05));
  slow.velocity = {1, 0, 0};  // parts
  CHECK(normal_bound(slow, kDrift, kDt).velocity == Approx(0.05));
}

TEST_CASE("velocities of the problem are those of the bodies' motion, and impulses come back in world axes") {
  std::mt19937 engine(2);
  std::normal_distribution<double> normal;
  const auto random = [&] { return Vec3(normal(engine), normal(engine), normal(engine)); };
  World world(3);
  world.tables()[0]->reset_rows(3);
  world.rows_filled();
  for (std::size_t i = 0; i < 3; ++i) {
    world.inverse_mass.write()[i] = i == 2 ? 0 : 1 + double(i);
    world.inverse_inertia.write()[i] = i == 2 ? Vec3(Vec3::Zero()) : Vec3(1, 2, 3);
    world.orientation.write()[i] = Quat(Eigen::AngleAxisd(normal(engine), random().normalized()));
    world.velocity.write()[i] = random();
    world.angular_velocity.write()[i] = random();
  }
  std::vector<ConeContact> contacts(2);
  for (std::size_t i = 0; i < 2; ++i) {
    ConeContact& c = contacts[i];
    c.a = static_cast<std::uint32_t>(i);
    c.b = static_cast<std::uint32_t>(i + 1);
    c.normal = random().normalized();
    c.arm_a = random(), c.arm_b = random();
    c.impulse = random();
    c.friction = 0.5;
    const auto at = [&](std::uint32_t row, const Vec3& arm) {
      return Vec3(world.velocity.read()[row] + world.angular_velocity.read()[row].cross(arm));
    };
    c.imposed = i == 1 ? at(2, c.arm_b) : Vec3(Vec3::Zero());
    c.velocity = at(c.b, c.arm_b) - at(c.a, c.arm_a);
  }
  const std::vector<Vec3> force = {random(), random(), random()}, torque = {random(), random(), random()};
  const double dt = 1e-9;  // so that velocities are those of now
  StepProblem<3> step;
  set_up<3>(world, contacts, {force, torque}, {}, dt, step);
  for (std::size_t i = 0; i < 2; ++i) {
    const coulomb::RigidContact<3>& c = step.problem.contacts[i];
    Vec3 u = c.w;
    const auto& bodies = step.problem.bodies;
    u -= c.frame * (bodies[c.a].velocity + bodies[c.a].spin.cross(c.arm_a));
    if (c.b != coulomb::kImmovable) u += c.frame * (bodies[c.b].velocity + bodies[c.b].spin.cross(c.arm_b));
    CHECK(u.isApprox(c.frame * contacts[i].velocity, 1e-7));
  }
  CHECK(step.problem.contacts[1].b == coulomb::kImmovable);
  std::vector<Vec3> back(2);
  to_world<3>(step, back);
  for (std::size_t i = 0; i < 2; ++i) CHECK(back[i].isApprox(contacts[i].impulse, 1e-14));
  // M^-1 is that of the turned body.
  const Vec3 axis = world.orientation.read()[1] * Vec3::UnitY();
  CHECK((step.problem.bodies[1].inverse_inertia * axis).isApprox(2 * axis));
}

TEST_CASE("what brings the points of a joint together works twice the energy that bodies at rest gain by it") {
  // Two bodies at rest whose points are 0.3 m apart along an askew line, and meet within one step.
  const double mass_a = 2, mass_b = 3, reduced = 1 / (1 / mass_a + 1 / mass_b);
  const coulomb::Vec<3> apart = coulomb::Vec<3>(0.1, -0.2, 0.2);
  StepProblem<3> step;
  step.problem.contacts.resize(1);
  step.problem.contacts[0].w = apart / kDt;                // u + w = 0 at the end
  const coulomb::Vec<3> impulse = -reduced * apart / kDt;  // on b
  step.impulses = {impulse};
  const double gained = impulse.squaredNorm() / 2 * (1 / mass_a + 1 / mass_b);
  CHECK(drift_work<3>(step) == Approx(2 * gained).epsilon(1e-14));  // r (u_before + u_after)/2 is the gain
}
