// Chung and Ooi's eight tests of single impacts (Granular Matter 13 (2011) 643), as scenes run by the program.
// References: closed forms of Hertz's impact and of sliding through the whole impact. An elastic impact of reduced mass
// m at speed v on K = 4/3 E* sqrt(R): depth (5 m v^2/(4 K))^(2/5), force K depth^1.5, duration 2.943275 depth/v.

#include <cmath>
#include <numbers>

#include "impact.hpp"

namespace scree::test::impact_test {

namespace {

std::string vector(double x, double y, double z) { return fmt::format("[{}, {}, {}]", x, y, z); }

/// Largest rate of change of the speed of approach [m/s^2], from the kinetic energy of two bodies that stop and part.
double largest_acceleration(const Series& s, double total_mass) {
  const auto &energy = s["kinetic_translation_J"], &time = s["time_s"];
  std::size_t stop = 0;
  for (std::size_t i = 0; i < s.rows(); ++i)
    if (energy[i] < energy[stop]) stop = i;
  const std::size_t width = 8;  // rows, either side: the force is 5e-5 less there
  const auto speed = [&](std::size_t i) { return std::sqrt(2 * energy[i] / total_mass); };
  return (speed(stop + width) + speed(stop - width)) / (time[stop + width] - time[stop - width]);
}

/// What a ball is left with after its impact on a wall.
struct Left {
  double vx, vz, spin;
  Left(const Series& s, double mass, double r)
      : vx(s.last("momentum_x_kg_m_per_s") / mass),
        vz(s.last("momentum_z_kg_m_per_s") / mass),
        spin(std::sqrt(2 * s.last("kinetic_rotation_J") / (0.4 * mass * r * r))) {}
};

}  // namespace

TEST_CASE("test 1: two equal spheres head-on, elastic") {
  for (const Material& m : {kGlass, kLimestone}) {
    const double mass = m.mass(0.01);
    const Elastic exact{m.plane_modulus() / 2, mass / 2, 0.005, 20};
    const Series s("t1", timed(m.overrides(), exact.duration(), 1.1));
    const std::string name = fmt::format("T1 {}", m.name);
    compare(name, "depth [m]", exact.depth(), largest(s["max_overlap_m"]), 1e-3);
    compare(name, "force [N]", exact.force(), mass * largest_acceleration(s, 2 * mass), 1e-3);
    compare(name, "duration [s]", exact.duration(), contact_time(s, 20), 1e-3);
    compare(name, "rebound speed [m/s]", 10, std::sqrt(s.last("kinetic_translation_J") / mass), 1e-5);
  }
}

TEST_CASE("test 2: a sphere on a rigid wall, elastic") {
  for (const Material& m : {kAlAlloy2, kMgAlloy}) {
    const double mass = m.mass(0.1);
    const Elastic exact{m.plane_modulus(), mass, 0.1, 0.2};
    const Series s("t2", timed(m.overrides(), exact.duration(), 1.1));
    const std::string name = fmt::format("T2 {}", m.name);
    compare(name, "depth [m]", exact.depth(), largest(s["max_overlap_m"]), 1e-3);
    compare(name, "force [N]", exact.force(), largest(s["wall_force_z_N"]), 1e-3);
    compare(name, "duration [s]", exact.duration(), contact_time(s, 0.2), 1e-3);
    compare(name, "rebound speed [m/s]", 0.2, s.last("momentum_z_kg_m_per_s") / mass, 1e-5);
  }
}

TEST_CASE("test 3: the restitution asked for is the one obtained") {
  for (const Material& m : {kAlOxide, kCastIron})
    for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
      const double mass = m.mass(0.0025);
      const Elastic exact{m.plane_modulus(), mass, 0.0025, 3.9};
      Overrides overrides = timed(m.overrides(), exact.duration(), 3);
      overrides["/interactions/0/law/restitution"] = fmt::format("{}", e);
      const Series s("t3", overrides);
      compare(fmt::format("T3 {}", m.name), "restitution", e, s.last("momentum_z_kg_m_per_s") / mass / 3.9, 1e-3);
    }
}

TEST_CASE("test 4: oblique impacts that slide throughout") {
  const double mu = 0.092, e = 0.98, r = 0.0025, v = 3.9;
  for (const Material& m : {kAlOxide, kAlAlloy})
    for (const int degrees : {40, 50, 60, 70, 80}) {
      const double angle = degrees * std::numbers::pi / 180, mass = m.mass(r), vn = v * std::cos(angle);
      Overrides overrides = timed(m.overrides(), Elastic{m.plane_modulus(), mass, r, vn}.duration(), 1.2);
      overrides["/bodies/0/velocity"] = vector(v * std::sin(angle), 0, -vn);
      const Left left(Series("t4", overrides), mass, r);
      const double tangent = std::tan(angle), spin = 2.5 * mu * (1 + e) * vn / r;
      const double rebound = std::atan((v * std::sin(angle) - 3.5 * mu * (1 + e) * vn) / (e * vn));
      const std::string name = fmt::format("T4 {}, {} degrees", m.name, degrees);
      compare(name, "v_t'/v_t", 1 - mu * (1 + e) / tangent, left.vx / (v * std::sin(angle)), 2e-3);
      compare(name, "spin [rad/s]", spin, left.spin, 1e-2);
      compare(name, "rebound of contact [deg]", rebound * 180 / std::numbers::pi,
              std::atan((left.vx - r * left.spin) / left.vz) * 180 / std::numbers::pi, 2e-2);
    }
}

TEST_CASE("test 5: oblique impacts without loss along the normal, beyond the elastic limit") {
  const double mu = 0.3, r = 1e-5, vn = 5;
  for (const Material& m : {kSteel, kPolyethylene})
    for (const int degrees : {65, 70, 75, 80}) {
      const double mass = m.mass(r), vt = vn * std::tan(degrees * std::numbers::pi / 180);
      Overrides overrides = timed(m.overrides(), Elastic{m.plane_modulus(), mass, r, vn}.duration(), 1.2);
      overrides["/bodies/0/velocity"] = vector(vt, 0, -vn);
      const Left left(Series("t5", overrides), mass, r);
      const std::string name = fmt::format("T5 {}, {} degrees", m.name, degrees);
      // The lever is R - depth/2, and polyethylene is pressed in by 2.7 % of R.
      compare(name, "v_s lost/(mu v_n)", 7, (vt - left.vx + r * left.spin) / (mu * vn), 1.5e-2);
      compare(name, "R w'/(mu v_n)", 5, r * left.spin / (mu * vn), 1.5e-2);
    }
}

TEST_CASE("tests 6 and 8: a spinning sphere falls on a rigid wall, and on a large rigid sphere") {
  const double mu = 0.4, e = 0.5, r = 0.1, vn = 0.2;
  for (const char* const scene : {"t6", "t8"})
    for (const Material& m : {kAlAlloy, kNylon})
      for (const double spin : {10.0, 20.0, 40.0}) {
        const double mass = m.mass(r), reduced = scene[1] == '6' ? r : r * 0.5 / 0.6;
        Overrides overrides = timed(m.overrides(), Elastic{m.plane_modulus(), mass, reduced, vn}.duration(), 1.5);
        overrides["/bodies/0/angular_velocity"] = vector(0, -spin, 0);
        const Left left(Series(scene, overrides), mass, r);
        const std::string name = fmt::format("T{} {}, {} rad/s", scene[1], m.name, spin);
        compare(name, "v_t' [m/s]", -mu * (1 + e) * vn, left.vx, 1e-2);
        compare(name, "spin lost [rad/s]", 2.5 * mu * (1 + e) * vn / r, spin - left.spin, 1e-2);
        const double x = 3.5 * mu * (1 + e) * vn / (r * spin);
        compare(name, "beta", x - 1, -(r * left.spin + left.vx) / (r * spin), 1e-2);
        compare(name, "v_n'/v_n", e, left.vz / vn, 1e-3);
      }
}

TEST_CASE("test 7: two spinning spheres head-on: equal surface speeds feel no friction, opposite ones do") {
  const double mu = 0.4, e = 0.5, r = 0.1, v = 0.2;
  for (const Material& m : {kAlAlloy, kCopper})
    for (const double spin : {5.0, 25.0})
      for (const bool mirrored : {false, true}) {
        const double mass = m.mass(r);
        Overrides overrides =
            timed(m.overrides(), Elastic{m.plane_modulus() / 2, mass / 2, r / 2, 2 * v}.duration(), 1.5);
        overrides["/bodies/0/angular_velocity"] = vector(0, spin, 0);
        overrides["/bodies/1/angular_velocity"] = vector(0, mirrored ? spin : -spin, 0);
        const Series s("t7", overrides);
        const double turning = std::sqrt(s.last("kinetic_rotation_J") / (0.4 * mass * r * r));
        const double speed2 = s.last("kinetic_translation_J") / mass;  // squared, of either sphere
        const double across = std::sqrt(std::max(0.0, speed2 - e * e * v * v));
        const std::string name = fmt::format("T7 {}, {} rad/s{}", m.name, spin, mirrored ? ", mirrored" : "");
        if (!mirrored) {
          compare(name, "v' [m/s]", e * v, std::sqrt(speed2), 1e-3);
          compare(name, "spin [rad/s]", spin, turning, 1e-9);
        } else {
          compare(name, "v_t' [m/s]", mu * (1 + e) * v, across, 1e-2);
          compare(name, "spin lost [rad/s]", 2.5 * mu * (1 + e) * v / r, spin - turning, 1e-2);
        }
      }
}

}  // namespace scree::test::impact_test
