// Elastic spheres and discs in a periodic box: nothing tells how fast the whole box flies, and the pressure is that of
// hard spheres.

#include <cmath>
#include <numbers>

#include "file_scene.hpp"
#include "one_thread.hpp"

namespace scree::test::elastic_gas_test {

namespace {

/// By id: velocities [m/s] and ways [m], with what all share taken off.
struct Trajectory {
  std::vector<Vec3> velocity, way;

  Trajectory(FileScene& run, const Vec3& drift) {
    const World& world = run.world();
    const auto crossings = world.find_column("cell_crossings")->as<Vec3>();
    for (Id id = 0; id < world.size(); ++id) {
      const std::size_t i = run.row(id);
      velocity.push_back(run.velocity(id) - drift);
      way.push_back(run.position(id) + world.cell.edges * crossings[i] - drift * world.time);
    }
  }
};

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).norm());
  return most;
}

/// What a gas in equilibrium shows of itself.
struct Equilibrium {
  double pressure = 0;     ///< over that of an ideal gas of the same temperature
  double temperature = 0;  ///< m <v^2>/dimension [J]
  double kurtosis = 0;     ///< <v^4>/<v^2>^2

  /// \param forget  steps until the lattice is forgotten \param steps  to sample, one in five
  Equilibrium(FileScene& run, std::uint64_t forget, std::uint64_t steps) {
    const World& world = run.world();
    const double dimension = world.dimension(), n = static_cast<double>(world.size()), mass = run.mass(0),
                 diameter = 2 * world.radius.read()[0];
    ContactPipeline& pipeline = mechanics_of(run.prepared).pipeline();
    run.steps(forget);
    pipeline.keep_records(true);
    double virial = 0, samples = 0;
    for (std::uint64_t s = 0; s < steps; s += 5) {
      run.steps(5);
      for (const ContactRecord& c : pipeline.contact_view()) virial += c.force.dot(c.normal) * (diameter - c.overlap);
      double square = 0, fourth = 0;
      for (const Vec3& v : world.velocity.read()) square += v.squaredNorm(), fourth += std::pow(v.squaredNorm(), 2);
      temperature += mass * square / n / dimension;
      kurtosis += fourth * n / (square * square);
      ++samples;
    }
    temperature /= samples;
    kurtosis /= samples;
    pressure = 1 + virial / samples / (dimension * n * temperature);
  }
};

/// Diameter of the hard spheres that spheres with springs are like, over theirs: they press into one another.
/// \source J. A. Barker, D. Henderson, J. Chem. Phys. 47 (1967) 4714, eq. (19), linear spring: integral of
/// exp(-k x^2/(2 T)) from 0
double hardness(double temperature, double spring, double diameter) {
  return 1 - std::sqrt(std::numbers::pi * temperature / (2 * spring)) / diameter;
}

}  // namespace

TEST_CASE("1000 elastic spheres do not notice that their periodic box flies by at 100 m/s") {
  const OneThread quick;
  const Vec3 drift(100, 0, 0);
  FileScene rests("elastic_gas"), flies("elastic_gas", {"/bodies/0/velocity=[100, 0, 0]"});
  const Trajectory start(rests, Vec3::Zero());
  // 3 collisions each. Rounded to 1e-14 m/s at 100 m/s and 1e-17 m in the cell, the two differ, and collisions of
  // spheres let differences grow e-fold every 3 ms, as measured: 1e-9 lasts until 0.012 s for velocities, 0.02 s for
  // places.
  rests.until(0.01), flies.until(0.01);
  const Trajectory a(rests, Vec3::Zero()), b(flies, drift);
  compare("gas adrift", "velocities [m/s]", 0, largest_difference(a.velocity, b.velocity), 1e-9);
  compare("gas adrift", "ways [of the longest]", 0,
          largest_difference(a.way, b.way) / largest_difference(a.way, start.way), 1e-9);
  CHECK(largest_difference(a.velocity, start.velocity) > 1);  // they have collided
}

TEST_CASE("elastic spheres press as hard ones do: 1 + 4 phi g, discs 1 + 2 phi g") {
  const OneThread quick;
  for (const bool plane : {false, true}) {
    FileScene run(plane ? "elastic_discs" : "elastic_gas");
    const Equilibrium gas(run, 6000, plane ? 20000 : 12000);
    const World& world = run.world();
    const double n = static_cast<double>(world.size()), spring = plane ? 96900 : 646000, diameter = 0.01,
                 hard = diameter * hardness(gas.temperature, spring, diameter);
    const std::string name = plane ? "elastic discs" : "elastic spheres";
    // Some 10,000 collisions in all: 1 %.
    if (plane) {
      const double phi = n * std::numbers::pi / 4 * hard * hard / (world.cell.length(0) * world.cell.length(1));
      const double g = (1 - 7 * phi / 16) / std::pow(1 - phi, 2);
      compare(name, "p/(n T)", 1 + 2 * phi * g, gas.pressure, 0.02);
      compare(name, "<v^4>/<v^2>^2", 2, gas.kurtosis, 0.03);
    } else {
      const double phi = n * std::numbers::pi / 6 * std::pow(hard, 3) /
                         (world.cell.length(0) * world.cell.length(1) * world.cell.length(2));
      const double g = (1 - phi / 2) / std::pow(1 - phi, 3);
      compare(name, "p/(n T)", 1 + 4 * phi * g, gas.pressure, 0.02);
      compare(name, "<v^4>/<v^2>^2", 5.0 / 3, gas.kurtosis, 0.03);
    }
  }
}

}  // namespace scree::test::elastic_gas_test
