/// \file Stress of a bed at rest, against the weight above; and fields in cells that deform.

#include <fmt/format.h>

#include "catch.hpp"
#include "fields_scenes.hpp"
#include "scree/hooks/contact_branch.hpp"
#include "scree/run/simulation.hpp"
#include "verify.hpp"

namespace scree::fields {

namespace {

using test::grid_of;
using test::Moment;

/// Grains of 10 mm that come to rest on a floor, periodic sideways.
Simulation bed(int dimension) {
  const bool flat = dimension == 2;
  return Simulation::from_text(fmt::format(
      R"({{"dimension": {}, "gravity": {}, "periodic": {{"x": [0, {}]{}}},
"materials": {{"grain": {{"density": 2500}}, "floor": {{}}}},
"shapes": {{"grain": {{"type": "sphere", "radius": 0.005}}, "floor": {{"type": "{}", "normal": {}}}}},
"bodies": [{{"name": "grains", "shape": "grain", "material": "grain", "seed": 5, "scale": {{"type": "uniform", "lower": 0.85, "upper": 1.15}},
             "packing": {{"type": "lattice", "lower": {}, "counts": {}, "spacing": 0.012, "jitter": 0.0002}}}},
           {{"name": "floor", "shape": "floor", "material": "floor", "fixed": true}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {}, "restitution": 0.2,
  "tangential": "spring", "tangential_stiffness": {}, "friction": 0.4}}}}],
"damping": {{"local": 0.3}},
"integrator": {{"type": "velocity-verlet", "dt": "auto"}}, "run": {{"duration": 9}}, "output": {{"writers": []}}}})",
      dimension, flat ? "[0, -9.81]" : "[0, 0, -9.81]", flat ? 0.12 : 0.06, flat ? "" : R"(, "y": [0, 0.06])",
      flat ? "half-plane" : "half-space", flat ? "[0, 1]" : "[0, 0, 1]",
      flat ? "[0.006, 0.006]" : "[0.006, 0.006, 0.006]", flat ? "[10, 18]" : "[5, 5, 14]", flat ? 1e5 : 2e3,
      flat ? 5e4 : 1e3));
}

}  // namespace

TEST_CASE("the stress of a bed at rest is the weight above, and its boundary force is its weight") {
  for (const int dimension : {2, 3}) {
    Simulation run = bed(dimension);
    run.run_until(dimension == 2 ? 1.2 : 1.4);
    const int up = dimension - 1;
    const Grid grid = grid_of(run.world(),
                              dimension == 2 ? R"(, "lower": [0, -0.05], "upper": [0, 0.3])"
                                             : R"(, "lower": [0, 0, -0.05], "upper": [0, 0, 0.25])",
                              0.01);
    const Moment m(grid, run.world(), run.contacts());
    const Totals all = totals(run.world(), Vec3::Zero());
    CHECK(all.kinetic() < 1e-7);
    CHECK(m.outside.mass == 0);
    scree::test::verify(fmt::format("boundary force of a bed of dimension {} at rest, over its weight", dimension), 1,
                        m.totals(kBoundary)[up] / (all.mass * 9.81), 1e-4);
    // Means over layers; the section of the cell is that of a layer.
    const auto rho = m.field("density"), stress = m.field("contact_stress"), force = m.field("boundary_force");
    const int layers = grid.counts[static_cast<std::size_t>(up)];
    const std::size_t per_layer = grid.cells() / static_cast<std::size_t>(layers);
    double weight = 0, balance = 0, worst = 0, exact = 0, deepest = 0;
    const double height = grid.spacing[up];
    for (int layer = layers; layer-- > 0;) {
      double density = 0, of_contacts = 0, of_floor = 0;
      for (std::size_t k = 0; k < per_layer; ++k) {
        const std::size_t cell = static_cast<std::size_t>(layer) * per_layer + k;
        density += rho[cell] / static_cast<double>(per_layer);
        of_contacts += stress[9 * cell + static_cast<std::size_t>(4 * up)] / static_cast<double>(per_layer);
        of_floor += force[3 * cell + static_cast<std::size_t>(up)] / static_cast<double>(per_layer);
      }
      const double step = density * 9.81 * height, lift = of_floor * height;
      const double above = weight + step / 2, balanced = balance + (step - lift) / 2;
      weight += step, balance += step - lift;
      const double y = grid.lower[up] + (layer + 0.5) * height;
      deepest = std::max(deepest, of_contacts);
      exact = std::max(exact, std::abs(of_contacts - balanced));
      if (y > grid.radius && of_contacts > 0.2 * 2500 * 0.6 * 9.81 * 0.15)
        worst = std::max(worst, std::abs(of_contacts / above - 1));
    }
    CHECK(deepest > 1000);
    scree::test::verify(
        fmt::format("vertical stress of a bed of dimension {} over the weight above, farthest off", dimension), 0,
        worst, 0.02);
    CHECK(exact < 0.01 * deepest);  // at the floor too, less its force: sums over layers stand for integrals
  }
}

TEST_CASE("in a cell that is sheared by its sides the mean contact stress is that of its contacts to 1e-10") {
  for (const bool flat : {true, false}) {
    Simulation run = Simulation::from_text(fmt::format(
        R"({{"dimension": {}, "gravity": {}, "periodic": {{"x": [0, 7.84], "y": [0, 7.84]{}}},
"materials": {{"m": {{"density": 1}}}}, "shapes": {{"grain": {{"type": "sphere", "radius": 0.5}}}},
"bodies": [{{"shape": "grain", "material": "m", "random_speed": 0.1,
  "packing": {{"type": "lattice", "lower": {}, "counts": {}, "spacing": 0.98}}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": 1000, "restitution": 0.5}}}}],
"hooks": [{{"type": "deforming-cell", "interval": 1e-3, "strain_rate": {{"xy": 0.5, "yy": -0.02}}}}],
"integrator": {{"type": "velocity-verlet", "dt": 1e-3}}, "run": {{"duration": 9}}, "output": {{"writers": []}}}})",
        flat ? 2 : 3, flat ? "[0, 0]" : "[0, 0, 0]", flat ? "" : R"(, "z": [0, 3.92])",
        flat ? "[0.4, 0.4]" : "[0.4, 0.4, 0.4]", flat ? "[8, 8]" : "[8, 8, 4]"));
    const Grid grid = grid_of(run.world(), "", 1);
    run.step(900);
    const World& world = run.world();
    CHECK_FALSE(world.cell.is_box());
    const ContactView contacts = run.contacts();
    const Moment m(grid, world, contacts);
    Mat3 virial = Mat3::Zero(), sum = Mat3::Zero();
    for (const ContactRecord& c : contacts)
      virial += c.force * branch_of(world, c, *world.row(c.a), *world.row(c.b)).way.transpose();
    const auto stress = m.field("contact_stress");
    for (std::size_t k = 0; k < stress.size(); ++k)
      sum(static_cast<int>(k % 9 / 3), static_cast<int>(k % 3)) += stress[k] * m.grid.cell_volume();
    CHECK((sum - virial).norm() < 1e-10 * virial.norm());
    CHECK(m.total(kMass) == Approx(totals(world, Vec3::Zero()).mass).epsilon(1e-12));
    CHECK(m.grid.cell_volume() * static_cast<double>(m.grid.cells()) == Approx(world.cell.volume()));
    // The velocity goes with the height from side to side, across the sides too.
    const auto u = m.field("velocity");
    double low = 0, high = 0;
    const auto row = static_cast<std::size_t>(m.grid.counts[0]);
    const std::size_t layer = row * static_cast<std::size_t>(m.grid.counts[1]);
    for (std::size_t x = 0; x < row; ++x)
      low += u[3 * x] / static_cast<double>(row), high += u[3 * (layer - row + x)] / static_cast<double>(row);
    const double jump = 0.5 * world.cell.length(1);
    CHECK(high - low == Approx(jump * (1 - 1. / m.grid.counts[1])).epsilon(0.1));
  }
}

}  // namespace scree::fields
