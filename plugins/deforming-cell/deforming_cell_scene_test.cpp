/// \file Cells that deform: stresses of lattices in closed form, momentum, targets, resume, and what is refused.

#include <cmath>
#include <random>

#include "cell_scenes.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::deforming_cell::test;

namespace {

/// A crystal of grains that touch or overlap, and its bonds.
struct Crystal {
  std::vector<Vec3> places, bonds;  ///< bonds of one grain, one of each two opposite ones [m]
  std::vector<double> lengths;      ///< [m]
  double per_grain = 0;             ///< [m^d]
};

/// A triangular lattice. \param a  spacing [m]
Crystal triangular(double a) {
  Crystal c;
  const double h = std::sqrt(0.75) * a;
  for (int row = 0; row < 6; ++row)
    for (int k = 0; k < 6; ++k) c.places.push_back({a * (k + 0.5 * (row % 2) + 0.25), h * (row + 0.5), 0});
  c.bonds = {{a, 0, 0}, {a / 2, h, 0}, {-a / 2, h, 0}};
  c.lengths = {6 * a, 6 * h};
  c.per_grain = a * h;
  return c;
}

/// A face-centred cubic lattice. \param a  distance of neighbours [m]
Crystal cubic(double a) {
  Crystal c;
  const double cube = std::sqrt(2.0) * a;
  for (int x = 0; x < 3; ++x)
    for (int y = 0; y < 3; ++y)
      for (int z = 0; z < 3; ++z)
        for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0.5, 0.5, 0), Vec3(0.5, 0, 0.5), Vec3(0, 0.5, 0.5)})
          c.places.push_back(cube * (at + Vec3(x + 0.25, y + 0.25, z + 0.25)));
  for (const Vec3& b : {Vec3(1, 1, 0), Vec3(1, -1, 0), Vec3(1, 0, 1), Vec3(1, 0, -1), Vec3(0, 1, 1), Vec3(0, 1, -1)})
    c.bonds.push_back(0.5 * cube * b);
  c.lengths = {3 * cube, 3 * cube, 3 * cube};
  c.per_grain = cube * cube * cube / 4;
  return c;
}

/// Stress of the crystal after a homogeneous deformation F: sum of k (d - |F b|) n (x) F b over its bonds.
Mat3 stress_of(const Crystal& c, const Mat3& f, double stiffness) {
  Mat3 sum = Mat3::Zero();
  for (const Vec3& b : c.bonds) {
    const Vec3 l = f * b;
    sum += stiffness * std::max(0.0, 1 - l.norm()) / l.norm() * l * l.transpose();
  }
  return sum / (c.per_grain * f.determinant());
}

Mat3 deformation(const World& world, const std::vector<double>& lengths) {
  Mat3 f = world.cell.edges;
  for (int k = 0; k < 3; ++k)
    f.col(k) = k < static_cast<int>(lengths.size()) ? Vec3(f.col(k) / lengths[k]) : Vec3(Vec3::Unit(k));
  return f;
}

std::string refusal(const Scene& scene) {
  try {
    scene.run();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

/// Discs of several sizes on a square lattice, with random velocities.
Scene gas(const std::string& hook, double spacing) {
  Scene s;
  s.lengths = {10 * spacing, 10 * spacing};
  s.bodies = fmt::format(
      R"({{"shape": "grain", "material": "m", "scale": {{"type": "uniform", "lower": 0.8, "upper": 1.2}}, "random_speed": 0.3,
          "packing": {{"type": "lattice", "lower": [{0}, {0}], "counts": [10, 10], "spacing": {1}}}}})",
      spacing / 2, spacing);
  s.hook = hook;
  s.friction = 0.4;
  s.restitution = 0.5;
  return s;
}

}  // namespace

TEST_CASE("stresses of a triangular and of a cubic crystal that are sheared and pressed are those of their bonds") {
  const auto [name, crystal, rates] = GENERATE(table<std::string, Crystal, std::string>(
      {{"triangular", triangular(0.99), R"("xy": 0.1, "yy": -0.02)"},
       {"triangular", triangular(0.99), R"("xx": -0.05, "yy": -0.05)"},
       {"cubic", cubic(0.99), R"("xy": 0.05, "xz": -0.02, "yz": 0.01, "zz": -0.03)"},
       {"cubic", cubic(0.99), R"("xx": -0.03, "yy": -0.01)"}}));
  CAPTURE(name, rates);
  Scene scene;
  scene.lengths = crystal.lengths;
  scene.bodies = grains_at(crystal.places, crystal.lengths.size() == 2);
  scene.hook = fmt::format(R"("strain_rate": {{{}}})", rates);
  Simulation run = scene.run();
  run.step(99);
  const Mat3 expected = stress_of(crystal, deformation(run.world(), crystal.lengths), scene.stiffness);
  run.step(1);
  CHECK((shown_stress(run) - expected).norm() < 1e-9 * expected.norm());
}

TEST_CASE("a cubic crystal pressed by one per cent has the stress and the moduli of its springs") {
  const double k = 1000, a = 0.99;
  const Crystal c = cubic(a);
  Scene scene;
  scene.lengths = c.lengths;
  scene.bodies = grains_at(c.places, false);
  scene.hook = R"("strain_rate": {"xx": 1e-9})";
  Simulation run = scene.run();
  run.step(2);
  const Mat3 stress = shown_stress(run);
  // Specification of geometry and boundaries, 5.3: 2 sqrt(2) 0.01/0.99^2 k/d.
  CHECK(stress(0, 0) == Approx(0.0288586 * k).epsilon(1e-5));
  CHECK(stress(0, 0) == Approx(2 * std::sqrt(2.0) * 0.01 / (a * a) * k).epsilon(1e-9));
  CHECK(std::abs(stress(0, 1)) < 1e-9 * k);

  // Sums over bonds again: C11 = sqrt(2) k d/a^2 - p, C44 = k d/(sqrt(2) a^2) - p.
  const auto modulus = [&](const std::string& component, int i, int j) {
    scene.hook = fmt::format(R"("strain_rate": {{"{}": 1e-4}})", component);
    Simulation strained = scene.run();
    strained.step(11);
    return (stress(i, j) - shown_stress(strained)(i, j)) / (10 * scene.dt * 1e-4);
  };
  const double p = stress(0, 0);
  CHECK(modulus("xx", 0, 0) == Approx(std::sqrt(2.0) * k / (a * a) - p).epsilon(1e-5));
  CHECK(modulus("xy", 0, 1) == Approx(k / (std::sqrt(2.0) * a * a) - p).epsilon(1e-5));
}

TEST_CASE("momentum against the motion of the cell stays zero, and velocities are those of the flow") {
  Scene scene = gas(R"("strain_rate": {"xy": 0.7})", 1.21);
  Simulation run = scene.run();
  run.step(1);
  const auto peculiar = [&] {
    const World& w = run.world();
    Vec3 sum = Vec3::Zero();
    const Mat3 gradient = w.cell.rate.col(1) / w.cell.edges(1, 1) * Vec3::UnitY().transpose();
    const Vec3 centre = w.cell.lower + 0.5 * Vec3(w.cell.edges.diagonal());
    for (std::size_t i = 0; i < w.size(); ++i) sum += w.mass[i] * (w.velocity[i] - gradient * (w.position[i] - centre));
    return sum;
  };
  const Vec3 before = peculiar();
  run.step(20000);
  CHECK(figure(run, "cell_strain_xy") == Approx(14).epsilon(1e-3));
  // P' obeys dP'/dt = -L P': the part along y stays, that along x falls at the rate.
  CHECK(peculiar().y() == Approx(before.y()).margin(1e-10));
  CHECK(peculiar().x() == Approx(before.x() - 14 * before.y()).epsilon(1e-3).margin(1e-9));
}

TEST_CASE("the work of pressing an elastic gas is the energy that it gains") {
  Scene scene = gas(R"("strain_rate": {"xx": -0.1, "yy": -0.05, "xy": 0.2})", 1.4);
  scene.restitution = 1;
  scene.friction = 0;
  Simulation run = scene.run();
  run.step(1);
  const auto energy = [&] {
    double sum = 0;
    const World& w = run.world();
    Mat3 edges = w.cell.edges;
    edges(2, 2) = 1;
    const Mat3 gradient = w.cell.rate * edges.inverse();
    const Vec3 centre = w.cell.lower + 0.5 * Vec3(w.cell.edges.diagonal());
    for (std::size_t i = 0; i < w.size(); ++i)
      sum += 0.5 * w.mass[i] * (w.velocity[i] - gradient * (w.position[i] - centre)).squaredNorm();
    for (const ContactRecord& c : run.contacts()) sum += 0.5 * scene.stiffness * c.overlap * c.overlap;
    return sum;
  };
  const double before = energy();
  run.step(4000);
  const double gained = energy() - before;
  run.step(1);
  CHECK(gained > 5 * before);
  CHECK(figure(run, "cell_work_J") == Approx(gained).epsilon(5e-3));
}

TEST_CASE("a dense packing takes the stresses that are asked for, component by component") {
  Scene scene = gas(R"("stress": {"xx": 10, "yy": 12, "xy": -1}, "max_strain_rate": 0.1)", 1.21);
  Simulation run = scene.run();
  run.step(60000);
  CHECK(figure(run, "cell_stress_xx_Pa") == Approx(10).epsilon(1e-3));
  CHECK(figure(run, "cell_stress_yy_Pa") == Approx(12).epsilon(1e-3));
  CHECK(figure(run, "cell_stress_xy_Pa") == Approx(-1).epsilon(1e-3));
  CHECK(figure(run, "cell_solid_fraction") > 0.8);
  CHECK(figure(run, "cell_strain_xy") > 0);
}

TEST_CASE("sides keep their stress while the packing between them flows") {
  Scene scene = gas(R"("strain_rate": {"xx": -0.02}, "stress": {"yy": 10}, "max_strain_rate": 0.3)", 1.21);
  Simulation run = scene.run();
  run.step(10000);
  double mean = 0, flow = 0;
  constexpr int calls = 1000;
  for (int k = 0; k < calls; ++k) {
    run.step(20);
    mean += figure(run, "cell_stress_yy_Pa") / calls;
    flow += figure(run, "cell_strain_rate_yy_per_s") / calls;
  }
  CHECK(flow > 0.01);
  CHECK(mean == Approx(10).epsilon(0.02));
}

TEST_CASE("threads, and a snapshot in the middle, change no bit") {
  const Scene scene = gas(R"("strain_rate": {"xy": 1}, "stress": {"yy": 10}, "max_strain_rate": 0.3)", 1.21);
  const auto end = [&](int threads, bool resumes) {
    Simulation run = scene.run(threads);
    run.step(3000);
    if (resumes) {
      const auto snapshot = run.snapshot();
      Simulation other = scene.run(threads);
      other.restore(*snapshot);
      other.step(3000);
      return std::pair(state_hash(other.world()), figure(other, "cell_work_J"));
    }
    run.step(3000);
    return std::pair(state_hash(run.world()), figure(run, "cell_work_J"));
  };
  const auto alone = end(1, false);
  CHECK(end(2, false) == alone);
  CHECK(end(2, true) == alone);
}

TEST_CASE("every explicit integrator shears a lattice alike") {
  const Crystal crystal = triangular(0.99);
  for (const std::string integrator : {"symplectic-euler", "rk4", "gear"}) {
    CAPTURE(integrator);
    Scene scene;
    scene.lengths = crystal.lengths;
    scene.bodies = grains_at(crystal.places, true);
    scene.hook = R"("strain_rate": {"xy": 0.1, "yy": -0.02})";
    scene.integrator = integrator;
    Simulation run = scene.run();
    run.step(100);
    // Positions follow the edges: each grain stays where the deformation puts it.
    const World& w = run.world();
    const Mat3 f = deformation(w, crystal.lengths);
    const Vec3 centre(crystal.lengths[0] / 2, crystal.lengths[1] / 2, 0);
    for (std::size_t i = 0; i < w.size(); ++i) {
      const Vec3 expected = centre + f * (crystal.places[w.id[i]] - centre);
      CHECK(w.cell.shortest(w.position[i] - expected).norm() < 1e-10);
    }
  }
}

TEST_CASE("at its stop the cell rests, and bodies have lost its motion") {
  const Crystal crystal = triangular(0.99);
  Scene scene;
  scene.lengths = crystal.lengths;
  scene.bodies = grains_at(crystal.places, true);
  scene.hook = R"("strain_rate": {"xy": 0.1}, "stop": 0.05)";
  Simulation run = scene.run();
  run.step(80);
  CHECK(run.world().cell.rate.isZero(0));
  CHECK(run.world().cell.edges(0, 1) == Approx(0.1 * 0.05 * crystal.lengths[1]).epsilon(1e-9));
  for (std::size_t i = 0; i < run.world().size(); ++i) CHECK(run.world().velocity[i].norm() < 1e-10);
}

TEST_CASE("cells that cannot deform as asked are refused with place and remedy") {
  using Catch::Matchers::Contains;
  Scene scene = gas("", 1.2);
  const auto with = [&](const std::string& hook) {
    scene.hook = hook;
    return refusal(scene);
  };
  CHECK_THAT(with(R"("name": "cell")"), Contains("/hooks/0") && Contains("nothing says how the cell is to deform"));
  CHECK_THAT(with(R"("strain_rate": {"xy": 1}, "stress": {"xy": 1})"),
             Contains("/hooks/0/stress/xy") && Contains("Give one of the two."));
  CHECK_THAT(with(R"("strain_rate": {"xz": 1})"),
             Contains("/hooks/0/strain_rate/xz") && Contains("has the components xx, yy and xy"));
  CHECK_THAT(with(R"("strain_rate": {"yx": 1})"), Contains("/hooks/0/strain_rate") && Contains("yx"));
  CHECK_THAT(with(R"("stress": {"xy": 0})"), Contains("/hooks/0/max_strain_rate") && Contains("Give a rate [1/s]."));
  CHECK_THAT(with(R"("strain_rate": {"xy": 1}, "start": 2, "stop": 1)"), Contains("/hooks/0/stop"));
  scene.hook = R"("strain_rate": {"xy": 1})";
  std::string open = scene.text();
  open.replace(open.find(R"("y": [)") - 2, open.find("}", open.find(R"("y": [)")) - open.find(R"("y": [)") + 2, "");
  try {
    Simulation::from_text(open);
    FAIL("not periodic along y");
  } catch (const InputError& e) {
    CHECK_THAT(e.what(), Contains("/hooks/0") && Contains("not periodic along y") && Contains("Give /periodic/y"));
  }
}
