/// \file Figures of framework/docs/notes/bonded.md: cost per bond, iterations and time of the linear solvers.
///   bonded_measure cost | solvers [name] | methods
/// One thread; seconds are processor time.

#include <omp.h>

#include <cstdio>
#include <cstring>
#include <ctime>

#include "measure/drape_system.hpp"
#include "measure/constrained.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

std::string_view only;  ///< solver to measure; empty: all

/// Processor time of all threads [s]: other programs do not count.
double clock_of_work() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The least of several times, each of enough repetitions to take 0.2 s [s per call].
template <class F>
double seconds_of(F&& f) {
  f();
  double best = 1e300;
  for (int trial = 0; trial < 7; ++trial) {
    int calls = 0;
    const double start = clock_of_work();
    double now = start;
    for (; now - start < 0.2; now = clock_of_work(), ++calls) f();
    best = std::min(best, (now - start) / calls);
  }
  return best;
}

void perturb(Specimen& s, double move, double turn) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    const double t = static_cast<double>(i);
    s.position[i] += move * Vec3(std::sin(t), std::cos(2 * t), std::sin(3 * t));
    s.orientation[i] = exponential<double>(turn * Vec3(std::cos(t), std::sin(2 * t), std::cos(3 * t)));
  }
}

void cost_of(const char* name, Specimen s) {
  perturb(s, 1e-4, 0.01);
  const BondTerm bonds(s.bonds(), s.size());
  const auto x = s.configuration();
  std::vector<Wrench> w(s.size());
  std::vector<double> v(bonds.items());
  IncrementalPotential potential(s.unknowns(), {&bonds});
  BlockMatrix h(potential.pattern());
  const double us = 1e6 / static_cast<double>(bonds.items());
  const double energy = us * seconds_of([&] { bonds.energies(x, v); });
  const double force = us * seconds_of([&] {
                         std::fill(w.begin(), w.end(), Wrench{});
                         bonds.add_wrenches(x, w);
                       });
  const double hessian = us * seconds_of([&] { potential.hessian(x, Curvature::exact, h); });
  const double clamped = us * seconds_of([&] { potential.hessian(x, Curvature::clamped, h); });
  std::printf("%-24s %7zu bodies %7zu bonds | us per bond: energy %.4f, forces %.4f, Hessian %.4f, clamped %.3f\n",
              name, s.size(), bonds.items(), energy, force, hessian, clamped);
}

void solve_with(const char* name, Specimen s, double young) {
  const DrapeSystem drape(std::move(s), 1.0 / 28);
  const BlockMatrix& h = drape.hessian();
  const SystemShape shape = shape_of(drape.pattern());
  std::printf("%s, E = %.0e: %zu rows, %zu blocks, cross-section %zu; auto takes %s\n", name, young, shape.rows,
              shape.blocks, shape.cross_section, choose_solver(drape.pattern()).reason.c_str());
  for (const auto make :
       {+[] { return block_jacobi_cg(); }, +[] { return block_ic_cg(); }, +[] { return multigrid_cg(); },
        +[] { return direct_cholesky(); }, +[] { return cholmod_cholesky(); }}) {
    const auto solver = make();
    if (!solver || (!only.empty() && solver->name() != only) || (solver->name() == "direct" && h.rows() > 5000))
      continue;
    solver->set_centres(drape.centres());
    BlockVector x;
    const double t0 = clock_of_work();
    const bool fine = solver->prepare(h);
    const double t1 = clock_of_work();
    const auto fit = solver->solve(h, drape.right(), 1e-8, x);
    const double t2 = clock_of_work();
    const auto loose = solver->solve(h, drape.right(), 1e-2, x);
    const double t3 = clock_of_work();
    solver->prepare(h);
    const double t4 = clock_of_work();
    std::printf(
        "  %-13s %s %5d its at 1e-8, set-up %.3f (again %.3f) + solve %.3f s | %5d its at 1e-2, %.3f s | %.0f MB\n",
        std::string(solver->name()).c_str(), fine && fit.converged ? "ok " : "NOT", fit.iterations, t1 - t0, t4 - t3,
        t2 - t1, loose.iterations, t3 - t2, static_cast<double>(solver->bytes()) * 1e-6);
    std::fflush(stdout);
  }
}

/// Iterates of one method: the paper's Figure 3.
void print_history(const char* name, const MinimiseReport& report) {
  std::printf("%s: %d iterations, %s\n", name, report.iterations, std::string(report.stopped).c_str());
  const std::size_t n = report.history.size();
  for (std::size_t k = 0; k<n; k += n> 60 && k > 10 ? n / 20 : 1) {
    const Iterate& i = report.history[k];
    std::printf("  %5zu  %8.4f s  residual %.3e  energy %+.9e J\n", k, i.seconds, i.residual, i.energy);
  }
  const double end = n ? report.history.back().seconds : 0;
  std::printf("    end  %8.4f s  residual %.3e  energy %+.9e J\n", end, report.residual, report.energy_change);
}

/// One step of a draping beam of tetrahedra whose elements spin, by every method from the same start.
void compare_methods() {
  Specimen start = cut_cubes(9, 3, 3, 1.0 / 3, 1e6, 4e5, 1000, 0.15);
  start.drive([](const Vec3& p) { return p.x() < 1.0 / 3; });
  std::vector<Vec3> force(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    force[i] = Vec3(0, 0, -9.81 * start.mass[i]);
    start.angular_velocity[i] = Vec3(2, 5, 1);
    start.velocity[i] = Vec3(0, 0, -2) * start.position[i].x();
  }
  const Prediction to = predict(Scheme::backward_euler, start.motion(), {}, start.bodies(), {force, {}}, 1.0 / 60);
  const auto columns = to.columns(start.bodies());
  const auto scale = step_scale(start.bodies(), start.unknowns(), 9.81);
  const BondTerm bonds(start.bonds(), start.size());
  const InertiaTerm inertia(columns);
  IncrementalPotential potential(start.unknowns(), {&inertia, &bonds});
  BlockMatrix hessian(potential.pattern());
  MinimiseOptions options;
  options.tolerance = 1e-8;
  options.corrections = false;
  std::printf("%zu bodies, %zu bonds\n", start.size(), bonds.items());
  {
    Specimen s = start;
    print_history("second order, reduced",
                  minimise(potential, scale, options, *direct_cholesky(), hessian, s.moving()));
  }
  {
    Specimen s = start;
    print_history("second order, reduced, conjugate gradients",
                  minimise(potential, scale, options, *block_ic_cg(), hessian, s.moving()));
  }
  {
    Specimen s = start;
    std::vector<double> mass(s.size()), moment(s.size());
    for (std::size_t i = 0; i < s.size(); ++i)
      mass[i] = s.mass[i] / (to.h * to.h), moment[i] = s.moment[i] / (to.h * to.h);
    options.max_iterations = 20000;
    print_history("first order, metric of the masses", descend(potential, scale, options, mass, moment, s.moving()));
    s = start;
    const std::vector<double> one(s.size(), 1), quarter(s.size(), 0.25);
    print_history("first order, metric of R^3 x R^4", descend(potential, scale, options, one, quarter, s.moving()));
  }
  for (const auto& [name, method, stiffness] : {std::tuple{"second order, not reduced", Constraint::projected, 0.0},
                                                {"penalty 1", Constraint::penalty, 1.0},
                                                {"penalty 1000", Constraint::penalty, 1000.0},
                                                {"multiplier", Constraint::multiplier, 0.0},
                                                {"augmented 1", Constraint::augmented, 1.0},
                                                {"augmented 100", Constraint::augmented, 100.0}}) {
    Specimen s = start;
    ConstrainedOptions constrained;
    constrained.method = method;
    constrained.tolerance = 1e-8;
    constrained.penalty = stiffness;
    constrained.max_iterations = 100;
    const auto report = minimise_constrained(start.bonds(), columns, start.unknowns(), scale, constrained, s.moving());
    print_history(name, report.descent);
    std::printf("    largest |C| at the end %.1e\n", report.violation.back());
  }
}

}  // namespace

int main(int argc, char** argv) {
  omp_set_num_threads(1);
  if (argc > 2) only = argv[2];
  if (argc > 1 && std::strcmp(argv[1], "methods") == 0) return compare_methods(), 0;
  const bool solvers = argc > 1 && std::strcmp(argv[1], "solvers") == 0;
  if (!solvers) {
    cost_of("tetrahedra 28x10x10", cut_cubes(28, 10, 10, 1.0 / 28, 1e9, 4e8, 1000, 0.15));
    cost_of("tetrahedra 12x4x4", cut_cubes(12, 4, 4, 1.0 / 12, 1e9, 4e8, 1000, 0.15));
    cost_of("lattice 64x16x16", lattice(64, 16, 16, 1.0 / 64, 1e9, 4e8));
    return 0;
  }
  solve_with("tetrahedra 15x5x5", cut_cubes(15, 5, 5, 1.0 / 15, 1e9, 4e8, 1000, 0.15), 1e9);
  solve_with("tetrahedra 28x10x10", cut_cubes(28, 10, 10, 1.0 / 28, 1e9, 4e8, 1000, 0.15), 1e9);
  solve_with("tetrahedra 28x10x10", cut_cubes(28, 10, 10, 1.0 / 28, 1e6, 4e5, 1000, 0.15), 1e6);
  solve_with("slender tetrahedra 168x4x4", cut_cubes(168, 4, 4, 1.0 / 42, 1e9, 4e8, 1000, 0.15), 1e9);
  solve_with("tetrahedra 44x16x16", cut_cubes(44, 16, 16, 1.0 / 44, 1e9, 4e8, 1000, 0.15), 1e9);
  return 0;
}
