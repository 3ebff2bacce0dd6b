#pragma once
/// \file For the tests: a bed of regular points on a grid of its own, periodic along the floor, the least a step needs.

#include <cmath>
#include <vector>

#include "solvers/drucker_prager/cone_coordinates.hpp"
#include "solvers/drucker_prager/solve.hpp"

namespace scree::continuum::test {

inline constexpr double kGravity = 9.81;

struct BedSettings {
  int depth = 12;         ///< cells
  int width = 4;          ///< cells along each axis of the floor, at least 3
  double cell = 0.01;     ///< h [m]
  double step = 5e-3;     ///< dt [s]
  double angle = 0;       ///< of the slope [rad]
  double friction = 0.5;  ///< mu
  double floor = -1;      ///< mu_w of contact rows; below 0: no slip, nodes of the floor do not move
  double density = 2500;  ///< rho [kg/m^3]
  double fraction = 0.6;  ///< phi_max
};

/// The last axis is normal to the floor, the first points down the slope.
template <int D>
class Bed {
 public:
  std::vector<Vec<D>> velocity, inverse_mass, start;  ///< (nodes); velocity is u*
  std::vector<StrainRow<D>> rows;
  std::vector<coulomb::RigidContact<D>> contacts;
  std::vector<Stress<D>> stress;
  std::vector<Vec<D>> impulses, end;  ///< (contacts), (nodes)
  std::vector<double> mass;           ///< (nodes) [kg]
  Workspace<D> workspace;

  explicit Bed(const BedSettings& settings) : s_(settings) {
    const std::size_t nodes = count(s_.depth + 1);
    mass.assign(nodes, 0);
    start.assign(nodes, Vec<D>::Zero());
    stress.assign(nodes, Stress<D>::Zero());
    end = start;
    rows.resize(nodes);
    fill_.assign(nodes, 0);
    for (std::size_t j = 0; j < nodes; ++j) link(j);
    for (std::size_t c = 0; c < count(s_.depth); ++c) add_points(coordinates(c));
    for (std::size_t j = 0; j < nodes; ++j) finish(j);
    add_floor();
  }

  std::size_t nodes() const { return mass.size(); }
  int layer(std::size_t node) const { return coordinates(node)[D - 1]; }

  Vec<D> gravity() const {
    Vec<D> g = Vec<D>::Zero();
    g[0] = kGravity * std::sin(s_.angle), g[D - 1] = -kGravity * std::cos(s_.angle);
    return g;
  }

  StrainProblem<D> problem() {
    velocity = start;
    for (std::size_t i = 0; i < nodes(); ++i) {
      if (!inverse_mass[i].isZero(0)) velocity[i] += s_.step * gravity();
    }
    StrainProblem<D> p;
    p.velocity = velocity, p.inverse_mass = inverse_mass, p.start_velocity = start;
    p.strain = rows, p.contacts = contacts;
    p.pressure = s_.density * kGravity * s_.cell * s_.step;
    p.face = std::pow(s_.cell, D - 1);
    return p;
  }

  /// One step: the grid stays, as if points did not move.
  Report advance(const Options& options) {
    const Report report = solve(problem(), {stress, impulses, end, {}}, options, workspace);
    start = end;
    return report;
  }

  double largest_speed() const {
    double largest = 0;
    for (const Vec<D>& u : end) largest = std::fmax(largest, u.norm());
    return largest;
  }

 private:
  using Cell = std::array<int, D>;

  std::size_t count(int layers) const { return static_cast<std::size_t>(std::pow(s_.width, D - 1)) * layers; }
  Cell coordinates(std::size_t i) const {
    Cell c;
    for (int a = 0; a < D - 1; ++a) c[a] = static_cast<int>(i % s_.width), i /= s_.width;
    c[D - 1] = static_cast<int>(i);
    return c;
  }
  /// \return kNoNode above and below
  std::uint32_t index(const Cell& c) const {
    if (c[D - 1] < 0 || c[D - 1] > s_.depth) return kNoNode;
    std::uint32_t i = c[D - 1];
    for (int a = D - 1; a-- > 0;) i = i * s_.width + (c[a] + s_.width) % s_.width;
    return i;
  }

  void link(std::size_t j) {
    for (int n = 0; n < kNeighbours<D>; ++n) {
      Cell c = coordinates(j);
      for (int a = 0, rest = n; a < D; ++a, rest /= 3) c[a] += rest % 3 - 1;
      rows[j].node[n] = index(c);
      rows[j].g[n].setZero();
    }
  }

  /// Three points per axis in the plane, two in space.
  void add_points(const Cell& cell) {
    constexpr int kPerAxis = D == 2 ? 3 : 2, kCount = D == 2 ? 9 : 8;
    for (int p = 0; p < kCount; ++p) {
      Vec<D> x;
      for (int a = 0, rest = p; a < D; ++a, rest /= kPerAxis) x[a] = (rest % kPerAxis + 0.5) / kPerAxis;
      add_point(cell, x, s_.fraction * std::pow(s_.cell, D) / kCount);
    }
  }

  /// \param x  place in the cell, 0 to 1
  void add_point(const Cell& cell, const Vec<D>& x, double volume) {
    constexpr int kCorners = 1 << D;
    std::array<Cell, kCorners> corner;
    std::array<double, kCorners> weight;
    std::array<Vec<D>, kCorners> gradient;
    for (int k = 0; k < kCorners; ++k) {
      corner[k] = cell, weight[k] = 1, gradient[k].setConstant(1 / s_.cell);
      for (int a = 0; a < D; ++a) {
        const bool upper = k >> a & 1;
        corner[k][a] += upper;
        weight[k] *= upper ? x[a] : 1 - x[a];
        for (int b = 0; b < D; ++b) gradient[k][b] *= b == a ? (upper ? 1 : -1) : (upper ? x[a] : 1 - x[a]);
      }
    }
    for (int j = 0; j < kCorners; ++j) {
      const std::uint32_t row = index(corner[j]);
      mass[row] += s_.density * volume * weight[j];
      fill_[row] += volume * weight[j];
      for (int i = 0; i < kCorners; ++i) {
        int n = 0;
        for (int a = D; a-- > 0;) n = 3 * n + corner[i][a] - corner[j][a] + 1;
        rows[row].g[n] += volume * weight[j] * gradient[i];
      }
    }
  }

  void finish(std::size_t j) {
    const bool bottom = layer(j) == 0;
    const double inverse = bottom && s_.floor < 0 ? 0 : 1 / mass[j];
    inverse_mass.push_back(Vec<D>::Constant(inverse));
    const double room = s_.fraction * std::pow(s_.cell, D) * (bottom ? 0.5 : 1);
    rows[j].k = std::fmax(0, room - fill_[j] > 0.04 * room ? room - fill_[j] : 0) / (s_.step * kTrace<D>);
    rows[j].friction = cone_friction<D>(s_.friction);
    rows[j].apex = 0;
  }

  void add_floor() {
    if (s_.floor < 0) return;
    Mat<D> frame = Mat<D>::Zero();
    frame(0, D - 1) = 1;
    for (int a = 1; a < D; ++a) frame(a, a - 1) = 1;
    for (std::uint32_t i = 0; i < nodes(); ++i) {
      if (layer(i) != 0) continue;
      contacts.push_back({kImmovable, i, frame, Vec<D>::Zero(), Vec<D>::Zero(), Vec<D>::Zero(), s_.floor});
    }
    impulses.assign(contacts.size(), Vec<D>::Zero());
  }

  BedSettings s_;
  std::vector<double> fill_;  ///< f_j [m^D]
};

}  // namespace scree::continuum::test
