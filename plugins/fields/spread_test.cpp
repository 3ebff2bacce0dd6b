/// \file Spreading of points: nothing is lost, and sums are those of brute force.

#include <omp.h>

#include <numeric>

#include "catch.hpp"
#include "fields_scenes.hpp"
#include "lucy.hpp"
#include "spread.hpp"
#include "verify.hpp"

namespace scree::fields {

namespace {

using test::Gas;
using test::grid_of;
using test::Moment;

constexpr const char* kBox2 = R"(, "lower": [-2, -2], "upper": [1.5, 2], "width": 0.6)";
constexpr const char* kBox3 = R"(, "lower": [-2, -2, -2], "upper": [2, 1.5, 2.5], "width": 0.6)";

/// A box and the way it leans: none, a tilt, or images that move.
PeriodicCell leaning(const World& world) {
  PeriodicCell cell = world.cell;
  cell.edges(0, 1) = 0.7;
  if (world.dimension() == 3) cell.edges(0, 2) = -0.9, cell.edges(1, 2) = 0.33;
  return cell;
}

}  // namespace

TEST_CASE("mass and momentum of fields and of what is outside are those of the grains to 1e-12") {
  double worst = 0;
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true})
      for (const char* const spacing : {"", R"(, "spacing": 0.9)", R"(, "spacing": 0.17)"}) {
        const Gas gas(dimension, 60, periodic);
        const Moment m(grid_of(gas.world, std::string(dimension == 2 ? kBox2 : kBox3) + spacing), gas.world, {});
        const Totals all = totals(gas.world, Vec3::Zero());
        worst = std::max({worst, std::abs((m.total(kMass) + m.outside.mass) / all.mass - 1),
                          (m.totals(kMomentum) + m.outside.momentum - all.momentum).norm() / all.momentum.norm()});
        CHECK((m.outside.mass == 0) == periodic);
        CHECK(m.total(kVolume) + m.outside.mass / 3 == Approx(all.mass / 3).epsilon(1e-12));
        double motion = 0;
        for (std::size_t k = 0; k < 3; ++k) motion += m.total(kMotion + k);
        if (periodic) CHECK(motion == Approx(2 * all.kinetic_translation).epsilon(1e-12));
      }
  scree::test::verify("mass and momentum of fields against those of the grains", 0, worst, 1e-12);
}

TEST_CASE("in a leaning cell fields have the mass of the grains, and images carry their own velocity") {
  for (const int dimension : {2, 3}) {
    Gas gas(dimension, 40);
    gas.world.cell = leaning(gas.world);
    const Moment still(grid_of(gas.world, ""), gas.world, {});
    const Totals all = totals(gas.world, Vec3::Zero());
    CHECK(still.total(kMass) == Approx(all.mass).epsilon(1e-12));
    CHECK((still.totals(kMomentum) - all.momentum).norm() < 1e-12 * all.momentum.norm());
    // Bodies that move as the cell does have the cell's velocity everywhere, across its sides too.
    Mat3 gradient = Mat3::Zero();
    gradient(0, 1) = 0.4, gradient(1, 1) = -0.1;
    gas.world.cell.rate = gradient * gas.world.cell.edges;
    for (std::size_t i = 0; i < gas.world.size(); ++i) gas.world.velocity.write()[i] = gradient * gas.world.position[i];
    const Moment sheared(grid_of(gas.world, R"(, "width": 0.3)"), gas.world, {});
    const auto u = sheared.field("velocity"), rho = sheared.field("density");
    double worst = 0, steep = 0;
    for (std::size_t k = 0; k < sheared.grid.cells(); ++k) {
      if (rho[k] == 0) continue;
      const Vec3 expected = gradient * sheared.centre(k), found(u[3 * k], u[3 * k + 1], u[3 * k + 2]);
      worst = std::max(worst, (found - expected).norm()), steep = std::max(steep, expected.norm());
    }
    // A grain gives its velocity to places as far as a kernel's radius.
    CHECK(worst < gradient.norm() * sheared.grid.radius);
    CHECK(steep > 1.5 * worst);
  }
}

TEST_CASE("fields of bodies are those of brute force in periodic, leaning and open boxes") {
  for (const int dimension : {2, 3})
    for (const int kind : {0, 1, 2}) {
      Gas gas(dimension, 12, kind != 0);
      if (kind == 2) gas.world.cell = leaning(gas.world);
      const World& world = gas.world;
      const Moment m(grid_of(world, std::string(dimension == 2 ? kBox2 : kBox3) + R"(, "spacing": 0.45)"), world, {});
      const Grid& g = m.grid;
      // All cells within two cells of the grid; those beyond its ends count in the norm of an open box.
      const int beyond = kind == 0 ? 9 : 0;
      std::vector<double> mass(g.cells(), 0.0);
      for (std::size_t i = 0; i < world.size(); ++i) {
        std::vector<double> phi(g.cells(), 0.0);
        double norm = 0;
        const int reach = kind == 0 ? 0 : 2, flat = dimension == 2 ? 0 : 1;
        for (int a = -reach; a <= reach; ++a)
          for (int b = -reach; b <= reach; ++b)
            for (int c = -reach * flat; c <= reach * flat; ++c) {
              const Vec3 x = world.position[i] + world.cell.shift({a, b, c});
              for (int z = -beyond * flat; z < g.counts[2] + beyond * flat; ++z)
                for (int y = -beyond; y < g.counts[1] + beyond; ++y)
                  for (int px = -beyond; px < g.counts[0] + beyond; ++px) {
                    Vec3 way = g.lower + Vec3(px + 0.5, y + 0.5, z + 0.5).cwiseProduct(g.spacing) - x;
                    if (dimension == 2) way[2] = 0;
                    const double r = way.norm() / g.radius;
                    if (r >= 1) continue;
                    norm += lucy(r);
                    if (px < 0 || y < 0 || z < 0 || px >= g.counts[0] || y >= g.counts[1] || z >= g.counts[2]) continue;
                    phi[static_cast<std::size_t>(px + g.counts[0] * (y + g.counts[1] * z))] += lucy(r);
                  }
            }
        for (std::size_t k = 0; k < g.cells(); ++k) mass[k] += world.mass[i] * phi[k] / norm / g.cell_volume();
      }
      const auto found = m.field("density");
      double worst = 0, most = 0;
      for (std::size_t k = 0; k < g.cells(); ++k)
        worst = std::max(worst, std::abs(found[k] - mass[k])), most = std::max(most, mass[k]);
      INFO(dimension << " " << kind);
      CHECK(most > 0);
      CHECK(worst < 1e-12 * most);
    }
}

TEST_CASE("bodies far away are outside, and so are all where the grid has no cell near them") {
  Gas gas(3, 2, false);
  gas.world.position.write()[0] = {1e12, 0, 0};
  gas.world.position.write()[1] = {0, -1e300, 0};
  const Moment m(grid_of(gas.world, kBox3), gas.world, gas.contacts);
  CHECK(m.total(kMass) == 0);
  CHECK(m.outside.mass == Approx(gas.world.mass[0] + gas.world.mass[1]));
}

TEST_CASE("sums have the same bits for any number of threads and any order of rows") {
  Gas gas(3, 500);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const Moment one(grid_of(gas.world, ""), gas.world, gas.contacts);
  omp_set_num_threads(3);
  std::vector<std::uint32_t> order(gas.world.size());
  std::iota(order.rbegin(), order.rend(), 0u);
  gas.world.reorder(order);
  const Moment three(grid_of(gas.world, ""), gas.world, gas.contacts);
  omp_set_num_threads(threads);
  CHECK((one.sums == three.sums));
}

}  // namespace scree::fields
