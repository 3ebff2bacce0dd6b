// Which cells a fluid takes, and what walls cover of them.

#include "bed_test.hpp"
#include "catch.hpp"
#include "fluid/fluid_range.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

Wall wall_of(const Plane& plane, const Vec3& centre) {
  Wall wall;
  wall.faces = &plane;
  wall.centre = centre;
  return wall;
}
Wall body_of(const Ball& ball, double radius, const Vec3& centre) {
  Wall wall;
  wall.distance = &ball;
  wall.radius = radius;
  wall.centre = centre;
  wall.fixed = false;
  return wall;
}

/// A grid with points in single cells.
template <int D>
Grid<D> grid_of(const Lattice<D>& lattice, const std::vector<Vec<D>>& points) {
  Grid<D> grid;
  std::vector<std::uint64_t> id;
  for (std::size_t p = 0; p < points.size(); ++p) id.push_back(p);
  grid.build(
      lattice, points.size(), [&](std::size_t p) { return points[p]; }, id);
  return grid;
}

template <int D>
void check_body_takes_its_volume() {
  const Lattice<D> lattice{Vec<D>::Zero(), 0.1, {}};
  CellRange<D> range;
  range.count.fill(12);
  Vec3 centre = Vec3::Constant(0.6137);
  if (D == 2) centre[2] = 0;
  const Ball ball(0.35);
  const std::vector<Wall> walls = {body_of(ball, 0.35, centre)};
  FluidBox<D> box;
  box.build(lattice, range, walls);
  CHECK(box.cells().size() == range.cells());
  double covered = 0;
  Vec3 moment = Vec3::Zero();
  for (const auto& cover : box.covers()) {
    covered += cover.share * box.volume()[cover.node];
    moment += cover.share * box.volume()[cover.node] * (box.position(cover.node) - centre);
  }
  const double due = D == 2 ? std::numbers::pi * 0.35 * 0.35 : 4. / 3 * std::numbers::pi * std::pow(0.35, 3);
  CHECK(covered == Approx(due).epsilon(5e-3));
  CHECK(moment.norm() / covered < 1e-3);
  for (const double open : box.open()) CHECK(open >= 0);
}

}  // namespace

TEST_CASE("a body in a fluid takes as much room as it has volume, about its centre") {
  check_body_takes_its_volume<2>();
  check_body_takes_its_volume<3>();
}

TEST_CASE("a fixed wall on a line of the grid closes the faces there, and only those") {
  const Lattice<2> lattice{Vec<2>::Zero(), 0.1, {8, 0}};
  const std::vector<Wall> walls = {wall_of(kFloor2, Vec3::Zero())};
  FluidBox<2> box;
  box.build(lattice, {{0, -1}, {8, 6}}, walls);
  CHECK(box.cells().size() == 40);
  CHECK(box.closed_faces().size() == 8);
  CHECK(box.has_opening());
  for (std::size_t n = 0; n < box.nodes(); ++n) {
    const int y = box.place_of_node(n)[1];
    CHECK(int{box.closed()[n]} == (y == 0 ? 2 : 0));
    CHECK(box.volume()[n] == Approx(y < 0 ? 0 : y == 0 || y == 5 ? 0.005 : 0.01).margin(1e-15));
  }
  for (const auto& cover : box.covers()) CHECK(cover.share < 1e-9);
}

TEST_CASE("a fluid that is shut in by fixed walls has no opening") {
  const Plane lid(-Vec3::UnitY());
  const Lattice<2> lattice{Vec<2>::Zero(), 0.1, {8, 0}};
  const std::vector<Wall> walls = {wall_of(kFloor2, Vec3::Zero()), wall_of(lid, Vec3(0, 0.45, 0))};
  FluidState<2> state;
  const Grid<2> grid = grid_of<2>(lattice, {Vec<2>(0.05, 0.05)});
  FluidBox<2> box;
  box.build(lattice, widen(state, grid, walls), walls);
  CHECK_FALSE(box.has_opening());
  CHECK(state.lower == Place<2>{0, -1});
  CHECK(state.count == Place<2>{8, 7});
}

TEST_CASE("the box of a fluid grows with what moves, and keeps what it holds") {
  const Lattice<2> lattice{Vec<2>::Zero(), 0.1, {}};
  FluidState<2> state;
  widen(state, grid_of<2>(lattice, {Vec<2>(0.05, 0.05)}), {});
  CHECK(state.lower == Place<2>{-8, -8});
  CHECK(state.count == Place<2>{17, 17});
  for (std::size_t n = 0; n < state.velocity.size(); ++n)
    state.velocity[n] = Vec<2>(static_cast<double>(n % 18) - 8, static_cast<double>(n / 18) - 8);
  for (std::size_t c = 0; c < state.pressure.size(); ++c) state.pressure[c] = static_cast<double>(c % 17) - 8;
  const Ball ball(0.1);
  const std::vector<Wall> walls = {body_of(ball, 0.1, Vec3(0.55, 0.05, 0))};
  widen(state, grid_of<2>(lattice, {Vec<2>(0.05, 0.05)}), walls);
  CHECK(state.lower == Place<2>{-8, -8});
  CHECK(state.count == Place<2>{23, 17});
  for (std::size_t n = 0; n < state.velocity.size(); ++n) {
    const int x = static_cast<int>(n % 24) - 8, y = static_cast<int>(n / 24) - 8;
    CHECK(state.velocity[n] == (x <= 9 ? Vec<2>(x, y) : Vec<2>(0, 0)));
  }
  for (std::size_t c = 0; c < state.pressure.size(); ++c) {
    const int x = static_cast<int>(c % 23) - 8;
    CHECK(state.pressure[c] == (x < 9 ? x : 0));
  }
}
