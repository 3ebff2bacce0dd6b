#include "catch.hpp"

#include "contact/pair_terms.hpp"
#include "measure/specimen.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

constexpr double kLength = 1, kRadius = 0.05, kYoung = 1e7, kShear = kYoung / 2.5;
const double kArea = std::numbers::pi * kRadius * kRadius;
const double kMoment = second_moment(kArea);

/// The displacements (p, th) by body under a load, linear: H u = f at rest.
struct Linear {
  explicit Linear(const Specimen& s)
      : bonds(s.bonds(), s.size()), potential(s.unknowns(), {&bonds}), hessian(potential.pattern()) {
    potential.hessian(s.configuration(), Curvature::exact, hessian);
    REQUIRE(solver->prepare(hessian));
    load.setZero(6 * static_cast<Eigen::Index>(hessian.rows()));
  }
  /// Force and torque on a body.
  void add(std::size_t body, const Vec3& force, const Vec3& torque) { of(load, body) += stacked(force, torque); }
  void solve() { solver->solve(hessian, load, 1e-14, answer); }
  Vec3 moved(std::size_t body) { return of(answer, body).head<3>(); }
  Vec3 turned(std::size_t body) { return of(answer, body).tail<3>(); }

  Eigen::VectorBlock<BlockVector, 6> of(BlockVector& v, std::size_t body) {
    return v.segment<6>(6 * static_cast<Eigen::Index>(potential.unknowns().row[body]));
  }
  static Eigen::Matrix<double, 6, 1> stacked(const Vec3& a, const Vec3& b) {
    Eigen::Matrix<double, 6, 1> v;
    v << a, b;
    return v;
  }
  BondTerm bonds;
  IncrementalPotential potential;
  BlockMatrix hessian;
  std::unique_ptr<LinearSolver> solver = direct_cholesky();
  BlockVector load, answer;
};

Specimen clamped_chain(int n) {
  Specimen s = chain(n, kLength, kRadius, kYoung, kShear);
  s.driven[0] = 1;
  return s;
}

double error(double got, double want) { return std::abs(got / want - 1); }

}  // namespace

TEST_CASE("T4 T5 T6: chains of any number of bonds stretch, twist and bend like the beam") {
  for (const int n : {1, 2, 7, 32}) {
    const auto end = static_cast<std::size_t>(n);
    const Specimen s = clamped_chain(n);
    Linear beam(s);
    beam.add(end, Vec3(3, 0, 0), Vec3(2, 0, 5));
    beam.solve();
    INFO(n << " bonds");
    CHECK(error(beam.moved(end).x(), 3 * kLength / (kYoung * kArea)) < 1e-10);
    CHECK(error(beam.turned(end).x(), 2 * kLength / (kShear * 2 * kMoment)) < 1e-10);
    CHECK(error(beam.turned(end).z(), 5 * kLength / (kYoung * kMoment)) < 1e-9);
  }
}

TEST_CASE("T7: a cantilever under a tip load is the Timoshenko beam with one integration point") {
  for (const int n : {1, 4, 16, 64}) {
    const auto end = static_cast<std::size_t>(n);
    const Specimen s = clamped_chain(n);
    Linear beam(s);
    beam.add(end, Vec3(0, 1, 0), Vec3::Zero());
    beam.solve();
    const double w = std::pow(kLength, 3) / (3 * kYoung * kMoment) * (1 - 0.25 / (n * n)) + kLength / (kShear * kArea);
    INFO(n << " bonds: " << error(beam.moved(end).y(), w));
    CHECK(error(beam.moved(end).y(), w) < 1e-9);
  }
}

TEST_CASE("T8: the elastica, by Newton's method with dead loads") {
  // Inextensible and free of shear: own shooting; the beam here has 3 E I/(G S L^2) = 1.9e-4 of shear.
  struct Case {
    double load, w, u, slope;
  };
  const int n = 128;
  const double r = 0.01, bending = kYoung * second_moment(std::numbers::pi * r * r);
  Specimen s = chain(n, kLength, r, kYoung, kShear);
  s.driven[0] = 1;
  std::vector<Vec3> force(s.size(), Vec3::Zero());
  const BondTerm bonds(s.bonds(), s.size());
  const LoadTerm load(force);
  IncrementalPotential potential(s.unknowns(), {&bonds, &load});
  BlockMatrix hessian(potential.pattern());
  const auto solver = direct_cholesky();
  for (const Case c : {Case{1, 0.301721, 0.056433, 0.461352}, Case{5, 0.713792, 0.387628, 1.215368},
                       Case{10, 0.810609, 0.554996, 1.430286}}) {
    const double p = c.load * bending / (kLength * kLength);
    force.back() = Vec3(0, p, 0);
    MinimiseOptions options;
    options.tolerance = 1e-7;  // rounding of positions times the axial stiffness is 5e-9 of the load
    options.max_iterations = 200;
    const auto report = minimise(potential, {s.radius, p}, options, *solver, hessian, s.moving());
    INFO("P L^2/EI = " << c.load << ": " << report.iterations << " iterations, " << report.clamped << " clamped, "
                       << report.halvings << " halvings, " << report.stopped << ", residual " << report.residual);
    CHECK(report.converged);
    const double w = s.position.back().y(), u = kLength - s.position.back().x();
    const double slope = logarithm(s.orientation.back()).z();
    INFO("w " << w << " u " << u << " slope " << slope);
    CHECK(std::abs(w - c.w) < 5e-4);
    CHECK(std::abs(u - c.u) < 5e-4);
    CHECK(std::abs(slope - c.slope) < 5e-4);
  }
}

TEST_CASE("T9: a cubic lattice stretches with E and without transverse strain") {
  const int n = 4, cells = 6;
  const double a = 0.1;
  Specimen s = lattice(cells + 1, n, n, a, kYoung, kShear);
  s.drive([](const Vec3& p) { return p.x() < 1e-9; });
  Linear body(s);
  const double stress = 100;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.position[i].x() > a * (cells - 0.5)) body.add(i, Vec3(stress * a * a, 0, 0), Vec3::Zero());
  body.solve();
  double worst = 0, across = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s.driven[i]) continue;
    worst = std::max(worst, std::abs(body.moved(i).x() - stress / kYoung * s.position[i].x()));
    across = std::max(across, std::hypot(body.moved(i).y(), body.moved(i).z()));
  }
  CHECK(worst < 1e-9 * stress / kYoung);
  CHECK(across < 1e-9 * stress / kYoung * a);
}

TEST_CASE("T9: bending stiffness of a lattice n chains wide is that of the square but for (1 - 3/pi)/n^2") {
  for (const int n : {2, 5}) {
    // Ends are rigid plates that turn by +-phi/2 about z: every section between turns alike.
    const int cells = 4;
    const double a = 0.1, phi = 1e-3, side = n * a;
    Specimen s = lattice(cells + 1, n, n, a, kYoung, kShear);
    s.drive([&](const Vec3& p) { return p.x() < 1e-9 || p.x() > a * (cells - 0.5); });
    // Displaced plates load the free bodies: H u = -(gradient of the plates' displacement).
    Specimen bent = s;
    const double middle = 0.5 * a * cells;
    for (std::size_t i = 0; i < s.size(); ++i) {
      // The whole body follows a circle to first order: u_x = -kappa x y, w = kappa x^2/2, th = kappa x.
      const Vec3 x = s.position[i] - Vec3(middle, 0, 0);
      const double kappa = phi / (a * cells);
      bent.position[i] += Vec3(-kappa * x.x() * x.y(), 0.5 * kappa * (x.x() * x.x()), 0);
      bent.orientation[i] = exponential<double>(Vec3(0, 0, kappa * x.x()));
    }
    const BondTerm bonds(s.bonds(), s.size());
    IncrementalPotential potential(s.unknowns(), {&bonds});
    BlockMatrix hessian(potential.pattern());
    MinimiseOptions options;
    options.tolerance = 1e-11;
    const auto solver = direct_cholesky();
    const auto report = minimise(potential, {s.radius, kYoung * a * a * phi}, options, *solver, hessian, bent.moving());
    CHECK(report.converged);
    std::vector<double> v(bonds.items());
    bonds.energies(bent.configuration(), v);
    const double stiffness = 2 * ordered_sum(v) * a * cells / (phi * phi);
    const double want = kYoung * std::pow(side, 4) / 12 * (1 - (1 - 3 / std::numbers::pi) / (n * n));
    INFO("n = " << n << " error " << error(stiffness, want));
    CHECK(error(stiffness, want) < 1e-6);
  }
}

TEST_CASE("the Hessian of all bonds is the slope of their gradient, and conjugate gradients solve it") {
  Specimen s = lattice(4, 3, 3, 0.1, kYoung, kShear);
  s.drive([](const Vec3& p) { return p.x() < 1e-9; });
  std::uint64_t random = 12345;
  const auto draw = [&] {
    random = random * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(random >> 11) * 0x1p-52 - 1;
  };
  for (std::size_t i = 0; i < s.size(); ++i) {
    s.position[i] += 0.003 * Vec3(draw(), draw(), draw());
    s.orientation[i] = exponential<double>(0.05 * Vec3(draw(), draw(), draw()));
  }
  const BondTerm bonds(s.bonds(), s.size());
  std::vector<Vec3> predicted = s.position;
  std::vector<Quat> turned = s.orientation;
  const InertiaTerm inertia({s.mass, s.moment, predicted, turned, 1e-3});
  const PairContactTerm contacts({{0, 14, 1e5, 0.4}, {20, 31, 1e5, 0.4}, {4, 13, 1e5, 0.12}}, s.size());
  const std::vector<double> stiff(s.size(), 1e4);
  const ObstacleTerm floor([](const Vec3& p) { return SignedDistance{p.y() + 0.1, Vec3::UnitY()}; }, s.radius, stiff);
  IncrementalPotential potential(s.unknowns(), {&inertia, &bonds, &contacts, &floor});
  BlockMatrix h(potential.pattern());
  potential.hessian(s.configuration(), Curvature::exact, h);
  BlockVector direction(6 * static_cast<Eigen::Index>(h.rows())), product, up, down;
  for (auto& d : direction) d = draw();

  // phi(t) along geodesics: phi'' = d H d; phi' from the gradient only at t = 0, so second differences of the energy.
  const auto at = [&](double t) {
    Specimen x = s;
    for (std::size_t row = 0; row < h.rows(); ++row) {
      const auto i = potential.unknowns().body[row];
      const auto d = direction.segment<6>(6 * static_cast<Eigen::Index>(row));
      x.position[i] += t * d.head<3>();
      x.orientation[i] = retracted(x.orientation[i], t * d.tail<3>());
    }
    return potential.change(x.configuration());
  };
  potential.set_base(s.configuration());
  h.multiply(direction, product);
  potential.gradient(s.configuration(), up);
  const double t = 1e-4, slope = (8 * (at(t) - at(-t)) - (at(2 * t) - at(-2 * t))) / (12 * t);
  const double bend = (16 * (at(t) + at(-t)) - (at(2 * t) + at(-2 * t))) / (12 * t * t);
  CHECK(error(slope, up.dot(direction)) < 1e-7);
  CHECK(error(bend, direction.dot(product)) < 1e-6);

  potential.hessian(s.configuration(), Curvature::clamped, h);
  BlockVector x;
  for (const auto make : {+[] { return block_jacobi_cg(); }, +[] { return block_ic_cg(); },
                          +[] { return direct_cholesky(); }, +[] { return cholmod_cholesky(); }}) {
    const auto solver = make();
    if (!solver) continue;
    REQUIRE(solver->prepare(h));
    const auto report = solver->solve(h, direction, 1e-10, x);
    h.multiply(x, product);
    INFO(solver->name() << " " << report.iterations);
    CHECK(report.converged);
    CHECK((product - direction).norm() < 2e-10 * direction.norm());
  }
}

TEST_CASE("T3: forces and moments of all bonds balance, and a broken bond takes only its energy away") {
  Specimen s = cut_cubes(2, 2, 2, 0.1, kYoung, kShear, 1000, 0.1);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double t = static_cast<double>(i);
    s.position[i] += 0.01 * Vec3(std::sin(t), std::cos(2 * t), std::sin(3 * t));
    s.orientation[i] = exponential<double>(0.1 * Vec3(std::cos(t), std::sin(2 * t), std::cos(3 * t)));
  }
  BondTerm bonds(s.bonds(), s.size());
  const auto balance = [&] {
    std::vector<Wrench> w(s.size());
    bonds.add_wrenches(s.configuration(), w);
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    double size = 0;
    for (std::size_t i = 0; i < s.size(); ++i) {
      force += w[i].force;
      moment += s.position[i].cross(w[i].force) + w[i].torque;
      size += w[i].force.norm();
    }
    CHECK(force.norm() < 1e-13 * size);
    CHECK(moment.norm() < 1e-13 * size);
  };
  balance();
  std::vector<double> before(bonds.items()), after(bonds.items());
  bonds.energies(s.configuration(), before);
  bonds.break_bond(5);
  bonds.energies(s.configuration(), after);
  balance();
  CHECK(before[5] > 0);
  CHECK(after[5] == 0);
  for (std::size_t k = 0; k < before.size(); ++k)
    if (k != 5) CHECK(before[k] == after[k]);
}
