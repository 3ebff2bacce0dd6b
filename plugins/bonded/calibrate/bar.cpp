#include "calibrate/bar.hpp"

#include <algorithm>
#include <numbers>
#include <string>

#include "measure/specimen.hpp"

namespace scree::bonded {

namespace {

constexpr double kStrain = 1e-6;

/// Weighted least squares of value over place.
struct Fit {
  double n = 0, v = 0, x = 0, vx = 0, xx = 0;
  void add(double value, double place, double weight = 1) {
    n += weight, v += weight * value, x += weight * place, vx += weight * value * place, xx += weight * place * place;
  }
  double slope() const { return (vx - v * x / n) / (xx - x * x / n); }
};

/// A bar between two plates, with bonds of Young's modulus 1 Pa, its axis along x through the origin.
class Clamped {
 public:
  Clamped(const Bar& bar, double ratio) {
    const Vec3 middle = (bar.lower + bar.upper) / 2;
    s = specimen_of(bar.elements, 1, ratio, 1000, -Vec3(0, middle.y(), middle.z()));
    start = s.position;
    const auto [low, high] =
        std::minmax_element(start.begin(), start.end(), [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); });
    left_ = low->x() + bar.grip, right_ = high->x() - bar.grip;
    from_ = low->x() + 0.3 * (high->x() - low->x()), to_ = low->x() + 0.7 * (high->x() - low->x());
    s.drive([&](const Vec3& p) { return p.x() < left_ || p.x() > right_; });
  }

  /// Equilibrium for the plates as they have been moved. \return force and torque about the axis on the right plate
  Wrench solve(double force_scale, std::string_view solver) {
    const BondTerm bonds(s.bonds(), s.size());
    IncrementalPotential potential(s.unknowns(), {&bonds});
    BlockMatrix hessian(potential.pattern());
    MinimiseOptions options;
    options.tolerance = 1e-7;
    options.inexact = false;
    options.tightest = 1e-8;
    const SolverChoice choice = choose_solver(potential.pattern(), solver);
    const auto report = minimise(potential, {s.radius, force_scale}, options, *choice.solver, hessian, s.moving());
    if (!report.converged)
      throw NotSolved(std::string("static solution not reached (") + std::string(report.stopped) +
                      "), relative residual " + std::to_string(report.residual));
    std::vector<Wrench> w(s.size());
    bonds.add_gradient(s.configuration(), w);
    Wrench sum;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (start[i].x() > right_) {
        sum.force += w[i].force;
        sum.torque += start[i].cross(w[i].force) + w[i].torque;
      }
    return sum;
  }

  /// Returns the growth of component `of` of the displacement along axis `over`.
  double strain(int of, int over) const {
    Fit fit;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (in_the_middle(i)) fit.add(moved(i)[of], start[i][over]);
    return fit.slope();
  }
  bool in_the_middle(std::size_t i) const { return start[i].x() > from_ && start[i].x() < to_; }
  Vec3 moved(std::size_t i) const { return s.position[i] - start[i]; }

  Specimen s;
  std::vector<Vec3> start;

 private:
  double left_ = 0, right_ = 0, from_ = 0, to_ = 0;
};

Macroscopic stretched(const Bar& bar, double ratio, std::string_view solver) {
  Clamped c(bar, ratio);
  for (std::size_t i = 0; i < c.s.size(); ++i) c.s.position[i].x() += kStrain * c.start[i].x();
  const double force = c.solve(bar.section() * kStrain, solver).force.x();
  const double along = c.strain(0, 0);
  return {force / bar.section() / along, -(c.strain(1, 1) + c.strain(2, 2)) / (2 * along), 0};
}

/// Torque over the rate of twist [N m^2].
double twisted(const Bar& bar, double ratio, std::string_view solver) {
  Clamped c(bar, ratio);
  const double side = std::sqrt(bar.section()), rate = kStrain / side;
  for (std::size_t i = 0; i < c.s.size(); ++i) {
    const Vec3 turn(rate * c.start[i].x(), 0, 0);
    c.s.position[i] += turn.cross(c.start[i]);
    c.s.orientation[i] = exponential<double>(turn);
  }
  const double torque = c.solve(bar.section() * kStrain, solver).torque.x();
  // A section turns by sum (y u_z - z u_y)/sum (y^2 + z^2): fitted body by body, weighted with y^2 + z^2.
  Fit fit;
  for (std::size_t i = 0; i < c.s.size(); ++i) {
    if (!c.in_the_middle(i)) continue;
    const Vec3 &p = c.start[i], u = c.moved(i);
    const double weight = p.y() * p.y() + p.z() * p.z();
    fit.add((p.y() * u.z() - p.z() * u.y()) / weight, p.x(), weight);
  }
  return torque / fit.slope();
}

double mean_edge(const TetrahedralMesh& mesh) {
  double sum = 0;
  for (const Tetrahedron& t : mesh.tetrahedron) sum += std::sqrt(squared_edges(mesh.corners(t)) / 6);
  return sum / static_cast<double>(mesh.tetrahedron.size());
}

}  // namespace

double torsion_constant(double width, double height) {
  const double a = std::max(width, height) / 2, b = std::min(width, height) / 2, pi = std::numbers::pi;
  double series = 0;
  for (int n = 1; n < 40; n += 2) series += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b * (16.0 / 3 - 1024 / std::pow(pi, 5) * b / a * series);
}

Bar bar_of(const Cuboid& box, const Elements& elements) {
  return {elements, Vec3::Zero(), box.size, 0.9 * box.cell().x()};
}

Bar bar_of(const TetrahedralMesh& mesh, FaceArea area) {
  Bar bar{elements_of(mesh, area), mesh.vertex[0], mesh.vertex[0], mean_edge(mesh)};
  for (const Tetrahedron& t : mesh.tetrahedron)
    for (const Vec3& p : mesh.corners(t)) bar.lower = bar.lower.cwiseMin(p), bar.upper = bar.upper.cwiseMax(p);
  const Vec3 size = bar.upper - bar.lower;
  const double filled = total_volume(mesh) / size.prod();
  if (!(filled > 0.99))
    throw std::invalid_argument("fills " + std::to_string(100 * filled) +
                                " % of its bounding box; moduli are measured on a rectangular bar along x.");
  if (size.x() < 2 * std::max(size.y(), size.z()))
    throw std::invalid_argument("is " + std::to_string(size.x()) + " m long and " +
                                std::to_string(std::max(size.y(), size.z())) +
                                " m wide; moduli are measured on a bar along x at least twice as long as wide.");
  return bar;
}

Macroscopic measured(const Bar& bar, double ratio, bool twist, std::string_view solver) {
  Macroscopic m = stretched(bar, ratio, solver);
  if (twist)
    m.shear =
        twisted(bar, ratio, solver) / torsion_constant(bar.upper.y() - bar.lower.y(), bar.upper.z() - bar.lower.z());
  return m;
}

}  // namespace scree::bonded
