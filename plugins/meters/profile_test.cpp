/// \file Profiles against values by hand, and their sums against the whole.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "meters_scenes.hpp"
#include "profile_meter.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "verify.hpp"

namespace scree::meters {

namespace {

using test::TemporaryFolder;

/// Spheres of two entries in a cell of 4 m, some of them across its sides, and contacts among neighbours by number.
struct Gas {
  World world;
  ContactView contacts;
  Gas(int dimension, std::size_t bodies) : world(dimension) {
    world.add_shape("ball", std::make_shared<Sphere>(dimension, 0.3));
    world.add_material({"m", 3});
    world.group_names = {"red", "blue"};
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> place(-2, 2);
    std::vector<BodySpec> all(bodies);
    for (BodySpec& body : all) {
      body.position = {place(random), place(random), dimension == 3 ? place(random) : 0};
      body.velocity = {place(random), place(random), dimension == 3 ? place(random) : 0};
      body.group = random() % 3 == 0;
    }
    world.add(all);
    world.cell = PeriodicCell(Vec3(-2, -2, dimension == 3 ? -2. : 0.), Vec3(4, 4, dimension == 3 ? 4. : 0.));
    for (Id a = 0; a + 1 < bodies; ++a) {
      const Vec3 force(place(random), place(random), dimension == 3 ? place(random) : 0);
      contacts.push_back({a, a + 1, 0, 0, 0.1, Vec3::UnitX(), world.position[a], force});
    }
  }
};

Table profile(const World& world, const ContactView* contacts, const std::string& more) {
  const TemporaryFolder folder;
  ProfileMeter meter(
      Options::parse(R"({"name": "p", "share": "volume", "entries": true, "thickness": 1)" + more + "}"));
  meter.begin(world);
  meter.open(folder.path().string());
  meter.observe(world, contacts, {0, 0, 0.5});
  return read(folder / "p.csv");
}

std::string bins(const std::string& way, double from, double to, int number, const char* point = "[0, 0, 0]") {
  return fmt::format(R"(, "bins": {{{}, "from": {}, "to": {}, "number": {}, "point": {}}})", way, from, to, number,
                     point);
}

/// Sum over bins of a column times another one.
double total(const Table& table, const std::string& of, const std::string& times = "") {
  double sum = 0;
  for (const auto& row : table)
    if (times.empty() || row.at(times) != 0) sum += row.at(of) * (times.empty() ? 1 : row.at(times));
  return sum;
}

}  // namespace

TEST_CASE("bins share a ball, and a disc, as their sections do") {
  constexpr int n = 200000;
  for (const double h : {-0.9, -0.3, 0., 0.5, 0.99}) {
    double ball = 0, disc = 0;
    for (int k = 0; k < n; ++k) {
      const double z = -1 + (k + 0.5) / n * (1 + h);
      ball += (1 - z * z) * (1 + h) / n * 0.75, disc += 2 * std::sqrt(1 - z * z) * (1 + h) / n / std::numbers::pi;
    }
    CHECK(share_below(h) == Approx(ball).margin(1e-9));
    CHECK(disc_share_below(h) == Approx(disc).margin(1e-7));
  }
  double worst = 0;
  for (const double d : {0., 0.2, 0.7, 1., 1.6, 5.})
    for (const double e : {0.05, 0.3, 0.9, 1., 1.3, 4.5}) {
      double sum = 0, area = 0;
      constexpr int fine = 4000;
      for (int k = 0; k < fine; ++k) {
        const double c = std::cos(0.5 * std::numbers::pi * (k + 0.5) / fine), x = -1 + 2 * (k + 0.5) / fine;
        sum += c * lens_area(c, e, d) * 0.75 / fine;
        // The disc's chord at d + x that lies within the circle about 0.
        area += 2 * std::sqrt(std::max(0., std::min(1 - x * x, e * e - (d + x) * (d + x)))) * 2 / fine;
      }
      CHECK(lens_area(1, e, d) == Approx(area).margin(2e-4));
      worst = std::max(worst, std::abs(share_within_cylinder(1, d, e) - sum));
    }
  test::verify("share of a ball within a cylinder, from 16 sections", 0, worst, 5e-4);
}

TEST_CASE("a sphere across two slabs has its caps there: mass, momentum, fraction") {
  World world(3);
  world.add_shape("ball", std::make_shared<Sphere>(3, 1));
  world.add_material({"m", 3});
  world.group_names = {"balls"};
  std::vector<BodySpec> one(1);
  one[0].position = {0, 0, 0.5}, one[0].velocity = {1, 2, 3};
  world.add(one);
  const Table table = profile(world, nullptr, bins(R"("along": [0, 0, 2])", -4, 4, 4) + R"(, "section": 10)");
  REQUIRE(table.size() == 4);
  const double volume = 4 * std::numbers::pi / 3, below = volume * share_below(-0.5);
  CHECK(table[1].at("time_s") == 0.5);
  CHECK(table[1].at("position_m") == -1);
  CHECK(table[1].at("count") == 0);
  CHECK(table[2].at("count") == 1);
  CHECK(table[2].at("balls_count") == 1);
  CHECK(table[1].at("mass_kg") == Approx(3 * below).epsilon(1e-14));
  CHECK(table[2].at("mass_kg") == Approx(3 * (volume - below)).epsilon(1e-14));
  CHECK(table[1].at("solid_fraction") == Approx(below / 20).epsilon(1e-14));
  CHECK(table[2].at("density_kg_per_m3") == Approx(3 * (volume - below) / 20).epsilon(1e-14));
  CHECK(table[1].at("velocity_y_m_per_s") == Approx(2).epsilon(1e-14));
  CHECK(table[1].at("temperature_m2_per_s2") < 1e-14);
  CHECK(table[0].at("mass_kg") == 0);
  CHECK(std::isnan(table[0].at("velocity_x_m_per_s")));
  const Table centres = profile(world, nullptr, bins(R"("along": [0, 0, 2])", -4, 4, 4) + R"(, "share": "centre")");
  CHECK(centres[2].at("mass_kg") == Approx(3 * volume).epsilon(1e-14));
  CHECK(!centres[2].contains("solid_fraction"));
}

TEST_CASE("sums over bins are those of the whole run to 1e-12: slabs, oblique slabs, shells, in 2D and 3D") {
  for (const int dimension : {2, 3}) {
    const Gas gas(dimension, 200);
    double mass = 0, square = 0;
    Vec3 momentum = Vec3::Zero();
    double force = 0, shear = 0;
    for (std::size_t i = 0; i < gas.world.size(); ++i) {
      mass += gas.world.mass[i], momentum += gas.world.mass[i] * gas.world.velocity[i];
      square += gas.world.mass[i] * gas.world.velocity[i].squaredNorm();
    }
    for (const ContactRecord& c : gas.contacts) {
      const Vec3 way = gas.world.position[c.b] - gas.world.position[c.a];
      force += c.force[0] * way[0], shear += 0.5 * (c.force[0] * way[1] + c.force[1] * way[0]);
    }
    struct Case {
      std::string way;
      double from, to, volume;
    };
    const double depth = dimension == 3 ? 4 : 1, high = 9;
    std::vector<Case> cases = {{R"("along": [1, 0, 0])", -2, 2, 4 * depth / 7 * 4},
                               {R"("along": [0, -1, 0])", -2, 2, 4 * depth / 7 * 4},
                               {R"("about": [0, 0, 1])", 0, high, 0}};
    if (dimension == 3) cases.push_back({R"("about": [1, 2, 2])", 0, high, 0});
    double worst = 0;
    for (Case& c : cases) {
      Table table = profile(gas.world, &gas.contacts, bins(c.way, c.from, c.to, 7) + R"(, "section": 16)");
      if (dimension == 3 && c.volume > 0) table = profile(gas.world, &gas.contacts, bins(c.way, c.from, c.to, 7));
      REQUIRE(table.size() == 7);
      INFO(dimension << " " << c.way);
      const auto close = [&](double sum, double whole, double scale) {
        CHECK(std::abs(sum - whole) <= 1e-12 * scale);
        worst = std::max(worst, std::abs(sum - whole) / scale);
      };
      CHECK(total(table, "count") == 200);
      CHECK(total(table, "red_count") + total(table, "blue_count") == 200);
      close(total(table, "mass_kg"), mass, mass);
      close(total(table, "velocity_x_m_per_s", "mass_kg"), momentum[0], mass);
      close(total(table, "velocity_y_m_per_s", "mass_kg"), momentum[1], mass);
      double motion = 0, xx = 0, xy = 0, filled = 0;
      for (const auto& row : table) {
        if (row.at("mass_kg") == 0) continue;
        const Vec3 v(row.at("velocity_x_m_per_s"), row.at("velocity_y_m_per_s"), row.at("velocity_z_m_per_s"));
        motion += row.at("mass_kg") * (dimension * row.at("temperature_m2_per_s2") + v.squaredNorm());
        const double volume = row.at("mass_kg") / row.at("density_kg_per_m3");
        xx += volume * row.at("contact_stress_xx_Pa"), xy += volume * row.at("contact_stress_xy_Pa");
        filled += 3 * volume * row.at("solid_fraction");
        if (c.volume > 0 && dimension == 3) CHECK(volume == Approx(c.volume).epsilon(1e-12));
      }
      close(motion, square, square);
      close(filled, mass, mass);
      const double lines = 200 * 4.0 * 4;
      close(xx, force, lines), close(xy, shear, lines);
    }
    test::verify("sums over bins against those of the run", 0, worst, 1e-12);
  }
}

TEST_CASE("a contact's force counts in each bin by the part of its line there: slabs and shells") {
  World world(3);
  world.add_shape("ball", std::make_shared<Sphere>(3, 1));
  world.add_material({"m", 3});
  world.group_names = {"balls", "wall"};
  std::vector<BodySpec> two(3);
  two[0].position = {-3, 0, 0}, two[1].position = {5, 0, 0};
  two[2].kind = BodyKind::fixed, two[2].group = 1, two[2].position = {0, 0, -9};
  world.add(two);
  const ContactView contacts = {{0, 1, 0, 0, 0.1, Vec3::UnitX(), {0, 0, 0}, {10, 4, 0}},
                                {0, 2, 0, 0, 0.1, -Vec3::UnitZ(), {-3, 0, -1}, {0, 0, -6}}};
  const Table slabs = profile(world, &contacts, bins(R"("along": [1, 0, 0])", -4, 6, 5) + R"(, "section": 3)");
  for (int k = 0; k < 5; ++k) {
    const double part[] = {1, 2, 2, 2, 1};
    CHECK(slabs[static_cast<std::size_t>(k)].at("contact_stress_xx_Pa") == Approx(10 * part[k] / 6).epsilon(1e-14));
    CHECK(slabs[static_cast<std::size_t>(k)].at("contact_stress_xy_Pa") == Approx(2 * part[k] / 6).epsilon(1e-14));
  }
  CHECK(slabs[0].at("contact_stress_zz_Pa") == Approx(6. / 6).epsilon(1e-14));  // from the centre to the wall
  const Table shells = profile(world, &contacts, bins(R"("about": [0, 0, 1])", 0, 6, 3) + R"(, "section": 2)");
  const double part[] = {4, 3, 1};
  for (std::size_t k = 0; k < 3; ++k) {
    const double r = 2 * static_cast<double>(k), volume = std::numbers::pi * ((r + 2) * (r + 2) - r * r) * 2;
    CHECK(shells[k].at("contact_stress_xx_Pa") * volume == Approx(10 * part[k]).epsilon(1e-14));
  }
}

TEST_CASE("the temperature is the velocity's variance per direction, and averages take all moments together") {
  World world(2);
  world.add_shape("disc", std::make_shared<Ball>(2));
  world.add_material({"m", 3});
  world.group_names = {"discs"};
  std::vector<BodySpec> two(2);
  two[0].velocity = {1, 3, 0}, two[1].velocity = {3, 3, 0};
  world.add(two);
  const TemporaryFolder folder;
  ProfileMeter meter(Options::parse(
      R"({"name": "p", "share": "volume", "entries": false, "thickness": 2, "section": 5, "average": {"start": 0})" +
      bins(R"("along": [0, 1])", -1, 1, 1) + "}"));
  meter.begin(world);
  meter.open(folder.path().string());
  meter.observe(world, nullptr, {0, 0, 0});
  world.velocity.write()[0] = {-3, 3, 0}, world.velocity.write()[1] = {-1, 3, 0};
  meter.observe(world, nullptr, {1, 1, 1});
  const Table table = read(folder / "p.csv");
  CHECK(table[0].at("velocity_x_m_per_s") == 2);
  CHECK(table[0].at("temperature_m2_per_s2") == 0.5);  // variances 1 and 0
  CHECK(table[0].at("kinetic_stress_xx_Pa") == Approx(12 * 1 / 20.));
  CHECK(table[0].at("pressure_Pa") == Approx(12 * 0.5 / 20.));
  CHECK(table[1].at("temperature_m2_per_s2") == 0.5);
  CHECK(table[1].at("averaged_rows") == 2);
  CHECK(table[1].at("mean_velocity_x_m_per_s") == 0);
  CHECK(table[1].at("mean_temperature_m2_per_s2") == 2.5);  // variance 5 of 1, 3, -3, -1
}

TEST_CASE("bins have the volume of their part of the region") {
  const Gas gas(3, 20);
  const auto volumes = [&](const std::string& region, const std::string& of) {
    std::vector<double> all;
    for (const auto& row : profile(gas.world, nullptr, of + R"(, "region": )" + region))
      all.push_back(row.at("density_kg_per_m3") > 0 ? row.at("mass_kg") / row.at("density_kg_per_m3") : -1);
    return all;
  };
  const std::string box = R"({"type": "box", "lower": [-2, -2, -2], "upper": [2, 2, 1], "outside": false})";
  for (const double volume : volumes(box, bins(R"("along": [0, 0, -1])", -2, 2, 4)))
    CHECK((volume == -1 || volume == Approx(16)));
  const std::string ball = R"({"type": "sphere", "centre": [0, 0, 0], "radius": 2, "outside": false})";
  double whole = 0;
  const std::vector<double> slices = volumes(ball, bins(R"("along": [1, 1, 1])", -2, 2, 2));
  for (const double volume : slices) whole += volume;
  CHECK(slices[0] == Approx(16 * std::numbers::pi / 3).epsilon(1e-3));  // by points
  CHECK(whole == Approx(32 * std::numbers::pi / 3).epsilon(1e-3));
  const std::string tube =
      R"({"type": "cylinder", "centre": [0, 0, 0], "axis": [0, 0, 1], "radius": 2, "length": 4, "outside": false})";
  const std::vector<double> shells = volumes(tube, bins(R"("about": [0, 0, 1])", 0, 2, 2));
  CHECK(shells[0] == Approx(4 * std::numbers::pi).epsilon(1e-12));
  CHECK(shells[1] == Approx(12 * std::numbers::pi).epsilon(1e-12));
}

TEST_CASE("bins that are none are refused with place and remedy") {
  const Gas gas(3, 2);
  const auto refuses = [&](const std::string& of, const char* text) {
    CHECK_THROWS_WITH(profile(gas.world, nullptr, of), text);
  };
  refuses(bins(R"("along": [0, 0, 0])", 0, 1, 1), "has no direction. Give a vector that is not zero.");
  refuses(bins(R"("along": [0, 0, 1], "about": [0, 0, 1])", 0, 1, 1), "has both \"along\" and \"about\". Remove one.");
  refuses(R"(, "bins": {"from": 0, "to": 1, "number": 1, "point": [0, 0, 0]})",
          "has no direction. Give \"along\" for slabs, or \"about\" for shells.");
  refuses(bins(R"("along": [0, 0, 1])", 2, 1, 1), "is 1 m, not above \"from\", 2 m. Exchange the two.");
  refuses(bins(R"("about": [0, 0, 1])", -2, 1, 1), "is -2 m, but a radius is 0 or more.");
  const Gas flat(2, 2);
  CHECK_THROWS_WITH(profile(flat.world, nullptr, bins(R"("about": [1, 0, 0])", 0, 1, 1)),
                    "lies in the plane. In 2D shells are about a point: give [0, 0, 1].");
}

}  // namespace scree::meters
