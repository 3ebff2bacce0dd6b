/// \file Bonds made in a run against statics: a cantilever against beam theory, and a disc that is crushed across its
/// diameter against the static network of its bonds.

#include <fmt/format.h>

#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "catch.hpp"
#include "one_thread.hpp"
#include "scree/run/simulation.hpp"
#include "verify.hpp"

using namespace scree;

namespace {

/// Bonds in the plane as beams of two nodes with (x, y, angle) each, sheared in their middle: linear statics, written
/// without any code of bonds.
class Network {
 public:
  explicit Network(std::size_t bodies) : size_(3 * bodies), held_(size_, false), way_(size_, 0.0) {}

  /// Adds a bond. \param area  S [m^2]  \param inertia  I [m^4]
  void add(std::size_t a, std::size_t b, const Vec3& branch, double normal, double shear, double area, double inertia) {
    const double l = branch.norm(), c = branch.x() / l, s = branch.y() / l;
    Beam beam{{3 * a, 3 * a + 1, 3 * a + 2, 3 * b, 3 * b + 1, 3 * b + 2}, {}, area, inertia, normal, shear};
    beam.strain << -c, -s, 0, c, s, 0,  // extension
        s, -c, -l / 2, -s, c, -l / 2,   // slip in the middle
        0, 0, -1, 0, 0, 1;              // turn
    const Eigen::Vector3d stiff(normal * area, shear * area, normal * inertia);
    const Eigen::Matrix<double, 6, 6> k = beam.strain.transpose() * stiff.asDiagonal() * beam.strain;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) entries_.emplace_back(beam.dof[i], beam.dof[j], k(i, j));
    beams_.push_back(beam);
  }
  void hold(std::size_t dof, double way) { held_[dof] = true, way_[dof] = way; }

  /// Solves for the ways of all bodies. \param load  [N], [N m]
  Eigen::VectorXd solve(const Eigen::VectorXd& load) const {
    std::vector<int> place(size_, -1);
    int free = 0;
    for (std::size_t i = 0; i < size_; ++i)
      if (!held_[i]) place[i] = free++;
    Eigen::VectorXd rhs = Eigen::VectorXd::Zero(free);
    for (std::size_t i = 0; i < size_; ++i)
      if (place[i] >= 0) rhs[place[i]] = load[static_cast<int>(i)];
    std::vector<Eigen::Triplet<double>> kept;
    for (const auto& e : entries_) {
      const int row = place[static_cast<std::size_t>(e.row())], col = place[static_cast<std::size_t>(e.col())];
      if (row < 0) continue;
      if (col >= 0)
        kept.emplace_back(row, col, e.value());
      else
        rhs[row] -= e.value() * way_[static_cast<std::size_t>(e.col())];
    }
    Eigen::SparseMatrix<double> k(free, free);
    k.setFromTriplets(kept.begin(), kept.end());
    const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(k);
    const Eigen::VectorXd u = solver.solve(rhs);
    Eigen::VectorXd all(static_cast<int>(size_));
    for (std::size_t i = 0; i < size_; ++i) all[static_cast<int>(i)] = place[i] >= 0 ? u[place[i]] : way_[i];
    return all;
  }
  /// Returns the force on a held coordinate.
  double reaction(const Eigen::VectorXd& u, std::size_t dof) const {
    double sum = 0;
    for (const auto& e : entries_)
      if (static_cast<std::size_t>(e.row()) == dof) sum += e.value() * u[e.col()];
    return sum;
  }
  /// Returns the largest stress over strength of all bonds. \param edge  half of a section's height [m]
  double utilisation(const Eigen::VectorXd& u, double edge, double tensile, double shear) const {
    double most = 0;
    for (const Beam& beam : beams_) {
      Eigen::Matrix<double, 6, 1> own;
      for (int i = 0; i < 6; ++i) own[i] = u[static_cast<int>(beam.dof[i])];
      const Eigen::Vector3d strain = beam.strain * own;
      most = std::max({most, (beam.normal * strain[0] + beam.normal * std::abs(strain[2]) * edge) / tensile,
                       beam.shear * std::abs(strain[1]) / shear});
    }
    return most;
  }

 private:
  struct Beam {
    std::size_t dof[6];
    Eigen::Matrix<double, 3, 6> strain;
    double area, inertia, normal, shear;
  };
  std::size_t size_;
  std::vector<bool> held_;
  std::vector<double> way_;
  std::vector<Eigen::Triplet<double>> entries_;
  std::vector<Beam> beams_;
};

}  // namespace

TEST_CASE("a cantilever of balls that a hook has joined bends as a beam of its section does") {
  const test::OneThread one;
  constexpr int kBonds = 10;
  constexpr double kRadius = 0.01, kLength = 2 * kRadius * kBonds, kYoung = 1e7, kShearModulus = 4e6, kLoad = 1e-3;
  for (const int dimension : {2, 3}) {
    std::string places;
    for (int k = 0; k <= kBonds; ++k)
      places += fmt::format(R"({}{{"position": [{}, 0{}]}})", k > 0 ? ", " : "", 2 * kRadius * k,
                            dimension == 2 ? "" : ", 0");
    Simulation s = Simulation::from_text(fmt::format(
        R"({{"dimension": {}, "damping": {{"mass_proportional": 40}},
"materials": {{"m": {{"density": 1000}}}}, "shapes": {{"ball": {{"type": "sphere", "radius": 0.01, "thickness": 0.02}}}},
"bodies": [{{"name": "beam", "shape": "ball", "material": "m", "packing": {{"type": "list", "places": [{}]}},
  "held": [{{"lower": [-0.001, -1{}], "upper": [0.001, 1{}]}}]}}],
"bonds": [{{"between": ["beam", "beam"], "pairs": "by-hook", "beside_contact": false,
  "law": {{"type": "bonded-beam", "youngs_modulus": {}, "shear_ratio": 0.4, "thickness": 0.02}}}}],
"hooks": [{{"type": "bond-maker"}}], "interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{"type": "velocity-verlet", "dt": 2e-5}}, "output": {{"writers": []}}, "run": {{"duration": 10}}}})",
        dimension, places, dimension == 2 ? "" : ", -1", dimension == 2 ? "" : ", 1", kYoung));
    s.step();
    REQUIRE(s.world().bonds().alive() == kBonds);
    s.world().external_wrenches().force.write()[*s.world().row(kBonds)] = {0, -kLoad, 0};
    s.run_until(1.5);
    const double area = dimension == 2 ? 2 * kRadius * 0.02 : std::numbers::pi * kRadius * kRadius;
    const double inertia =
        dimension == 2 ? 2.0 / 3 * std::pow(kRadius, 3) * 0.02 : std::numbers::pi * std::pow(kRadius, 4) / 4;
    const double beam = kLoad * std::pow(kLength, 3) / (3 * kYoung * inertia) * (1 - 1.0 / (4 * kBonds * kBonds)) +
                        kLoad * kLength / (kShearModulus * area);
    test::verify(fmt::format("deflection of the tip in {}D [m]", dimension), beam,
                 -Vec3(s.world().position[*s.world().row(kBonds)]).y(), 1e-4);
  }
}

TEST_CASE("a disc crushed across its diameter breaks at the load of its static network") {
  const test::OneThread one;
  constexpr double kRadius = 0.001, kNormal = 1e10, kShear = 4e9, kTensile = 2e4, kDisc = 0.0125, kSpeed = 1e-3;
  constexpr double kEdge = kRadius, kArea = 2 * kEdge, kInertia = 2.0 / 3 * kEdge * kEdge * kEdge;
  // Discs on a hexagonal lattice whose rows lie along x, in a circle; the lowest and the highest one are held.
  std::vector<Vec3> places;
  for (int row = -20; row <= 20; ++row)
    for (int k = -20; k <= 20; ++k) {
      const Vec3 x(2 * kRadius * (k + (row % 2 != 0 ? 0.5 : 0)), std::sqrt(3.0) * kRadius * row, 0);
      if (x.norm() < kDisc) places.push_back(x);
    }
  std::string list;
  double top = 0;
  for (const Vec3& x : places) {
    list += fmt::format(R"({}{{"position": [{}, {}]}})", list.empty() ? "" : ", ", x.x(), x.y());
    top = std::max(top, x.y());
  }
  Simulation s = Simulation::from_text(fmt::format(
      R"({{"dimension": 2, "damping": {{"mass_proportional": 1000}},
"materials": {{"m": {{"density": 2500}}}}, "shapes": {{"grain": {{"type": "sphere", "radius": {0}}}}},
"bodies": [{{"name": "disc", "shape": "grain", "material": "m", "packing": {{"type": "list", "places": [{1}]}},
  "held": [{{"lower": [-1, {2}], "upper": [1, 1], "motion": {{"velocity": [0, -{3}]}}}},
           {{"lower": [-1, -1], "upper": [1, -{2}], "motion": {{"velocity": [0, {3}]}}}}]}}],
"bonds": [{{"between": ["disc", "disc"], "pairs": "by-hook", "beside_contact": false, "law": {{"type": "bonded-beam",
  "normal_stiffness": {4}, "shear_stiffness": {5}, "tensile_strength": {6}, "shear_strength": {6}}}}}],
"hooks": [{{"type": "bond-maker", "gap": 1e-9}}], "interactions": [{{"between": ["*", "*"], "law": "none"}}],
"integrator": {{"type": "velocity-verlet", "dt": 4e-6}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      kRadius, list, top - 1e-6, kSpeed, kNormal, kShear, kTensile));
  s.step();
  const Bonds& bonds = s.world().bonds();
  Network network(places.size());
  for (std::size_t k = 0; k < bonds.size(); ++k)
    network.add(bonds.a[k], bonds.b[k], bonds.branch[k], kNormal, kShear, kArea, kInertia);
  constexpr double kWay = 1e-6;
  std::vector<std::size_t> pressed;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (std::abs(places[i].y()) < top - 1e-6) continue;
    for (const std::size_t dof : {3 * i, 3 * i + 1, 3 * i + 2}) network.hold(dof, 0);
    network.hold(3 * i + 1, places[i].y() > 0 ? -kWay : kWay);
    if (places[i].y() > 0) pressed.push_back(3 * i + 1);
  }
  const Eigen::VectorXd u = network.solve(Eigen::VectorXd::Zero(static_cast<int>(3 * places.size())));
  double load = 0;
  for (const std::size_t dof : pressed) load -= network.reaction(u, dof);
  const double expected = load / network.utilisation(u, kEdge, kTensile, kTensile);
  double before = 0;
  for (int k = 0; k < 2000 && bonds.alive() == bonds.size(); ++k) {
    before = 0;
    for (std::size_t i = 0; i < s.world().size(); ++i)
      if (places[s.world().id[i]].y() > top - 1e-6) before += Vec3(s.world().column<Vec3>("force")[i]).y();
    s.step(20);
  }
  REQUIRE(bonds.alive() < bonds.size());
  test::verify("load at which the first bond breaks [N]", expected, before, 0.02);
}
