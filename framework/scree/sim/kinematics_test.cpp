#include "scree/sim/detail/kinematics.hpp"

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
    return {{bodies.size(), bodies.data(), nullptr, nullptr}, pairs, contacts, 0, kContacts, central};
  }
};

}  // namespace

TEST_CASE("central contacts move and pull by their arms as by their points") {
  CentralContacts all;
  const VectorColumns by_point = all.column(0), by_arms = all.column(3);
  relative_motion(all.block(false), {by_point});
  relative_motion(all.block(true), {by_arms});
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
