// Tests of the bond alone: two bodies, pulled apart by a millimetre.

#include "@name@.hpp"
#include "expect.hpp"

using scree::Quat;
using scree::Vec3;

int main() {
  const std::uint32_t a = 0, b = 1;
  const double section = 1e-6;
  const Vec3 branch(0.01, 0, 0), position[2] = {Vec3::Zero(), Vec3(0.011, 0, 0)};
  const Quat turn[2] = {Quat::Identity(), Quat::Identity()};
  @name@::Bond law(1000, 2);
  law.bind({{&a, 1}, {&b, 1}, {&section, 1}, {&branch, 1}, {turn, 1}, {turn, 1}}, 2);
  const scree::Configuration x{position, turn};
  scree::Wrench wrench[2] = {{Vec3::Zero(), Vec3::Zero()}, {Vec3::Zero(), Vec3::Zero()}};
  law.add_wrenches(x, wrench);
  double load;
  law.utilisation(x, {&load, 1});
  expect("force on a [N]", wrench[0].force.x(), 1);
  expect("force on b [N]", wrench[1].force.x(), -1);
  expect("energy [J]", law.energy(x), 0.5 * 1000 * 1e-6);
  expect("utilisation", load, 0.5);
  return failures;
}
