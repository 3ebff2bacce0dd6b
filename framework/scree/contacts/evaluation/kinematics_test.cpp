#include "scree/contacts/evaluation/kinematics.hpp"

#include <limits>
#include <random>

#include "catch.hpp"

using namespace scree;
using namespace scree::detail;

namespace {

constexpr std::size_t kContacts = 11;  // not a multiple of four

/// Pairs of bodies that touch on the line of their centres, in any motion, with any force and couple between them.
struct CentralContacts {
  std::vector<BodyRow> bodies;
  std::vector<Pair> pairs;
  ContactBuffer contacts;
  std::vector<double> columns = std::vector<double>(12 * (kContacts + 8));

  CentralContacts() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.5, 1.5);
    const auto vector = [&] { return Vec3(any(random), any(random), any(random)); };
    const ContactBuffer::Rows to = contacts.extend(kContacts);
    for (std::uint32_t k = 0; k < kContacts; ++k) {
      const Vec3 x = vector(), n = vector().normalized();
      to.arm_a[k] = positive(random), to.arm_b[k] = positive(random);
      const Vec3 point = x + to.arm_a[k] * n;
      bodies.push_back({x, positive(random), vector(), positive(random), vector(), 2 * k, Quat::Identity()});
      bodies.push_back({point + to.arm_b[k] * n, positive(random), vector(), positive(random), vector(), 2 * k + 1,
                        Quat::Identity()});
      pairs.push_back({2 * k, 2 * k + 1});
      to.pair[k] = k;
      for (int axis = 0; axis < 3; ++axis) to.normal[axis][k] = n[axis], to.point[axis][k] = point[axis];
    }
    for (double& value : columns) value = any(random);
  }

  VectorColumns column(std::size_t first) {
    const auto at = [&](std::size_t k) { return columns.data() + (first + k) * (kContacts + 8); };
    return {{at(0), at(1), at(2)}};
  }
  ContactBlock block(bool central) const {
    return {{bodies.size(), bodies.data(), nullptr, nullptr}, pairs, contacts, 0, kContacts, central, false};
  }
};

}  // namespace

TEST_CASE("central contacts move and pull by their arms as by their points") {
  CentralContacts all;
  const VectorColumns by_point = all.column(0), by_arms = all.column(3);
  relative_motion(all.block(false), {by_point}, 0, nullptr);
  relative_motion(all.block(true), {by_arms}, 0, nullptr);
  for (std::size_t k = 0; k < kContacts; ++k) {
    const BodyRow &a = all.bodies[2 * k], &b = all.bodies[2 * k + 1];
    const Vec3 point = all.contacts.point_at(k);
    const Vec3 expected = b.velocity + b.angular_velocity.cross(point - b.position) - a.velocity -
                          a.angular_velocity.cross(point - a.position);
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(by_point.axis[axis][k] == Approx(expected[axis]).margin(1e-14));
      CHECK(by_arms.axis[axis][k] == Approx(expected[axis]).margin(1e-14));
    }
  }

  const VectorColumns force = all.column(6), moment = all.column(9);
  std::vector<WrenchSlot> of_points(all.bodies.size()), of_arms(all.bodies.size());
  add_forces(all.block(false), force, moment, nullptr, of_points.data());
  add_forces(all.block(true), force, moment, nullptr, of_arms.data());
  for (std::size_t i = 0; i < all.bodies.size(); ++i) {
    const std::size_t k = i / 2;
    const double side = i % 2 == 0 ? -1 : 1;
    const auto of_contact = [&](const VectorColumns& v) -> Vec3 { return {v.axis[0][k], v.axis[1][k], v.axis[2][k]}; };
    const Vec3 f = side * of_contact(force);
    const Vec3 torque = (all.contacts.point_at(k) - all.bodies[i].position).cross(f) + side * of_contact(moment);
    for (int axis = 0; axis < 3; ++axis) {
      CHECK(of_points[i].force[axis] == f[axis]);
      CHECK(of_arms[i].force[axis] == f[axis]);
      CHECK(of_points[i].torque[axis] == Approx(torque[axis]).margin(1e-14));
      CHECK(of_arms[i].torque[axis] == Approx(torque[axis]).margin(1e-14));
    }
  }
}

namespace {

/// Two bodies that touch, at the moment of their velocities. Walls without bound have an infinite radius.
struct Touching {
  Vec3 centre[2], velocity[2], spin[2];
  double radius[2];

  Vec3 slip(const Vec3& point) const {
    return velocity[1] + spin[1].cross(point - centre[1]) - velocity[0] - spin[0].cross(point - centre[0]);
  }
};

/// Returns the result of relative_motion() for a contact whose bodies have moved on for `lag`.
struct Seen {
  Vec3 velocity, spin, turn;
};
Seen seen(const Touching& t, const Vec3& point, const Vec3& normal, double lag, bool central, double curvature = 0) {
  std::vector<BodyRow> bodies;
  for (int k = 0; k < 2; ++k)
    bodies.push_back({t.centre[k] + lag * t.velocity[k], t.radius[k], t.velocity[k], 1, t.spin[k], static_cast<Id>(k),
                      Quat::Identity()});
  const std::vector<Pair> pairs = {{0, 1}};
  ContactBuffer contacts;
  const ContactBuffer::Rows to = contacts.extend(1);
  to.pair[0] = 0, to.overlap[0] = 0, to.radius[0] = curvature;
  for (int axis = 0; axis < 3; ++axis) to.normal[axis][0] = normal[axis], to.point[axis][0] = point[axis];
  if (central) {
    to.arm_a[0] = (point - bodies[0].position).dot(normal);
    to.arm_b[0] = (bodies[1].position - point).dot(normal);
  }
  std::vector<double> memory(9 * 8);
  const auto column = [&](std::size_t k) {
    return VectorColumns{{&memory[24 * k], &memory[24 * k + 8], &memory[24 * k + 16]}};
  };
  const ContactBlock block({2, bodies.data(), nullptr, nullptr}, pairs, contacts, 0, 1, central, curvature != 0);
  relative_motion(block, {column(0), column(1), column(2)}, lag, nullptr);
  const auto at = [&](std::size_t k) { return Vec3(memory[24 * k], memory[24 * k + 8], memory[24 * k + 16]); };
  return {at(0), at(1), at(2)};
}

const Vec3 kTilted = Vec3(2, -1, 2) / 3;

/// Error at a lag of 1e-3 s, over that at half of it.
template <class Error>
double gain(const Error& error) {
  return error(1e-3) / error(5e-4);
}

}  // namespace

TEST_CASE("two balls: velocities half a step old are those of the normal and the arms of that moment, turned since") {
  const double ra = 2, rb = 0.3;
  Touching t{{Vec3(1, 2, 3), Vec3(1, 2, 3) + (ra + rb) * kTilted},
             {{0.5, -2, 1}, {3, 1, -4}},
             {{4, 1, -2}, {-30, 20, 50}},
             {ra, rb}};
  const Vec3 then = t.slip(t.centre[0] + ra * kTilted);
  for (const bool central : {true, false}) {
    const auto error = [&](double lag) {
      const Vec3 a = t.centre[0] + lag * t.velocity[0], b = t.centre[1] + lag * t.velocity[1];
      const Vec3 n = (b - a).normalized();
      const double share = ra / (ra + rb) * (b - a).norm();
      const Seen now = seen(t, a + share * n, n, lag, central);
      // The shortest turn between the normals, and about the normal with the mean spin.
      const double twist = lag * (t.spin[0] + t.spin[1]).dot(kTilted) / 2;
      const Vec3 across = kTilted.cross(n);
      const Quat turn = Eigen::AngleAxisd(twist, n) * Eigen::AngleAxisd(std::asin(across.norm()), across.normalized());
      CHECK((now.velocity - turn * then).norm() < 10 * lag);
      return (now.velocity - turn * then).norm() + (now.spin - turn * (t.spin[1] - t.spin[0])).norm();
    };
    CHECK(gain(error) == Approx(4).epsilon(0.03));  // the next order in lag
  }
}

TEST_CASE("the contact's frame turns with the line of centres, and about it with the mean spin") {
  const Touching t{{Vec3::Zero(), 3 * kTilted}, {{0.5, -2, 1}, {3, 1, -4}}, {{4, 1, -2}, {-3, 2, 5}}, {2, 1}};
  const Vec3 moved = t.velocity[1] - t.velocity[0];
  const Vec3 expected = kTilted.cross(moved) / 3 + (t.spin[0] + t.spin[1]).dot(kTilted) / 2 * kTilted;
  for (const bool central : {true, false})
    CHECK((seen(t, 2 * kTilted, kTilted, 0, central).turn - expected).norm() < 1e-14);
}

TEST_CASE("two bodies that turn as one do not slip, wherever they touch and however they curve there") {
  const Vec3 spin(7, -20, 10), point(0.3, -0.4, 0.5);
  const Touching t{{Vec3(1, 2, 3), Vec3(-1, 0, 2)},
                   {Vec3(1, 1, 1) + spin.cross(Vec3(1, 2, 3)), Vec3(1, 1, 1) + spin.cross(Vec3(-1, 0, 2))},
                   {spin, spin},
                   {5, 0.1}};
  const double lag = 1e-3;
  const Mat3 turn = Eigen::AngleAxisd(lag * spin.norm(), spin.normalized()).toRotationMatrix();
  for (const double curvature : {0.0, 0.02}) {
    const Vec3 now = t.centre[0] + lag * t.velocity[0] + turn * (point - t.centre[0]);
    const Seen pair = seen(t, now, turn * kTilted, lag, false, curvature);
    CHECK((pair.turn - spin).norm() < 1e-12);
    CHECK(pair.velocity.norm() < 1e-12);  // rounding; with the arms of now 1 m/s
  }
}

TEST_CASE("a ball that rolls and spins on a floor, a ball or in a hollow does not slip") {
  const double radius = 0.3, flat = std::numeric_limits<double>::infinity();
  const Vec3 spin(-30, 20, 50), n = kTilted;  // from the wall to the ball
  struct Wall {
    double radius, bound;
  };
  for (const Wall& wall : {Wall{flat, flat}, Wall{2, 2}, Wall{-0.5, flat}}) {
    Touching t{{Vec3::Zero(), Vec3::Zero()},
               {Vec3::Zero(), spin.cross(radius * n)},
               {Vec3::Zero(), spin},
               {wall.bound, radius}};
    const bool round = wall.radius != flat;
    const Vec3 origin = round ? Vec3(-wall.radius * n) : Vec3(Vec3::Zero());  // the contact, then, is at zero
    t.centre[0] = origin;
    t.centre[1] = radius * n;
    REQUIRE(t.slip(Vec3::Zero()).norm() < 1e-14);
    const auto error = [&](double lag) {
      const Vec3 ball = t.centre[1] + lag * t.velocity[1];
      const Vec3 normal = round ? Vec3((wall.radius > 0 ? 1 : -1) * (ball - origin).normalized()) : n;
      const double reduced = round ? 1 / (1 / wall.radius + 1 / radius) : radius;
      return seen(t, ball - radius * normal, normal, lag, false, reduced).velocity.norm();
    };
    CHECK(error(1e-3) < 0.1 * spin.squaredNorm() * radius * 1e-3);  // what it is without
    if (round) CHECK(gain(error) > 3.8);
  }
}
