/// \file Stress, fabric and coordination of fields against closed forms, brute force and the region meter.

#include <numbers>

#include "catch.hpp"
#include "fields_scenes.hpp"
#include "lucy.hpp"
#include "region_stress.hpp"
#include "verify.hpp"

namespace scree::fields {

namespace {

using scree::test::verify;
using test::Gas;
using test::grid_of;
using test::Moment;

/// Sum of a tensor field over the grid, times the volume of a cell.
Mat3 integral(const Moment& m, const std::string& name) {
  const auto value = m.field(name);
  Mat3 sum = Mat3::Zero();
  for (std::size_t k = 0; k < value.size(); ++k)
    sum(static_cast<int>(k % 9 / 3), static_cast<int>(k % 3)) += value[k] * m.grid.cell_volume();
  return sum;
}

/// Stress of the velocity field about the mean velocity, times the volume.
Mat3 of_mean_motion(const Moment& m) {
  const auto u = m.field("velocity"), rho = m.field("density");
  const Vec3 mean = m.totals(kMomentum) / m.total(kMass);
  Mat3 sum = Mat3::Zero();
  for (std::size_t k = 0; k < rho.size(); ++k) {
    const Vec3 v = Vec3(u[3 * k], u[3 * k + 1], u[3 * k + 2]) - mean;
    sum += rho[k] * m.grid.cell_volume() * v * v.transpose();
  }
  return sum;
}

/// A cubic crystal of touching spheres pressed by one per cent, and its contacts.
struct Crystal {
  World world{3};
  ContactView contacts;
  Mat3 virial = Mat3::Zero();
  Crystal() {
    world.add_shape("ball", std::make_shared<meters::Sphere>(3, 0.5));
    world.add_material({"m", 1});
    world.group_names = {"all"};
    const double cube = 0.99 * std::sqrt(2.0);
    world.cell = PeriodicCell(Vec3::Zero(), Vec3::Constant(3 * cube));
    std::vector<BodySpec> all;
    for (int k = 0; k < 27; ++k)
      for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0.5, 0, 0.5), Vec3(0, 0.5, 0.5)}) {
        all.emplace_back();
        all.back().position = cube * (at + Vec3(k % 3 + 0.25, k / 3 % 3 + 0.25, k / 9 + 0.25));
      }
    world.add(all);
    for (Id a = 0; a < 108; ++a)
      for (Id b = 0; b < 108; ++b)
        for (int n = 0; n < 27; ++n) {
          const Image image(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
          const Vec3 l = world.position[b] + world.cell.shift(image) - world.position[a];
          if (l.norm() > 1 || a > b || (a == b && packed(image) <= 0)) continue;
          const Vec3 normal = l.normalized(), force = 1000 * (1 - l.norm()) * normal;
          contacts.push_back({a, b, packed(image), 0, 1 - l.norm(), normal, world.position[a] + 0.5 * l, force});
          virial += force * l.transpose();
        }
  }
};

}  // namespace

TEST_CASE("the stress of fields, summed over a cell, is that of contacts and of motion to 1e-12") {
  double worst = 0;
  for (const int dimension : {2, 3}) {
    Gas gas(dimension, 80);
    for (const char* const spacing : {"", R"(, "spacing": 0.85)"}) {
      const Moment m(grid_of(gas.world, spacing), gas.world, gas.contacts);
      Mat3 forces = Mat3::Zero(), motion = Mat3::Zero();
      for (const ContactRecord& c : gas.contacts)
        forces += c.force * (gas.world.position[c.b] - gas.world.position[c.a]).transpose();
      const Vec3 mean = m.totals(kMomentum) / m.total(kMass);
      for (std::size_t i = 0; i < gas.world.size(); ++i) {
        const Vec3 v = gas.world.velocity[i] - mean;
        motion += gas.world.mass[i] * v * v.transpose();
      }
      worst = std::max({worst, (integral(m, "contact_stress") - forces).norm() / forces.norm(),
                        (integral(m, "kinetic_stress") + of_mean_motion(m) - motion).norm() / motion.norm()});
      CHECK(m.totals(kBoundary).norm() == 0);
      CHECK(m.total(kContacts) == Approx(gas.contacts.size()).epsilon(1e-12));
      CHECK(m.total(kEnds) == Approx(2 * gas.contacts.size()).epsilon(1e-12));
    }
  }
  verify("stress of a cell from fields against sums over contacts and bodies", 0, worst, 1e-12);
}

TEST_CASE("the total stress of a cell that is sheared equals that of the region meter to 1e-10") {
  for (const int dimension : {2, 3}) {
    const auto run = test::sheared_cell(dimension);
    const Moment m(grid_of(run.world(), "", 1), run.world(), run.contacts);
    Mat3 sum = integral(m, "contact_stress") + integral(m, "kinetic_stress") + of_mean_motion(m);
    sum = 0.5 * (sum + sum.transpose()).eval() / (m.grid.cell_volume() * static_cast<double>(m.grid.cells()));
    CHECK(run.contacts.size() > 40);
    CHECK(std::abs(sum(0, 1)) > 1e-4 * sum(0, 0));
    verify("stress of a sheared cell of dimension " + std::to_string(dimension) + " against region-meter", 0,
           (sum - run.stress).norm() / run.stress.norm(), 1e-10);
  }
}

TEST_CASE("a branch is spread as by a line of many points, to 1 % of the largest stress") {
  for (const double length : {0.3, 0.8, 1.7}) {
    Gas gas(3, 2, false);
    gas.world.position.write()[0] = {-0.2, 0.1, 0.3};
    gas.world.position.write()[1] = Vec3(-0.2, 0.1, 0.3) + length * Vec3(0.48, 0.6, 0.64);
    const Grid grid = grid_of(gas.world, R"(, "lower": [-3, -3, -3], "upper": [3, 3, 3], "width": 0.6)");
    const Moment m(grid, gas.world, {gas.contacts[0]});
    const Vec3 way = gas.world.position[1] - gas.world.position[0], force = gas.contacts[0].force;
    // The kernel itself, without a norm on the grid: its factor in 3D is 105/(16 pi c^3).
    const double factor = 105 / (16 * std::numbers::pi * std::pow(grid.radius, 3));
    const auto stress = m.field("contact_stress");
    double worst = 0, most = 0;
    constexpr int n = 200;
    for (std::size_t k = 0; k < grid.cells(); ++k) {
      double phi = 0;
      for (int s = 0; s < n; ++s) {
        const double r = (m.centre(k) - gas.world.position[0] - (s + 0.5) / n * way).norm() / grid.radius;
        phi += r < 1 ? factor * lucy(r) / n : 0;
      }
      worst = std::max(worst, std::abs(stress[9 * k + 1] - phi * force[0] * way[1]));
      most = std::max(most, std::abs(phi * force[0] * way[1]));
    }
    INFO(length);
    CHECK(most > 0);
    CHECK(worst < 0.01 * most);
  }
}

TEST_CASE("a cubic crystal has an even stress, twelve neighbours and an even fabric") {
  const Crystal crystal;
  REQUIRE(crystal.contacts.size() == 648);
  const Moment m(grid_of(crystal.world, "", 1), crystal.world, crystal.contacts);
  const double volume = std::pow(crystal.world.cell.length(0), 3);
  const Mat3 mean = crystal.virial / volume;
  const double closed = 2 * std::sqrt(2.0) * 0.01 / (0.99 * 0.99) * 1000;  // of its springs
  verify("mean stress of a cubic crystal from its field", closed, integral(m, "contact_stress").trace() / 3 / volume,
         1e-9);
  const auto pressure = m.field("pressure"), ends = m.field("coordination"), fabric = m.field("fabric");
  double ripple = 0;
  for (const double p : pressure) ripple = std::max(ripple, std::abs(p / (mean.trace() / 3) - 1));
  verify("ripple of the pressure of a cubic crystal, width 1 diameter", 0, ripple, 0.01);
  for (std::size_t k = 0; k < m.grid.cells(); ++k) {
    CHECK(ends[k] == Approx(12));
    CHECK(fabric[9 * k] == Approx(1. / 3).epsilon(0.02));
    CHECK(fabric[9 * k] + fabric[9 * k + 4] + fabric[9 * k + 8] == Approx(1));
  }
  for (const double t : m.field("temperature")) CHECK(t == 0);
}

TEST_CASE("bodies that do not count are walls: branches end at the contact, where their force is one from outside") {
  Gas gas(3, 20, false);
  gas.world.inverse_mass.write()[4] = 0;
  const ContactView with_wall = {gas.contacts[3], gas.contacts[4]};  // 3 with 4, 4 with 5
  const Grid grid = grid_of(gas.world, R"(, "lower": [-6, -6, -6], "upper": [6, 6, 6])");
  const Moment m(grid, gas.world, with_wall);
  const Vec3 on_3 = -gas.contacts[3].force, on_5 = gas.contacts[4].force;
  CHECK((m.totals(kBoundary) - on_3 - on_5).norm() < 1e-12 * on_3.norm());
  const Mat3 branches = gas.contacts[3].force * (gas.contacts[3].point - gas.world.position[3]).transpose() +
                        gas.contacts[4].force * (gas.world.position[5] - gas.contacts[4].point).transpose();
  CHECK((integral(m, "contact_stress") - branches).norm() < 1e-12 * branches.norm());
  CHECK(m.total(kNumber) == Approx(19));
  CHECK(m.total(kEnds) == Approx(2));
  // So it is with bodies of an entry that is not chosen: the parts of both entries add up.
  const std::vector<std::string> red = {"red"}, blue = {"blue"};
  Gas both(3, 20);
  const Grid over = grid_of(both.world, "");
  const Moment of_red(over, both.world, both.contacts, ChosenGroups(red, both.world));
  const Moment of_blue(over, both.world, both.contacts, ChosenGroups(blue, both.world));
  const Moment of_all(over, both.world, both.contacts);
  CHECK((of_red.totals(kBoundary) + of_blue.totals(kBoundary)).norm() < 1e-12);
  CHECK(of_red.totals(kBoundary).norm() > 0.1);
  CHECK(of_red.total(kMass) + of_blue.total(kMass) == Approx(of_all.total(kMass)).epsilon(1e-12));
  const Mat3 sum = integral(of_red, "contact_stress") + integral(of_blue, "contact_stress");
  CHECK((sum - integral(of_all, "contact_stress")).norm() < 1e-12 * sum.norm());
}

TEST_CASE("members count with their owner, whose centre their branches lead to") {
  Gas gas(3, 4, false, false);
  BodySpec member;
  member.owner = 1, member.position = gas.world.position[1] + Vec3(0.3, 0, 0);
  const Id id = gas.world.add(std::vector{member})[0];
  ContactRecord c = gas.contacts[0];
  c.b = id;
  const Moment m(grid_of(gas.world, R"(, "lower": [-6, -6, -6], "upper": [6, 6, 6])"), gas.world, {c});
  const Mat3 branch = c.force * (gas.world.position[1] - gas.world.position[0]).transpose();
  CHECK((integral(m, "contact_stress") - branch).norm() < 1e-12 * branch.norm());
  CHECK(m.total(kNumber) == Approx(4));
  CHECK(m.totals(kBoundary).norm() == 0);
}

TEST_CASE("a speed that all grains share changes no stress and no temperature") {
  Gas gas(2, 60);
  const Grid grid = grid_of(gas.world, "");
  const Moment still(grid, gas.world, gas.contacts);
  for (Vec3& v : gas.world.velocity.write()) v += Vec3(100, -50, 0);
  const Moment moving(grid, gas.world, gas.contacts);
  const auto a = still.field("kinetic_stress"), b = moving.field("kinetic_stress");
  const auto t = still.field("temperature"), w = moving.field("temperature");
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  for (std::size_t k = 0; k < a.size(); ++k) CHECK(std::abs(a[k] - b[k]) < 1e-10 * most);
  for (std::size_t k = 0; k < t.size(); ++k) CHECK(w[k] == Approx(t[k]).epsilon(1e-8).margin(1e-8));
  // A body that turns rigidly has only the temperature of a kernel's width: w^2 omega^2.
  const double omega = 3;
  Gas disc(2, 2000, false);
  for (std::size_t i = 0; i < disc.world.size(); ++i)
    disc.world.velocity.write()[i] = omega * Vec3(-disc.world.position[i][1], disc.world.position[i][0], 0);
  const Moment turning(grid_of(disc.world, R"(, "lower": [-4, -4], "upper": [4, 4], "width": 0.2)"), disc.world, {});
  const auto of_disc = turning.field("temperature");
  double sum = 0, count = 0;
  for (std::size_t k = 0; k < of_disc.size(); ++k)
    if (turning.centre(k).cwiseAbs().maxCoeff() < 1) sum += of_disc[k], ++count;
  CHECK(sum / count == Approx(0.2 * 0.2 * omega * omega).epsilon(0.1));
}

TEST_CASE("where nothing is, fields are 0") {
  Gas gas(3, 1, false);
  const Moment m(grid_of(gas.world, R"(, "lower": [50, 50, 50], "upper": [51, 51, 51])"), gas.world, {});
  for (const auto& field : field_values(m.sums, 1, 3, {}))
    for (const double x : field.value) CHECK(x == 0);
  CHECK(m.outside.mass == Approx(gas.world.mass[0]));
}

}  // namespace scree::fields
