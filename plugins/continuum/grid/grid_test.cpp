#include <omp.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <random>

#include "catch.hpp"
#include "grid/transfers.hpp"

using namespace scree::continuum;

namespace {

/// Random points in a box, with random masses; velocities and gradients to be set.
template <int D>
struct Cloud {
  std::vector<Vec<D>> x;
  std::vector<std::uint64_t> id;
  std::vector<Eigen::Vector3d> v, f;
  std::vector<Eigen::Matrix3d> c;
  std::vector<double> mass, volume;

  explicit Cloud(std::size_t n) : id(n), v(n, Eigen::Vector3d::Zero()), f(v), c(n, Eigen::Matrix3d::Zero()) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> in(-1, 1);
    for (std::size_t i = 0; i < n; ++i) {
      Vec<D> place;
      for (int k = 0; k < D; ++k) place[k] = in(random);
      x.push_back(place);
      id[i] = i;
      volume.push_back(1.5 + in(random));
      mass.push_back(2500 * volume.back());
    }
  }
  void move(const Vec<D>& v0, const Mat<D>& gradient) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      v[i].template head<D>() = v0 + gradient * x[i];
      c[i].template topLeftCorner<D, D>() = gradient;
    }
  }
  Points points() const { return {v, c, mass, volume, f, mass, mass}; }  // friction and expansion: any
  Grid<D> grid(const Lattice<D>& lattice) const {
    Grid<D> grid;
    grid.build(
        lattice, x.size(), [&](std::size_t i) { return x[i]; }, id);
    return grid;
  }
};

template <int D>
std::vector<Vec<D>> velocities(const std::vector<NodeValues<D>>& nodes) {
  std::vector<Vec<D>> u;
  for (const auto& n : nodes) u.push_back(n.momentum / n.mass);
  return u;
}

template <int D>
Eigen::Vector3d in_space(const Vec<D>& v) {
  Eigen::Vector3d w = Eigen::Vector3d::Zero();
  w.template head<D>() = v;
  return w;
}

template <int D>
void check_momentum() {
  Cloud<D> cloud(300);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> in(-1, 1);
  for (auto& v : cloud.v) v = Eigen::Vector3d(in(random), in(random), D == 3 ? in(random) : 0);
  for (auto& c : cloud.c)
    for (double& entry : c.reshaped()) entry = in(random);
  const Grid<D> grid = cloud.grid({Vec<D>::Constant(0.013), 0.21, {}});
  std::vector<NodeValues<D>> nodes;
  Transfers<D>().to_nodes(grid, cloud.points(), nodes);
  double mass = 0, of_points = 0;
  Vec<D> momentum = Vec<D>::Zero(), expected = Vec<D>::Zero();
  for (const auto& n : nodes) mass += n.mass, momentum += n.momentum;
  for (std::size_t i = 0; i < cloud.x.size(); ++i) {
    of_points += cloud.mass[i];
    expected += cloud.mass[i] * cloud.v[i].template head<D>();
  }
  CHECK(std::abs(mass - of_points) < 1e-14 * of_points);
  // Random velocities mostly cancel: what rounds is of the size of the sum of their sizes.
  CHECK((momentum - expected).norm() < 1e-14 * of_points);
}

template <int D>
void check_affine() {
  Cloud<D> cloud(200);
  Mat<D> gradient;
  for (int k = 0; k < D * D; ++k) gradient.reshaped()[k] = std::sin(1.0 + k);
  cloud.move(Vec<D>::Constant(0.7), gradient);
  const Grid<D> grid = cloud.grid({Vec<D>::Zero(), 0.3, {}});
  std::vector<NodeValues<D>> nodes;
  Transfers<D>().to_nodes(grid, cloud.points(), nodes);
  const auto u = velocities(nodes);
  for (std::size_t i = 0; i < u.size(); ++i)
    CHECK((u[i] - Vec<D>::Constant(0.7) - gradient * grid.position(i)).norm() < 1e-12);
  for (const auto& cell : grid.cells())
    for (std::size_t k = cell.first; k < cell.last; ++k) {
      const auto motion = motion_of<D>(grid, cell, k, u);
      const std::size_t p = grid.order()[k];
      CHECK((motion.velocity - cloud.v[p].template head<D>()).norm() < 1e-12);
      // A gradient is a difference over h of velocities, and divides their rounding by it.
      CHECK((motion.gradient - gradient).norm() < 1e-12 / 0.3);
    }
}

/// Checks angular momentum: at nodes sum x_i x m_i u_i; at points sum x_p x m_p v_p + sum m_p <arm x C arm> with the
/// weights' second moments.
template <int D>
void check_angular_momentum() {
  Cloud<D> cloud(150);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> in(-1, 1);
  for (auto& v : cloud.v) v = Eigen::Vector3d(in(random), in(random), D == 3 ? in(random) : 0);
  const Grid<D> grid = cloud.grid({Vec<D>::Zero(), 0.25, {}});
  std::vector<NodeValues<D>> nodes;
  Transfers<D>().to_nodes(grid, cloud.points(), nodes);
  Eigen::Vector3d before = Eigen::Vector3d::Zero(), of_nodes = before;
  double size = 0;
  for (std::size_t i = 0; i < cloud.x.size(); ++i) {
    before += in_space<D>(cloud.x[i]).cross(cloud.mass[i] * cloud.v[i]);
    size += cloud.mass[i];
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    of_nodes += in_space<D>(grid.position(i)).cross(in_space<D>(nodes[i].momentum));
  CHECK((of_nodes - before).norm() < 1e-12 * size);

  // Back to points, and to nodes again, while nothing moves: linear and affine part together keep it.
  const auto u = velocities(nodes);
  for (const auto& cell : grid.cells())
    for (std::size_t k = cell.first; k < cell.last; ++k) {
      const auto motion = motion_of<D>(grid, cell, k, u);
      cloud.v[grid.order()[k]].template head<D>() = motion.velocity;
      cloud.c[grid.order()[k]].template topLeftCorner<D, D>() = motion.gradient;
    }
  std::vector<NodeValues<D>> again;
  Transfers<D>().to_nodes(grid, cloud.points(), again);
  Vec<D> momentum = Vec<D>::Zero(), momentum_before = momentum;
  for (std::size_t i = 0; i < nodes.size(); ++i) momentum += again[i].momentum, momentum_before += nodes[i].momentum;
  CHECK((momentum - momentum_before).norm() < 1e-12 * size);
}

template <int D>
void check_gradients() {
  Cloud<D> cloud(100);
  const Grid<D> grid = cloud.grid({Vec<D>::Zero(), 0.4, {}});
  std::vector<StrainRow<D>> g;
  const std::vector<const CellGradients<D>*> unknown(grid.cells().size());
  Transfers<D>().gradients(grid, cloud.volume, unknown, {}, g);
  std::vector<NodeValues<D>> nodes;
  Transfers<D>().to_nodes(grid, cloud.points(), nodes);
  Mat<D> gradient;
  for (int k = 0; k < D * D; ++k) gradient.reshaped()[k] = std::cos(2.0 * k);
  for (std::size_t j = 0; j < g.size(); ++j) {
    Vec<D> of_constant = Vec<D>::Zero();
    Mat<D> of_affine = Mat<D>::Zero();
    for (int n = 0; n < kNeighbours<D>; ++n) {
      const std::uint32_t i = g[j].node[n];
      if (i == kNoNode) {
        CHECK(g[j].g[n].norm() == 0);
        continue;
      }
      of_constant += g[j].g[n];
      of_affine += gradient * grid.position(i) * g[j].g[n].transpose();
    }
    const double size = nodes[j].volume / 0.4;
    CHECK(of_constant.norm() < 1e-13 * size);
    CHECK((of_affine - nodes[j].volume * gradient).norm() < 1e-12 * size);
  }
}

}  // namespace

TEST_CASE("mass and momentum of nodes are those of the points") {
  check_momentum<2>();
  check_momentum<3>();
}

TEST_CASE("points and nodes give each other affine velocities as they are") {
  check_affine<2>();
  check_affine<3>();
}

TEST_CASE("angular momentum goes to the nodes whole while points stand still") {
  check_angular_momentum<2>();
  check_angular_momentum<3>();
}

TEST_CASE("the discrete strain of a constant velocity is 0 and that of an affine one its gradient times the volume") {
  check_gradients<2>();
  check_gradients<3>();
}

TEST_CASE("a lattice that repeats joins its ends") {
  const Lattice<2> lattice{Vec<2>::Zero(), 0.1, {5, 0}};
  Cloud<2> cloud(2);
  cloud.x = {Vec<2>(0.01, 0.05), Vec<2>(0.5 + 0.45, 0.05)};  // one period apart from (0.45, 0.05)
  const Grid<2> grid = cloud.grid(lattice);
  REQUIRE(grid.cells().size() == 2);
  CHECK(grid.nodes().size() == 6);  // columns 4, 0 and 1
  CHECK(grid.cells()[1].node[1] == grid.cells()[0].node[0]);
  CHECK(Lattice<2>::place(Lattice<2>::key({-3, 70})) == Place<2>{-3, 70});
}

TEST_CASE("nodes have the same bits for any number of threads and order of points") {
  const auto nodes_of = [](Cloud<3> cloud, int threads, bool turned) {
    if (turned) {
      std::reverse(cloud.x.begin(), cloud.x.end());
      std::reverse(cloud.id.begin(), cloud.id.end());
      std::reverse(cloud.v.begin(), cloud.v.end());
      std::reverse(cloud.mass.begin(), cloud.mass.end());
      std::reverse(cloud.volume.begin(), cloud.volume.end());
    }
    omp_set_num_threads(threads);
    const Grid<3> grid = cloud.grid({Vec<3>::Zero(), 0.5, {}});
    std::vector<NodeValues<3>> nodes;
    Transfers<3>().to_nodes(grid, cloud.points(), nodes);
    std::vector<double> bits;
    for (const auto& n : nodes) bits.insert(bits.end(), {n.mass, n.volume, n.momentum[0], n.momentum[2]});
    return bits;
  };
  Cloud<3> cloud(500);
  cloud.move(Vec<3>(1, 2, 3), Mat<3>::Zero());
  const int before = omp_get_max_threads();
  const auto expected = nodes_of(cloud, 1, false);
  CHECK(nodes_of(cloud, 2, false) == expected);
  CHECK(nodes_of(cloud, 3, true) == expected);
  omp_set_num_threads(before);
}

TEST_CASE("a point that no key reaches is named") {
  Cloud<2> cloud(3);
  cloud.x[1][0] = 1e9;
  try {
    cloud.grid({Vec<2>::Zero(), 0.1, {}});
    FAIL("accepted");
  } catch (const PointOffGrid& e) {
    CHECK(e.row == 1);
  }
}
