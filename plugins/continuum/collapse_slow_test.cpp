// Collapses of columns beside what experiments and two-dimensional simulations of grains agree on: the run-out grows
// with the column's height over its width a, first as a, then as a^(2/3).
// Lube et al., Phys. Rev. E 72 (2005) 041301; Staron, Hinch, J. Fluid Mech. 545 (2005) 1

#include <algorithm>

#include "bed_test.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

struct Collapse {
  double run_out = 0;   ///< run-out of all but 0.5 % of the points, over the initial width [-]
  double stop = 0;      ///< when the front has made 97 % of its way: it creeps the rest [(H/g)^(1/2)]
  double overfull = 0;  ///< part of the volume that does not fit where it lies [-]
  double fullest = 0;   ///< largest fraction of a node, over the largest allowed one [-]
  double missed = 0;    ///< part of the steps
};

double front(const Bed<2>& bed) {
  std::vector<double> x;
  for (const Vec3& at : bed.points.position) x.push_back(at[0]);
  const auto last = x.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(x.size()));
  std::nth_element(x.begin(), last, x.end());
  return *last;
}

/// A column of width 1, of so many cells, beside a wall that slips, on a floor that holds.
Collapse collapse(double a, int cells) {
  const double h = 1. / cells, fall = std::sqrt(a / 9.81), dt = 0.25 * h / std::sqrt(2 * 9.81 * a) * 2;
  Bed<2> bed(h);
  bed.options.solver.max_sweeps = 1000;
  bed.gravity = Vec3(0, -9.81, 0);
  bed.wall(kFloor2, Vec3::Zero(), 1e3);
  bed.wall(kLeft, Vec3::Zero(), 0);
  bed.block(Vec3::Zero(), {3 * cells, static_cast<int>(3 * cells * a), 1}, h / 3);
  std::vector<std::pair<double, double>> way;
  const int steps = static_cast<int>(6 * fall / dt);
  for (int s = 0; s < steps; ++s) {
    bed.run(1, dt);
    way.emplace_back(bed.time, front(bed) - 1);
  }
  Collapse c;
  c.run_out = way.back().second;
  c.stop = std::ranges::find_if(way, [&](const auto& w) { return w.second > 0.97 * c.run_out; })->first / fall;
  c.overfull = bed.report.overfull;
  c.fullest = bed.report.fraction_max / bed.options.max_fraction;
  c.missed = double(bed.missed) / steps;
  return c;
}

}  // namespace

TEST_CASE("columns in the plane run out as experiments say and keep their volume") {
  std::vector<double> run_out;
  for (const double a : {1., 2., 4., 8.}) {
    const Collapse c = collapse(a, 12);
    INFO("a = " << a << ": run-out " << c.run_out << ", stops at " << c.stop << ", overfull " << c.overfull
                << ", fullest " << c.fullest << ", missed " << c.missed);
    run_out.push_back(c.run_out);
    if (a >= 2) CHECK(c.stop == Approx(3.3).margin(0.8));
    CHECK(c.overfull < 0.03);  // 0.01 to 0.024
    CHECK(c.fullest < 1.4);    // 1.06 to 1.31, single nodes of the toe
    CHECK(c.missed < 0.02);
  }
  // The prefactor is that of mu and of the floor. Measured: 1.58, 3.55, 6.35, 10.3.
  CHECK(std::log2(run_out[1] / run_out[0]) == Approx(1).margin(0.2));
  CHECK(std::log2(run_out[3] / run_out[2]) == Approx(2. / 3).margin(0.1));
}

TEST_CASE("the run-out of a column hardly depends on the width of its cells") {
  const double coarse = collapse(1, 24).run_out, fine = collapse(1, 32).run_out;
  INFO(coarse << ", " << fine);
  CHECK(coarse == Approx(fine).epsilon(0.02));
}

namespace {

/// Returns the rim of a heap about the z axis: the last ring of half a cell in which it is half a cell thick. Single
/// points that have flown farther are no part of it, as in experiments.
double rim(const Bed<3>& bed) {
  const double h = bed.lattice.width, ring = 0.5 * h;
  std::vector<double> volume;
  for (std::size_t p = 0; p < bed.points.size(); ++p) {
    const auto k = static_cast<std::size_t>(bed.points.position[p].head<2>().norm() / ring);
    if (k >= volume.size()) volume.resize(k + 1);
    volume[k] += bed.points.volume[p] / bed.options.max_fraction;
  }
  double last = 0;
  for (std::size_t k = 0; k < volume.size(); ++k) {
    const double area = std::numbers::pi / 4 * ring * ring * static_cast<double>(2 * k + 1);
    if (volume[k] > 0.5 * h * area) last = static_cast<double>(k + 1) * ring;
  }
  return last;
}

/// Run-out of a cylinder of radius 1, of so many cells. A quarter of it stands between two planes of symmetry.
double run_out_of_cylinder(double a, int cells) {
  const double h = 1. / cells, spacing = h / 2, fall = std::sqrt(a / 9.81), dt = 0.5 * h / std::sqrt(2 * 9.81 * a);
  const Plane front(Vec3::UnitY());
  Bed<3> bed(h);
  bed.options.solver.max_sweeps = 1000;
  bed.gravity = Vec3(0, 0, -9.81);
  bed.wall(kFloor3, Vec3::Zero(), 1e3);
  bed.wall(kLeft, Vec3::Zero(), 0);
  bed.wall(front, Vec3::Zero(), 0);
  for (int k = 0; k < 2 * cells * a; ++k)
    for (int j = 0; j < 2 * cells; ++j)
      for (int i = 0; i < 2 * cells; ++i) {
        const Vec3 x = spacing * Vec3(i + 0.5, j + 0.5, k + 0.5);
        if (x.head<2>().norm() < 1) bed.point(x, spacing, 0.6);
      }
  while (bed.time < 5 * fall) bed.run(1, dt);
  CHECK(bed.missed < 10);
  return rim(bed) - 1;
}

}  // namespace

TEST_CASE("cylinders run out as experiments say") {
  // Lube et al., J. Fluid Mech. 508 (2004) 175: 1.24 a up to a = 1.7, 1.6 a^(1/2) beyond.
  const double one = run_out_of_cylinder(1, 8), two = run_out_of_cylinder(2, 8), four = run_out_of_cylinder(4, 8);
  INFO(one << ", " << two << ", " << four);
  CHECK(one == Approx(1.24).epsilon(0.1));                  // 1.13
  CHECK(two == Approx(1.6 * std::sqrt(2.)).epsilon(0.22));  // 1.81: the toe is thinner than half a cell beyond
  CHECK(four == Approx(3.2).epsilon(0.1));                  // 3.13
}
