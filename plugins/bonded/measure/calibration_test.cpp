#include "catch.hpp"

#include "measure/specimen.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

constexpr double kYoung = 1e9;

/// A long prism whose ends are held in plates; small displacements of the right one.
struct Prism {
  Specimen s;
  std::vector<Vec3> start;
  double length;

  Prism(Specimen specimen, double spacing) : s(std::move(specimen)), start(s.position) {
    double low = 1e300, high = -1e300;
    for (const Vec3& p : start) low = std::min(low, p.x()), high = std::max(high, p.x());
    length = high - low;
    s.drive([&](const Vec3& p) { return p.x() < low + 0.9 * spacing || p.x() > high - 0.9 * spacing; });
    middle_from = low + 0.3 * length, middle_to = low + 0.7 * length, right_from = high - 0.9 * spacing;
  }

  /// Equilibrium for the plates as they have been moved. \return force and torque about the x axis on the right plate
  Wrench solve(double force_scale) {
    const BondTerm bonds(s.bonds(), s.size());
    IncrementalPotential potential(s.unknowns(), {&bonds});
    BlockMatrix hessian(potential.pattern());
    MinimiseOptions options;
    options.tolerance = 1e-7;
    options.inexact = false;
    options.tightest = 1e-8;
    const auto report = minimise(potential, {s.radius, force_scale}, options, *block_ic_cg(), hessian, s.moving());
    INFO(report.stopped << " " << report.residual);
    CHECK(report.converged);
    std::vector<Wrench> w(s.size());
    bonds.add_gradient(s.configuration(), w);
    Wrench sum;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (start[i].x() > right_from) {
        sum.force += w[i].force;
        sum.torque += start[i].cross(w[i].force) + w[i].torque;
      }
    return sum;
  }

  /// Slope of value(i) over at(i), least squares over the middle of the prism.
  template <class Value, class At>
  double slope(Value&& value, At&& at) const {
    double n = 0, v = 0, x = 0, vx = 0, xx = 0;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (start[i].x() > middle_from && start[i].x() < middle_to)
        ++n, v += value(i), x += at(i), vx += value(i) * at(i), xx += at(i) * at(i);
    return (vx - v * x / n) / (xx - x * x / n);
  }
  Vec3 moved(std::size_t i) const { return s.position[i] - start[i]; }

  double middle_from, middle_to, right_from;
};

struct Elasticity {
  double young, poisson;
};

Elasticity stretched(Prism prism, double side) {
  const double strain = 1e-6;
  for (std::size_t i = 0; i < prism.s.size(); ++i) prism.s.position[i].x() += strain * prism.start[i].x();
  const double force = prism.solve(kYoung * side * side * strain).force.x();
  const double along =
      prism.slope([&](std::size_t i) { return prism.moved(i).x(); }, [&](std::size_t i) { return prism.start[i].x(); });
  const double across =
      prism.slope([&](std::size_t i) { return prism.moved(i).y(); }, [&](std::size_t i) { return prism.start[i].y(); });
  return {force / (side * side) / along, -across / along};
}

/// Torque over the rate of twist [N m^2].
double twisted(Prism prism, double side) {
  const double rate = 1e-6;
  for (std::size_t i = 0; i < prism.s.size(); ++i) {
    const Vec3 turn(rate * prism.start[i].x(), 0, 0);
    prism.s.position[i] += turn.cross(prism.start[i]);
    prism.s.orientation[i] = exponential<double>(turn);
  }
  const double torque = prism.solve(kYoung * side * side * rate * side).torque.x();
  // A section turns by sum (y u_z - z u_y)/sum (y^2 + z^2): fitted body by body, weighted with y^2 + z^2.
  double n = 0, v = 0, x = 0, vx = 0, xx = 0;
  for (std::size_t i = 0; i < prism.s.size(); ++i) {
    const Vec3 &p = prism.start[i], u = prism.moved(i);
    if (p.x() < prism.middle_from || p.x() > prism.middle_to) continue;
    const double weight = p.y() * p.y() + p.z() * p.z(), turn = p.y() * u.z() - p.z() * u.y();
    n += weight, v += turn, x += weight * p.x(), vx += turn * p.x(), xx += weight * p.x() * p.x();
  }
  return torque / ((vx - v * x / n) / (xx - x * x / n));
}

}  // namespace

TEST_CASE("T10: torsion of a cubic lattice has half the shear modulus and a size effect") {
  const double a = 0.1, shear = 0.4 * kYoung, side = 12 * a;
  const double stiffness = twisted(Prism(lattice(48, 12, 12, a, kYoung, shear), a), side);
  const double factor = stiffness / (shear * 0.140577 * std::pow(side, 4));
  INFO("effective G/G " << factor);
  CHECK(std::abs(factor / 0.5083 - 1) < 0.01);
}

TEST_CASE("T11: macroscopic moduli of cut cubes") {
  const double a = 0.1;
  const int wide = 6;
  for (const auto& [ratio, young, poisson] :
       {std::tuple{0.2, 0.337, 0.194}, {0.4, 0.541, 0.124}, {0.5, 0.616, 0.098}, {0.8, 0.782, 0.042}}) {
    const auto e = stretched(Prism(cut_cubes(24, wide, wide, a, kYoung, ratio * kYoung), a), wide * a);
    INFO("G/E " << ratio << ": E " << e.young / kYoung << " (" << young << "), nu " << e.poisson << " (" << poisson
                << ")");
    CHECK(std::abs(e.young / kYoung / young - 1) < 0.05);
    CHECK(std::abs(e.poisson - poisson) < 0.05 * poisson + 0.01);
  }
}
