// Chung and Ooi's eight tests of single impacts (Granular Matter 13 (2011) 643), as scenes run by the program.
// References: closed forms of Hertz's impact and of sliding through the whole impact. An elastic impact of reduced mass
// m at speed v on K = 4/3 E* sqrt(R): depth (5 m v^2/(4 K))^(2/5), force K depth^1.5, duration 2.943275 depth/v.

#include <cmath>
#include <numbers>

#include "series.hpp"

using namespace scree::test;
using Overrides = std::map<std::string, std::string>;

namespace {

struct Elastic {
  double modulus, reduced_mass, reduced_radius, speed;
  double stiffness() const { return 4.0 / 3 * modulus * std::sqrt(reduced_radius); }
  double depth() const { return std::pow(5 * reduced_mass * speed * speed / (4 * stiffness()), 0.4); }
  double force() const { return stiffness() * std::pow(depth(), 1.5); }
  double duration() const { return 2.9432751843 * depth() / speed; }
};

struct Material {
  const char* name;
  double young, poisson, density;
  double plane_modulus() const { return young / (1 - poisson * poisson); }
  double mass(double r) const { return density * 4 / 3 * std::numbers::pi * r * r * r; }
  Overrides overrides() const {
    return {{"/materials/m/youngs_modulus", fmt::format("{}", young)},
            {"/materials/m/poisson_ratio", fmt::format("{}", poisson)},
            {"/materials/m/density", fmt::format("{}", density)}};
  }
};

constexpr Material kGlass{"glass", 48e9, 0.2, 2800}, kLimestone{"limestone", 20e9, 0.25, 2500},
    kAlAlloy2{"Al alloy", 70e9, 0.3, 2699}, kMgAlloy{"Mg alloy", 40e9, 0.35, 1800},
    kAlOxide{"Al oxide", 380e9, 0.23, 4000}, kCastIron{"cast iron", 100e9, 0.25, 7000},
    kAlAlloy{"Al alloy", 70e9, 0.33, 2700}, kNylon{"nylon", 2.5e9, 0.4, 1000}, kCopper{"copper", 120e9, 0.35, 8900},
    kSteel{"steel", 208e9, 0.3, 7850}, kPolyethylene{"polyethylene", 1e9, 0.4, 1400};

/// A step of a 2000th of the contact and a run of `contacts` of them, a row per step.
Overrides timed(Overrides overrides, double duration, double contacts) {
  overrides["/integrator/dt"] = overrides["/output/metrics_interval"] = fmt::format("{}", duration / 2000);
  overrides["/run/duration"] = fmt::format("{}", contacts * duration);
  return overrides;
}

std::string vector(double x, double y, double z) { return fmt::format("[{}, {}, {}]", x, y, z); }

/// Time the bodies touch [s]: they begin at touch, and part between two rows, at the speed of the last.
double contact_time(const Series& s, double speed) {
  const auto &overlap = s["max_overlap_m"], &time = s["time_s"];
  std::size_t last = 0;
  for (std::size_t i = 0; i < s.rows(); ++i)
    if (overlap[i] > 0) last = i;
  return time[last] + overlap[last] / speed;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double v : values) most = std::max(most, std::abs(v));
  return most;
}

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
