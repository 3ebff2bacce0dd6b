// Grains in a viscous fluid: how they sink, rest and flow. Numbers beside gates are what was measured.

#include "bed_test.hpp"
#include "catch.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

constexpr FluidLaw kWater{1000, 1e-3, 1e-4};

/// A column of so many cells, one cell wide points apart, without sides. \param fraction  of its points
template <int D>
Bed<D> column(int cells, double height, double fraction, const FluidLaw& fluid, double tolerance) {
  const int along = D == 2 ? 3 : 2;
  Bed<D> bed(height / cells);
  bed.options.fluid = fluid;
  bed.options.solver.tolerance = tolerance;
  for (int k = 0; k < D - 1; ++k) bed.lattice.period[k] = 4;
  bed.gravity = tilted<D>(0);
  bed.wall(D == 2 ? kFloor2 : kFloor3, Vec3::Zero(), 0.5);
  std::array<int, 3> counts = {4 * along, 4 * along, 4 * along};
  counts[D - 1] = cells * along;
  bed.block(Vec3::Zero(), counts, bed.lattice.width / along, fraction);
  return bed;
}

/// Mean of points whose height is a part of the whole between the two.
template <int D>
double mean(const Bed<D>& bed, double height, double from, double to, const auto& value) {
  double sum = 0;
  int count = 0;
  for (std::size_t p = 0; p < bed.points.size(); ++p) {
    const double z = bed.points.position[p][D - 1] / height;
    if (z > from && z < to) sum += value(p), ++count;
  }
  return sum / count;
}

/// A column twice as high as wide beside a wall that slips. \return how far grains have come, but for the foremost
double front(const Bed<2>& bed) {
  std::vector<double> x;
  for (const Vec3& at : bed.points.position) x.push_back(at[0]);
  std::ranges::sort(x);
  return x[x.size() * 199 / 200];
}
Bed<2> narrow(const FluidLaw& fluid) {
  Bed<2> bed(0.01);
  bed.options.fluid = fluid;
  bed.gravity = tilted<2>(0);
  bed.wall(kFloor2, Vec3::Zero(), 1e3);
  bed.wall(kLeft, Vec3::Zero(), 0);
  bed.block(Vec3::Zero(), {18, 36, 1}, 0.01 / 3);
  return bed;
}

template <int D>
void check_settling() {
  constexpr double kHeight = 0.1, kFraction = 0.5;
  Bed<D> bed = column<D>(12, kHeight, kFraction, kWater, 1e-9);
  bed.run(4, 3e-3);  // 14 times what drag needs
  CHECK(bed.missed == 0);
  const double speed = kWater.settling(kFraction, kDensity, 9.81);
  CHECK(speed == Approx(3.2561e-4).epsilon(1e-4));
  const auto velocity = [&](std::size_t p) { return bed.points.velocity[p][D - 1]; };
  scree::test::verify("settling speed of a suspension [m/s]", speed, -mean(bed, kHeight, 0.4, 0.9, velocity), 1e-3);
  const auto pressure = [&](std::size_t p) { return bed.points.pore_pressure[p]; };
  const double full = (kDensity - kWater.density) * kFraction * 9.81 * kHeight, half_a_cell = 1. / 24;
  scree::test::verify("pressure of the fluid at the floor [Pa]", full * (1 - half_a_cell),
                      mean(bed, kHeight, 0, 2 * half_a_cell, pressure), 1e-3);
}

}  // namespace

TEST_CASE("drag is Stokes' on a single grain, and within ten per cent of Kozeny and Carman's between dense ones") {
  const FluidLaw& f = kWater;
  const double stokes = (kDensity - f.density) * 9.81 * f.diameter * f.diameter / (18 * f.viscosity);
  scree::test::verify("settling speed of a single grain [m/s]", stokes, f.settling(1e-9, kDensity, 9.81), 1e-6);
  CHECK(f.settling(0.5, kDensity, 9.81) == Approx(stokes * std::pow(0.5, 4.65)).epsilon(1e-12));
  const double carman = 150 * 0.36 * f.viscosity / (0.4 * f.diameter * f.diameter);
  scree::test::verify("drag of a dense bed [Pa s/m²]", carman, f.drag(0.6), 0.12);  // 0.906 of it
}

TEST_CASE("a suspension sinks as Richardson and Zaki say, and the fluid bears its weight") {
  check_settling<2>();
  check_settling<3>();
}

TEST_CASE("what has settled bears its own weight less buoyancy") {
  const double height = 0.1;
  Bed<2> bed = column<2>(12, height, 0.6, kWater, 1e-6);
  bed.run(5, 2e-3);
  const auto pore = [&](std::size_t p) { return std::abs(bed.points.pore_pressure[p]); };
  CHECK(mean(bed, height, 0, 1, pore) < 1e-3 * 1500 * 0.6 * 9.81 * height);
  scree::test::verify("load of the floor, weight less buoyancy [N/m]", bed.mass() * 0.6 * 9.81,
                      -bed.loads[0].impulse[1] / 2e-3, 1e-3);
  CHECK(bed.fastest() < 1e-6);
}

namespace {

/// A cloud in a fluid of nothing, drawn together by a tenth along an axis. Nothing slows it, so a gradient a of
/// velocity leaves 1 - a t of its length, and packing grows by 1/(1 - a t).
template <int D>
void check_packing(int axis) {
  const Vec3 lower(0.013, 0.021, D == 3 ? 0.034 : 0);
  Bed<D> bed(0.1);
  bed.options.fluid = {1e-9, 1e-15, 1e-3};
  bed.block(lower, {12, 12, 12}, 0.1 / 3, 0.3);
  std::vector<bool> deep;
  for (std::size_t p = 0; p < bed.points.size(); ++p) {
    const Vec3 x = bed.points.position[p] - lower;
    deep.push_back(x.head<D>().minCoeff() > 0.15 && x.head<D>().maxCoeff() < 0.25);  // of 0.4 m
    bed.points.velocity[p] = -bed.points.position[p][axis] * Vec3::Unit(axis);
    bed.points.affine[p](axis, axis) = -1;
  }
  bed.run(50, 2e-3);
  INFO("in " << D << " dimensions along axis " << axis);
  constexpr double kExpected = 0.3 / 0.9;
  // Corners of the cloud are at its surface all the time; nodes there hold next to nothing, and are slightly slower. In
  // its midst the grid counts points by cells.
  CHECK(bed.points.packing.front() == Approx(kExpected).epsilon(0.005));
  CHECK(bed.points.packing.back() == Approx(kExpected).epsilon(0.005));
  for (std::size_t p = 0; p < bed.points.size(); ++p)
    if (deep[p]) CHECK(bed.points.packing[p] == Approx(kExpected).epsilon(0.03));
}

/// What flows between the cells of a column from bottom to top, of two layers of six cells each: the resistance of
/// cell to cell by permeability [Pa s/m], in all.
template <int D>
double resistance_of_layers(double lower, double upper) {
  Bed<D> bed(0.1);
  for (int k = 0; k < D - 1; ++k) bed.lattice.period[k] = 3;
  Vec3 middle = Vec3::Zero();
  middle[D - 1] = 0.6;
  std::array<int, 3> counts = {6, 6, 6};
  counts[D - 1] = 12;
  bed.block(Vec3::Zero(), counts, 0.05, lower);
  bed.block(middle, counts, 0.05, upper);
  Grid<D> grid;
  grid.build(
      bed.lattice, bed.points.size(),
      [&](std::size_t p) -> Vec<D> { return bed.points.position[p].template head<D>(); }, bed.points.id);
  PoreFluid<D> fluid;
  const double dt = 1e-3, face = std::pow(0.1, D - 1);
  fluid.find_rows(grid, bed.points.volume, bed.points.packing, kWater, dt, [](const Vec<D>&) { return false; });
  double sum = 0;
  for (std::size_t c = 0; c < grid.cells().size(); ++c) {
    const Place<D> place = Lattice<D>::place(grid.cells()[c].key);
    const bool first = place[0] == 0 && (D == 2 || place[1] == 0);
    if (first && place[D - 1] < 11) sum += face / (fluid.rows()[c].leak[2 * D - 1] * dt);
  }
  return sum;
}

}  // namespace

TEST_CASE("grains drawn together by a tenth are packed by a ninth more densely, in their midst and at the surface") {
  for (int axis = 0; axis < 2; ++axis) check_packing<2>(axis);
  for (int axis = 0; axis < 3; ++axis) check_packing<3>(axis);
}

TEST_CASE("two layers of grains resist a flow one after the other: h1/K1 + h2/K2") {
  for (const auto& [lower, upper] : {std::pair(0.5, 0.5), std::pair(0.5, 0.6), std::pair(0.6, 0.2)}) {
    const double law =
        0.55 / kWater.permeability(lower) + 0.55 / kWater.permeability(upper);  // between middles of cells
    CHECK(resistance_of_layers<2>(lower, upper) == Approx(law).epsilon(1e-12));
    CHECK(resistance_of_layers<3>(lower, upper) == Approx(law).epsilon(1e-12));
  }
}

TEST_CASE("a fluid of nothing leaves a collapse as it is") {
  Bed<2> wet = narrow({1e-9, 1e-15, 1e-3}), dry = narrow({});
  wet.run(60, 2e-3);
  dry.run(60, 2e-3);
  CHECK(front(wet) == Approx(front(dry)).epsilon(1e-6));
}

TEST_CASE("where pores drain at once a collapse in a fluid is one under less gravity: as far, and later", "[long]") {
  // A thousandth of water's viscosity. The weight is that less buoyancy, (rho - rho_f) / rho = 0.6 of it.
  Bed<2> wet = narrow({1000, 1e-6, 1e-3}), dry = narrow({});
  const auto time_to = [](Bed<2>& bed, double place) {
    while (front(bed) < place && bed.time < 2) bed.run(1, 2e-3);
    return bed.time;
  };
  constexpr double kHalfway = 0.15;
  CHECK(time_to(wet, kHalfway) / time_to(dry, kHalfway) == Approx(1 / std::sqrt(0.6)).epsilon(0.05));
  for (Bed<2>* bed : {&wet, &dry}) bed->run(300, 2e-3);
  CHECK(front(wet) == Approx(front(dry)).epsilon(0.05));
}

TEST_CASE("a collapse in a fluid is later than one in air, and no later than buoyancy makes it", "[long]") {
  // Buoyancy alone makes it one under 0.6 of the weight: the same in 0.6^(1/2) of the time. Grains that draw together
  // press on the fluid, which bears them and takes friction from them: after that they are ahead by up to a tenth.
  Bed<2> wet = narrow({1000, 1e-3, 1e-3}), dry = narrow({}), light = narrow({});
  for (int k = 0; k < 10; ++k) {
    wet.run(20, 2e-3);
    dry.run(20, 2e-3);
    light.run(20, 2e-3 * std::sqrt(0.6));
    INFO("t = " << wet.time << " s, " << wet.missed << " and " << dry.missed << " steps not solved");
    CHECK(front(wet) < front(dry));
    CHECK(front(wet) > 0.995 * front(light));  // 0.9994 in the first 0.04 s
    CHECK(front(wet) < 1.12 * front(light));   // 1.095 at 0.24 s
  }
}
